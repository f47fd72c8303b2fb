// Scans for less common scalars: numbers that are not short and simple, and literals.

#include "scalars.hpp"

namespace {

inline uint32_t load_half(const uint8_t *p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

constexpr uint32_t half(char a, char b, char c, char d) {
  return uint32_t(uint8_t(a)) | uint32_t(uint8_t(b)) << 8 | uint32_t(uint8_t(c)) << 16 | uint32_t(uint8_t(d)) << 24;
}

/// The address after the digits at `p`, which may be none. `digits` gets all of them or-ed. Whole words first: a number may be
/// as long as the body, and is scanned at once. A word may reach into the padding.
inline const uint8_t *skip_digits(const uint8_t *p, unsigned *digits) {
  typedef uint8_t lanes __attribute__((ext_vector_type(16)));
  lanes all = 0;
  while (true) {
    lanes bytes;
    memcpy(&bytes, p, sizeof bytes);
    bytes -= uint8_t('0');
    if (__builtin_reduce_max(bytes) > 9) break;
    all |= bytes;
    p += sizeof bytes;
  }
  unsigned found = __builtin_reduce_or(all);
  while (digit(p) <= 9) found |= digit(p++);
  *digits |= found;
  return p;
}

/// The address after the number at `p` (RFC 8259, section 6), or NULL. `mantissa` gets all its digits or-ed.
const uint8_t *scan_number(const uint8_t *p, unsigned *mantissa) {
  p += *p == '-';
  unsigned d = digit(p);
  if (d > 9) return nullptr;
  unsigned digits = d;
  p++;
  if (d != 0) p = skip_digits(p, &digits);
  if (*p == '.') {
    p++;
    if (digit(p) > 9) return nullptr;
    p = skip_digits(p, &digits);
  }
  if ((*p | 0x20) == 'e') {
    p++;
    p += *p == '+' || *p == '-';
    if (digit(p) > 9) return nullptr;
    unsigned exponent = 0;
    p = skip_digits(p, &exponent);
  }
  *mantissa = digits;
  return ends_scalar.is[*p] ? p : nullptr;
}

}  // namespace

CF_SELDOM scalar scan_scalar(const uint8_t *const p) noexcept {
  if (digit(p) <= 9 || *p == '-') {
    unsigned mantissa;
    const uint8_t *end = scan_number(p, &mantissa);
    if (!end) return {};
    return {CF_NODE_NUMBER | (mantissa == 0 ? uint32_t(CF_NODE_ZERO) : 0), size_t(end - p)};
  }
  scalar found;
  if (load_half(p) == half('t', 'r', 'u', 'e')) {
    found = {CF_NODE_TRUE, 4};
  } else if (load_half(p) == half('n', 'u', 'l', 'l')) {
    found = {CF_NODE_NULL, 4};
  } else if (load_half(p) == half('f', 'a', 'l', 's') && p[4] == 'e') {
    found = {CF_NODE_FALSE, 5};
  } else {
    return {};
  }
  return ends_scalar.is[p[found.size]] ? found : scalar();
}
