// The escapers of one width: replaces bytes, which is out of line. A source includes a file of `loops/width_….h`,
// then this file, and defines its functions with CF_ESCAPERS.

#include "loops/escape_loops.h"
#include "replacements.h"

CF_LOOP bool cf_is_hex(uint8_t byte) {
  return (uint8_t)(byte - '0') < 10 || (uint8_t)((byte | 0x20) - 'a') < 6;
}

// `place` is constant in each caller, and so are all conditions on it.
CF_LOOP cf_progress cf_replace(
    cf_place place, uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  size_t left = (size_t)(source_end - source);
  for (;;) {
    cf_vector text = cf_load_vector(source);
    cf_store_vector(target, text);
    uint64_t found = cf_marks(place, text);
    found = cf_below(left < CF_WIDTH ? left : CF_WIDTH, found);
    if (found != 0) {
      // How many bytes replacements may add to what is left.
      ptrdiff_t room = target_end - target - (ptrdiff_t)left;
      uint64_t exceptions = place == CF_URL_PART_PLACE ? cf_exception_marks(text) : 0;
      bool restarts = false;
      while (found != 0) {
        size_t at = (size_t)__builtin_ctzll(found);
        const uint8_t *byte = source + at;
        uint8_t *end = target + at;
        const cf_replacement *replacement;
        if (place == CF_URL_PART_PLACE || place == CF_URL_COMPONENT_PLACE) {
          uint64_t lowest = found & (0 - found);
          if ((lowest & exceptions) == 0) {
            // A run to percent-encode: adding its lowest bit carries to the first bit after it.
            uint64_t encoded = found & ~exceptions;
            uint64_t after = encoded + lowest;
            size_t next = (size_t)__builtin_ctzll(after);
            size_t count = next - at;
            bool stops = (ptrdiff_t)(2 * count) > room;
            if (stops) count = (size_t)room / 2;
            if (count == 1) {
              memcpy(end, cf_percent_codes[*byte], 4);
            } else {
              cf_percent_encode(end, byte, count);
            }
            if (stops) return (cf_progress){byte + count, end + 3 * count};
            room -= (ptrdiff_t)(2 * count);
            target += 2 * count;
            // Copies what follows to its new position.
            cf_store_vector(target + next, cf_load_vector(source + next));
            found &= after | exceptions;
            continue;
          }
          if (*byte == '%') {
            if (left - at > 2 && cf_is_hex(byte[1]) && cf_is_hex(byte[2])) {
              found &= found - 1;
            } else {
              // From here on it is handled like other bytes.
              exceptions ^= lowest;
            }
            continue;
          }
          replacement = &cf_entities[0x6];
        } else if (place == CF_SCRIPT_JSON_PLACE) {
          if (*byte == 0xE2) {
            if (left - at > 2 && byte[1] == 0x80 && (byte[2] | 1) == 0xA9) {
              if (room < 3) return (cf_progress){byte, end};
              memcpy(end, byte[2] == 0xA8 ? "\\u2028\0" : "\\u2029\0", 8);
              // Its last bytes may be in the next vector, which therefore starts after them.
              source = byte + 3;
              target = end + 6;
              left -= at + 3;
              restarts = true;
              break;
            }
            found &= found - 1;
            continue;
          }
          replacement = &cf_script_escapes[*byte & 0xF];
        } else {
          replacement = &cf_entities[*byte & 0xF];
        }
        room -= replacement->growth;
        if (room < 0) return (cf_progress){byte, end};
        memcpy(end, replacement, 8);
        target += replacement->growth;
        cf_store_vector(target + at + 1, cf_load_vector(byte + 1));
        found &= found - 1;
      }
      if (restarts) continue;
    }
    if (left <= CF_WIDTH) return (cf_progress){source + left, target + left};
    source += CF_WIDTH;
    target += CF_WIDTH;
    left -= CF_WIDTH;
  }
}

// The same for a URL's part while only `&` needs replacing, as in most queries. Needs few registers.
CF_LOOP cf_progress cf_replace_ampersands(
    cf_escaper *replace, uint8_t *target, uint8_t *target_end, const uint8_t *source, const uint8_t *source_end) {
  const cf_replacement *replacement = &cf_entities['&' & 0xF];
  for (;;) {
    size_t left = (size_t)(source_end - source);
    cf_vector text = cf_load_vector(source);
    cf_store_vector(target, text);
    size_t count = left < CF_WIDTH ? left : CF_WIDTH;
    uint64_t found = cf_below(count, cf_marks(CF_URL_PART_PLACE, text));
    uint64_t ampersands = cf_below(count, cf_ampersand_marks(text));
    ptrdiff_t room = target_end - target - (ptrdiff_t)left;
    if (found != ampersands || room < CF_WIDTH * replacement->growth) {
      return replace(target, target_end, source, source_end);
    }
    for (; found != 0; found &= found - 1) {
      size_t at = (size_t)__builtin_ctzll(found);
      memcpy(target + at, replacement, 8);
      target += replacement->growth;
      cf_store_vector(target + at + 1, cf_load_vector(source + at + 1));
    }
    if (left <= CF_WIDTH) return (cf_progress){source + left, target + left};
    source += CF_WIDTH;
    target += CF_WIDTH;
  }
}

#define CF_REPLACER(name, place)                                                                          \
  __attribute__((noinline)) CF_DECLARED(name) {                                                           \
    return cf_replace(place, target, target_end, source, source_end);                                     \
  }
#define CF_ESCAPER(name, place, replace)                                                                  \
  CF_DECLARED(name) { return cf_escape(place, CF_NAMED(replace), target, target_end, source, source_end); }

CF_REPLACER(replace_in_html, CF_HTML_PLACE)
CF_REPLACER(replace_in_attribute, CF_ATTRIBUTE_PLACE)
CF_REPLACER(replace_in_text, CF_TEXT_PLACE)
CF_REPLACER(replace_in_raw_html, CF_RAW_HTML_PLACE)
CF_REPLACER(replace_in_url_part, CF_URL_PART_PLACE)
CF_REPLACER(replace_in_url_component, CF_URL_COMPONENT_PLACE)
CF_REPLACER(replace_in_script_json, CF_SCRIPT_JSON_PLACE)

__attribute__((noinline)) CF_DECLARED(replace_ampersands) {
  return cf_replace_ampersands(CF_NAMED(replace_in_url_part), target, target_end, source, source_end);
}

CF_ESCAPER(escape_html, CF_HTML_PLACE, replace_in_html)
CF_ESCAPER(escape_attribute, CF_ATTRIBUTE_PLACE, replace_in_attribute)
CF_ESCAPER(escape_text, CF_TEXT_PLACE, replace_in_text)
CF_ESCAPER(escape_raw_html, CF_RAW_HTML_PLACE, replace_in_raw_html)
CF_ESCAPER(escape_url_part, CF_URL_PART_PLACE, replace_ampersands)
CF_ESCAPER(escape_url_component, CF_URL_COMPONENT_PLACE, replace_in_url_component)
CF_ESCAPER(escape_script_json, CF_SCRIPT_JSON_PLACE, replace_in_script_json)

CF_DECLARED(escape_url) {
  if (!cf_begins_plain_url(source)) return (cf_progress){source, target};
  return cf_escape_url(target, target_end, source, source_end);
}

#define CF_ESCAPERS                                                                                       \
  {                                                                                                       \
      .html = CF_NAMED(escape_html), .attribute = CF_NAMED(escape_attribute),                             \
      .text = CF_NAMED(escape_text), .raw_html = CF_NAMED(escape_raw_html),                               \
      .url = CF_NAMED(escape_url), .url_part = CF_NAMED(escape_url_part),                                 \
      .url_component = CF_NAMED(escape_url_component), .script_json = CF_NAMED(escape_script_json),       \
  }
