/// The files that are part of the program: `/cells.js` with its types, and the pages of the preview. They lie where they
/// are used. The compiler copies them into constants, which takes Swift a hundred times as long.
#ifndef CF_RESOURCES_H
#define CF_RESOURCES_H

#include <stddef.h>

/// The bytes of a file, valid as long as the program runs.
typedef struct cf_resource {
  const unsigned char *bytes;
  size_t count;
} cf_resource;

cf_resource cf_cells_js(void);
cf_resource cf_cells_d_ts(void);
cf_resource cf_preview_index_html(void);
cf_resource cf_preview_kind_html(void);
cf_resource cf_preview_diagnostics_html(void);
cf_resource cf_preview_page_css(void);
cf_resource cf_preview_page_js(void);

#endif
