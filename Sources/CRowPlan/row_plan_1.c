// One byte at a time, for any processor.
#include "row_plan_variants.h"
#include "loops/width_1.h"
#include "row_plan_loops.h"

const cf_plan_kernels cf_plan_kernels_1 = CF_PLAN_KERNELS;
