#include "digits.h"
#include "number.h"

static const number *number_of(const cf_formatter *formatter) { return cf_body(formatter); }

static uint8_t *put_number(uint8_t *target, const cf_formatter *formatter, const way *way, const cf_digits *digits) {
  target = cf_put_whole(target, formatter, &way->grouping, digits->digits, digits->whole_count);
  if (digits->fraction_count == 0) return target;
  target = cf_put(target, formatter, way->decimal);
  return cf_put_digits(target, formatter, digits->digits + digits->whole_count, digits->fraction_count);
}

static const cf_ref *pair_of(const cf_formatter *formatter, const affixes *affixes, const cf_digits *digits) {
  return affixes->pairs[digits->is_negative ? 1 : formatter->format.always_sign ? 2 : 0];
}

static const money *find_money(const cf_formatter *formatter, const number *number, const uint8_t *code) {
  const money *rows = (const money *)((const uint8_t *)formatter + number->currency_start);
  uint32_t low = 0, high = number->currencies;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    int order = memcmp(rows[middle].code, code, CODE_BYTES);
    if (order == 0) return rows + middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

/// Prints money of a currency that came with the value.
static uint8_t *put_named(uint8_t *target, const cf_formatter *formatter, cf_digits *digits, const uint8_t *code) {
  const number *number = number_of(formatter);
  const uint8_t *base = (const uint8_t *)formatter;
  const money *money = find_money(formatter, number, code);
  const way *way = &number->way;
  uint8_t text[1 + CODE_BYTES] = {'0' + (CF_SPACE_BEFORE | CF_SPACE_BEHIND), code[0], code[1], code[2]};
  const uint8_t *symbol = money ? base + money->symbol.start : text;
  size_t symbol_count = money ? money->symbol.count : sizeof text;
  if (money && money->own) {
    way = (const struct way *)(base + number->own_start) + (money->own - 1);
  }
  bool is_auto = number->most_digits == CF_DIGITS_AUTO;
  uint8_t own = money ? money->digits : USUAL_DIGITS;
  cf_digits_round(digits, is_auto ? own : number->least_digits, is_auto ? own : number->most_digits);
  const cf_ref *pair = pair_of(formatter, &way->affixes, digits);
  target = put_affix(target, base + pair[0].start, pair[0].count, true, symbol, symbol_count);
  target = put_number(target, formatter, way, digits);
  return put_affix(target, base + pair[1].start, pair[1].count, false, symbol, symbol_count);
}

/// The most digits before the point of a number that is printed as it comes, in a locale without groups.
#define WHOLE_LIMIT 18

/// Copies digits up to another byte or the end. Returns the end of what it wrote.
static uint8_t *copy_digits(uint8_t *target, const uint8_t **at, const uint8_t *end) {
  const uint8_t *from = *at;
  // They are few: no vectors.
#pragma clang loop vectorize(disable) unroll(disable)
  for (; from < end && (uint8_t)(*from - '0') < 10; from++) *target++ = *from;
  *at = from;
  return target;
}

/// Prints a number as it comes, which most are: without groups, exponent and rounding, in ASCII digits, of a currency that
/// the format says if any. Returns null for others; then nothing is printed.
static uint8_t *put_as_sent(
    uint8_t *target, const cf_formatter *formatter, const number *number, const uint8_t *value, size_t count) {
  const cf_grouping *grouping = &number->way.grouping;
  if (!number->prints_as_sent || count == 0) return NULL;
  const uint8_t *at = value, *end = value + count;
  bool is_negative = *at == '-';
  at += is_negative;
  const uint8_t *whole = at;
  size_t most = grouping->last ? (size_t)grouping->last + grouping->least - 1 : WHOLE_LIMIT;
  // A number that is too long meets a digit where it should end.
  const uint8_t *stop = (size_t)(end - at) > most ? at + most : end;
  const cf_ref *pair = number->way.affixes.pairs[is_negative ? 1 : formatter->format.always_sign ? 2 : 0];
  target = cf_put(target, formatter, pair[0]);
  target = copy_digits(target, &at, stop);
  if (at == whole || (*whole == '0' && at - whole > 1)) return NULL;
  size_t fraction_count = 0;
  if (at < end) {
    if (*at++ != '.' || end - at > CF_DIGITS_LIMIT) return NULL;
    const uint8_t *fraction = at;
    target = copy_digits(cf_put(target, formatter, number->way.decimal), &at, end);
    fraction_count = (size_t)(at - fraction);
    if (at != end || fraction_count == 0) return NULL;
  }
  if (number->most_digits != CF_DIGITS_AUTO && fraction_count != number->least_digits) return NULL;
  return cf_put(target, formatter, pair[1]);
}

int32_t cf_print_number(
    const cf_formatter *formatter, const uint8_t *value, size_t count, const uint8_t *code, size_t code_count,
    uint8_t *target) {
  const number *number = number_of(formatter);
  uint8_t *printed = put_as_sent(target, formatter, number, value, count);
  if (printed) return (int32_t)(printed - target);
  cf_digits digits;
  if (!cf_digits_read(&digits, value, count, number->shift)) return CF_MISFIT;
  if (number->is_named) {
    return is_code(code, code_count) ? (int32_t)(put_named(target, formatter, &digits, code) - target) : CF_MISFIT;
  }
  if (number->most_digits != CF_DIGITS_AUTO) cf_digits_round(&digits, number->least_digits, number->most_digits);
  const cf_ref *pair = pair_of(formatter, &number->way.affixes, &digits);
  uint8_t *end = cf_put(target, formatter, pair[0]);
  end = put_number(end, formatter, &number->way, &digits);
  return (int32_t)(cf_put(end, formatter, pair[1]) - target);
}
