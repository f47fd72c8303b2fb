/// Escaping: copies a text and replaces what means something where it goes.
///
/// Vectors do the work: of 32 bytes where the processor has AVX2, else of 16 (SSE2, NEON), else plain C. The choice is
/// made once, before `main`; all variants write the same bytes.
///
/// Each function copies `source` up to `source_end` to `target` and tells how far it got. It stops early before a
/// replacement for which `target` lacks the room, with all that is left of the source as it is; the caller makes room
/// and calls again from there. A replacement adds at most CF_MARKUP_GROWTH bytes to those it stands for.
///
/// - Requires: `source_end - source <= target_end - target`; CF_MARKUP_PADDING bytes can be read behind `source_end`
///   and written behind `target_end`, none of which counts; source and target do not overlap; none is null.
/// - Cost: linear.
#ifndef CF_ESCAPE_H
#define CF_ESCAPE_H

#include <stdint.h>

/// Bytes behind a source and a target that vectors reach into.
#define CF_MARKUP_PADDING 32

/// The most that a replacement is longer than what it replaces: room for it and what is left lets a call go on.
#define CF_MARKUP_GROWTH 5

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define CF_NULLABLE _Nullable
#else
#define CF_NULLABLE
#endif

/// How far an escaper got: both point behind what was taken and written.
typedef struct cf_progress {
  const uint8_t *source;
  uint8_t *target;
} cf_progress;

typedef cf_progress cf_escaper(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end);

/// One function for each place that text goes to; the functions of the same names below say what they do.
typedef struct cf_escapers {
  cf_escaper *html;
  cf_escaper *attribute;
  cf_escaper *text;
  cf_escaper *raw_html;
  /// A URL that a quoted attribute begins with, as `url_part`, if nothing must be judged: one that begins with `http:`,
  /// `https:`, `/`, `?` or `#` and ends in no C0 control and no space. Of every other nothing is taken, but of `http`
  /// and its like, which name no scheme, it may be all: what is behind the source is read with it.
  cf_escaper *url;
  cf_escaper *url_part;
  cf_escaper *url_component;
  cf_escaper *script_json;
} cf_escapers;

typedef enum cf_variant {
  /// One byte at a time.
  CF_VARIANT_PLAIN,
  /// 16 bytes: SSE2 or NEON, which belong to every x86-64 and arm64.
  CF_VARIANT_16,
  /// 32 bytes: AVX2.
  CF_VARIANT_32,
} cf_variant;

/// A variant's functions, or null if this processor cannot run them; for tests. Valid for ever.
const cf_escapers *CF_NULLABLE cf_escapers_of(cf_variant variant);

/// The best of the variants. Written before `main` alone: any thread may read it.
extern const cf_escapers *cf_best_escapers;

/// The same, for who may not see variables.
static inline const cf_escapers *cf_escapers_here(void) { return cf_best_escapers; }

/// Element text: `& < > " '` as `&amp; &lt; &gt; &quot; &#39;`, NUL as U+FFFD.
static inline cf_progress cf_escape_html(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->html(target, target_end, source, source_end);
}

/// A quoted attribute's value: as element text, and CR as `&#13;`.
static inline cf_progress cf_escape_attribute(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->attribute(target, target_end, source, source_end);
}

/// `& < > " '` alone.
static inline cf_progress cf_escape_text(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->text(target, target_end, source, source_end);
}

/// NUL alone, as U+FFFD.
static inline cf_progress cf_escape_raw_html(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->raw_html(target, target_end, source, source_end);
}

/// Text in a URL in a quoted attribute, before the query: all is percent-encoded but letters, digits, `- . _ ~`,
/// `! # $ * + , / : ; = ? @ [ ]` and `%` before two hexadecimal digits; `&` becomes `&amp;`.
static inline cf_progress cf_escape_url_part(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  return cf_best_escapers->url_part(target, target_end, source, source_end);
}

/// Text in a URL's query or fragment: all is percent-encoded but letters, digits and `- . _ ~`.
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
