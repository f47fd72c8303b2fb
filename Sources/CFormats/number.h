/// The inside of a number's formatter, which `number_make.c` makes and `number.c` prints with.
#ifndef CF_NUMBER_H
#define CF_NUMBER_H

#include "formatter.h"
#include "grouping.h"

/// What is around a number: before and after positive numbers, negative ones, positive ones with a sign.
typedef struct affixes {
  cf_ref pairs[3][2];
} affixes;

/// A currency by its code. The symbol begins with its `cf_spacing`. `own` counts the ways that are not the locale's,
/// from 1.
typedef struct money {
  uint8_t code[3];
  uint8_t digits;
  cf_ref symbol;
  uint32_t own;
} money;

/// How a number is written.
typedef struct way {
  affixes affixes;
  cf_ref decimal;
  cf_grouping grouping;
} way;

/// The body of a number's formatter. Of money with a code in the format the affixes hold the symbol already. Where
/// the code comes with the value, `currencies` of `money` lie at `currency_start`, sorted by code; at `own_start` the
/// ways of those that the locale writes unlike the others.
typedef struct number {
  way way;
  uint8_t least_digits;
  uint8_t most_digits;
  bool is_named;
  /// Whether digits can be printed as they come: see `put_as_sent`.
  bool prints_as_sent;
  int8_t shift;
  uint32_t currency_start;
  uint32_t currencies;
  uint32_t own_start;
  uint32_t own_ways;
} number;

#define CODE_BYTES 3
#define USUAL_DIGITS 2

/// Between a currency's letters and digits.
static const uint8_t no_break_space[] = {0xC2, 0xA0};

static inline bool is_code(const uint8_t *code, size_t count) {
  if (!code || count != CODE_BYTES) return false;
  for (size_t index = 0; index < CODE_BYTES; index++) {
    if (code[index] < 'A' || code[index] > 'Z') return false;
  }
  return true;
}

/// Writes an affix with its symbol, kept apart from digits if the two touch. Returns the end.
static inline uint8_t *put_affix(
    uint8_t *target, const uint8_t *affix, size_t count, bool is_before, const uint8_t *symbol, size_t symbol_count) {
  for (size_t index = 0; index < count; index++) {
    if (affix[index] != CF_PLACEHOLDER) {
      *target++ = affix[index];
      continue;
    }
    uint8_t spacing = symbol[0] - '0';
    bool touches =
        is_before ? index + 1 == count && spacing & CF_SPACE_BEHIND : index == 0 && spacing & CF_SPACE_BEFORE;
    if (touches && !is_before) {
      memcpy(target, no_break_space, sizeof no_break_space);
      target += sizeof no_break_space;
    }
    memcpy(target, symbol + 1, symbol_count - 1);
    target += symbol_count - 1;
    if (touches && is_before) {
      memcpy(target, no_break_space, sizeof no_break_space);
      target += sizeof no_break_space;
    }
  }
  return target;
}

#endif
