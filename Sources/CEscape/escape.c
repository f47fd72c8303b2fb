#include "escape.h"

#include "variants.h"

// What every processor of the compiler's target has.
#ifdef CF_HAS_WIDTH_16
const cf_escapers *cf_best_escapers = &cf_escapers_16;
#else
const cf_escapers *cf_best_escapers = &cf_escapers_1;
#endif

static bool has_avx2(void) {
#ifdef CF_HAS_WIDTH_32
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

// Runs before `main` in a single thread. Anything escaped even earlier uses the initial variant.
__attribute__((constructor)) static void choose_escapers(void) {
  cf_best_escapers = cf_escapers_of(cf_best_variant());
}

cf_variant cf_best_variant(void) {
  if (has_avx2()) return CF_VARIANT_32;
#ifdef CF_HAS_WIDTH_16
  return CF_VARIANT_16;
#else
  return CF_VARIANT_PLAIN;
#endif
}

const cf_escapers *cf_escapers_of(cf_variant variant) {
  switch (variant) {
    case CF_VARIANT_PLAIN: return &cf_escapers_1;
    case CF_VARIANT_16:
#ifdef CF_HAS_WIDTH_16
      return &cf_escapers_16;
#else
      break;
#endif
    case CF_VARIANT_32:
#ifdef CF_HAS_WIDTH_32
      if (has_avx2()) return &cf_escapers_32;
#endif
      break;
  }
  return NULL;
}

#define CF_HEX(half) ((half) < 10 ? '0' + (half) : 'A' + (half) - 10)
#define CF_CODE(byte) {'%', CF_HEX((byte) >> 4), CF_HEX((byte) & 0xF), 0}
#define CF_CODES(high)                                                                        \
  CF_CODE(high), CF_CODE(high | 0x1), CF_CODE(high | 0x2), CF_CODE(high | 0x3),               \
      CF_CODE(high | 0x4), CF_CODE(high | 0x5), CF_CODE(high | 0x6), CF_CODE(high | 0x7),     \
      CF_CODE(high | 0x8), CF_CODE(high | 0x9), CF_CODE(high | 0xA), CF_CODE(high | 0xB),     \
      CF_CODE(high | 0xC), CF_CODE(high | 0xD), CF_CODE(high | 0xE), CF_CODE(high | 0xF)

const uint8_t cf_percent_codes[256][4] = {
    CF_CODES(0x00), CF_CODES(0x10), CF_CODES(0x20), CF_CODES(0x30), CF_CODES(0x40), CF_CODES(0x50),
    CF_CODES(0x60), CF_CODES(0x70), CF_CODES(0x80), CF_CODES(0x90), CF_CODES(0xA0), CF_CODES(0xB0),
    CF_CODES(0xC0), CF_CODES(0xD0), CF_CODES(0xE0), CF_CODES(0xF0),
};
