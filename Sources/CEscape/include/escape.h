/// Escaping: copies text and replaces characters that are special at the destination.
///
/// Uses vectors of 32 bytes if the processor has AVX2, otherwise of 16 bytes (SSE2, NEON), otherwise plain C.
/// The choice is made once, before `main`. All variants write the same bytes.
///
/// Each function copies `source` up to `source_end` to `target` and returns how far it got. It stops before a
/// replacement that might not fit together with the rest of the source unchanged; the caller then makes room
/// and calls it again from there. A replacement is at most CF_ESCAPE_GROWTH bytes longer than what it
/// replaces.
///
/// - Requires: `source_end - source <= target_end - target`; CF_ESCAPE_PADDING bytes after `source_end` can
///   be read and after `target_end` can be written, none of which count; source and target do not overlap; no
///   pointer is null.
/// - Cost: linear.
#ifndef CF_ESCAPE_H
#define CF_ESCAPE_H

#include <stdint.h>

/// Bytes after source and target that vector operations may touch.
#define CF_ESCAPE_PADDING 32

/// How much longer a replacement can be than what it replaces. With room for one and for the rest, a call
/// makes progress.
#define CF_ESCAPE_GROWTH 5

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define CF_NULLABLE _Nullable
#else
#define CF_NULLABLE
#endif

/// How far an escaper got: both pointers are after what was read and written.
typedef struct cf_progress {
  const uint8_t *source;
  uint8_t *target;
} cf_progress;

typedef cf_progress cf_escaper(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end);

/// One function for each destination; see the functions of the same names below.
typedef struct cf_escapers {
  cf_escaper *html;
  cf_escaper *attribute;
  cf_escaper *text;
  cf_escaper *raw_html;
  /// A URL at the start of a quoted attribute, escaped like `url_part` if it needs no checking: it begins
  /// with `http:`, `https:`, `/`, `?` or `#` and does not end in a C0 control or space. Otherwise nothing is
  /// taken; but `http` and similar text without a colon, which has no scheme, may be taken whole, because
  /// bytes after the source are read too.
  cf_escaper *url;
  cf_escaper *url_part;
  cf_escaper *url_component;
  cf_escaper *script_json;
} cf_escapers;

typedef enum cf_variant {
  /// One byte at a time.
  CF_VARIANT_PLAIN,
  /// 16 bytes: SSE2 or NEON, which every x86-64 or arm64 processor has.
  CF_VARIANT_16,
  /// 32 bytes: AVX2.
  CF_VARIANT_32,
} cf_variant;

/// The best variant that this processor can run. Cost: some instructions; asks the processor each time.
cf_variant cf_best_variant(void);

/// A variant's functions, or null if this processor cannot run them; for tests. Valid forever.
const cf_escapers *CF_NULLABLE cf_escapers_of(cf_variant variant);

/// The functions of the best variant. Written only before `main`, so any thread may read it.
extern const cf_escapers *cf_best_escapers;

/// Accessor: Swift cannot safely read the C global.
static inline const cf_escapers *cf_escapers_here(void) { return cf_best_escapers; }

/// Element text: `& < > " '` as `&amp; &lt; &gt; &quot; &#39;`, NUL as U+FFFD.
static inline cf_progress cf_escape_html(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->html(target, target_end, source, source_end);
}

/// A quoted attribute's value: like element text, and CR as `&#13;`.
static inline cf_progress cf_escape_attribute(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->attribute(target, target_end, source, source_end);
}

/// Only `& < > " '`.
static inline cf_progress cf_escape_text(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->text(target, target_end, source, source_end);
}

/// Only NUL, as U+FFFD.
static inline cf_progress cf_escape_raw_html(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->raw_html(target, target_end, source, source_end);
}

/// Text in a URL in a quoted attribute, before the query. Everything is percent-encoded except letters,
/// digits, `- . _ ~`, `! # $ * + , / : ; = ? @ [ ]` and `%` before two hexadecimal digits; `&` becomes
/// `&amp;`.
static inline cf_progress cf_escape_url_part(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->url_part(target, target_end, source, source_end);
}

/// Text in a URL's query or fragment: everything is percent-encoded except letters, digits and `- . _ ~`.
static inline cf_progress cf_escape_url_component(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->url_component(target, target_end, source, source_end);
}

/// JSON in a script element: `& < >` and U+2028, U+2029 as `\uXXXX`.
static inline cf_progress cf_escape_script_json(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->script_json(target, target_end, source, source_end);
}

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#undef CF_NULLABLE
#endif
