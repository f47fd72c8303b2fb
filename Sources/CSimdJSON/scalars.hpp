// Numbers and literals: where they end, and whether they are valid.
#ifndef CF_SCALARS_HPP
#define CF_SCALARS_HPP

#include "names.hpp"

/// What may follow a number or a literal.
struct terminators {
  bool is[256] = {};
  constexpr terminators() {
    is[uint8_t(' ')] = is[uint8_t('\t')] = is[uint8_t('\n')] = is[uint8_t('\r')] = true;
    is[uint8_t(',')] = is[uint8_t(']')] = is[uint8_t('}')] = true;
  }
};
inline constexpr terminators ends_scalar;

inline unsigned digit(const uint8_t *p) { return unsigned(*p) - '0'; }

/// The number or literal at `p`: its kind and flags, and the byte behind it; NULL: none. What stands behind it must end
/// it; a space stands behind the document, so no scan runs past its end.
const uint8_t *scan_scalar(const uint8_t *p, uint32_t *kind) noexcept;

inline constexpr uint64_t every_byte = 0x0101010101010101u;

/// How many of the 8 bytes at `p` are digits before any that is none; 8: there may be more.
inline size_t count_digits(const uint8_t *p) {
  uint64_t word = load_word(p);
  // The high bit of each byte that is no digit. A carry can mark a byte wrongly only above one that is marked rightly,
  // and the lowest is what counts.
  uint64_t others = ((word ^ every_byte * '0') + every_byte * (0x80 - 10)) | word;
  others &= every_byte * 0x80;
  return __builtin_expect(others != 0, 1) ? size_t(__builtin_ctzll(others)) / 8 : 8;
}

/// The byte behind the number at `p`, whose first digit is not 0; NULL: not one that is easy to scan. Reads up to 8
/// bytes behind it.
__attribute__((always_inline)) inline const uint8_t *scan_easy_number(const uint8_t *p) {
  size_t digits = count_digits(p);
  if (__builtin_expect(digits == 8, 0)) return nullptr;
  p += digits;
  if (*p == '.') {
    p++;
    digits = count_digits(p);
    if (__builtin_expect(digits - 1 >= 7, 0)) return nullptr;
    p += digits;
  }
  return __builtin_expect(ends_scalar.is[*p], 1) ? p : nullptr;
}

#endif
