#include "row_plan.h"

#include "row_plan_variants.h"

// What every processor of the compiler's target has.
#ifdef CF_HAS_WIDTH_16
const cf_plan_kernels *cf_best_plan_kernels = &cf_plan_kernels_16;
#else
const cf_plan_kernels *cf_best_plan_kernels = &cf_plan_kernels_1;
#endif

// Runs before `main` in a single thread. Anything rendered even earlier uses the initial variant.
__attribute__((constructor)) static void choose_kernels(void) {
  cf_best_plan_kernels = cf_plan_kernels_of(cf_best_variant());
}

const cf_plan_kernels *cf_plan_kernels_of(cf_variant variant) {
  // The processors that can run the escapers of a width are those that can run its loops.
  if (!cf_escapers_of(variant)) return NULL;
  switch (variant) {
    case CF_VARIANT_PLAIN: return &cf_plan_kernels_1;
    case CF_VARIANT_16:
#ifdef CF_HAS_WIDTH_16
      return &cf_plan_kernels_16;
#else
      break;
#endif
    case CF_VARIANT_32:
#ifdef CF_HAS_WIDTH_32
      return &cf_plan_kernels_32;
#else
      break;
#endif
  }
  return NULL;
}

static cf_text text_of(const cf_node *node, const uint8_t *text) {
  return (cf_text){text + node->offset, node->length, (node->head & CF_NODE_KIND_BITS) == CF_NODE_NUMBER};
}

cf_outcome cf_condition_outcome(const cf_guard *guard, const cf_node *row, const uint8_t *text, const cf_plan *plan) {
  cf_text value = text_of(row + guard->value, text), other = {NULL, 0, false};
  if (guard->other != CF_NO_NODE) other = text_of(row + guard->other, text);
  if (value.count > CF_GUARDED_BYTES || other.count > CF_GUARDED_BYTES) return CF_TOO_LONG;
  return cf_text_holds(&plan->conditions, guard->condition, value, other) ? CF_HOLDS : CF_FAILS;
}
