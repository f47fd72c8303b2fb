// 16 bytes at a time: SSE2 or NEON.
#include "row_plan_variants.h"

#ifdef CF_HAS_WIDTH_16

#include "loops/width_16.h"
#include "row_plan_loops.h"

const cf_plan_kernels cf_plan_kernels_16 = CF_PLAN_KERNELS;

#endif
