#include "escape.h"

#include <stdbool.h>
#include <stddef.h>

#include "escape_variants.h"

// What the compiler's target is sure to have.
#if defined(__SSE2__) || defined(__aarch64__)
#define CF_SURE_ESCAPERS cf_16_escapers
#else
#define CF_SURE_ESCAPERS cf_plain_escapers
#endif

const cf_escapers *cf_best_escapers = &CF_SURE_ESCAPERS;

#if defined(__x86_64__)
static bool cf_has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

// Before `main`, when there is one thread; should anything escape even earlier, it gets the sure ones.
__attribute__((constructor)) static void cf_choose_escapers(void) {
  if (cf_has_avx2()) cf_best_escapers = &cf_32_escapers;
}
#endif

const cf_escapers *cf_escapers_of(cf_variant variant) {
  switch (variant) {
    case CF_VARIANT_PLAIN: return &cf_plain_escapers;
    case CF_VARIANT_16:
#if defined(__SSE2__) || defined(__aarch64__)
      return &cf_16_escapers;
#else
      return NULL;
#endif
    case CF_VARIANT_32:
#if defined(__x86_64__)
      return cf_has_avx2() ? &cf_32_escapers : NULL;
#else
      return NULL;
#endif
  }
  return NULL;
}
