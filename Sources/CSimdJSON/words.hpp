// Reads text in words of 8 bytes and in blocks of 64.
#ifndef CF_WORDS_HPP
#define CF_WORDS_HPP

#include <cstdint>
#include <cstring>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are compared with their first bytes lowest");

inline uint64_t load_word(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

/// Masks for the first bytes of a word.
struct byte_masks {
  uint64_t of[9] = {};
  constexpr byte_masks() {
    for (int count = 1; count <= 8; count++) of[count] = of[count - 1] << 8 | 0xFF;
  }
};
inline constexpr byte_masks first_bytes;

inline constexpr size_t block_size = 64;

/// The bytes of the block that equal `byte`, as bits; the lowest bit is the first byte.
__attribute__((always_inline)) inline uint64_t bytes_equal(const uint8_t *block, uint8_t byte) {
  typedef uint8_t lanes __attribute__((ext_vector_type(block_size)));
  typedef bool marks __attribute__((ext_vector_type(block_size)));
  lanes bytes;
  memcpy(&bytes, block, sizeof bytes);
  marks equal = __builtin_convertvector(bytes == byte, marks);
  uint64_t bits;
  static_assert(sizeof bits == sizeof equal);
  memcpy(&bits, &equal, sizeof bits);
  return bits;
}

#endif
