/// Conditions that compare texts with literals: for the renderer, which asks about one value, and for plans, which ask
/// again for each row.
#ifndef CF_CONDITIONS_H
#define CF_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef enum cf_comparison {
  /// Whether the value is truthy, or is not. Neither compares texts.
  CF_TRUTHY,
  CF_FALSY,
  /// Whether the value equals one of the literals, or none.
  CF_EQUAL,
  CF_NOT_EQUAL,
  /// How the value's number relates to that of the only literal.
  CF_LESS,
  CF_LESS_OR_EQUAL,
  CF_GREATER,
  CF_GREATER_OR_EQUAL,
  /// Whether the number is one of the first literals; or it is none of any of them, and has one of the categories.
  CF_IS_PLURAL,
} cf_comparison;

typedef enum cf_literal_form {
  /// Equals strings of the same bytes, and numbers that denote the same number.
  CF_LITERAL_WORD,
  /// Equals strings of the same bytes only.
  CF_LITERAL_QUOTED,
  /// The value found at a path.
  CF_LITERAL_PATH,
} cf_literal_form;

/// Rows of an archive's tables. `path` and the other numbers are those of the archive.
typedef struct cf_condition {
  /// A `cf_comparison`.
  uint32_t comparison;
  uint32_t path;
  uint32_t literal_start;
  uint32_t literal_count;
  /// For a plural: a bit for each category, `CF_PLURAL_ORDINAL`, `CF_PLURAL_INVERTED`, one for missing values, and from
  /// bit 16 on how many of the first literals are its own.
  uint32_t categories;
} cf_condition;

#define CF_PLURAL_ORDINAL (1u << 8)
#define CF_PLURAL_INVERTED (1u << 9)

typedef struct cf_literal {
  /// A `cf_literal_form`.
  uint32_t form;
  /// A range of `texts`.
  uint32_t text;
  uint32_t text_count;
  uint32_t path;
} cf_literal;

/// The tables of an archive, which owns them, and the plurals of a locale.
typedef struct cf_conditions {
  const cf_condition *rows;
  const cf_literal *literals;
  const uint8_t *texts;
  /// Ready formats of plurals, of cardinal and of ordinal numbers; null if no condition is a plural.
  const cf_formatter *_Nullable cardinal;
  const cf_formatter *_Nullable ordinal;
} cf_conditions;

/// A string without quotes and escapes, or a JSON number as it was sent. No text: null.
typedef struct cf_text {
  const uint8_t *_Nullable bytes;
  size_t count;
  bool is_number;
} cf_text;

/// Whether a condition that compares holds for a text.
///
/// - Parameter other: the text found at the literal that is a path; no text if there is none, or if the value there is
///   something else.
/// - Cost: linear in the texts.
bool cf_text_holds(const cf_conditions *table, uint32_t condition, cf_text value, cf_text other);

/// Whether a plural holds for a text, or for the number of items of a list.
///
/// - Cost: linear in the text.
bool cf_plural_holds(const cf_conditions *table, uint32_t condition, cf_text value);
bool cf_plural_holds_for_count(const cf_conditions *table, uint32_t condition, uint64_t count);

/// Whether a text equals a literal that is a word. Cost: linear.
bool cf_text_equals(cf_text value, const uint8_t *bytes, size_t count, bool is_quoted);

/// Whether two texts found are equal: strings of the same bytes, or numbers that denote the same. Cost: linear.
bool cf_texts_equal(cf_text left, cf_text right);

/// Whether a text is a JSON number: RFC 8259, section 6. Cost: linear.
bool cf_is_number(const uint8_t *bytes, size_t count);

/// A decimal of few digits: its value is `digits` divided by 10 to the power of `scale`.
typedef struct cf_decimal {
  int64_t digits;
  int scale;
} cf_decimal;

/// The most bytes of a `cf_decimal` as text.
#define CF_DECIMAL_BYTES 18

/// Reads a JSON number of at most `CF_DECIMAL_BYTES`, without exponent. Returns false for any other text.
static inline bool cf_read_decimal(const uint8_t *at, size_t count, cf_decimal *decimal) {
  const uint8_t *end = at + count, *point = NULL;
  if (count == 0 || count > CF_DECIMAL_BYTES) return false;
  bool is_negative = *at == '-';
  at += is_negative;
  const uint8_t *first = at;
  int64_t digits = 0;
  for (; at < end; at++) {
    uint8_t digit = (uint8_t)(*at - '0');
    if (digit < 10) {
      digits = digits * 10 + digit;
    } else if (*at == '.' && !point && at > first) {
      point = at;
    } else {
      return false;
    }
  }
  if (at == first || point == end - 1 || (*first == '0' && end - first > 1 && point != first + 1)) return false;
  decimal->digits = is_negative ? -digits : digits;
  decimal->scale = point ? (int)(end - point) - 1 : 0;
  return true;
}

/// How two JSON numbers compare: below, equal to or above 0. Exact: no number is converted. Exponents beyond 10^36 count
/// as that. Cost: linear.
int cf_compare_numbers(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
