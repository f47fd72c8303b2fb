#include "digits.h"

#include <string.h>

#define FRONT 8
/// Exponents beyond this are as good as endless.
#define EXPONENT_LIMIT 10000

static bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

/// Digits at `at`, up to `end`; copies them.
static const uint8_t *copy_digits(const uint8_t *at, const uint8_t *end, uint8_t **target) {
  uint8_t *to = *target;
  while (at < end && is_digit(*at)) *to++ = *at++;
  *target = to;
  return at;
}

/// Reads an exponent after its `e`. Null if there is none.
static const uint8_t *read_exponent(const uint8_t *at, const uint8_t *end, int32_t *exponent) {
  bool is_negative = false;
  if (at < end && (*at == '+' || *at == '-')) is_negative = *at++ == '-';
  if (at == end || !is_digit(*at)) return NULL;
  int32_t value = 0;
  for (; at < end && is_digit(*at); at++) {
    if (value < EXPONENT_LIMIT) value = value * 10 + (*at - '0');
  }
  *exponent = is_negative ? -value : value;
  return at;
}

/// Sets the point after `point` of the digits, which may be before the first or after the last; writes zeros
/// between.
static bool set_point(cf_digits *digits, uint32_t count, int32_t point) {
  uint8_t *first = digits->digits;
  while (count > 0 && *first == '0' && point > 1) {
    first++;
    count--;
    point--;
  }
  if (count == 0) {
    // Nothing but zeros: one of them is enough.
    *--first = '0';
    count = 1;
    point = 1;
  }
  if (point > CF_NUMBER_DIGITS_LIMIT || (int32_t)count - point > CF_NUMBER_DIGITS_LIMIT - 1) return false;
  uint32_t front = point < 1 ? (uint32_t)(1 - point) : 0;
  uint32_t after = point > (int32_t)count ? (uint32_t)point - count : 0;
  if (front + count + after > CF_NUMBER_DIGITS_LIMIT) return false;
  if (front || first != digits->digits) memmove(digits->memory + FRONT + front, first, count);
  digits->digits = digits->memory + FRONT;
  memset(digits->digits, '0', front);
  memset(digits->digits + front + count, '0', after);
  digits->whole_count = point < 1 ? 1 : (uint32_t)point;
  digits->fraction_count = front + count + after - digits->whole_count;
  return true;
}

bool cf_digits_read(cf_digits *digits, const uint8_t *value, size_t count, int32_t shift) {
  if (count == 0 || count > CF_NUMBER_BYTES_LIMIT) return false;
  const uint8_t *at = value, *end = value + count;
  digits->is_negative = *at == '-';
  at += digits->is_negative;
  uint8_t *first = digits->memory + FRONT, *to = first;
  digits->digits = first;
  const uint8_t *whole = at;
  at = copy_digits(at, end, &to);
  digits->whole_count = (uint32_t)(to - first);
  if (digits->whole_count == 0 || (*whole == '0' && digits->whole_count > 1)) return false;
  if (at < end && *at == '.') {
    const uint8_t *point = ++at;
    at = copy_digits(at, end, &to);
    if (at == point) return false;
  }
  uint32_t digit_count = (uint32_t)(to - first);
  digits->fraction_count = digit_count - digits->whole_count;
  if (digit_count > CF_NUMBER_DIGITS_LIMIT) return false;
  if (at < end && (*at | 32) == 'e') {
    int32_t exponent = 0;
    at = read_exponent(at + 1, end, &exponent);
    if (!at) return false;
    shift += exponent;
  }
  if (at != end) return false;
  return shift == 0 || set_point(digits, digit_count, (int32_t)digits->whole_count + shift);
}

void cf_digits_round(cf_digits *digits, uint32_t least, uint32_t most) {
  uint8_t *point = digits->digits + digits->whole_count;
  if (digits->fraction_count > most) {
    uint8_t *end = point + most, *at = end;
    digits->fraction_count = most;
    if (*end >= '5') {
      while (at > digits->digits && at[-1] == '9') *--at = '0';
      if (at > digits->digits) {
        at[-1]++;
      } else {
        *--digits->digits = '1';
        digits->whole_count++;
      }
    }
  }
  while (digits->fraction_count > least && point[digits->fraction_count - 1] == '0') digits->fraction_count--;
  while (digits->fraction_count < least) point[digits->fraction_count++] = '0';
}
