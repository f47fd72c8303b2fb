// The positions of escapes in a document.
#ifndef CF_ESCAPES_HPP
#define CF_ESCAPES_HPP

#include "seldom.hpp"
#include "words.hpp"

/// The positions of a document's escapes, in order. An escape takes at least two bytes of a string, so there
/// is room for all of them after the positions of the tokens.
struct escape_list {
  uint32_t *first;
  uint32_t *end;
};

/// Searches for escapes from the first to the last.
struct escape_scan {
  const uint8_t *document;
  /// The length of the document in bytes; a space follows it.
  uint32_t length;
  /// The position of the next backslash; `length` or more if there is none.
  size_t backslash;
  /// Where to write the position of the next escape.
  uint32_t *next_found;
  /// The block searched last, and the positions of its backslashes. Initially no position is in this block.
  size_t block = SIZE_MAX - block_size;
  uint64_t marks = 0;
  /// How many escapes `check` may process before it stops.
  size_t left = SIZE_MAX;

  /// Searches from `place`.
  void search(size_t place) noexcept {
    const void *found = memchr(document + place, '\\', length - place);
    backslash = found ? size_t(static_cast<const uint8_t *>(found) - document) : length;
  }

  /// Searches after an escape, where the next one is usually near: first looks at some blocks.
  void search_near(size_t place) noexcept {
    const size_t near = place + 4 * block_size;
    for (; place < near && place < length; place = block + block_size) {
      if (place - block >= block_size) {
        block = place;
        marks = bytes_equal(document + place, '\\');
      }
      if (uint64_t rest = marks >> (place - block)) {
        backslash = place + size_t(__builtin_ctzll(rest));
        return;
      }
    }
    search(place < length ? place : length);
  }

  /// Checks the escapes before `quote`, the end of the string with the next backslash, and stores their
  /// positions. Returns false for an invalid escape. If `left` is 0 afterwards, not all were checked yet.
  CF_SELDOM bool check(size_t quote) noexcept;
};

#endif
