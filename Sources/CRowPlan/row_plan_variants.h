// The loops over plans in each width.
#ifndef CF_ROW_PLAN_VARIANTS_H
#define CF_ROW_PLAN_VARIANTS_H

#include "loops/tables.h"
#include "row_plan.h"

extern const cf_plan_kernels cf_plan_kernels_1;
// What a guard finds in a row. A text that is too long to compare fits no plan.
typedef enum cf_outcome { CF_FAILS, CF_HOLDS, CF_TOO_LONG } cf_outcome;

// By the guard's condition.
cf_outcome cf_condition_outcome(const cf_guard *guard, const cf_node *row, const uint8_t *text, const cf_plan *plan);

#ifdef CF_HAS_WIDTH_16
extern const cf_plan_kernels cf_plan_kernels_16;
#endif
#ifdef CF_HAS_WIDTH_32
extern const cf_plan_kernels cf_plan_kernels_32;
#endif

#endif
