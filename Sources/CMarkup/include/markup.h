/// Looks for bytes that mean something to HTML, 16 at a time.
///
/// SSE2 and NEON belong to the processors they stand for (x86-64, arm64), so nothing is chosen at run time; any other
/// processor gets plain C that compilers vectorize.
#ifndef CF_MARKUP_H
#define CF_MARKUP_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/// A bit for each of the 16 bytes at `bytes` that is one of `& < > " '`, the first byte's the lowest.
/// All 16 must be readable; no alignment is needed.
static inline __attribute__((always_inline)) uint32_t cf_markup_mask(const void *bytes);

/// The same for `& < > " '` and NUL.
static inline __attribute__((always_inline)) uint32_t cf_markup_or_nul_mask(const void *bytes);

/// The same for `& < > " '`, NUL and CR.
static inline __attribute__((always_inline)) uint32_t cf_attribute_mask(const void *bytes);

/// The same for bytes that do not stand as they are in a URL: all but letters, digits and
/// `- . _ ~ ! # $ * + , / : ; = ? @ [ ]`. `%` and `&` are among them: they stand, but not always as they are.
static inline __attribute__((always_inline)) uint32_t cf_url_mask(const void *bytes);

#if defined(__SSE2__)

static inline __attribute__((always_inline)) __m128i cf_markup_bytes(__m128i text) {
  // `&` and `'` differ in their lowest bit alone, `<` and `>` in their second.
  __m128i quotes = _mm_cmpeq_epi8(_mm_or_si128(text, _mm_set1_epi8(0x01)), _mm_set1_epi8('\''));
  __m128i angles = _mm_cmpeq_epi8(_mm_or_si128(text, _mm_set1_epi8(0x02)), _mm_set1_epi8('>'));
  return _mm_or_si128(_mm_or_si128(quotes, angles), _mm_cmpeq_epi8(text, _mm_set1_epi8('"')));
}

static inline uint32_t cf_markup_mask(const void *bytes) {
  __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  return (uint32_t)_mm_movemask_epi8(cf_markup_bytes(text));
}

static inline uint32_t cf_markup_or_nul_mask(const void *bytes) {
  __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  return (uint32_t)_mm_movemask_epi8(
      _mm_or_si128(cf_markup_bytes(text), _mm_cmpeq_epi8(text, _mm_setzero_si128())));
}

static inline uint32_t cf_attribute_mask(const void *bytes) {
  __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  __m128i controls =
      _mm_or_si128(_mm_cmpeq_epi8(text, _mm_setzero_si128()), _mm_cmpeq_epi8(text, _mm_set1_epi8('\r')));
  return (uint32_t)_mm_movemask_epi8(_mm_or_si128(cf_markup_bytes(text), controls));
}

static inline uint32_t cf_url_mask(const void *bytes) {
  __m128i text = _mm_loadu_si128((const __m128i *)bytes);
  // Compared as signed numbers, bytes from 0x80 on are the smallest. `< >` and `\ ^` differ in their second bit alone.
  __m128i outside = _mm_cmplt_epi8(text, _mm_set1_epi8(0x21));
  __m128i end = _mm_andnot_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('~')), _mm_cmpgt_epi8(text, _mm_set1_epi8('z')));
  __m128i from_percent = _mm_sub_epi8(text, _mm_set1_epi8('%'));  // % & ' ( )
  __m128i run = _mm_cmpeq_epi8(_mm_min_epu8(from_percent, _mm_set1_epi8(4)), from_percent);
  __m128i second = _mm_or_si128(text, _mm_set1_epi8(0x02));
  __m128i pairs = _mm_or_si128(_mm_cmpeq_epi8(second, _mm_set1_epi8('>')), _mm_cmpeq_epi8(second, _mm_set1_epi8('^')));
  __m128i singles = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('"')), _mm_cmpeq_epi8(text, _mm_set1_epi8('`')));
  __m128i marks = _mm_or_si128(_mm_or_si128(outside, end), _mm_or_si128(_mm_or_si128(run, pairs), singles));
  return (uint32_t)_mm_movemask_epi8(marks);
}

#elif defined(__aarch64__)

static inline __attribute__((always_inline)) uint8x16_t cf_markup_bytes(uint8x16_t text) {
  uint8x16_t quotes = vceqq_u8(vorrq_u8(text, vdupq_n_u8(0x01)), vdupq_n_u8('\''));
  uint8x16_t angles = vceqq_u8(vorrq_u8(text, vdupq_n_u8(0x02)), vdupq_n_u8('>'));
  return vorrq_u8(vorrq_u8(quotes, angles), vceqq_u8(text, vdupq_n_u8('"')));
}

static inline __attribute__((always_inline)) uint32_t cf_bits(uint8x16_t marks) {
  // NEON has no movemask: each byte keeps the bit of its place, and pairwise sums bring eight of them together.
  const uint8x16_t places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t bits = vandq_u8(marks, places);
  return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline uint32_t cf_markup_mask(const void *bytes) {
  return cf_bits(cf_markup_bytes(vld1q_u8((const uint8_t *)bytes)));
}

static inline uint32_t cf_markup_or_nul_mask(const void *bytes) {
  uint8x16_t text = vld1q_u8((const uint8_t *)bytes);
  return cf_bits(vorrq_u8(cf_markup_bytes(text), vceqzq_u8(text)));
}

static inline uint32_t cf_attribute_mask(const void *bytes) {
  uint8x16_t text = vld1q_u8((const uint8_t *)bytes);
  uint8x16_t controls = vorrq_u8(vceqzq_u8(text), vceqq_u8(text, vdupq_n_u8('\r')));
  return cf_bits(vorrq_u8(cf_markup_bytes(text), controls));
}

static inline __attribute__((always_inline)) uint8x16_t cf_within(uint8x16_t text, uint8_t first, uint8_t last) {
  return vandq_u8(vcgeq_u8(text, vdupq_n_u8(first)), vcleq_u8(text, vdupq_n_u8(last)));
}

static inline uint32_t cf_url_mask(const void *bytes) {
  uint8x16_t text = vld1q_u8((const uint8_t *)bytes);
  // `! #`, `= ?` and `] _` are pairs that differ in their second bit alone.
  uint8x16_t second = vorrq_u8(text, vdupq_n_u8(0x02));
  uint8x16_t ranges =
      vorrq_u8(vorrq_u8(cf_within(text, '*', ';'), cf_within(text, '?', '[')), cf_within(text, 'a', 'z'));
  uint8x16_t pairs = vorrq_u8(vorrq_u8(vceqq_u8(second, vdupq_n_u8('#')), vceqq_u8(second, vdupq_n_u8('?'))),
                              vceqq_u8(second, vdupq_n_u8('_')));
  uint8x16_t singles = vorrq_u8(vceqq_u8(text, vdupq_n_u8('$')), vceqq_u8(text, vdupq_n_u8('~')));
  return cf_bits(vmvnq_u8(vorrq_u8(vorrq_u8(ranges, pairs), singles)));
}

#else

static inline uint32_t cf_markup_mask(const void *bytes) {
  uint32_t mask = 0;
  for (int place = 0; place < 16; place++) {
    uint8_t byte = ((const uint8_t *)bytes)[place];
    uint32_t isMarkup = byte == '&' || byte == '<' || byte == '>' || byte == '"' || byte == '\'';
    mask |= isMarkup << place;
  }
  return mask;
}

static inline uint32_t cf_markup_or_nul_mask(const void *bytes) {
  uint32_t mask = cf_markup_mask(bytes);
  for (int place = 0; place < 16; place++) mask |= (uint32_t)(((const uint8_t *)bytes)[place] == 0) << place;
  return mask;
}

static inline uint32_t cf_attribute_mask(const void *bytes) {
  uint32_t mask = cf_markup_or_nul_mask(bytes);
  for (int place = 0; place < 16; place++) mask |= (uint32_t)(((const uint8_t *)bytes)[place] == '\r') << place;
  return mask;
}

static inline uint32_t cf_url_mask(const void *bytes) {
  uint32_t mask = 0;
  for (int place = 0; place < 16; place++) {
    uint8_t byte = ((const uint8_t *)bytes)[place];
    uint32_t stands = (byte >= '*' && byte <= ';') || (byte >= '?' && byte <= '[') || (byte >= 'a' && byte <= 'z') ||
                      byte == '!' || byte == '#' || byte == '$' || byte == '=' || byte == ']' || byte == '_' ||
                      byte == '~';
    mask |= (uint32_t)!stands << place;
  }
  return mask;
}

#endif
#endif
