// 16 bytes at a time: SSE2 or NEON.
#include "variants.h"

#ifdef CF_HAS_WIDTH_16

#include "loops/width_16.h"
#include "replace_loops.h"

const cf_escapers cf_escapers_16 = CF_ESCAPERS;

#endif
