// What is inlined where short texts are escaped: by the escapers themselves and by the loops over plans. A file
// of `width_….h` defines the following; a source includes it, then this file:
//
// - CF_TARGET: the attribute of functions that use its vectors;
// - CF_WIDTH: bytes of a vector, at most 32;
// - cf_vector, cf_load_vector, cf_store_vector;
// - cf_marks(place, text): a bit for each byte that cannot simply be copied there, the first byte's the
//   lowest;
// - cf_any_marks(place, text, other): whether two vectors have such a byte;
// - cf_ampersand_marks(text): the same for each `&`;
// - cf_exception_marks(text): the same for each `&` and `%`, which are not simply percent-encoded in a URL's
//   part;
// - cf_percent_encode(target, source, count): writes 3 * count bytes, and at most up to CF_ESCAPE_PADDING
//   bytes after the start of the last three;
// - cf_begins_https(source): whether a text starts with `https:` in any case.

#include "tables.h"

#define CF_LOOP static inline __attribute__((always_inline)) CF_TARGET

// A function's name in this width.
#define CF_JOINED(name, width) cf_##name##_##width
#define CF_WITH_WIDTH(name, width) CF_JOINED(name, width)
#define CF_NAMED(name) CF_WITH_WIDTH(name, CF_WIDTH)

// What is called if a text needs more than copying; each is a `cf_escaper`, defined in `CEscape`.
#define CF_DECLARED(name)                                                                                 \
  __attribute__((visibility("hidden"))) CF_TARGET cf_progress CF_NAMED(name)(                             \
      uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end)
CF_DECLARED(replace_in_html);
CF_DECLARED(replace_in_attribute);
CF_DECLARED(replace_in_text);
CF_DECLARED(replace_ampersands);
CF_DECLARED(escape_url);
CF_DECLARED(escape_url_part);
CF_DECLARED(escape_url_component);

// The marks of the first `count` bytes; `count` is at most CF_WIDTH.
CF_LOOP uint64_t cf_below(size_t count, uint64_t marks) { return marks & ~(~(uint64_t)0 << count); }

// Copies bytes that need no replacement, up to a vector with one that does; most texts have none. A separate
// function with few registers, so that a short text costs little more than its copy.
CF_LOOP cf_progress cf_escape(
    cf_place place, cf_escaper *replace, uint8_t *target, uint8_t *target_end, const uint8_t *source,
    const uint8_t *source_end) {
  size_t left = (size_t)(source_end - source);
  for (;;) {
    cf_vector text = cf_load_vector(source);
    cf_store_vector(target, text);
    uint64_t found = cf_marks(place, text);
    if (left <= CF_WIDTH) {
      // The source is usually followed by the quote that ended it.
      if (cf_below(left, found) != 0) break;
      return (cf_progress){source + left, target + left};
    }
    if (found != 0) break;
    source += CF_WIDTH;
    target += CF_WIDTH;
    left -= CF_WIDTH;
  }
  return replace(target, target_end, source, source_end);
}

// Whether a text starts like a URL that is safe on every page. Reads a fixed number of bytes: a text that
// matches only together with the bytes after it is too short to have a scheme.
CF_LOOP bool cf_begins_plain_url(const uint8_t *source) {
  return cf_begins_https(source) || *source == '/' || *source == '?' || *source == '#' ||
         cf_agrees(source, "http:\0\0", "\xDF\xDF\xDF\xDF\xFF\0\0");
}

// Escapes a URL that starts like a plain one. Most fit into two overlapping vectors.
//
// Takes nothing if the URL ends with a control or space that a parser would drop. Such a byte is always
// marked.
CF_LOOP cf_progress cf_escape_url(
    uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  size_t left = (size_t)(source_end - source);
  if (left <= CF_WIDTH) {
    cf_vector text = cf_load_vector(source);
    cf_store_vector(target, text);
    if (cf_below(left, cf_marks(CF_URL_PART_PLACE, text)) == 0) return (cf_progress){source_end, target + left};
  } else if (left <= 2 * CF_WIDTH) {
    cf_vector start = cf_load_vector(source), end = cf_load_vector(source_end - CF_WIDTH);
    cf_store_vector(target, start);
    cf_store_vector(target + left - CF_WIDTH, end);
    if (!cf_any_marks(CF_URL_PART_PLACE, start, end)) return (cf_progress){source_end, target + left};
    if (source_end[-1] <= ' ') return (cf_progress){source, target};
    size_t clean = cf_marks(CF_URL_PART_PLACE, start) == 0 ? CF_WIDTH : 0;
    return CF_NAMED(replace_ampersands)(target + clean, target_end, source + clean, source_end);
  }
  if (source_end[-1] <= ' ') return (cf_progress){source, target};
  return cf_escape(CF_URL_PART_PLACE, CF_NAMED(replace_ampersands), target, target_end, source, source_end);
}
