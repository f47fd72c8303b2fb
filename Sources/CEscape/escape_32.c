// 32 bytes at a time: AVX2.
#include "variants.h"

#ifdef CF_HAS_WIDTH_32

#include "loops/width_32.h"
#include "replace_loops.h"

const cf_escapers cf_escapers_32 = CF_ESCAPERS;

#endif
