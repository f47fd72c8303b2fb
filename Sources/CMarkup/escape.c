#include "escape.h"

#include "escape_variants.h"

// What every processor of the compiler's target has.
#if defined(__SSE2__) || defined(__aarch64__)
#define CF_SURE_ESCAPERS cf_16_escapers
#define CF_SURE_PLAN_KERNELS cf_16_plan_kernels
#else
#define CF_SURE_ESCAPERS cf_plain_escapers
#define CF_SURE_PLAN_KERNELS cf_plain_plan_kernels
#endif

const cf_escapers *cf_best_escapers = &CF_SURE_ESCAPERS;
const cf_plan_kernels *cf_best_plan_kernels = &CF_SURE_PLAN_KERNELS;

#if defined(__x86_64__)
static bool cf_has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

// Runs before `main` in a single thread. Anything escaped even earlier uses the initial variant.
__attribute__((constructor)) static void cf_choose_escapers(void) {
  if (!cf_has_avx2()) return;
  cf_best_escapers = &cf_32_escapers;
  cf_best_plan_kernels = &cf_32_plan_kernels;
}
#endif

typedef struct functions {
  const cf_escapers *escapers;
  const cf_plan_kernels *plan_kernels;
} functions;

// Null if this processor cannot run them.
static functions functions_of(cf_variant variant) {
  switch (variant) {
    case CF_VARIANT_PLAIN: return (functions){&cf_plain_escapers, &cf_plain_plan_kernels};
    case CF_VARIANT_16:
#if defined(__SSE2__) || defined(__aarch64__)
      return (functions){&cf_16_escapers, &cf_16_plan_kernels};
#else
      break;
#endif
    case CF_VARIANT_32:
#if defined(__x86_64__)
      if (cf_has_avx2()) return (functions){&cf_32_escapers, &cf_32_plan_kernels};
#endif
      break;
  }
  return (functions){NULL, NULL};
}

const cf_escapers *cf_escapers_of(cf_variant variant) { return functions_of(variant).escapers; }
const cf_plan_kernels *cf_plan_kernels_of(cf_variant variant) { return functions_of(variant).plan_kernels; }

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
