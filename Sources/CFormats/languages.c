#include "languages.h"

#include "trie.h"

/// Marks the last letter of a subtag in the tries.
#define LAST 0x80
/// What the trie of likely subtags says where a language has nothing to say of scripts.
#define SKIP_SCRIPT 1

/// Looks a name up among pairs of fixed width, sorted by the first.
static const char *alias_of(cf_part part, const char *name) {
  cf_words table = cf_program_part(part);
  size_t low = 0, high = table.count / 8;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *row = (const char *)table.bytes + 8 * middle;
    int order = strncmp(row, name, 4);
    if (order == 0 && strlen(name) < 4) return row + 4;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

void cf_language_canonical(char language[9]) {
  const char *other = strlen(language) < 4 ? alias_of(CF_PART_LANGUAGE_ALIASES, language) : NULL;
  if (!other) return;
  memset(language, 0, 9);
  memcpy(language, other, strnlen(other, 4));
}

/// Walks a subtag, the last letter marked; an empty one is `*`. Returns the value, 0 if there is none yet, -1 if
/// nothing goes on from here.
static int32_t next_likely(cf_trie *trie, const char *subtag) {
  cf_step step;
  if (*subtag == 0) {
    step = cf_trie_next(trie, '*');
  } else {
    for (; subtag[1]; subtag++) {
      if (!(cf_trie_next(trie, (uint8_t)*subtag) & CF_STEP_NO_VALUE)) return -1;
    }
    step = cf_trie_next(trie, (uint8_t)*subtag | LAST);
  }
  switch (step) {
  case CF_STEP_NONE: return -1;
  case CF_STEP_NO_VALUE: return 0;
  case CF_STEP_VALUE: return SKIP_SCRIPT;
  case CF_STEP_FINAL: break;
  }
  return cf_trie_value(trie);
}

/// One number holds all three: the script in the highest byte, and letters to the base of 27 in the others.
void cf_subtags_of_number(uint32_t code, cf_subtags *subtags) {
  *subtags = (cf_subtags){0};
  if (code <= 1) return;
  memcpy(subtags->script, cf_program_part(CF_PART_SCRIPTS).bytes + 4 * (code >> 24), 4);
  code &= 0xFFFFFF;
  uint32_t language = code % (27 * 27 * 27), region = code / (27 * 27 * 27) % (27 * 27);
  for (char *at = subtags->language; language > 0; language /= 27) *at++ = (char)('a' + language % 27 - 1);
  if (region < 27) {
    memcpy(subtags->region, cf_program_part(CF_PART_AREAS).bytes + 4 * region, 3);
  } else {
    subtags->region[0] = (char)('A' + region % 27 - 1);
    subtags->region[1] = (char)('A' + region / 27 - 1);
  }
}

void cf_subtags_decode(int32_t index, cf_subtags *subtags) {
  cf_subtags_of_number(cf_read_32(cf_program_part(CF_PART_SUBTAGS).bytes + 4 * (size_t)index), subtags);
}

/// Whether a region is a continent or a part of one, which a more likely one replaces.
static bool is_area(const char *region) { return *region >= '0' && *region <= '9'; }

/// How far a walk through the trie of likely subtags got.
typedef struct walk {
  cf_trie root;
  cf_trie at;
  /// The last state that matched; not `has_state` before the first.
  cf_trie state;
  bool has_state;
} walk;

/// Walks `*` from the root, so many times.
static cf_trie anything(const walk *walk, int count) {
  cf_trie trie = walk->root;
  while (count-- > 0) cf_trie_next(&trie, '*');
  return trie;
}

/// Walks on by a subtag; where none of this name is, by any after the first `depth`. Sets whether the name was there.
static int32_t next_or_any(walk *walk, const char *subtag, int depth, bool *is_found) {
  int32_t value = next_likely(&walk->at, subtag);
  *is_found = value >= 0;
  if (value >= 0) {
    walk->state = walk->at;
    walk->has_state = true;
  } else if (walk->has_state) {
    walk->at = walk->state;
    value = next_likely(&walk->at, "");
    walk->state = walk->at;
  } else {
    walk->at = anything(walk, depth);
    value = 0;
  }
  return value;
}

void cf_subtags_maximize(const cf_subtags *subtags, cf_subtags *full) {
  cf_subtags given = *subtags;
  const char *other = *given.region ? alias_of(CF_PART_REGION_ALIASES, given.region) : NULL;
  if (other) memcpy(given.region, other, 4);
  if (strcmp(given.script, "Zzzz") == 0) *given.script = 0;
  if (strcmp(given.region, "ZZ") == 0) *given.region = 0;
  *full = given;
  full->given = 7;
  if (*given.language && *given.script && *given.region) return;

  walk walk = {.root = {cf_program_part(CF_PART_LIKELY).bytes, -1}};
  walk.at = walk.root;
  bool has_language, has_script, has_region, keeps_script, keeps_region;
  int32_t value = next_or_any(&walk, given.language, 1, &has_language);
  bool keeps_language = has_language ? *given.language != 0 : true;
  if (value > 0) {
    if (value == SKIP_SCRIPT) value = 0;
    keeps_script = *given.script != 0;
  } else {
    value = next_or_any(&walk, given.script, 2, &has_script);
    keeps_script = has_script ? *given.script != 0 : true;
  }
  if (value > 0) {
    keeps_region = *given.region != 0;
  } else {
    bool has_state = walk.has_state;
    value = next_or_any(&walk, given.region, 3, &has_region);
    keeps_region = has_region ? *given.region && !is_area(given.region) : true;
    if (!has_region && !has_state) {
      cf_trie trie = anything(&walk, 3);
      value = cf_trie_value(&trie);
    }
  }
  cf_subtags likely;
  cf_subtags_decode(value, &likely);
  full->given = (uint8_t)((keeps_language ? 4 : 0) | (keeps_script ? 2 : 0) | (keeps_region ? 1 : 0));
  if (!keeps_language) memcpy(full->language, likely.language, sizeof likely.language);
  if (!keeps_script) memcpy(full->script, likely.script, sizeof likely.script);
  if (!keeps_region) memcpy(full->region, likely.region, sizeof likely.region);
}
