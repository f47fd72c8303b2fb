/// The inside of formatters: a head, the body of their kind at once after it, then the texts that both refer to.
#ifndef CF_FORMATTER_H
#define CF_FORMATTER_H

#include "tables.h"

/// Bytes that may be read after any text of a formatter, and written after any text that is printed.
#define CF_SPARE_BYTES 16
#define CF_BOUND_LIMIT 65536

/// A text within a formatter: where it starts, from the formatter's start, and its bytes.
typedef struct cf_ref {
  uint16_t start;
  uint16_t count;
} cf_ref;

struct cf_formatter {
  uint32_t size;
  uint32_t bound;
  cf_format format;
  bool is_plain;
  /// Two-digit and other numbers of dates.
  uint8_t zero_count;
  uint8_t zero[4];
  _Alignas(8) uint8_t body[];
};

/// Where a formatter is being made: room for the largest.
typedef struct cf_builder {
  _Alignas(8) uint8_t bytes[CF_FORMATTER_BYTES_LIMIT];
  size_t count;
  bool is_full;
  const cf_pack *pack;
  uint32_t locale;
  cf_group numbers;
} cf_builder;

static inline cf_formatter *cf_built(cf_builder *builder) { return (cf_formatter *)builder->bytes; }

/// Room for a table, filled with zeros and aligned to 8 bytes; where it starts. 0 if there is none.
uint32_t cf_build_room(cf_builder *builder, size_t count);

/// Adds a text, and notes whether it needs escapes.
cf_ref cf_build_text(cf_builder *builder, cf_words words);

/// As `cf_build_text`, for a text of which CF_PLACEHOLDER is not printed.
cf_ref cf_build_affix(cf_builder *builder, cf_words words);

/// Adds a string of the locale's tables.
cf_ref cf_build_slot(cf_builder *builder, cf_group group, uint32_t slot);

/// Notes the locale's digits: in the head.
void cf_build_digits(cf_builder *builder);

/// Notes the most bytes that are printed. Too many for a pack that is not hostile: the builder is full.
void cf_set_bound(cf_builder *builder, size_t count);

/// Whether a byte must be escaped in element text or in quoted attributes, or may need it.
bool cf_needs_escape(uint8_t byte);

static inline const void *cf_body(const cf_formatter *formatter) { return formatter->body; }

/// Copies a text. May write up to CF_SPARE_BYTES after it.
static inline uint8_t *cf_put(uint8_t *target, const cf_formatter *formatter, cf_ref text) {
  const uint8_t *source = (const uint8_t *)formatter + text.start;
  memcpy(target, source, 16);
  if (__builtin_expect(text.count > 16, 0)) memcpy(target + 16, source + 16, text.count - 16);
  return target + text.count;
}

/// Prints a digit. May write up to CF_SPARE_BYTES after it.
static inline uint8_t *cf_put_digit(uint8_t *target, const cf_formatter *formatter, uint32_t digit) {
  memcpy(target, formatter->zero, 4);
  target += formatter->zero_count;
  target[-1] = (uint8_t)(target[-1] + digit);
  return target;
}

void cf_make_number(cf_builder *builder);
void cf_make_date(cf_builder *builder);
void cf_make_relative(cf_builder *builder);
void cf_make_list(cf_builder *builder);
void cf_make_plural(cf_builder *builder);

int32_t cf_print_number(
    const cf_formatter *formatter, const uint8_t *value, size_t count, const uint8_t *code, size_t code_count,
    uint8_t *target);
int32_t cf_print_date(
    const cf_formatter *formatter, const uint8_t *value, size_t count, cf_clock *clock, uint8_t *target);
int32_t cf_print_relative(
    const cf_formatter *formatter, const uint8_t *value, size_t count, cf_clock *clock, uint8_t *target);

#endif
