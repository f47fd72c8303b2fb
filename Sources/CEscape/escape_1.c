// One byte at a time, for any processor.
#include "variants.h"
#include "loops/width_1.h"
#include "replace_loops.h"

const cf_escapers cf_escapers_1 = CF_ESCAPERS;
