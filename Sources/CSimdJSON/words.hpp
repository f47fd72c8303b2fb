// Text by words of 8 bytes.
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

/// A word's first so many bytes, as a mask.
struct byte_masks {
  uint64_t of[9] = {};
  constexpr byte_masks() {
    for (int count = 1; count <= 8; count++) of[count] = of[count - 1] << 8 | 0xFF;
  }
};
inline constexpr byte_masks first_bytes;

#endif
