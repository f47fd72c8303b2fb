#include "formatter.h"

#include <stdlib.h>

uint32_t cf_build_room(cf_builder *builder, size_t count) {
  size_t start = (builder->count + 7) / 8 * 8;
  if (start + count + CF_SPARE_BYTES > sizeof builder->bytes) {
    builder->is_full = true;
    return 0;
  }
  memset(builder->bytes + builder->count, 0, start + count - builder->count);
  builder->count = start + count;
  return (uint32_t)start;
}

bool cf_needs_escape(uint8_t byte) {
  return byte < ' ' || byte == '&' || byte == '<' || byte == '>' || byte == '"' || byte == '\'' || byte == 127;
}

static cf_ref build(cf_builder *builder, cf_words words, int placeholder) {
  if (builder->count + words.count + CF_SPARE_BYTES > sizeof builder->bytes) {
    builder->is_full = true;
    return (cf_ref){0, 0};
  }
  cf_ref text = {(uint16_t)builder->count, (uint16_t)words.count};
  for (size_t index = 0; index < words.count; index++) {
    if (cf_needs_escape(words.bytes[index]) && words.bytes[index] != placeholder) cf_built(builder)->is_plain = false;
  }
  memcpy(builder->bytes + builder->count, words.bytes, words.count);
  builder->count += words.count;
  return text;
}

cf_ref cf_build_text(cf_builder *builder, cf_words words) { return build(builder, words, -1); }

cf_ref cf_build_affix(cf_builder *builder, cf_words words) { return build(builder, words, CF_PLACEHOLDER); }

cf_ref cf_build_slot(cf_builder *builder, cf_group group, uint32_t slot) {
  return cf_build_text(builder, cf_slot(builder->pack, builder->locale, group, slot));
}

/// Digits follow each other in Unicode, and so do the last bytes of their UTF-8. What is no such digit is taken for
/// `0`.
void cf_build_digits(cf_builder *builder) {
  cf_formatter *formatter = cf_built(builder);
  cf_words zero = cf_slot(builder->pack, builder->locale, builder->numbers, CF_SLOT_ZERO);
  static const uint8_t least[] = {0, 0, 0xC2, 0xE0, 0xF0};
  bool is_digit = zero.count >= 2 && zero.count <= 4 && zero.bytes[0] >= least[zero.count] &&
                  zero.bytes[zero.count - 1] <= 0xBF - 9;
  // One character: its first byte says how many it has.
  if (is_digit) is_digit = (zero.bytes[0] < 0xE0 ? 2u : zero.bytes[0] < 0xF0 ? 3u : 4u) == zero.count;
  formatter->zero_count = is_digit ? (uint8_t)zero.count : 1;
  memcpy(formatter->zero, is_digit ? zero.bytes : (const uint8_t *)"0", formatter->zero_count);
}

void cf_set_bound(cf_builder *builder, size_t count) {
  if (count + CF_SPARE_BYTES > CF_BOUND_LIMIT) builder->is_full = true;
  cf_built(builder)->bound = (uint32_t)(count + CF_SPARE_BYTES);
}

static void make(cf_builder *builder) {
  switch (cf_built(builder)->format.kind) {
  case CF_NUMBER:
  case CF_PERCENT:
  case CF_CURRENCY: cf_make_number(builder); break;
  case CF_DATE:
  case CF_TIME:
  case CF_DATETIME: cf_make_date(builder); break;
  case CF_RELATIVE: cf_make_relative(builder); break;
  case CF_LIST: cf_make_list(builder); break;
  case CF_PLURAL: cf_make_plural(builder); break;
  }
}

size_t cf_formatter_make(
    const cf_pack *pack, uint32_t locale, bool wants_latin_digits, const cf_format *format, void *memory,
    size_t capacity) {
  cf_builder *builder = malloc(sizeof *builder);
  if (!builder) return 0;
  memset(cf_built(builder), 0, sizeof(cf_formatter));
  builder->is_full = false;
  builder->pack = pack;
  builder->locale = locale;
  builder->numbers = wants_latin_digits && cf_slots(pack, locale, CF_GROUP_LATIN_NUMBERS) > 0 ? CF_GROUP_LATIN_NUMBERS
                                                                                              : CF_GROUP_NUMBERS;
  builder->count = sizeof(cf_formatter);
  cf_built(builder)->format = *format;
  cf_built(builder)->is_plain = true;
  cf_build_digits(builder);
  make(builder);
  size_t size = builder->is_full ? 0 : (builder->count + CF_SPARE_BYTES + 7) / 8 * 8;
  cf_built(builder)->size = (uint32_t)size;
  if (size > 0) memset(builder->bytes + builder->count, 0, size - builder->count);
  if (size > 0 && memory && size <= capacity) memcpy(memory, builder->bytes, size);
  free(builder);
  return size;
}

size_t cf_formatter_bound(const cf_formatter *formatter) { return formatter->bound; }

bool cf_formatter_is_plain(const cf_formatter *formatter) { return formatter->is_plain; }

bool cf_formatter_uses_clock(const cf_formatter *formatter) {
  return formatter->format.kind >= CF_DATE && formatter->format.kind <= CF_RELATIVE;
}

/* The parameters are those of `cf_print`. */
static inline int32_t print(
    const cf_formatter *formatter, const uint8_t *value, size_t count, const uint8_t *code, size_t code_count,
    cf_clock *clock, uint8_t *target) {
  switch (formatter->format.kind) {
  case CF_NUMBER:
  case CF_PERCENT:
  case CF_CURRENCY: return cf_print_number(formatter, value, count, code, code_count, target);
  case CF_DATE:
  case CF_TIME:
  case CF_DATETIME: return clock ? cf_print_date(formatter, value, count, clock, target) : CF_MISFIT;
  case CF_RELATIVE: return clock ? cf_print_relative(formatter, value, count, clock, target) : CF_MISFIT;
  default: return CF_MISFIT;
  }
}

int32_t cf_print(
    const cf_formatter *formatter, const uint8_t *value, size_t count, const uint8_t *code, size_t code_count,
    cf_clock *clock, uint8_t *target) {
  return print(formatter, value, count, code, code_count, clock, target);
}

uint8_t *cf_print_plain(
    const cf_formatter *formatter, const uint8_t *value, size_t count, cf_clock *clock, uint8_t *target,
    uint8_t *target_end) {
  if ((size_t)(target_end - target) < formatter->bound) return NULL;
  int32_t printed = print(formatter, value, count, NULL, 0, clock, target);
  return printed < 0 ? NULL : target + printed;
}
