#include "formats.h"

static bool has_valid_digits(const cf_format *format) {
  if (format->minimum_digits == CF_DIGITS_AUTO) return format->maximum_digits == CF_DIGITS_AUTO;
  return format->minimum_digits <= format->maximum_digits && format->maximum_digits <= CF_DIGITS_LIMIT;
}

static bool has_no_digits(const cf_format *format) {
  return format->minimum_digits == 0 && format->maximum_digits == 0 && format->always_sign == 0;
}

static bool has_valid_currency(const uint8_t currency[4]) {
  if (currency[3] != 0) return false;
  if (currency[0] == 0) return currency[1] == 0 && currency[2] == 0;
  for (int index = 0; index < 3; index++) {
    if (currency[index] < 'A' || currency[index] > 'Z') return false;
  }
  return true;
}

static bool has_valid_length(const cf_format *format) {
  switch (format->kind) {
  case CF_DATE: return format->length <= CF_YEAR;
  case CF_TIME: return format->length <= CF_MEDIUM;
  case CF_DATETIME: return format->length <= CF_FULL;
  case CF_RELATIVE: return format->length == CF_LONG || format->length == CF_SHORT;
  default: return format->length == 0;
  }
}

bool cf_format_is_valid(const cf_format *format) {
  bool is_money = format->kind == CF_CURRENCY;
  bool is_number = is_money || format->kind == CF_NUMBER || format->kind == CF_PERCENT;
  bool is_date = format->kind >= CF_DATE && format->kind <= CF_RELATIVE;
  if (format->kind > CF_PLURAL || format->always_sign > 1 || !has_valid_length(format)) return false;
  if (is_number ? !has_valid_digits(format) : !has_no_digits(format)) return false;
  if (format->symbol > (is_money ? CF_SYMBOL_CODE : 0)) return false;
  if (!has_valid_currency(format->currency) || (!is_money && format->currency[0] != 0)) return false;
  if (format->epoch > (is_date ? CF_EPOCH_MILLISECONDS : 0)) return false;
  return format->variant <= (format->kind >= CF_LIST ? 1 : 0);
}
