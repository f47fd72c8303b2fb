// What bytes are replaced with, except in URLs.
#ifndef CF_REPLACEMENTS_H
#define CF_REPLACEMENTS_H

#include <stdint.h>

// The replacement of a byte. All eight bytes are stored at once; bytes after the text are overwritten by what
// follows.
typedef struct cf_replacement {
  uint8_t text[7];
  uint8_t growth;  // its length, but for the byte it replaces
} cf_replacement;

// By low half, as in loops/tables.h.
static const cf_replacement cf_entities[16] = {
    [0x0] = {"\xEF\xBF\xBD", 2}, [0x2] = {"&quot;", 5}, [0x6] = {"&amp;", 4}, [0x7] = {"&#39;", 4},
    [0xC] = {"&lt;", 3},         [0xD] = {"&#13;", 4},  [0xE] = {"&gt;", 3},
};
static const cf_replacement cf_script_escapes[16] = {
    [0x6] = {"\\u0026", 5}, [0xC] = {"\\u003c", 5}, [0xE] = {"\\u003e", 5}};

#endif
