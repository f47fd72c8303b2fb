/// A test of short texts that is inlined in Swift: most names, numbers and dates need no escaping.
#ifndef CF_DOUBT_H
#define CF_DOUBT_H

#include "vectors.h"

/// One bit, the first byte's the lowest, for each of the 16 bytes at `bytes` that is `& < > " '`, NUL, CR or
/// one of a few rare controls. A quick test that may give false positives. All 16 bytes must be readable.
static inline __attribute__((always_inline)) uint32_t cf_attribute_doubt_mask(const void *bytes) {
  cf_bytes text = cf_load(bytes);
  return cf_bits(cf_markup_bytes(text) | (cf_bytes)((text & 0xF2) == 0));
}

#endif
