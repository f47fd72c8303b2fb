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

/// The address after the number at `p` (RFC 8259, section 6), or NULL. `mantissa` gets all its digits or-ed.
const uint8_t *scan_number(const uint8_t *p, unsigned *mantissa) {
  p += *p == '-';
  unsigned d = digit(p);
  if (d > 9) return nullptr;
  unsigned digits = d;
  p++;
  if (d != 0) {
    while (digit(p) <= 9) p++;
  }
  if (*p == '.') {
    p++;
    if (digit(p) > 9) return nullptr;
    do {
      digits |= digit(p);
      p++;
    } while (digit(p) <= 9);
  }
  if ((*p | 0x20) == 'e') {
    p++;
    p += *p == '+' || *p == '-';
    if (digit(p) > 9) return nullptr;
    do p++;
    while (digit(p) <= 9);
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
