/// Vectors of 16 bytes as compiler extensions. Every x86-64 has SSE2 and every arm64 has NEON, so nothing is
/// chosen at run time; any other processor gets plain C.
#ifndef CF_VECTORS_H
#define CF_VECTORS_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define CF_INLINE static inline __attribute__((always_inline))

/// In a comparison's result, each byte has all bits set or none.
typedef uint8_t cf_bytes __attribute__((vector_size(16)));
typedef int8_t cf_signed_bytes __attribute__((vector_size(16)));

/// Loads the 16 bytes at `bytes`, which need not be aligned.
CF_INLINE cf_bytes cf_load(const void *bytes) {
  cf_bytes text;
  memcpy(&text, bytes, 16);
  return text;
}

/// One bit for each byte that has all bits set.
CF_INLINE uint32_t cf_bits(cf_bytes marks) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8((__m128i)marks);
#elif defined(__aarch64__)
  // NEON has no movemask. Each byte keeps the bit of its index, and sums combine eight of them.
  const cf_bytes places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t bits = (uint8x16_t)(marks & places);
  return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
#else
  uint32_t mask = 0;
  for (int place = 0; place < 16; place++) mask |= (uint32_t)(marks[place] & 1) << place;
  return mask;
#endif
}

/// Marks `& < > " '`. `&` and `'` differ only in their lowest bit, `<` and `>` only in their second.
CF_INLINE cf_bytes cf_markup_bytes(cf_bytes text) {
  return (cf_bytes)((text | 1) == '\'') | (cf_bytes)((text | 2) == '>') | (cf_bytes)(text == '"');
}

#undef CF_INLINE
#endif
