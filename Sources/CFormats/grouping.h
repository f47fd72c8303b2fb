/// The digits before the point: in groups, in the locale's script.
#ifndef CF_GROUPING_H
#define CF_GROUPING_H

#include "formatter.h"

/// How digits are grouped. `last` is the size of the group before the point, 0 if there are none.
typedef struct cf_grouping {
  cf_ref separator;
  uint8_t last;
  uint8_t others;
  /// The least digits before the last group that are set apart.
  uint8_t least;
  uint8_t unused;
} cf_grouping;

/// Reads a grouping from two slots of a group.
cf_grouping cf_build_grouping(cf_builder *builder, cf_group group, uint32_t separator, uint32_t sizes);

/// Prints ASCII digits as the locale writes them.
static inline uint8_t *cf_put_digits(
    uint8_t *target, const cf_formatter *formatter, const uint8_t *digits, size_t count) {
  if (formatter->zero_count == 1) {
    for (size_t index = 0; index < count; index++) target[index] = digits[index];
    return target + count;
  }
  for (size_t index = 0; index < count; index++) target = cf_put_digit(target, formatter, digits[index] - '0');
  return target;
}

/// Prints ASCII digits in groups.
static inline uint8_t *cf_put_whole(
    uint8_t *target, const cf_formatter *formatter, const cf_grouping *grouping, const uint8_t *digits,
    size_t count) {
  size_t last = grouping->last;
  if (last == 0 || count < last + grouping->least) return cf_put_digits(target, formatter, digits, count);
  size_t before = count - last, others = grouping->others, run = before % others ? before % others : others;
  while (before > 0) {
    target = cf_put_digits(target, formatter, digits, run);
    target = cf_put(target, formatter, grouping->separator);
    digits += run;
    before -= run;
    run = others;
  }
  return cf_put_digits(target, formatter, digits, last);
}

#endif
