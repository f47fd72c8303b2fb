#include "conditions.h"

#include <string.h>

static bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static uint64_t load_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

// The address after the digits. Eight at a time, because a number may have millions.
static const uint8_t *after_digits(const uint8_t *at, const uint8_t *end) {
  while (end - at >= 8) {
    uint64_t word = load_word(at);
    // A digit's high half is 3, before and after 6 is added.
    if ((word & 0xF0F0F0F0F0F0F0F0) != 0x3030303030303030) break;
    if (((word + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) != 0x3030303030303030) break;
    at += 8;
  }
  while (at < end && is_digit(*at)) at++;
  return at;
}

static const uint8_t *after_zeros(const uint8_t *at, const uint8_t *end) {
  while (end - at >= 8 && load_word(at) == 0x3030303030303030) at += 8;
  while (at < end && *at == '0') at++;
  return at;
}

// A number as 0.DIGITS times a power of ten. The digits are two runs, because a point may be between them.
typedef struct number {
  bool is_negative;
  // Whether every digit is 0: then nothing else counts.
  bool is_zero;
  __int128 exponent;
  const uint8_t *digits[2], *ends[2];
} number;

static __int128 read_exponent(const uint8_t *at, const uint8_t *end) {
  const __int128 most = (__int128)1000000000000000000 * 1000000000000000000;
  bool is_negative = *at == '-';
  if (*at == '+' || *at == '-') at++;
  at = after_zeros(at, end);
  __int128 exponent = 0;
  if (end - at > 36) {
    exponent = most;
  } else {
    for (; at < end; at++) exponent = exponent * 10 + (*at - '0');
  }
  return is_negative ? -exponent : exponent;
}

// Reads a number as JSON has it, each digit once. Returns false if the text is none.
static bool read_number(const uint8_t *at, size_t count, number *result) {
  const uint8_t *end = at + count;
  *result = (number){.is_negative = count > 0 && *at == '-'};
  at += result->is_negative;
  if (at == end || !is_digit(*at)) return false;
  // Only 0 begins with a 0.
  bool has_whole = *at != '0';
  const uint8_t *first = has_whole ? at : at + 1, *whole_end = has_whole ? after_digits(at, end) : first;
  const uint8_t *fraction = whole_end, *fraction_end = whole_end;
  if (whole_end < end && *whole_end == '.') {
    const uint8_t *after_point = whole_end + 1;
    fraction = has_whole ? after_point : after_zeros(after_point, end);
    fraction_end = after_digits(fraction, end);
    if (fraction_end == after_point) return false;
    result->exponent = after_point - fraction;
  }
  if (fraction_end < end) {
    const uint8_t *exponent = fraction_end + 1;
    if ((*fraction_end | 0x20) != 'e') return false;
    bool has_sign = exponent < end && (*exponent == '+' || *exponent == '-');
    if (exponent + has_sign == end || after_digits(exponent + has_sign, end) < end) return false;
    result->exponent += read_exponent(exponent, end);
  }
  result->exponent += whole_end - first;
  result->is_zero = !has_whole && fraction == fraction_end;
  result->digits[0] = first;
  result->ends[0] = whole_end;
  result->digits[1] = fraction;
  result->ends[1] = fraction_end;
  return true;
}

bool cf_is_number(const uint8_t *at, size_t count) {
  number number;
  return read_number(at, count, &number);
}

// The next digit; 0 after the last one.
static uint8_t next_digit(number *number, int *run) {
  while (*run < 2) {
    if (number->digits[*run] < number->ends[*run]) return *number->digits[*run]++;
    (*run)++;
  }
  return '0';
}

static bool has_digits(const number *number, int run) {
  for (; run < 2; run++) {
    if (after_zeros(number->digits[run], number->ends[run]) < number->ends[run]) return true;
  }
  return false;
}

static int compare_digits(number left, number right) {
  int left_run = 0, right_run = 0;
  while (left_run < 2 && right_run < 2) {
    // Equal digits of long numbers, eight at a time.
    while (left.ends[left_run] - left.digits[left_run] >= 8 && right.ends[right_run] - right.digits[right_run] >= 8 &&
           load_word(left.digits[left_run]) == load_word(right.digits[right_run])) {
      left.digits[left_run] += 8;
      right.digits[right_run] += 8;
    }
    uint8_t a = next_digit(&left, &left_run), b = next_digit(&right, &right_run);
    if (a != b) return a < b ? -1 : 1;
  }
  return (int)has_digits(&left, left_run) - (int)has_digits(&right, right_run);
}

static int compare(number a, number b) {
  if (a.is_zero || b.is_zero) {
    if (a.is_zero && b.is_zero) return 0;
    return a.is_zero ? (b.is_negative ? 1 : -1) : (a.is_negative ? -1 : 1);
  }
  if (a.is_negative != b.is_negative) return a.is_negative ? -1 : 1;
  int order = a.exponent != b.exponent ? (a.exponent < b.exponent ? -1 : 1) : compare_digits(a, b);
  return a.is_negative ? -order : order;
}

int cf_compare_numbers(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count) {
  number a, b;
  // The caller says that both are numbers.
  if (!read_number(left, left_count, &a) || !read_number(right, right_count, &b)) __builtin_trap();
  return compare(a, b);
}

static bool is_same(cf_text value, const uint8_t *bytes, size_t count) {
  return value.count == count && memcmp(value.bytes, bytes, count) == 0;
}

bool cf_text_equals(cf_text value, const uint8_t *bytes, size_t count, bool is_quoted) {
  if (!value.is_number) return is_same(value, bytes, count);
  number number, other;
  // The word first: it is usually short.
  return !is_quoted && read_number(bytes, count, &other) && read_number(value.bytes, value.count, &number) &&
         compare(number, other) == 0;
}

bool cf_texts_equal(cf_text left, cf_text right) {
  return left.is_number == right.is_number && cf_text_equals(left, right.bytes, right.count, false);
}

static bool equals_literal(const cf_conditions *table, const cf_literal *literal, cf_text value, cf_text other) {
  const uint8_t *bytes = table->texts + literal->text;
  size_t count = literal->text_count;
  switch (literal->form) {
    case CF_LITERAL_PATH: return other.bytes && cf_texts_equal(value, other);
    default: return cf_text_equals(value, bytes, count, literal->form == CF_LITERAL_QUOTED);
  }
}

/// A longer text has no category but `other`, and equals no number of a plural: it would be read for each of them.
#define PLURAL_BYTES_LIMIT (2 * CF_NUMBER_DIGITS_LIMIT)

// Whether a text is an integer in the only way to write it without a sign: such are equal only if their bytes are.
static bool is_plain_integer(const uint8_t *bytes, size_t count) {
  if (count == 0 || count > 20 || (*bytes == '0' && count > 1)) return false;
  for (size_t at = 0; at < count; at++) {
    if (bytes[at] < '0' || bytes[at] > '9') return false;
  }
  return true;
}

// Whether a plural holds for a number of this category.
static bool plural_holds(const cf_conditions *table, uint32_t condition, cf_text value, cf_plural_category category) {
  const cf_condition *row = table->rows + condition;
  uint32_t own = row->categories >> 16;
  bool holds = (row->categories >> category & 1) != 0;
  uint32_t count = value.count > PLURAL_BYTES_LIMIT ? 0 : row->literal_count;
  bool is_plain = is_plain_integer(value.bytes, value.count);
  for (uint32_t at = 0; at < count; at++) {
    const cf_literal *literal = table->literals + row->literal_start + at;
    const uint8_t *bytes = table->texts + literal->text;
    bool is_equal = is_plain && is_plain_integer(bytes, literal->text_count)
                        ? is_same(value, bytes, literal->text_count)
                        : cf_text_equals(value, bytes, literal->text_count, false);
    if (is_equal) {
      holds = at < own;
      break;
    }
  }
  return holds != ((row->categories & CF_PLURAL_INVERTED) != 0);
}

bool cf_plural_holds(const cf_conditions *table, uint32_t condition, cf_text value) {
  const cf_formatter *plural =
      table->rows[condition].categories & CF_PLURAL_ORDINAL ? table->ordinal : table->cardinal;
  return plural_holds(table, condition, value, cf_plural(plural, value.bytes, value.count));
}

bool cf_plural_holds_for_count(const cf_conditions *table, uint32_t condition, uint64_t count) {
  const cf_formatter *plural =
      table->rows[condition].categories & CF_PLURAL_ORDINAL ? table->ordinal : table->cardinal;
  uint8_t digits[20];
  size_t start = sizeof digits;
  uint64_t rest = count;
  do {
    digits[--start] = (uint8_t)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  cf_text value = {digits + start, sizeof digits - start, true};
  return plural_holds(table, condition, value, cf_plural_of_count(plural, count));
}

bool cf_text_holds(const cf_conditions *table, uint32_t condition, cf_text value, cf_text other) {
  const cf_condition *row = table->rows + condition;
  const cf_literal *literal = table->literals + row->literal_start;
  if (row->comparison == CF_IS_PLURAL) return cf_plural_holds(table, condition, value);
  if (row->comparison <= CF_NOT_EQUAL) {
    bool is_equal = false;
    for (uint32_t at = 0; at < row->literal_count && !is_equal; at++) {
      is_equal = equals_literal(table, literal + at, value, other);
    }
    return is_equal == (row->comparison == CF_EQUAL);
  }
  cf_text bound = other;
  if (literal->form != CF_LITERAL_PATH) {
    bound = (cf_text){table->texts + literal->text, literal->text_count, true};
  }
  number left, right;
  if (!value.bytes || !bound.bytes || !read_number(bound.bytes, bound.count, &right) ||
      !read_number(value.bytes, value.count, &left)) {
    return false;
  }
  int order = compare(left, right);
  switch (row->comparison) {
    case CF_LESS: return order < 0;
    case CF_LESS_OR_EQUAL: return order <= 0;
    case CF_GREATER: return order > 0;
    default: return order >= 0;
  }
}
