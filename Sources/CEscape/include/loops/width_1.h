// One byte at a time, for any processor.
#include "tables.h"

#define CF_TARGET
#define CF_WIDTH 1

typedef uint8_t cf_vector;

static inline cf_vector cf_load_vector(const uint8_t *bytes) { return *bytes; }
static inline void cf_store_vector(uint8_t *bytes, cf_vector text) { *bytes = text; }
static inline uint64_t cf_ampersand_marks(cf_vector text) { return text == '&'; }
static inline uint64_t cf_exception_marks(cf_vector text) { return text == '&' || text == '%'; }

static inline uint64_t cf_is_kept(const uint8_t *kept, uint8_t byte) {
  return (kept[byte & 0xF] & cf_high_half_bits[byte >> 4]) != 0;
}

static inline __attribute__((always_inline)) uint64_t cf_marks(cf_place place, cf_vector text) {
  switch (place) {
    case CF_HTML_PLACE: return cf_meant_in_html[text & 0xF] == text;
    case CF_ATTRIBUTE_PLACE: return cf_meant_in_attribute[text & 0xF] == text;
    case CF_TEXT_PLACE: return cf_meant_in_text[text & 0xF] == text;
    case CF_RAW_HTML_PLACE: return text == 0;
    case CF_URL_PART_PLACE: return !cf_is_kept(cf_kept_in_url_part, text);
    case CF_URL_COMPONENT_PLACE: return !cf_is_kept(cf_kept_in_url_component, text);
    case CF_SCRIPT_JSON_PLACE: return cf_meant_in_script[text & 0xF] == text || text == 0xE2;
  }
  __builtin_unreachable();
}

static inline __attribute__((always_inline)) bool cf_any_marks(cf_place place, cf_vector text, cf_vector other) {
  return (cf_marks(place, text) | cf_marks(place, other)) != 0;
}

static inline void cf_percent_encode(uint8_t *target, const uint8_t *source, size_t count) {
  for (; count > 0; count--, source++, target += 3) memcpy(target, cf_percent_codes[*source], 4);
}

#define cf_begins_https cf_word_begins_https
