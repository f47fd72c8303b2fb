// Numbers and literals: their ends and their validity.
#ifndef CF_SCALARS_HPP
#define CF_SCALARS_HPP

#include <cstddef>

#include "cf_json.h"
#include "seldom.hpp"
#include "words.hpp"

/// The bytes that may follow a number or a literal.
struct terminators {
  bool is[256] = {};
  constexpr terminators() {
    is[uint8_t(' ')] = is[uint8_t('\t')] = is[uint8_t('\n')] = is[uint8_t('\r')] = true;
    is[uint8_t(',')] = is[uint8_t(']')] = is[uint8_t('}')] = true;
  }
};
inline constexpr terminators ends_scalar;

inline unsigned digit(const uint8_t *p) { return unsigned(*p) - '0'; }

/// A number or literal: its kind and flags, and its length in bytes; no kind if it is invalid.
struct scalar {
  uint32_t kind;
  size_t size;
};

/// Scans the number or literal at `p`. The byte after it must be a terminator. A space follows the document,
/// so no scan runs past its end.
CF_SELDOM scalar scan_scalar(const uint8_t *p) noexcept;

inline constexpr uint64_t every_byte = 0x0101010101010101u;

/// The high bit of each byte that is not a digit. A carry can only mark a wrong byte above a correctly marked
/// one.
inline uint64_t other_than_digits(uint64_t word) {
  return (((word ^ every_byte * '0') + every_byte * (0x80 - 10)) | word) & every_byte * 0x80;
}

/// Whether the `size` bytes at `p`, which start with a digit other than 0, are a number that is easy to
/// check: up to 16 digits, or up to 8 bytes with a point among them. Reads 8 bytes, or `size` if that is
/// more. `size` is not 0.
///
/// All bytes are checked together instead of from the left, so the next step need not wait for the end of the
/// digits.
__attribute__((always_inline)) inline bool is_easy_number(const uint8_t *p, size_t size) {
  uint64_t word = load_word(p);
  uint64_t others = other_than_digits(word);
  if (__builtin_expect(size > 8, 0)) return size <= 16 && (others | other_than_digits(load_word(p + size - 8))) == 0;
  others &= first_bytes.of[size];
  if (others == 0) return true;
  // The only other byte is a point, and not the last one.
  uint64_t no_points = (word ^ every_byte * '.') & (others >> 7) * 0xFF;
  return no_points == 0 && (others & (others - 1)) == 0 && others <= first_bytes.of[size - 1];
}

#endif
