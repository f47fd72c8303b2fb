// simdjson's stage 1 behind four functions: the only part of simdjson that is used, and the only file that sees it.
#ifndef CF_TOKEN_INDEX_HPP
#define CF_TOKEN_INDEX_HPP

#include <cstddef>
#include <cstdint>

#include "cf_json.h"

/// The places of a text's tokens: brackets, commas, colons, opening quotes, first bytes of other scalars.
///
/// After a string's closing quote only white space stands before the next token's place: anything else that followed
/// would be a token itself. Bytes that follow a number or literal directly have no place of their own.
struct token_index {
  /// simdjson's parser object; its class is named in token_index.cpp alone.
  void *implementation = nullptr;
  /// Bytes of text it has room for: 4 bytes of index for each.
  size_t capacity = 0;

  /// Checks UTF-8, closed quotes, and that strings hold no control character, then finds the tokens.
  /// `*places`, counted from `text`, is followed by one place more: `length`. Behind that is room for as many again as
  /// the text has bytes that are no tokens. Valid until the next fill or release.
  /// When it must grow it may take up to `wanted_capacity`, so that it need not soon grow again.
  enum cf_json_status fill(const uint8_t *text, size_t length, size_t wanted_capacity, uint32_t **places,
                           uint32_t *count) noexcept;
  /// Makes room for a text of so many bytes.
  enum cf_json_status reserve(size_t wanted_capacity) noexcept;
  /// Where the places are; NULL: there is no room for any yet.
  uint32_t *memory() const noexcept;
  void release() noexcept;

  static size_t bytes_for(size_t capacity) noexcept;
  size_t held_bytes() const noexcept { return implementation ? bytes_for(capacity) : 0; }
};

#endif
