#include "resources.h"

// Part of C since 2023; this compiler has it for every version.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char cells_js[] = {
#embed "../CellServer/Web/cells.js"
};
static const unsigned char cells_d_ts[] = {
#embed "../CellServer/Web/cells.d.ts"
};
static const unsigned char index_html[] = {
#embed "../CellPreview/Resources/index.html"
};
static const unsigned char kind_html[] = {
#embed "../CellPreview/Resources/kind.html"
};
static const unsigned char diagnostics_html[] = {
#embed "../CellPreview/Resources/diagnostics.html"
};
static const unsigned char page_css[] = {
#embed "../CellPreview/Resources/page.css"
};
static const unsigned char page_js[] = {
#embed "../CellPreview/Resources/page.js"
};

cf_resource cf_cells_js(void) { return (cf_resource){cells_js, sizeof cells_js}; }
cf_resource cf_cells_d_ts(void) { return (cf_resource){cells_d_ts, sizeof cells_d_ts}; }
cf_resource cf_preview_index_html(void) { return (cf_resource){index_html, sizeof index_html}; }
cf_resource cf_preview_kind_html(void) { return (cf_resource){kind_html, sizeof kind_html}; }
cf_resource cf_preview_diagnostics_html(void) { return (cf_resource){diagnostics_html, sizeof diagnostics_html}; }
cf_resource cf_preview_page_css(void) { return (cf_resource){page_css, sizeof page_css}; }
cf_resource cf_preview_page_js(void) { return (cf_resource){page_js, sizeof page_js}; }
