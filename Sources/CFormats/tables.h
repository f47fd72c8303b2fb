/// The inside of packs. All numbers are little endian and need no alignment.
///
///     0   "CFPACK1\n"
///     8   bytes in all, strings, groups, ids, locales, bytes of strings     6 × u32
///     32  version of CLDR, with zeros after                                16 bytes
///     48  where each string starts in the bytes, and where the last ends    u32 each
///         where each group starts in the ids, and where the last ends       u32 each
///         ids: the numbers of strings                                       u16 each
///         locales: number of the tag's string, parent, flags, groups        u16 each
///         bytes of strings
///
/// A group is an array of strings that locales share; string 0 is empty. What lies beyond a group's end is empty, so
/// readers need not know how long a group of a hostile pack is. A string has at most CF_STRING_LIMIT bytes.
#ifndef CF_TABLES_H
#define CF_TABLES_H

#include <string.h>

#include "formats.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the tables are read as they lie in memory"
#endif

#define CF_STRING_LIMIT 1023
#define CF_PACK_HEADER_BYTES 48
#define CF_RIGHT_TO_LEFT 1

/// The groups of a locale. Those that only the root has are marked.
typedef enum cf_group {
  /// `cf_number_slot`. The second is empty where digits are Western anyway.
  CF_GROUP_NUMBERS,
  CF_GROUP_LATIN_NUMBERS,
  /// Threes, sorted: code, symbol, narrow symbol. Symbols begin with a digit of `cf_spacing` bits. The root's hold
  /// where a locale has none of its own; a code that neither has is its own symbol.
  CF_GROUP_SYMBOLS,
  /// Tens, `cf_own_slot`: the currencies that a locale writes in a way of their own.
  CF_GROUP_OWN_PATTERNS,
  /// `cf_pattern_slot`.
  CF_GROUP_PATTERNS,
  /// Four times twelve names, those of `CF_FIELD_MONTH`; four times seven, those of `CF_FIELD_WEEKDAY`.
  CF_GROUP_MONTHS,
  CF_GROUP_WEEKDAYS,
  /// Before noon, after noon, 24 hours, the era.
  CF_GROUP_DAY_PERIODS,
  /// Now, today, then for each of seven units the past and the future, each in six plural categories, with
  /// CF_PLACEHOLDER for the number.
  CF_GROUP_RELATIVE_LONG,
  CF_GROUP_RELATIVE_SHORT,
  /// `cf_list_slot`.
  CF_GROUP_AND,
  CF_GROUP_OR,
  /// Rules of five plural categories, as text: see `plural.c`.
  CF_GROUP_CARDINAL,
  CF_GROUP_ORDINAL,
  /// Root: codes of currencies with their digits, `JPY0`, if these are not two; sorted.
  CF_GROUP_CODES,
  CF_GROUPS,
} cf_group;

#define CF_LOCALE_BYTES (2 * (3 + CF_GROUPS))

/// Affixes are six: before and after positive numbers, negative ones, positive ones with a sign. CF_PLACEHOLDER in
/// them is the currency's symbol. Grouping is three digits: the size of the last group, of the others, and the least
/// digits before the last; `000` if there are none.
typedef enum cf_number_slot {
  CF_SLOT_ZERO,
  CF_SLOT_DECIMAL,
  CF_SLOT_SEPARATOR,
  CF_SLOT_NUMBER_AFFIXES,
  CF_SLOT_NUMBER_GROUPING = CF_SLOT_NUMBER_AFFIXES + 6,
  CF_SLOT_PERCENT_AFFIXES,
  CF_SLOT_PERCENT_GROUPING = CF_SLOT_PERCENT_AFFIXES + 6,
  CF_SLOT_MONEY_DECIMAL,
  CF_SLOT_MONEY_SEPARATOR,
  CF_SLOT_MONEY_AFFIXES,
  CF_SLOT_MONEY_GROUPING = CF_SLOT_MONEY_AFFIXES + 6,
} cf_number_slot;

typedef enum cf_own_slot {
  CF_OWN_CODE,
  CF_OWN_DECIMAL,
  CF_OWN_SEPARATOR,
  CF_OWN_AFFIXES,
  CF_OWN_GROUPING = CF_OWN_AFFIXES + 6,
  CF_OWN_SLOTS,
} cf_own_slot;

/// A symbol whose first letter keeps its distance from digits before it, and whose last does from digits after it.
typedef enum cf_spacing { CF_SPACE_BEFORE = 1, CF_SPACE_BEHIND = 2 } cf_spacing;

typedef enum cf_pattern_slot {
  /// Four dates and two times by `cf_length`, four of both, five by fields.
  CF_PATTERN_DATE,
  CF_PATTERN_TIME = CF_PATTERN_DATE + 4,
  CF_PATTERN_BOTH = CF_PATTERN_TIME + 2,
  CF_PATTERN_FIELDS = CF_PATTERN_BOTH + 4,
} cf_pattern_slot;

/// Stands for what is put into a string.
#define CF_PLACEHOLDER 1

/// The fields of date patterns: bytes below a space. All other bytes are printed as they are.
typedef enum cf_field {
  CF_FIELD_YEAR = 1,
  CF_FIELD_YEAR_2,
  CF_FIELD_YEAR_4,
  CF_FIELD_MONTH_NUMBER,
  CF_FIELD_MONTH_2,
  CF_FIELD_DAY,
  CF_FIELD_DAY_2,
  CF_FIELD_HOUR_12,
  CF_FIELD_HOUR_12_2,
  CF_FIELD_HOUR,
  CF_FIELD_HOUR_2,
  CF_FIELD_MINUTE = 16,
  CF_FIELD_MINUTE_2,
  CF_FIELD_SECOND,
  CF_FIELD_SECOND_2,
  CF_FIELD_DAY_HALF,
  CF_FIELD_DAY_PERIOD,
  CF_FIELD_ERA,
  /// Short and long names, then those that stand alone.
  CF_FIELD_MONTH,
  CF_FIELD_WEEKDAY = CF_FIELD_MONTH + 4,
  CF_FIELDS = CF_FIELD_WEEKDAY + 4,
} cf_field;

/// The words of lists, and which of them the next item changes.
typedef enum cf_list_slot {
  /// Empty, or a letter: see `list.c`.
  CF_LIST_RULE,
  CF_LIST_TWO,
  CF_LIST_BEHIND_TWO,
  CF_LIST_START,
  CF_LIST_MIDDLE,
  CF_LIST_END,
  CF_LIST_BEHIND,
  CF_LIST_OTHER_TWO,
  CF_LIST_OTHER_END,
  CF_LIST_SLOTS,
} cf_list_slot;

static inline uint32_t cf_read_32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline uint16_t cf_read_16(const uint8_t *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline cf_words cf_string(const cf_pack *pack, uint32_t string) {
  const uint8_t *starts = pack->bytes + pack->strings + 4 * string;
  uint32_t start = cf_read_32(starts);
  return (cf_words){pack->bytes + pack->string_bytes + start, cf_read_32(starts + 4) - start};
}

static inline const uint8_t *cf_locale_row(const cf_pack *pack, uint32_t locale) {
  return pack->bytes + pack->locales + (size_t)CF_LOCALE_BYTES * locale;
}

static inline uint32_t cf_locale_group(const cf_pack *pack, uint32_t locale, cf_group group) {
  return cf_read_16(cf_locale_row(pack, locale) + 2 * (3 + (size_t)group));
}

/// How many strings a locale's group has.
static inline uint32_t cf_slots(const cf_pack *pack, uint32_t locale, cf_group group) {
  const uint8_t *starts = pack->bytes + pack->groups + 4 * cf_locale_group(pack, locale, group);
  return cf_read_32(starts + 4) - cf_read_32(starts);
}

/// A string of a locale's group; empty beyond its end.
static inline cf_words cf_slot(const cf_pack *pack, uint32_t locale, cf_group group, uint32_t slot) {
  if (slot >= cf_slots(pack, locale, group)) return cf_string(pack, 0);
  uint32_t start = cf_read_32(pack->bytes + pack->groups + 4 * cf_locale_group(pack, locale, group));
  return cf_string(pack, cf_read_16(pack->bytes + pack->ids + 2 * (start + slot)));
}

/// Whether bytes are well-formed UTF-8 (Unicode Standard, table 3-7).
bool cf_is_utf8(const uint8_t *bytes, size_t count);

/// The tables of the program after its pack, which are in no archive: see `languages.c` and `truncate.c`.
typedef enum cf_part {
  CF_PART_LIKELY,
  CF_PART_SUBTAGS,
  CF_PART_AREAS,
  CF_PART_SCRIPTS,
  CF_PART_LANGUAGE_ALIASES,
  CF_PART_REGION_ALIASES,
  CF_PART_DISTANCES,
  CF_PART_PARTITION_OF_REGION,
  CF_PART_PARTITIONS,
  CF_PART_DEFAULTS,
  CF_PART_PARADIGMS,
  CF_PART_CLUSTERS,
  CF_PARTS,
} cf_part;

cf_words cf_program_part(cf_part part);

#endif
