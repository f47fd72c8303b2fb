// The escapers of each width.
#ifndef CF_ESCAPE_VARIANTS_H
#define CF_ESCAPE_VARIANTS_H

#include "escape.h"
#include "loops/tables.h"

extern const cf_escapers cf_escapers_1;
#ifdef CF_HAS_WIDTH_16
extern const cf_escapers cf_escapers_16;
#endif
#ifdef CF_HAS_WIDTH_32
extern const cf_escapers cf_escapers_32;
#endif

#endif
