// 16 bytes at a time: every x86-64 has SSE2 and every arm64 has NEON, so no compiler flag is needed.
#include "tables.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif
#include "../vectors.h"

#define CF_TARGET
#define CF_WIDTH 16

typedef cf_bytes cf_vector;

#define CF_INLINE static inline __attribute__((always_inline))

CF_INLINE cf_vector cf_load_vector(const uint8_t *bytes) { return cf_load(bytes); }
CF_INLINE void cf_store_vector(uint8_t *bytes, cf_vector text) { memcpy(bytes, &text, 16); }

CF_INLINE uint64_t cf_ampersand_marks(cf_vector text) { return cf_bits((cf_bytes)(text == '&')); }

CF_INLINE uint64_t cf_exception_marks(cf_vector text) {
  return cf_bits((cf_bytes)(text == '&') | (cf_bytes)(text == '%'));
}

#if defined(__aarch64__)

// Each byte's entry in a table by low half.
CF_INLINE cf_bytes cf_by_low_half(const uint8_t *table, cf_bytes text) {
  return (cf_bytes)vqtbl1q_u8(vld1q_u8(table), (uint8x16_t)(text & 0xF));
}

CF_INLINE cf_bytes cf_not_kept(const uint8_t *kept, cf_bytes text) {
  cf_bytes high = (cf_bytes)vqtbl1q_u8(vld1q_u8(cf_high_half_bits), (uint8x16_t)(text >> 4));
  return (cf_bytes)((cf_by_low_half(kept, text) & high) == 0);
}

CF_INLINE cf_bytes cf_marked(cf_place place, cf_bytes text) {
  switch (place) {
    case CF_HTML_PLACE: return (cf_bytes)(cf_by_low_half(cf_meant_in_html, text) == text);
    case CF_ATTRIBUTE_PLACE: return (cf_bytes)(cf_by_low_half(cf_meant_in_attribute, text) == text);
    case CF_TEXT_PLACE: return (cf_bytes)(cf_by_low_half(cf_meant_in_text, text) == text);
    case CF_RAW_HTML_PLACE: return (cf_bytes)(text == 0);
    case CF_URL_PART_PLACE: return cf_not_kept(cf_kept_in_url_part, text);
    case CF_URL_COMPONENT_PLACE: return cf_not_kept(cf_kept_in_url_component, text);
    case CF_SCRIPT_JSON_PLACE:
      return (cf_bytes)(cf_by_low_half(cf_meant_in_script, text) == text) | (cf_bytes)(text == 0xE2);
  }
  __builtin_unreachable();
}

CF_INLINE uint64_t cf_marks(cf_place place, cf_vector text) {
  cf_bytes marked = cf_marked(place, text);
  // If no byte is marked, as in most vectors, one narrowing shows it; extracting bits takes longer.
  uint8x8_t narrowed = vshrn_n_u16((uint16x8_t)marked, 4);
  if (vget_lane_u64(vreinterpret_u64_u8(narrowed), 0) == 0) return 0;
  return cf_bits(marked);
}

// Five bytes become fifteen: each is moved to where its digits go, and the relevant half is looked up there.
CF_INLINE void cf_percent_encode(uint8_t *target, const uint8_t *source, size_t count) {
  const cf_bytes places = {0xFF, 0, 0, 0xFF, 1, 1, 0xFF, 2, 2, 0xFF, 3, 3, 0xFF, 4, 4, 0xFF};
  const cf_bytes high = {0, 0xF, 0, 0, 0xF, 0, 0, 0xF, 0, 0, 0xF, 0, 0, 0xF, 0, 0};
  const cf_bytes low = {0, 0, 0xF, 0, 0, 0xF, 0, 0, 0xF, 0, 0, 0xF, 0, 0, 0xF, 0};
  const cf_bytes percent = {'%' ^ '0', 0, 0, '%' ^ '0', 0, 0, '%' ^ '0', 0, 0, '%' ^ '0', 0, 0, '%' ^ '0', 0, 0, 0};
  const cf_bytes digits = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};
  for (ptrdiff_t left = (ptrdiff_t)count; left > 0; left -= 5, source += 5, target += 15) {
    cf_bytes spread = (cf_bytes)vqtbl1q_u8((uint8x16_t)cf_load(source), (uint8x16_t)places);
    cf_bytes halves = ((spread >> 4) & high) | (spread & low);
    cf_store_vector(target, (cf_bytes)vqtbl1q_u8((uint8x16_t)digits, (uint8x16_t)halves) ^ percent);
  }
}

#else

// Marks the bytes from `first` to `last`, both below 0x80: shifted so that `last` becomes the greatest signed
// number.
CF_INLINE cf_bytes cf_from_to(cf_bytes text, uint8_t first, uint8_t last) {
  cf_signed_bytes moved = (cf_signed_bytes)(text + (uint8_t)(0x7F - last));
  return (cf_bytes)(moved > (int8_t)(0x7F - last + first - 1));
}

CF_INLINE uint64_t cf_marks(cf_place place, cf_vector text) {
  cf_bytes second = text | 2;
  switch (place) {
    case CF_HTML_PLACE: return cf_bits(cf_markup_bytes(text) | (cf_bytes)(text == 0));
    case CF_ATTRIBUTE_PLACE:
      return cf_bits(cf_markup_bytes(text) | (cf_bytes)(text == 0) | (cf_bytes)(text == '\r'));
    case CF_TEXT_PLACE: return cf_bits(cf_markup_bytes(text));
    case CF_RAW_HTML_PLACE: return cf_bits((cf_bytes)(text == 0));
    case CF_URL_PART_PLACE:
      return cf_bits(cf_from_to(text, '*', ';')      // * + , - . / 0…9 : ;
                     | cf_from_to(text, '@', '[')    // @ A…Z [
                     | cf_from_to(text, 'a', 'z')    //
                     | (cf_bytes)(second == '#')     // ! #
                     | (cf_bytes)(second == '?')     // = ?
                     | (cf_bytes)(second == '_')     // ] _
                     | (cf_bytes)(text == '$') | (cf_bytes)(text == '~')) ^ 0xFFFF;
    case CF_URL_COMPONENT_PLACE:
      return cf_bits(cf_from_to(text | 0x20, 'a', 'z') | cf_from_to(text, '0', '9') | cf_from_to(text, '-', '.')
                     | (cf_bytes)(text == '_') | (cf_bytes)(text == '~')) ^ 0xFFFF;
    case CF_SCRIPT_JSON_PLACE:
      return cf_bits((cf_bytes)(second == '>') | (cf_bytes)(text == '&') | (cf_bytes)(text == 0xE2));
  }
  __builtin_unreachable();
}

CF_INLINE void cf_percent_encode(uint8_t *target, const uint8_t *source, size_t count) {
  for (; count > 0; count--, source++, target += 3) memcpy(target, cf_percent_codes[*source], 4);
}

#endif

CF_INLINE bool cf_any_marks(cf_place place, cf_vector text, cf_vector other) {
  return (cf_marks(place, text) | cf_marks(place, other)) != 0;
}

#define cf_begins_https cf_word_begins_https
