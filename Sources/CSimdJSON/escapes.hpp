// Where a document's escapes are.
#ifndef CF_ESCAPES_HPP
#define CF_ESCAPES_HPP

#include "seldom.hpp"
#include "words.hpp"

/// The places of a document's escapes, in order. An escape is two bytes of a string at least, so there is room for all
/// of them behind the tokens' places.
struct escape_list {
  uint32_t *first;
  uint32_t *end;
};

/// The search for escapes, from the first to the last.
struct escape_scan {
  const uint8_t *document;
  /// Bytes of the document; a space stands behind it.
  uint32_t length;
  /// The place of the next backslash; `length` or more if there is none.
  size_t backslash;
  /// Where the next escape's place is noted.
  uint32_t *next_found;
  /// The block that was looked at last, and where its backslashes are. At first there is none: no place is in this one.
  size_t block = SIZE_MAX - block_size;
  uint64_t marks = 0;
  /// How many escapes `check` may look at before it stops.
  size_t left = SIZE_MAX;

  /// Searches from `place` on.
  void search(size_t place) noexcept {
    const void *found = memchr(document + place, '\\', length - place);
    backslash = found ? size_t(static_cast<const uint8_t *>(found) - document) : length;
  }

  /// The same behind an escape, where the next one is mostly near: looks at some blocks first.
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

  /// Checks and notes the escapes before `quote`, the end of the string with the next backslash. false: a bad one.
  /// With `left` == 0: not yet all of them.
  CF_SELDOM bool check(size_t quote) noexcept;
};

#endif
