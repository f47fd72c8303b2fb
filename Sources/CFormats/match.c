#include "languages.h"
#include "trie.h"

#define LAST 0x80
/// Bits of a distance in the trie: no script follows, nothing follows.
#define SKIP_SCRIPT 0x80
#define IS_FINAL 0x100
/// Distances are compared with three bits of fraction, which tell apart what likely subtags make the same.
#define SHIFT 3
#define THRESHOLD (50 << SHIFT)

/// What the distances are where the trie says nothing: of languages, scripts, regions, and the least of regions.
typedef struct defaults {
  int32_t language;
  int32_t script;
  int32_t region;
  int32_t least_region;
} defaults;

static defaults read_defaults(void) {
  defaults read;
  memcpy(&read, cf_program_part(CF_PART_DEFAULTS).bytes, sizeof read);
  return read;
}

static int32_t next_subtag(cf_trie *trie, const char *subtag, bool wants_value) {
  if (*subtag == 0) return -1;
  for (; subtag[1]; subtag++) {
    if (!(cf_trie_next(trie, (uint8_t)*subtag) & CF_STEP_NO_VALUE)) return -1;
  }
  cf_step step = cf_trie_next(trie, (uint8_t)*subtag | LAST);
  if (!wants_value) return step & CF_STEP_NO_VALUE ? 0 : -1;
  if (!(step & CF_STEP_FINAL)) return -1;
  return cf_trie_value(trie) | (step == CF_STEP_FINAL ? IS_FINAL : 0);
}

/// The distance of two scripts, from where the languages lead; with IS_FINAL if regions add nothing of their own.
static int32_t script_distance(cf_trie *trie, const char *wanted, const char *offered) {
  cf_trie start = *trie;
  int32_t distance = next_subtag(trie, wanted, false);
  if (distance >= 0) distance = next_subtag(trie, offered, true);
  if (distance >= 0) return distance;
  *trie = start;
  cf_step step = cf_trie_next(trie, '*');
  distance = strcmp(wanted, offered) == 0 ? 0 : cf_trie_value(trie);
  return distance | (step == CF_STEP_FINAL ? IS_FINAL : 0);
}

/// The numbers of regions: areas such as `419` are 1 to 1000, `AA` to `ZZ` follow.
static size_t region_number(const char *region) {
  if (*region == 0) return 0;
  if (*region <= '9')
    return (size_t)(region[0] - '0') * 100 + (size_t)(region[1] - '0') * 10 + (size_t)(region[2] - '0') + 1;
  return (size_t)(region[0] - 'A') * 26 + (size_t)(region[1] - 'A') + 1001;
}

/// The groups of regions that a region is in, a letter each, with a zero after.
static const char *partitions(const char *region) {
  uint8_t index = cf_program_part(CF_PART_PARTITION_OF_REGION).bytes[region_number(region)];
  return (const char *)cf_program_part(CF_PART_PARTITIONS).bytes + 8 * (size_t)index;
}

static int32_t any_regions(cf_trie trie) {
  cf_trie_next(&trie, '*');
  return cf_trie_value(&trie);
}

/// The greatest distance of two regions' groups; the first that is above `most`.
static int32_t region_distance(cf_trie start, const char *wanted, const char *offered, int32_t most) {
  int32_t greatest = 0;
  bool is_any_counted = false;
  for (const char *from = wanted; *from; from++) {
    cf_trie trie = start;
    bool is_known = cf_trie_next(&trie, (uint8_t)*from | LAST) & CF_STEP_NO_VALUE;
    for (const char *to = offered; *to; to++) {
      cf_trie next = trie;
      int32_t distance;
      if (is_known && cf_trie_next(&next, (uint8_t)*to | LAST) & CF_STEP_FINAL) {
        distance = cf_trie_value(&next);
      } else if (is_any_counted) {
        continue;
      } else {
        distance = any_regions(start);
        is_any_counted = true;
      }
      if (distance > most) return distance;
      if (distance > greatest) greatest = distance;
      if (!is_known) break;
    }
  }
  return greatest;
}

/// The distance of two languages; above `most` as soon as it is known to be.
static int32_t distance_of(const cf_subtags *wanted, const cf_subtags *offered, int32_t most) {
  defaults defaults = read_defaults();
  cf_trie trie = {cf_program_part(CF_PART_DISTANCES).bytes, -1};
  int32_t distance = next_subtag(&trie, wanted->language, false);
  if (distance >= 0) distance = next_subtag(&trie, offered->language, true);
  bool is_any = distance < 0;
  int32_t flags = is_any ? 0 : distance & (SKIP_SCRIPT | IS_FINAL);
  distance = is_any ? (strcmp(wanted->language, offered->language) == 0 ? 0 : defaults.language) : distance - flags;
  if (distance > most) return distance;
  if (is_any || flags) {
    if (strcmp(wanted->script, offered->script) != 0) distance += defaults.script;
  } else {
    int32_t scripts = script_distance(&trie, wanted->script, offered->script);
    flags = scripts & IS_FINAL;
    distance += scripts - flags;
  }
  if (distance > most || strcmp(wanted->region, offered->region) == 0) return distance;
  if (is_any || flags & IS_FINAL) return distance + defaults.region;
  if (defaults.least_region > most - distance) return most + 1;
  return distance + region_distance(trie, partitions(wanted->region), partitions(offered->region), most - distance);
}

/// Whether the first of two of one language goes more without saying than the second: `zh-Hans` for `zh`. As in ICU
/// the region is compared with that of the language, whatever the script.
static bool is_likelier(const cf_subtags *first, const cf_subtags *second) {
  if (strcmp(first->language, second->language) != 0) return false;
  cf_subtags bare = {0}, likely;
  memcpy(bare.language, first->language, sizeof bare.language);
  cf_subtags_maximize(&bare, &likely);
  if (strcmp(first->script, second->script) != 0) return strcmp(first->script, likely.script) == 0;
  return strcmp(first->region, second->region) != 0 && strcmp(first->region, likely.region) == 0;
}

static bool is_same(const cf_subtags *left, const cf_subtags *right) {
  return strcmp(left->language, right->language) == 0 && strcmp(left->script, right->script) == 0 &&
         strcmp(left->region, right->region) == 0;
}

/// Whether a locale is preferred to others of its language: `en`, `en-GB`, `es-419`.
static bool is_paradigm(const cf_subtags *subtags) {
  cf_words paradigms = cf_program_part(CF_PART_PARADIGMS);
  for (size_t index = 0; index < paradigms.count / 4; index++) {
    cf_subtags paradigm;
    cf_subtags_of_number(cf_read_32(paradigms.bytes + 4 * index), &paradigm);
    if (is_same(subtags, &paradigm)) return true;
  }
  return false;
}

static void maximal(const cf_tag *tag, cf_subtags *subtags) {
  cf_subtags given;
  cf_subtags_of(tag, &given);
  if (strncmp(tag->text, "und", 4) == 0) {
    *subtags = (cf_subtags){.language = "und", .given = 7};
  } else {
    cf_subtags_maximize(&given, subtags);
    if (*subtags->language == 0) memcpy(subtags->language, "und", 4);
  }
}

void cf_pack_offer(const cf_pack *pack, const uint32_t *locales, size_t count, cf_offer *offers) {
  for (size_t index = 0; index < count; index++) {
    cf_tag tag;
    cf_offer *offer = &offers[index];
    memset(offer, 0, sizeof *offer);
    cf_pack_tag(pack, locales[index], &tag);
    maximal(&tag, &offer->subtags);
    offer->is_paradigm = is_paradigm(&offer->subtags);
    offer->is_of_same_language = index > 0 && strcmp(offer->subtags.language, offer[-1].subtags.language) == 0;
  }
}

/// The nearest that was found so far.
typedef struct best {
  int32_t index;
  int32_t shifted;
  cf_subtags subtags;
} best;

/// The largest distance that can still be the nearest, if the nearest so far is `shifted`.
static int32_t most_for(int32_t shifted) { return (shifted + (1 << SHIFT) - 1) >> SHIFT; }

/// Whether a language is not too far from the wanted one, whatever script and region are. `trie` is where the wanted one
/// leads, or nowhere.
static bool is_language_near(const cf_subtags *wanted, const char *offered, cf_trie trie, bool is_known, int32_t most) {
  if (strcmp(wanted->language, offered) == 0) return true;
  int32_t distance = is_known ? next_subtag(&trie, offered, true) : -1;
  if (distance < 0) distance = read_defaults().language;
  else distance &= ~(SKIP_SCRIPT | IS_FINAL);
  return distance <= most;
}

static void consider(best *best, const cf_subtags *wanted, const cf_offer *offer, size_t index) {
  const cf_subtags *offered = &offer->subtags;
  int32_t most = most_for(best->shifted);
  int32_t distance = distance_of(wanted, offered, most);
  if (distance > most) return;
  int32_t shifted = distance << SHIFT;
  if (shifted == 0) shifted = wanted->given ^ offered->given;
  bool is_nearer = shifted < best->shifted;
  if (!is_nearer && distance > 0 && shifted == best->shifted && best->index >= 0) {
    is_nearer = is_likelier(offered, &best->subtags);
  }
  if (is_nearer) *best = (struct best){(int32_t)index, shifted, *offered};
}

/// Compares a wanted language with all offers: first the default, then paradigms, then the others. The first of equals
/// counts.
static void consider_all(best *best, const cf_subtags *wanted, const cf_offer *offers, size_t count, size_t first) {
  cf_trie trie = {cf_program_part(CF_PART_DISTANCES).bytes, -1};
  bool is_known = next_subtag(&trie, wanted->language, false) >= 0;
  int32_t most = most_for(best->shifted);
  consider(best, wanted, &offers[first], first);
  for (int wants_paradigm = 1; wants_paradigm >= 0; wants_paradigm--) {
    bool is_near = false;
    for (size_t index = 0; index < count; index++) {
      const cf_offer *offer = &offers[index];
      if (!offer->is_of_same_language)
        is_near = is_language_near(wanted, offer->subtags.language, trie, is_known, most);
      if (is_near && index != first && offer->is_paradigm == wants_paradigm) consider(best, wanted, offer, index);
    }
  }
}

int32_t cf_match(
    const cf_offer *offers, size_t count, size_t first, const cf_tag *wanted, size_t wanted_count, size_t *wanted_index) {
  best best = {.index = -1, .shifted = THRESHOLD};
  int32_t found = -1;
  cf_subtags american = {"en", "Latn", "US", 7}, british = {"en", "Latn", "GB", 7};
  int32_t demotion = distance_of(&american, &british, THRESHOLD >> SHIFT) << SHIFT;
  if (wanted_count > CF_WANTED_LIMIT) wanted_count = CF_WANTED_LIMIT;
  for (size_t turn = 0; turn < wanted_count && best.shifted > 0; turn++) {
    cf_subtags full;
    maximal(&wanted[turn], &full);
    best.index = -1;
    consider_all(&best, &full, offers, count, first);
    if (best.index >= 0) {
      found = best.index;
      if (wanted_index) *wanted_index = turn;
    }
    best.shifted -= demotion;
  }
  return found;
}
