// Wraps simdjson's stage 1 in four functions: the only part of simdjson that is used, and the only file that
// includes it.
#ifndef CF_TOKEN_INDEX_HPP
#define CF_TOKEN_INDEX_HPP

#include <cstddef>
#include <cstdint>

#include "cf_json.h"

/// The positions of a text's tokens: brackets, commas, colons, opening quotes, and the first bytes of other
/// scalars.
///
/// Only white space occurs between a string's closing quote and the next token; anything else would be a
/// token itself. Bytes directly after a number or literal have no position of their own.
struct token_index {
  /// simdjson's parser object; only token_index.cpp knows its class.
  void *implementation = nullptr;
  /// The capacity in bytes of text; the index takes 4 bytes for each.
  size_t capacity = 0;

  /// Checks that the text is UTF-8, quotes are closed and strings contain no control characters, then finds
  /// the tokens. `*places`, relative to `text`, is followed by one more position: `length`. After that there
  /// is room for as many more as the text has bytes that are not tokens. Valid until the next fill or
  /// release. If it must grow, it may use up to `wanted_capacity`, so that it need not grow again soon.
  enum cf_json_status fill(const uint8_t *text, size_t length, size_t wanted_capacity, uint32_t **places,
                           uint32_t *count) noexcept;
  /// Makes room for a text of this many bytes.
  enum cf_json_status reserve(size_t wanted_capacity) noexcept;
  /// The memory of the positions; NULL if there is none yet.
  uint32_t *memory() const noexcept;
  void release() noexcept;
  /// Releases that memory alone.
  void release_places() noexcept;

  static size_t bytes_for(size_t capacity) noexcept;
  /// Of these, the bytes of the positions.
  static size_t places_bytes(size_t capacity) noexcept;
  size_t held_bytes() const noexcept { return implementation ? bytes_for(capacity) : 0; }
};

#endif
