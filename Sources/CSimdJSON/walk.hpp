// The state of a walk, which may pause.
#ifndef CF_WALK_HPP
#define CF_WALK_HPP

#include "parser.hpp"

/// One more open container, in the unit of a head's depth.
inline constexpr uint32_t level_step = 1u << CF_NODE_DEPTH_SHIFT;

/// The places where a walk can pause: at a comma, or while it checks the escapes of a string.
enum class pause_point { object_comma, array_comma, root, key, member, element };

/// State that the walk rarely needs. It stays in memory, so that what every token needs fits in registers.
struct walk {
  cf_json_parser *parser;
  cf_node *nodes;
  const uint8_t *text;
  /// The document's offset in the text.
  uint32_t start;
  /// The most containers open at once, in units of `level`.
  uint32_t highest_level;
  open_container *stack_top;
  open_container *stack_end;
  /// Its next backslash is at or after the current token. If all tokens so far are valid, it is in a later
  /// string.
  escape_scan escapes;
  /// Whether anything since the start of the array's last object differs from the model.
  bool differs = true;
  /// Where it has stopped, and in a string the token after it.
  pause_point point = pause_point::root;
  size_t next = 0;
  /// The second node is used if there is no model: its head matches no container and no key, because those
  /// are deeper. The first is read as the value before it, and matches nothing.
  cf_node no_model[2] = {{~0u, 0, 0, 0}, {CF_NODE_KEY, 0, 0, 0}};

  walk(cf_json_parser *parser, const uint8_t *text, uint32_t start, uint32_t length,
       uint32_t *first_escape, uint32_t highest_level)
      : parser(parser),
        nodes(parser->nodes),
        text(text),
        start(start),
        highest_level(highest_level),
        stack_top(parser->stack),
        stack_end(parser->stack + parser->stack_capacity),
        escapes{text + start, length, length, first_escape} {
    escapes.search(0);
  }

  /// Returns false if out of memory.
  CF_SELDOM bool grow_stack() {
    size_t depth = size_t(stack_top - parser->stack);
    if (!parser->grow_stack(highest_level / level_step)) return false;
    stack_top = parser->stack + depth;
    stack_end = parser->stack + parser->stack_capacity;
    return true;
  }
};

/// A walk of a long document that can pause between two elements or members, or within a string, and continue
/// there.
///
/// To pause between elements, the caller replaces a later comma by a space. No state accepts a space, so the
/// walk stops there without any cost for the tokens before. The caller restores the comma before it
/// continues. To pause within a string, `escape_scan::left` limits the escapes.
struct paused_walk {
  ::walk walk;
  /// The position of that comma; SIZE_MAX if there is none.
  size_t pause_at = SIZE_MAX;
  bool is_paused = false;
  /// The variables of `walk_tokens`. Pointers to `walk::no_model`, which differs in each call, are null.
  cf_node *out = nullptr;
  uint32_t level = 0;
  cf_node *container = nullptr;
  cf_node *expected = nullptr;
  size_t at = 0;
  const uint32_t *place = nullptr;
  /// The closing quote that was searched last, because white space follows it, and the token after it.
  size_t quote = 0;
  size_t after_quote = 0;

  /// Replaces the address of `walk::no_model`.
  void move_no_model(cf_node *from, cf_node *to) {
    if (expected == from) expected = to;
    for (open_container *open = walk.parser->stack; open < walk.stack_top; open++) {
      if (open->outer_expected == from) open->outer_expected = to;
    }
  }
};

/// A document that is parsed in parts.
struct paused_document {
  paused_walk walk;
  /// Its first byte.
  uint8_t *text;
  uint32_t length;
  const cf_json_names *names;
  uint32_t depth_limit;
  const uint32_t *places;
  uint32_t tokens;
  /// Its first node.
  uint32_t root;
  /// Set when the walk is complete.
  bool is_walked = false;
  unescaping rest = {};
};

#endif
