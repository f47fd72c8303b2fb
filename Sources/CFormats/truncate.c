#include "tables.h"

/// Grapheme_Cluster_Break (Unicode Standard Annex 29, table 2), in the lowest four bits of a character's kind. In the
/// next two its part in conjuncts (table 1c), in the one above whether it is a pictograph.
typedef enum break_kind {
  BREAK_OTHER,
  BREAK_CONTROL,
  BREAK_CR,
  BREAK_EXTEND,
  BREAK_L,
  BREAK_LF,
  BREAK_LV,
  BREAK_LVT,
  BREAK_T,
  BREAK_V,
  BREAK_MARK,
  BREAK_PREPEND,
  BREAK_INDICATOR,
  BREAK_JOINER,
} break_kind;

typedef enum conjunct { CONJUNCT_NONE, CONJUNCT_CONSONANT, CONJUNCT_EXTEND, CONJUNCT_LINKER } conjunct;

#define PICTOGRAPH 0x40
#define FIRST_SYLLABLE 0xAC00
#define LAST_SYLLABLE 0xD7A3

/// What was seen of a cluster so far.
typedef struct cluster {
  break_kind last;
  /// A pictograph, then only what extends it, then perhaps a joiner.
  bool has_pictograph;
  /// A consonant, then only what extends it; and whether a linker was among that.
  bool has_consonant;
  bool has_linker;
  bool is_odd_indicator;
} cluster;

/// A character and its bytes. What is no UTF-8 is one byte.
static uint32_t scalar_at(const uint8_t *at, const uint8_t *end, size_t *count) {
  uint8_t lead = *at;
  size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  *count = 1;
  if (more == 0 || lead > 0xF4 || (size_t)(end - at) <= more) return lead;
  uint32_t scalar = lead & (0x3F >> more);
  for (size_t index = 1; index <= more; index++) scalar = scalar << 6 | (at[index] & 0x3F);
  *count = more + 1;
  return scalar;
}

/// Characters of one kind that follow each other: where they start and end. The next one is often among them, too.
typedef struct run {
  uint32_t start;
  uint32_t end;
  uint8_t kind;
} run;

static void find_run(uint32_t scalar, run *run) {
  cf_words table = cf_program_part(CF_PART_CLUSTERS);
  size_t low = 0, high = table.count / 4;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (cf_read_32(table.bytes + 4 * middle) >> 8 <= scalar) low = middle;
    else high = middle;
  }
  uint32_t row = cf_read_32(table.bytes + 4 * low);
  run->start = row >> 8;
  run->end = high < table.count / 4 ? cf_read_32(table.bytes + 4 * high) >> 8 : UINT32_MAX;
  run->kind = (uint8_t)row;
}

static uint8_t kind_of(uint32_t scalar, run *run) {
  if (scalar >= FIRST_SYLLABLE && scalar <= LAST_SYLLABLE) return (scalar - FIRST_SYLLABLE) % 28 ? BREAK_LVT : BREAK_LV;
  if (scalar < run->start || scalar >= run->end) find_run(scalar, run);
  return run->kind;
}

/// Whether a cluster ends before a character of this kind: rules GB3 to GB999.
static bool ends_before(const cluster *cluster, uint8_t kind) {
  break_kind last = cluster->last, next = kind & 15;
  if (last == BREAK_CR) return next != BREAK_LF;
  if (last == BREAK_CONTROL || last == BREAK_LF || next == BREAK_CONTROL || next == BREAK_CR || next == BREAK_LF)
    return true;
  if (last == BREAK_L && (next == BREAK_L || next == BREAK_V || next == BREAK_LV || next == BREAK_LVT)) return false;
  if ((last == BREAK_LV || last == BREAK_V) && (next == BREAK_V || next == BREAK_T)) return false;
  if ((last == BREAK_LVT || last == BREAK_T) && next == BREAK_T) return false;
  if (next == BREAK_EXTEND || next == BREAK_JOINER || next == BREAK_MARK || last == BREAK_PREPEND) return false;
  if (cluster->has_linker && (kind >> 4 & 3) == CONJUNCT_CONSONANT) return false;
  if (cluster->has_pictograph && last == BREAK_JOINER && kind & PICTOGRAPH) return false;
  return !(cluster->is_odd_indicator && next == BREAK_INDICATOR);
}

static void add(cluster *cluster, uint8_t kind) {
  break_kind next = kind & 15;
  conjunct conjunct = kind >> 4 & 3;
  cluster->is_odd_indicator = next == BREAK_INDICATOR && !cluster->is_odd_indicator;
  bool extends = next == BREAK_EXTEND || (next == BREAK_JOINER && cluster->last != BREAK_JOINER);
  cluster->has_pictograph = kind & PICTOGRAPH || (cluster->has_pictograph && extends);
  if (conjunct == CONJUNCT_CONSONANT) {
    cluster->has_consonant = true;
    cluster->has_linker = false;
  } else if (conjunct == CONJUNCT_LINKER) {
    cluster->has_linker = cluster->has_consonant;
  } else if (conjunct == CONJUNCT_NONE) {
    cluster->has_consonant = false;
    cluster->has_linker = false;
  }
  cluster->last = next;
}

/// Where the cluster at `at` ends.
static const uint8_t *end_of_cluster(const uint8_t *at, const uint8_t *end) {
  // Printable ASCII before ASCII.
  if (*at >= ' ' && *at < 127 && (at + 1 == end || at[1] < 128)) return at + 1;
  cluster cluster = {BREAK_OTHER, false, false, false, false};
  run run = {0, 0, 0};
  size_t count;
  const uint8_t *start = at;
  add(&cluster, kind_of(scalar_at(at, end, &count), &run));
  at += count;
  while (at < end && at - start < CF_CLUSTER_BYTES_LIMIT) {
    uint8_t kind = kind_of(scalar_at(at, end, &count), &run);
    if (ends_before(&cluster, kind)) break;
    add(&cluster, kind);
    at += count;
  }
  return at;
}

/// White_Space of Unicode's `PropList.txt`.
static bool is_white_space(uint32_t scalar) {
  return (scalar >= 9 && scalar <= 13) || scalar == ' ' || scalar == 0x85 || scalar == 0xA0 || scalar == 0x1680 ||
         (scalar >= 0x2000 && scalar <= 0x200A) || scalar == 0x2028 || scalar == 0x2029 || scalar == 0x202F ||
         scalar == 0x205F || scalar == 0x3000;
}

/// Whether there is nothing but white space between two places.
static bool is_blank(const uint8_t *at, const uint8_t *end) {
  size_t count;
  for (; at < end; at += count) {
    if (!is_white_space(scalar_at(at, end, &count))) return false;
  }
  return true;
}

#define BYTES_AT_ONCE (64 << 10)

bool cf_truncate(cf_truncation *reading, const uint8_t *text, size_t count, size_t limit, size_t *kept) {
  const uint8_t *end = text + count;
  size_t stop = count - reading->at > BYTES_AT_ONCE ? reading->at + BYTES_AT_ONCE : count;
  while (reading->characters < limit && reading->at < stop) {
    const uint8_t *at = text + reading->at, *next = end_of_cluster(at, end);
    reading->characters++;
    if (!is_blank(at, next)) {
      reading->last_word = (size_t)(next - text);
    } else if (3 * reading->characters > 2 * limit) {
      reading->before_blank = reading->last_word;
      reading->has_blank = true;
    }
    reading->at = (size_t)(next - text);
  }
  bool is_cut = reading->characters == limit && reading->at < count;
  if (!is_cut && reading->at < count) return false;
  *kept = !is_cut ? count : reading->has_blank ? reading->before_blank : reading->last_word;
  return true;
}
