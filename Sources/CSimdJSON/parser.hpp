// What a parser holds; shared by its files: parser.cpp (memory), walk.cpp, repeated_names.cpp, strings.cpp.
#ifndef CF_PARSER_HPP
#define CF_PARSER_HPP

#include "escapes.hpp"
#include "names.hpp"
#include "seldom.hpp"
#include "token_index.hpp"

/// An array or object that is open, and what is remembered of the one around it.
struct open_container {
  /// One bit for each known name seen, once `walk_tokens` looks names up: a key whose bit is new is no repetition.
  uint64_t seen;
  cf_json_node *outer;
  /// See `expected` in `walk_tokens`.
  cf_json_node *outer_expected;
};

struct cf_json_parser {
  token_index tokens;

  cf_json_node *nodes = nullptr;
  uint32_t node_count = 0;
  uint32_t node_capacity = 0;

  /// The tokens of the text that `cf_json_prepare` has seen; NULL: none.
  const uint8_t *prepared_text = nullptr;
  uint32_t prepared_length = 0;
  uint32_t *prepared_places = nullptr;
  uint32_t prepared_tokens = 0;
  /// Memory to be touched before it is filled, and how much of it has been.
  volatile uint8_t *touching = nullptr;
  size_t touching_size = 0;
  size_t touched = 0;

  open_container *stack = nullptr;
  uint32_t stack_capacity = 0;

  /// For each name's id the node of a key with it, seen at some time; see `mark_superseded`. Kept as long as the
  /// parser.
  uint32_t *last_key = nullptr;
  uint32_t last_key_count = 0;

  /// The root of a document before, with which the next is compared; CF_JSON_UNKNOWN_NAME: none. It has no key with
  /// escapes, and it ends in the text of `model_text` before `model_end`.
  uint32_t model = CF_JSON_UNKNOWN_NAME;
  uint32_t model_end = 0;
  const uint8_t *model_text = nullptr;
  const cf_json_names *model_names = nullptr;

  /// Strings and keys with escapes, linked through `link` from the last to the first.
  uint32_t last_escaped = CF_JSON_UNKNOWN_NAME;
  bool has_escaped_keys = false;

  /// A document that is parsed in parts; null: there is none.
  struct paused_document *paused = nullptr;

  /// Doubles the stack, up to `limit` containers. false: out of memory.
  bool grow_stack(uint32_t limit) noexcept;
};

/// Checks tokens and appends their nodes; there must be room for them. `text` is the start of the buffer, the
/// document `length` bytes at `start`, followed by a space. Adds its escapes to `escapes`. Changes no text.
enum cf_json_status walk_tokens(cf_json_parser *parser, const uint8_t *text, uint32_t start, uint32_t length,
                                const uint32_t *places, escape_list *escapes, const cf_json_names *names,
                                uint32_t depth_limit, struct paused_walk *paused = nullptr) noexcept;

/// Marks every key that a later one with the same id repeats, in a finished object. Its keys' ids are known.
void mark_superseded(cf_json_parser *parser, uint32_t object) noexcept;

/// What is left of unescaping a document's strings. The document begins at `start`, its nodes at `root`; `escapes` are
/// relative to `start`.
struct unescaping {
  uint8_t *text;
  uint32_t start;
  uint32_t root;
  escape_list escapes;
  const cf_json_names *names;
  /// The next node to look at for repeated names.
  uint32_t superseding = 0;
  /// Of the last string on the list, where more of its content goes; null: it has not been begun.
  uint8_t *out = nullptr;
  /// Its escapes that are left.
  const uint32_t *place = nullptr;
  const uint32_t *last = nullptr;
};

/// Unescapes the strings on the list in place, looks up keys among them, and empties the list.
/// - work: bytes that are looked at before it returns; a string's last part may be more.
/// Returns false if there is more.
bool unescape_strings(cf_json_parser *parser, unescaping &rest, size_t work) noexcept;

#endif
