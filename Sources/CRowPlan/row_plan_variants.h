// The loops over plans in each width.
#ifndef CF_ROW_PLAN_VARIANTS_H
#define CF_ROW_PLAN_VARIANTS_H

#include "loops/tables.h"
#include "row_plan.h"

extern const cf_plan_kernels cf_plan_kernels_1;
// Whether a row passes a guard that is not short.
bool cf_passes_condition(const cf_guard *guard, const cf_node *row, const uint8_t *text, const cf_plan *plan);

#ifdef CF_HAS_WIDTH_16
extern const cf_plan_kernels cf_plan_kernels_16;
#endif
#ifdef CF_HAS_WIDTH_32
extern const cf_plan_kernels cf_plan_kernels_32;
#endif

#endif
