/// Looks for bytes that mean something to HTML, URLs or scripts, 16 at a time.
///
/// Vectors of 16 bytes are the compiler's own: SSE2 and NEON belong to the processors they stand for (x86-64, arm64), so
/// nothing is chosen at run time, and any other processor gets plain C.
///
/// Each function reads 16 bytes at `bytes`, which must be readable and need no alignment, and returns a bit for each
/// that is meant, the first byte's the lowest.
#ifndef CF_MARKUP_H
#define CF_MARKUP_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define CF_INLINE static inline __attribute__((always_inline))

/// In a comparison's result all bits of a byte are set, or none.
typedef uint8_t cf_bytes __attribute__((vector_size(16)));
typedef int8_t cf_signed_bytes __attribute__((vector_size(16)));

CF_INLINE cf_bytes cf_load(const void *bytes) {
  cf_bytes text;
  memcpy(&text, bytes, 16);
  return text;
}

/// The bit of each byte that is set as a whole.
CF_INLINE uint32_t cf_bits(cf_bytes marks) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8((__m128i)marks);
#elif defined(__aarch64__)
  // NEON has no movemask: each byte keeps the bit of its place, and sums bring eight of them together.
  const cf_bytes places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t bits = (uint8x16_t)(marks & places);
  return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
#else
  uint32_t mask = 0;
  for (int place = 0; place < 16; place++) mask |= (uint32_t)(marks[place] & 1) << place;
  return mask;
#endif
}

/// The bytes from `first` to `last`, both below 0x80: moved up so that `last` is the greatest signed number.
CF_INLINE cf_bytes cf_from_to(cf_bytes text, uint8_t first, uint8_t last) {
  cf_signed_bytes moved = (cf_signed_bytes)(text + (uint8_t)(0x7F - last));
  return (cf_bytes)(moved > (int8_t)(0x7F - last + first - 1));
}

/// `& < > " '`: `&` and `'` differ in their lowest bit alone, `<` and `>` in their second.
CF_INLINE cf_bytes cf_markup_bytes(cf_bytes text) {
  return (cf_bytes)((text | 1) == '\'') | (cf_bytes)((text | 2) == '>') | (cf_bytes)(text == '"');
}

/// Letters, digits and `- . _ ~`, which stand for themselves everywhere in a URL.
CF_INLINE cf_bytes cf_unreserved_bytes(cf_bytes text) {
  return cf_from_to(text | 0x20, 'a', 'z') | cf_from_to(text, '0', '9') | cf_from_to(text, '-', '.') |
         (cf_bytes)(text == '_') | (cf_bytes)(text == '~');
}

/// `& < > " '`.
CF_INLINE uint32_t cf_markup_mask(const void *bytes) { return cf_bits(cf_markup_bytes(cf_load(bytes))); }

/// The same and NUL.
CF_INLINE uint32_t cf_markup_or_nul_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  return cf_bits(cf_markup_bytes(text) | (cf_bytes)(text == 0));
}

/// The same and CR.
CF_INLINE uint32_t cf_attribute_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  return cf_bits(cf_markup_bytes(text) | (cf_bytes)(text == 0) | (cf_bytes)(text == '\r'));
}

/// The same, and rare controls that cost nothing to mark too: a question for the fast way, whose answer may be wrong.
CF_INLINE uint32_t cf_attribute_doubt_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  return cf_bits(cf_markup_bytes(text) | (cf_bytes)((text & 0xF2) == 0));
}

/// NUL.
CF_INLINE uint32_t cf_nul_mask(const void *bytes) { return cf_bits((cf_bytes)(cf_load(bytes) == 0)); }

/// What does not stand as it is in a URL's query or fragment: all but the unreserved characters.
CF_INLINE uint32_t cf_component_mask(const void *bytes) {
  return cf_bits(cf_unreserved_bytes(cf_load(bytes))) ^ 0xFFFF;
}

/// What does not stand as it is in other parts of a URL in an attribute: all but the unreserved characters and
/// `! # $ * + , / : ; = ? @ [ ]`. `%` and `&` are meant too: they stand, but not always as they are.
CF_INLINE uint32_t cf_url_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  cf_bytes second = text | 2;
  cf_bytes kept = cf_from_to(text, '*', ';')      // * + , - . / 0…9 : ;
                  | cf_from_to(text, '@', '[')    // @ A…Z [
                  | cf_from_to(text, 'a', 'z')    //
                  | (cf_bytes)(second == '#')     // ! #
                  | (cf_bytes)(second == '?')     // = ?
                  | (cf_bytes)(second == '_')     // ] _
                  | (cf_bytes)(text == '$') | (cf_bytes)(text == '~');
  return cf_bits(kept) ^ 0xFFFF;
}

/// The same, and `!` and `~`, as above.
CF_INLINE uint32_t cf_url_doubt_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  cf_bytes second = text | 2;
  cf_signed_bytes number = (cf_signed_bytes)text;  // what is not ASCII is negative
  cf_bytes doubted = (cf_bytes)(number < '#') | (cf_bytes)(number > 'z') | cf_from_to(text, '%', ')')
                     | (cf_bytes)(second == '>') | (cf_bytes)(second == '^') | (cf_bytes)(text == '`');
  return cf_bits(doubted);
}

/// `& < >` and 0xE2, with which U+2028 and U+2029 begin.
CF_INLINE uint32_t cf_script_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  return cf_bits((cf_bytes)((text | 2) == '>') | (cf_bytes)(text == '&') | (cf_bytes)(text == 0xE2));
}

#undef CF_INLINE
#endif
