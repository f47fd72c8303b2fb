/// Plural rules, ready to be asked.
#ifndef CF_PLURAL_H
#define CF_PLURAL_H

#include "digits.h"
#include "formatter.h"

/// One relation of a rule: an operand, perhaps its rest, is or is not in a range. The least significant digits
/// decide, so numbers of any length can be asked about.
typedef struct cf_relation {
  /// A `cf_operand`.
  uint8_t operand;
  bool is_negated;
  /// Whether the relation, and the choice, ends with this range.
  bool ends_relation;
  bool ends_choice;
  uint32_t modulus;
  uint32_t low;
  uint32_t high;
} cf_relation;

/// The rules of a locale: for each category but the last, a run of relations.
typedef struct cf_plural_rules {
  uint32_t start;
  uint16_t ends[CF_OTHER];
} cf_plural_rules;

/// Adds the rules of a group. A rule that cannot be read holds for no number.
cf_plural_rules cf_build_plural_rules(cf_builder *builder, cf_group group);

cf_plural_category cf_plural_of_digits(
    const cf_formatter *formatter, const cf_plural_rules *rules, const cf_digits *digits);
cf_plural_category cf_plural_of_integer(
    const cf_formatter *formatter, const cf_plural_rules *rules, uint64_t integer);

#endif
