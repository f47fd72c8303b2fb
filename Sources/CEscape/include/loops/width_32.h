// 32 bytes at a time. The functions are compiled for AVX2 regardless of compiler flags, and run only if it is
// available.
#include "tables.h"

#include <immintrin.h>

#define CF_TARGET __attribute__((target("avx2,bmi,bmi2")))
#define CF_WIDTH 32

typedef __m256i cf_vector;

#define CF_INLINE static inline __attribute__((always_inline)) CF_TARGET

CF_INLINE cf_vector cf_load_vector(const uint8_t *bytes) { return _mm256_loadu_si256((const __m256i_u *)bytes); }
CF_INLINE void cf_store_vector(uint8_t *bytes, cf_vector text) { _mm256_storeu_si256((__m256i_u *)bytes, text); }

// A table of 16 bytes in both halves of a vector, because lookups do not cross halves.
CF_INLINE cf_vector cf_load_table(const uint8_t *table) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i_u *)table));
}

// Lookups use the low half of a byte, and give 0 for bytes from 0x80.
CF_INLINE cf_vector cf_meant(const uint8_t *table, cf_vector text) {
  return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(cf_load_table(table), text), text);
}

CF_INLINE cf_vector cf_not_kept(const uint8_t *kept, cf_vector text) {
  cf_vector high = _mm256_and_si256(_mm256_srli_epi16(text, 4), _mm256_set1_epi8(0xF));
  cf_vector bits = _mm256_and_si256(
      _mm256_shuffle_epi8(cf_load_table(kept), text), _mm256_shuffle_epi8(cf_load_table(cf_high_half_bits), high));
  return _mm256_cmpeq_epi8(bits, _mm256_setzero_si256());
}

CF_INLINE cf_vector cf_marked(cf_place place, cf_vector text) {
  switch (place) {
    case CF_HTML_PLACE: return cf_meant(cf_meant_in_html, text);
    case CF_ATTRIBUTE_PLACE: return cf_meant(cf_meant_in_attribute, text);
    case CF_TEXT_PLACE: return cf_meant(cf_meant_in_text, text);
    case CF_RAW_HTML_PLACE: return _mm256_cmpeq_epi8(text, _mm256_setzero_si256());
    case CF_URL_PART_PLACE: return cf_not_kept(cf_kept_in_url_part, text);
    case CF_URL_COMPONENT_PLACE: return cf_not_kept(cf_kept_in_url_component, text);
    case CF_SCRIPT_JSON_PLACE:
      return _mm256_or_si256(
          cf_meant(cf_meant_in_script, text), _mm256_cmpeq_epi8(text, _mm256_set1_epi8((char)0xE2)));
  }
  __builtin_unreachable();
}

CF_INLINE uint64_t cf_marks(cf_place place, cf_vector text) {
  return (uint32_t)_mm256_movemask_epi8(cf_marked(place, text));
}

CF_INLINE bool cf_any_marks(cf_place place, cf_vector text, cf_vector other) {
  return _mm256_movemask_epi8(_mm256_or_si256(cf_marked(place, text), cf_marked(place, other))) != 0;
}

CF_INLINE uint64_t cf_ampersand_marks(cf_vector text) {
  return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('&')));
}

CF_INLINE uint64_t cf_exception_marks(cf_vector text) {
  return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(
      _mm256_cmpeq_epi8(text, _mm256_set1_epi8('&')), _mm256_cmpeq_epi8(text, _mm256_set1_epi8('%'))));
}

// Ten bytes become thirty, fifteen in each half of a vector: each is moved to where its digits go, and the
// relevant half is looked up there.
CF_INLINE void cf_percent_encode(uint8_t *target, const uint8_t *source, size_t count) {
  const __m256i places = _mm256_setr_epi8(
      -1, 0, 0, -1, 1, 1, -1, 2, 2, -1, 3, 3, -1, 4, 4, -1,  //
      -1, 5, 5, -1, 6, 6, -1, 7, 7, -1, 8, 8, -1, 9, 9, -1);
  const __m256i high = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 15, 0, 0, 15, 0, 0, 15, 0, 0, 15, 0, 0, 15, 0, 0));
  const __m256i low = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 15, 0, 0, 15, 0, 0, 15, 0, 0, 15, 0, 0, 15, 0));
  const char sign = '%' ^ '0';
  const __m256i signs = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(sign, 0, 0, sign, 0, 0, sign, 0, 0, sign, 0, 0, sign, 0, 0, 0));
  const __m256i digits = _mm256_broadcastsi128_si256(
      _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'));
  for (ptrdiff_t left = (ptrdiff_t)count; left > 0; left -= 10, source += 10, target += 30) {
    __m256i spread = _mm256_shuffle_epi8(cf_load_table(source), places);
    __m256i halves =
        _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(spread, 4), high), _mm256_and_si256(spread, low));
    __m256i encoded = _mm256_xor_si256(_mm256_shuffle_epi8(digits, halves), signs);
    _mm_storeu_si128((__m128i_u *)target, _mm256_castsi256_si128(encoded));
    _mm_storeu_si128((__m128i_u *)(target + 15), _mm256_extracti128_si256(encoded, 1));
  }
}

// Tests the vector that is used next anyway.
CF_INLINE bool cf_begins_https(const uint8_t *source) {
  // Bits outside the mask may be anything; a vector without zeros can be a memory operand.
  const __m256i wanted = _mm256_setr_epi64x(0x3A5350545448 /* HTTPS: */, 1, 2, 3);
  const __m256i mask = _mm256_setr_epi64x(0xFFDFDFDFDFDF, 0, 0, 0);
  return _mm256_testz_si256(_mm256_xor_si256(cf_load_vector(source), wanted), mask);
}
