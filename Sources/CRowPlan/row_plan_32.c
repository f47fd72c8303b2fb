// 32 bytes at a time: AVX2.
#include "row_plan_variants.h"

#ifdef CF_HAS_WIDTH_32

#include "loops/width_32.h"

#define CF_COMPARES_NODES

// Two nodes at a time.
CF_INLINE cf_vector cf_difference(const cf_node *nodes, const cf_plan *plan, int64_t at) {
  cf_vector pair = _mm256_and_si256(
      cf_load_vector((const uint8_t *)(nodes + at)), cf_load_vector((const uint8_t *)(plan->masks + at)));
  return _mm256_xor_si256(pair, cf_load_vector((const uint8_t *)(plan->wanted + at)));
}

CF_INLINE bool cf_nodes_differ(const cf_node *nodes, const cf_plan *plan) {
  cf_vector even = _mm256_setzero_si256(), odd = even;
  int64_t at = 0;
  for (; at + 2 < plan->node_count; at += 4) {
    even = _mm256_or_si256(even, cf_difference(nodes, plan, at));
    odd = _mm256_or_si256(odd, cf_difference(nodes, plan, at + 2));
  }
  if (at < plan->node_count) even = _mm256_or_si256(even, cf_difference(nodes, plan, at));
  even = _mm256_or_si256(even, odd);
  return !_mm256_testz_si256(even, even);
}

#include "row_plan_loops.h"

const cf_plan_kernels cf_plan_kernels_32 = CF_PLAN_KERNELS;

#endif
