// The destinations of text, and tables of the bytes that cannot simply be copied there; for all widths.
#ifndef CF_TABLES_H
#define CF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "../escape.h"

// The vectors that code can be compiled for; besides these, plain C.
#if defined(__SSE2__) || defined(__aarch64__)
#define CF_HAS_WIDTH_16
#endif
#if defined(__x86_64__)
#define CF_HAS_WIDTH_32
#endif

// The destination of text.
typedef enum cf_place {
  CF_HTML_PLACE,
  CF_ATTRIBUTE_PLACE,
  CF_TEXT_PLACE,
  CF_RAW_HTML_PLACE,
  CF_URL_PART_PLACE,
  CF_URL_COMPONENT_PLACE,
  CF_SCRIPT_JSON_PLACE,
} cf_place;

// The bytes replaced by markup escapers differ in their low halves, so a table indexed by low half identifies
// them: a byte is special if the entry equals the byte. An entry that must not match is 0, and 1 for half 0.
static const uint8_t cf_meant_in_html[16] = {[0x2] = '"', [0x6] = '&', [0x7] = '\'', [0xC] = '<', [0xE] = '>'};
static const uint8_t cf_meant_in_attribute[16] = {
    [0x2] = '"', [0x6] = '&', [0x7] = '\'', [0xC] = '<', [0xD] = '\r', [0xE] = '>'};
static const uint8_t cf_meant_in_text[16] = {
    [0x0] = 1, [0x2] = '"', [0x6] = '&', [0x7] = '\'', [0xC] = '<', [0xE] = '>'};
static const uint8_t cf_meant_in_script[16] = {[0x0] = 1, [0x6] = '&', [0xC] = '<', [0xE] = '>'};

// Each byte percent-encoded, plus one byte, so that a single store writes it; what follows overwrites the
// extra byte.
extern __attribute__((visibility("hidden"))) const uint8_t cf_percent_codes[256][4];

// The characters kept in a URL, as a table by low half with a bit for each high half. 8 bits are enough,
// because all are ASCII.
#define CF_UNRESERVED(c)                                                                                   \
  (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') || ((c) >= '0' && (c) <= '9') || (c) == '-' || \
   (c) == '.' || (c) == '_' || (c) == '~')
#define CF_URL_PART(c)                                                                                      \
  (CF_UNRESERVED(c) || (c) == '!' || (c) == '#' || (c) == '$' || (c) == '*' || (c) == '+' || (c) == ',' ||  \
   (c) == '/' || (c) == ':' || (c) == ';' || (c) == '=' || (c) == '?' || (c) == '@' || (c) == '[' || (c) == ']')
#define CF_HIGH_HALVES(kept, low)                                                                           \
  (kept(0x20 | low) << 2 | kept(0x30 | low) << 3 | kept(0x40 | low) << 4 | kept(0x50 | low) << 5 |          \
   kept(0x60 | low) << 6 | kept(0x70 | low) << 7)
#define CF_KEPT(kept)                                                                                       \
  {CF_HIGH_HALVES(kept, 0x0), CF_HIGH_HALVES(kept, 0x1), CF_HIGH_HALVES(kept, 0x2), CF_HIGH_HALVES(kept, 0x3), \
   CF_HIGH_HALVES(kept, 0x4), CF_HIGH_HALVES(kept, 0x5), CF_HIGH_HALVES(kept, 0x6), CF_HIGH_HALVES(kept, 0x7), \
   CF_HIGH_HALVES(kept, 0x8), CF_HIGH_HALVES(kept, 0x9), CF_HIGH_HALVES(kept, 0xA), CF_HIGH_HALVES(kept, 0xB), \
   CF_HIGH_HALVES(kept, 0xC), CF_HIGH_HALVES(kept, 0xD), CF_HIGH_HALVES(kept, 0xE), CF_HIGH_HALVES(kept, 0xF)}
static const uint8_t cf_kept_in_url_part[16] = CF_KEPT(CF_URL_PART);
static const uint8_t cf_kept_in_url_component[16] = CF_KEPT(CF_UNRESERVED);
static const uint8_t cf_high_half_bits[16] = {[2] = 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7};

static inline uint64_t cf_word(const void *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// Whether the first 8 bytes equal `wanted` in the bits of a mask. Without the bit 0x20, a letter matches in
// either case, and only letters match letters.
static inline bool cf_agrees(const uint8_t *source, const void *wanted, const void *mask) {
  return ((cf_word(source) ^ cf_word(wanted)) & cf_word(mask)) == 0;
}

static inline bool cf_word_begins_https(const uint8_t *source) {
  return cf_agrees(source, "https:\0", "\xDF\xDF\xDF\xDF\xDF\xFF\0");
}

#endif
