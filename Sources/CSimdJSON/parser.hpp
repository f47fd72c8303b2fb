// The state of a parser, shared by its files: parser.cpp (memory), walk.cpp, superseded_keys.cpp, strings.cpp.
#ifndef CF_PARSER_HPP
#define CF_PARSER_HPP

#include "escapes.hpp"
#include "names.hpp"
#include "seldom.hpp"
#include "token_index.hpp"

/// An open array or object, with the saved state of the surrounding one.
struct open_container {
  /// One bit for each known name seen, once `walk_tokens` looks up names: a key whose bit is not set is not a
  /// repetition.
  uint64_t seen;
  cf_node *outer;
  /// See `expected` in `walk_tokens`.
  cf_node *outer_expected;
};

struct cf_json_parser {
  token_index tokens;

  cf_node *nodes = nullptr;
  uint32_t node_count = 0;
  uint32_t node_capacity = 0;
  /// Bytes of the nodes' array that were given back to the system.
  size_t surplus_bytes = 0;

  /// The document whose tokens `cf_json_begin` lets be counted, and how far they are; NULL if none are to be counted.
  const uint8_t *counting = nullptr;
  size_t counting_length = 0;
  size_t counted = 0;
  size_t possible_tokens = 0;
  /// The document whose tokens `cf_json_prepare` has found; NULL if there is none.
  const uint8_t *prepared_text = nullptr;
  uint32_t prepared_length = 0;
  uint32_t *prepared_places = nullptr;
  uint32_t prepared_tokens = 0;
  /// Memory to touch before it is filled, and the number of bytes touched so far.
  volatile uint8_t *touching = nullptr;
  size_t touching_size = 0;
  size_t touched = 0;

  open_container *stack = nullptr;
  uint32_t stack_capacity = 0;

  /// For each name id, the node of a key with it that was seen at some time; see `mark_superseded`. Kept as
  /// long as the parser.
  uint32_t *counting_key = nullptr;
  uint32_t counting_key_count = 0;

  /// The root of a previous document, the model for the next; CF_NODE_UNKNOWN_NAME if there is none. It has
  /// no keys with escapes, and is in `model_text` before `model_end`.
  uint32_t model = CF_NODE_UNKNOWN_NAME;
  uint32_t model_end = 0;
  const uint8_t *model_text = nullptr;
  const cf_json_names *model_names = nullptr;

  /// The list of strings and keys with escapes, linked through `link` from the last to the first.
  uint32_t last_escaped = CF_NODE_UNKNOWN_NAME;
  /// Whether repeated names of some objects are still to be marked; see CF_NODE_MARK_LATER.
  bool marks_later = false;

  /// A document that is parsed in parts; null if there is none.
  struct paused_document *paused = nullptr;

  /// Doubles the stack, up to `limit` containers. Returns false if out of memory.
  bool grow_stack(uint32_t limit) noexcept;
};

/// Checks tokens and appends their nodes, for which there must be room. `text` is the start of the buffer;
/// the document is the `length` bytes at `start`, followed by a space. Adds its escapes to `escapes`. Does
/// not change the text. The parameters are those of `cf_json_parse`, and what it has made of them.
enum cf_json_status walk_tokens(cf_json_parser *parser, const uint8_t *text, uint32_t start, uint32_t length,
                                const uint32_t *places, escape_list *escapes, const cf_json_names *names,
                                uint32_t depth_limit, struct paused_walk *paused = nullptr) noexcept;

/// Marks the keys of a complete object that do not count, because another key has the same id. The ids of its keys are known.
/// - from: the key to begin with; the first, or what the last call returned.
/// - most: the number of keys to look at. Returns the next key, or the end of the object.
uint32_t mark_superseded(cf_json_parser *parser, uint32_t object, uint32_t from, size_t most) noexcept;

/// The remaining work of unescaping a document's strings. The document starts at `start`, its nodes at
/// `root`; `escapes` are relative to `start`.
struct unescaping {
  uint8_t *text;
  uint32_t start;
  uint32_t root;
  escape_list escapes;
  const cf_json_names *names;
  /// The next node to check for repeated names, and if that is an object, its next key; 0 if it has not been started.
  uint32_t superseding = 0;
  uint32_t superseding_key = 0;
  /// Where to write the next content of the last string on the list; null if it has not been started.
  uint8_t *out = nullptr;
  /// The remaining escapes of that string.
  const uint32_t *place = nullptr;
  const uint32_t *last = nullptr;
};

/// Unescapes the strings on the list in place, looks up the keys among them, and empties the list. Then marks the repeated
/// names of the objects where this was left for later.
/// - work: the number of bytes to process before it returns; the last part of a string may exceed it. Returns
///   false if work remains.
bool unescape_strings(cf_json_parser *parser, unescaping &rest, size_t work) noexcept;

#endif
