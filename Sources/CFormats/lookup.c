#include "languages.h"

/// The index of exactly this text. Behind the root, locales are sorted.
static int32_t find_text(const cf_pack *pack, const char *text) {
  if (strcmp(text, "und") == 0) return 0;
  uint32_t low = 1, high = pack->locale_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    cf_tag tag;
    cf_pack_tag(pack, middle, &tag);
    int order = strcmp(tag.text, text);
    if (order == 0) return (int32_t)middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/// The index of a language, with a script or a region if they are not empty.
static int32_t find_parts(const cf_pack *pack, const char *language, const char *script, const char *region) {
  char text[CF_TAG_BYTES + 1] = {0};
  strcat(text, *language ? language : "und");
  if (*script) strcat(strcat(text, "-"), script);
  if (*region) strcat(strcat(text, "-"), region);
  return find_text(pack, text);
}

int32_t cf_pack_find(const cf_pack *pack, const cf_tag *tag) {
  int32_t found = find_text(pack, tag->text);
  if (found >= 0) return found;
  cf_subtags given, bare, likely;
  cf_subtags_of(tag, &given);
  bare = given;
  *bare.script = 0;
  cf_subtags_maximize(&bare, &likely);
  if (*given.script == 0) return find_parts(pack, given.language, likely.script, given.region);
  if (strcmp(given.script, likely.script) == 0) return find_parts(pack, given.language, "", given.region);
  return -1;
}

/// As `cf_pack_nearest`, without parents that only a larger pack knows.
static uint32_t nearest(const cf_pack *pack, const cf_tag *tag) {
  int32_t found = cf_pack_find(pack, tag);
  if (found >= 0) return (uint32_t)found;
  cf_subtags full, given, bare = {0}, likely;
  cf_subtags_of(tag, &given);
  cf_subtags_maximize(&given, &full);
  const char *script = *given.script ? given.script : full.script;
  if (*given.language == 0) return 0;
  memcpy(bare.language, given.language, sizeof bare.language);
  cf_subtags_maximize(&bare, &likely);
  bool is_usual = strcmp(script, likely.script) == 0;
  const char *choices[][2] = {{script, given.region}, {"", given.region}, {script, ""}, {"", ""}};
  for (size_t index = 0; index < 4; index++) {
    // A tag without a script is one of the usual script, of its region or else of its language.
    bool is_bare = *choices[index][0] == 0;
    if (is_bare && (index == 1 ? *given.script != 0 : !is_usual)) continue;
    found = find_parts(pack, given.language, choices[index][0], choices[index][1]);
    if (found >= 0) return (uint32_t)found;
  }
  return 0;
}

/// Whether a parent is of a tag's language. Norwegian is one in two ways of writing; Hindi in Latin letters has an
/// English parent, which is not.
static bool is_of_language(const cf_tag *parent, const cf_tag *tag) {
  cf_subtags above, below;
  cf_subtags_of(parent, &above);
  cf_subtags_of(tag, &below);
  return strcmp(above.language, below.language) == 0 || strcmp(above.language, "no") == 0;
}

uint32_t cf_pack_nearest(const cf_pack *pack, const cf_tag *tag) {
  const cf_pack *all = cf_pack_all();
  int32_t exact = cf_pack_find(pack, tag);
  if (exact >= 0 || pack == all) return exact >= 0 ? (uint32_t)exact : nearest(pack, tag);
  for (uint32_t locale = nearest(all, tag); locale != 0; locale = cf_pack_parent(all, locale)) {
    cf_tag parent;
    cf_pack_tag(all, locale, &parent);
    if (!is_of_language(&parent, tag)) break;
    int32_t found = cf_pack_find(pack, &parent);
    if (found >= 0) return (uint32_t)found;
  }
  return nearest(pack, tag);
}

bool cf_pack_is_same_language(const cf_pack *pack, uint32_t left, uint32_t right) {
  cf_subtags subtags[2];
  for (int side = 0; side < 2; side++) {
    cf_tag tag;
    cf_subtags given;
    cf_pack_tag(pack, side ? right : left, &tag);
    cf_subtags_of(&tag, &given);
    cf_subtags_maximize(&given, &subtags[side]);
  }
  return strcmp(subtags[0].language, subtags[1].language) == 0 && strcmp(subtags[0].script, subtags[1].script) == 0;
}
