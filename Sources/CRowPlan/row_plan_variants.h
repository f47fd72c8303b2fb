// The loops over plans in each width.
#ifndef CF_ROW_PLAN_VARIANTS_H
#define CF_ROW_PLAN_VARIANTS_H

#include "loops/tables.h"
#include "row_plan.h"

extern const cf_plan_kernels cf_plan_kernels_1;
#ifdef CF_HAS_WIDTH_16
extern const cf_plan_kernels cf_plan_kernels_16;
#endif
#ifdef CF_HAS_WIDTH_32
extern const cf_plan_kernels cf_plan_kernels_32;
#endif

#endif
