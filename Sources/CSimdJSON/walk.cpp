// The walk: converts token offsets to nodes and checks everything that stage 1 does not.
//
// It stops at the first invalid token without saying where or why; `cf_json_first_fault` does. A space
// follows the document, and its offset ends the list. So no scan of a number or literal runs past the end,
// and a token read past the last one is a space, which no state accepts.

#include <cstring>

#include "models.hpp"
#include "parser.hpp"
#include "scalars.hpp"
#include "walk.hpp"

namespace {

/// A larger object's repeated names are marked after a walk that may pause, in parts. In nodes.
constexpr ptrdiff_t most_marked_at_once = 1 << 14;

inline uint64_t bit_of_name(uint32_t id) { return uint64_t(1) << (id & 63); }

/// The name bits of an unfinished object whose nodes end at `end`.
CF_SELDOM uint64_t names_seen(cf_node *nodes, cf_node *object, const cf_node *end) {
  uint64_t seen = 0;
  for (cf_node *key = object + 1; key < end; key = end_of_value(nodes, key + 1)) {
    if (key->link != CF_NODE_UNKNOWN_NAME) seen |= bit_of_name(key->link);
  }
  return seen;
}

/// The last quote before `place`. There may be megabytes of white space between.
CF_SELDOM size_t quote_before(const uint8_t *document, size_t place) {
  return size_t(static_cast<const uint8_t *>(memrchr(document, '"', place)) - document);
}

/// Two functions: one that may pause and continue, and one that costs nothing for that. Entries into the midst of its loops
/// make what every token needs dearer.
template <bool pauses>
enum cf_json_status walk_all(cf_json_parser *parser, const uint8_t *const text, uint32_t start, uint32_t length,
                             const uint32_t *place, escape_list *escapes, const cf_json_names *names,
                             uint32_t depth_limit, [[maybe_unused]] paused_walk *paused) noexcept {
  // Token offsets, including `at`, the current one, count from here; the nodes' offsets from `text`.
  const uint8_t *const document = text + start;
  walk walk = pauses ? paused->walk : ::walk(parser, text, start, length, escapes->end, depth_limit * level_step);

  cf_node *const no_model = &walk.no_model[1];

  // The next node to write.
  cf_node *out = parser->nodes + parser->node_count;
  // The number of open containers, in the unit of the depth in a head.
  uint32_t level = 0;
  // The innermost open container; the others are on the stack.
  cf_node *container = out;
  // In an object: the node after the model's value for the current member, usually the model's next key;
  // `no_model` once the object differs from its model. In an array: the model for the next element.
  cf_node *expected = no_model;
  // The model for the next value. It counts only if its head equals the one that the value will have.
  cf_node *model = parser->model == CF_NODE_UNKNOWN_NAME ? no_model : parser->nodes + parser->model;
  size_t at, next;

  auto index = [&](const cf_node *node) __attribute__((always_inline)) { return uint32_t(node - walk.nodes); };

  auto put = [&](uint32_t kind, size_t place, size_t size, uint32_t link) __attribute__((always_inline)) {
    out->head = level + kind;
    out->offset = uint32_t(place) + walk.start;
    out->length = uint32_t(size);
    out->link = link;
    out++;
  };

  // Finds a string's closing quote from the token after it; usually the quote is right before that.
  auto closing_quote = [&](size_t after) __attribute__((always_inline)) {
    if (__builtin_expect(document[after - 1] == '"', 1)) return after - 1;
    if constexpr (pauses) {
      // A string with many escapes pauses often.
      if (paused->after_quote != after) {
        paused->quote = quote_before(document, after);
        paused->after_quote = after;
      }
      return paused->quote;
    } else {
      return quote_before(document, after);
    }
  };

  // Handles the string between `at` and the token `next`. Returns false for an invalid escape.
  auto string = [&]() __attribute__((always_inline)) {
    size_t quote = closing_quote(next);
    uint32_t link = index(out + 1);
    if (__builtin_expect(walk.escapes.backslash < quote, 0)) {
      if (!walk.escapes.check(quote)) return false;
      // Adds it to the list of strings to unescape.
      link = parser->last_escaped;
      parser->last_escaped = index(out);
    }
    at++;
    uint32_t kind = CF_NODE_STRING;
    if (__builtin_expect(quote == at, 0)) kind |= CF_NODE_EMPTY;
    put(kind, at, quote - at, link);
    return true;
  };

  // Handles the number or literal at `at`. Returns false if it is invalid.
  auto number_or_literal = [&]() __attribute__((always_inline)) {
    const uint8_t *p = document + at;
    // Usually the next token is right after it.
    scalar found = {CF_NODE_NUMBER, *place - at};
    if (digit(p) - 1 > 8 || !is_easy_number(p, found.size)) {
      found = scan_scalar(p);
      if (found.size == 0) return false;
    }
    put(found.kind, at, found.size, index(out + 1));
    return true;
  };

  // Compares the scalar just written, a member's value, with the model's.
  auto compare = [&]() __attribute__((always_inline)) {
    if (out[-1].head != expected[-1].head) walk.differs = true;
  };

  // Starts the container at `at` and pushes the state of the enclosing one onto the stack.
  auto open = [&](uint32_t kind) __attribute__((always_inline)) {
    if (__builtin_expect(walk.stack_top == walk.stack_end, 0) && !walk.grow_stack()) return false;
    *walk.stack_top++ = {0, container, expected};
    container = out;
    // Its end is not known yet; members or elements are counted as they come.
    put(kind, at, 0, 0);
    level += level_step;
    return true;
  };

  if constexpr (pauses) if (paused->is_paused) {
    paused->move_no_model(nullptr, no_model);
    out = paused->out;
    level = paused->level;
    container = paused->container;
    expected = paused->expected;
    at = paused->at;
    next = paused->walk.next;
    place = paused->place;
    paused->is_paused = false;
    switch (paused->walk.point) {
      case pause_point::object_comma: goto object_comma;
      case pause_point::array_comma: goto array_comma;
      case pause_point::root: goto root_string;
      case pause_point::key: goto key_string;
      case pause_point::member: goto member_string;
      case pause_point::element: goto element_string;
    }
  }

  at = *place++;
  if (document[at] == '{') goto object_begin;
  if (document[at] == '[') goto array_begin;
  if (document[at] == '"') {
    next = *place;
  root_string:
    if (!string()) {
    if constexpr (!pauses) return CF_JSON_REFUSED;
    walk.point = pause_point::root;
    walk.next = next;
    goto refused;
  }
  } else if (!number_or_literal()) {
    return CF_JSON_REFUSED;
  }
  goto finish;

object_begin: {
  if (level == walk.highest_level) return CF_JSON_REFUSED;
  // Only with a model without repeated names do keys in the same order guarantee that there are no
  // repetitions.
  cf_node *first_key = model + 1;
  if (__builtin_expect((model->head & ~model_marks) != level + CF_NODE_OBJECT, 0)) {
    first_key = no_model;
    walk.differs = true;
  }
  if (!open(CF_NODE_OBJECT)) return CF_JSON_OUT_OF_MEMORY;
  expected = first_key;
  at = *place++;
  if (document[at] == '}') goto object_end;
}

object_key:
  if (__builtin_expect(expected->head == level + CF_NODE_KEY && is_key_again(expected, walk.text, document + at), 1)) {
  expected_key:
    out->head = level + CF_NODE_KEY;
    out->offset = uint32_t(at + 1) + walk.start;
    memcpy(&out->length, &expected->length, sizeof out->length + sizeof out->link);
    out++;
    // After the model's value if that is a scalar; `close` handles other values.
    expected += 2;
    if (document[*place++] != ':') return CF_JSON_REFUSED;
    goto member_value;
  }
  if (document[at] != '"') return CF_JSON_REFUSED;
  if (expected != no_model) {
    walk.differs = true;
    cf_node *found = find_in_model(walk.nodes, expected, level + CF_NODE_KEY, walk.text, document + at);
    if (found) {
      expected = found;
      goto expected_key;
    }
    walk.stack_top[-1].seen = names_seen(walk.nodes, container, out);
    expected = no_model;
  }
  next = *place++;
  if (document[next] != ':') return CF_JSON_REFUSED;
key_string: {
    size_t quote = closing_quote(next);
    uint32_t size = uint32_t(quote - at - 1);
    uint32_t id;
    if (__builtin_expect(walk.escapes.backslash < quote, 0)) {
      if (!walk.escapes.check(quote)) {
    if constexpr (!pauses) return CF_JSON_REFUSED;
    walk.point = pause_point::key;
    walk.next = next;
    goto refused;
  }
      // Its id is known only after unescaping; until then, `link` belongs to the list.
      id = parser->last_escaped;
      parser->last_escaped = index(out);
      parser->marks_later = true;
      container->head |= CF_NODE_MARK_LATER;
    } else {
      id = find_name(names, document + at + 1, size);
      if (id != CF_NODE_UNKNOWN_NAME) {
        uint64_t &seen = walk.stack_top[-1].seen;
        if (seen & bit_of_name(id)) container->head |= CF_NODE_MAY_REPEAT;
        seen |= bit_of_name(id);
      }
    }
    put(CF_NODE_KEY, at + 1, size, id);
  }

member_value:
  container->length++;
  at = *place++;
  if (__builtin_expect(document[at] == '"', 1)) {
    next = *place++;
  member_string:
    if (!string()) {
    if constexpr (!pauses) return CF_JSON_REFUSED;
    walk.point = pause_point::member;
    walk.next = next;
    goto refused;
  }
    compare();
    at = next;
  } else {
    if (document[at] == '{') {
      model = expected == no_model ? no_model : expected - 1;
      goto object_begin;
    }
    if (document[at] == '[') {
      model = expected == no_model ? no_model : expected - 1;
      goto array_begin;
    }
    if (!number_or_literal()) return CF_JSON_REFUSED;
    compare();
  object_continue:
    at = *place++;
  }
object_comma:
  if (__builtin_expect(document[at] == ',', 1)) {
    at = *place++;
    goto object_key;
  }
  if (document[at] != '}') {
    if constexpr (!pauses) return CF_JSON_REFUSED;
    walk.point = pause_point::object_comma;
    goto refused;
  }

object_end:
  // If the model has more members, its last value is followed by a key of that depth.
  if (__builtin_expect(expected->head == level + CF_NODE_KEY, 0)) walk.differs = true;

close: {
  cf_node *closed = container;
  bool has_left_model = expected == no_model;
  closed->link = index(out);
  if (__builtin_expect((closed->head & CF_NODE_MAY_REPEAT) != 0, 0)) {
    closed->head &= ~uint32_t(CF_NODE_MAY_REPEAT);
    if constexpr (pauses) {
      if (out - closed > most_marked_at_once) {
        closed->head |= CF_NODE_MARK_LATER;
        parser->marks_later = true;
      }
    }
    if (!(closed->head & CF_NODE_MARK_LATER)) mark_superseded(parser, index(closed), index(closed) + 1, SIZE_MAX);
  }
  level -= level_step;
  const open_container &around = *--walk.stack_top;
  container = around.outer;
  expected = around.outer_expected;
  if (level == 0) {
    if (has_left_model) parser->model = index(closed);
    goto finish;
  }
  if ((container->head & CF_NODE_KIND_BITS) == CF_NODE_OBJECT) {
    if (expected != no_model) expected = end_of_value(walk.nodes, expected - 1);
    goto object_continue;
  }
  // An object that matched its model may lack some of the model's members, so the model stays.
  if (has_left_model) {
    expected = closed;
    closed->head |= CF_NODE_MODEL;
  } else if (!walk.differs) {
    closed->head |= CF_NODE_LIKE_MODEL;
  }
}

array_continue:
  at = *place++;
array_comma:
  if (__builtin_expect(document[at] == ',', 1)) {
    at = *place++;
    goto array_value;
  }
  if (document[at] != ']') {
    if constexpr (!pauses) return CF_JSON_REFUSED;
    walk.point = pause_point::array_comma;
    goto refused;
  }

array_end:
  // Elements are not compared.
  walk.differs = true;
  goto close;

array_begin: {
  if (level == walk.highest_level) return CF_JSON_REFUSED;
  cf_node *first_model = (model->head & ~model_marks) == level + CF_NODE_ARRAY ? model + 1 : no_model;
  if (!open(CF_NODE_ARRAY)) return CF_JSON_OUT_OF_MEMORY;
  expected = first_model;
  at = *place++;
  if (document[at] == ']') goto array_end;
}

array_value:
  container->length++;
  if (document[at] == '"') {
    next = *place++;
  element_string:
    if (!string()) {
    if constexpr (!pauses) return CF_JSON_REFUSED;
    walk.point = pause_point::element;
    walk.next = next;
    goto refused;
  }
    at = next;
    goto array_comma;
  }
  model = expected;
  if (document[at] == '{') {
    walk.differs = false;
    goto object_begin;
  }
  if (document[at] == '[') goto array_begin;
  if (!number_or_literal()) return CF_JSON_REFUSED;
  goto array_continue;

finish:
  if (*place != length) return CF_JSON_REFUSED;
  parser->node_count = index(out);
  escapes->end = walk.escapes.next_found;
  return CF_JSON_OK;

refused:
  // Is it a pause? Asked here alone, so that nothing but what the tokens need is kept for it.
  bool is_comma = walk.point == pause_point::object_comma || walk.point == pause_point::array_comma;
  if (!(is_comma ? at == paused->pause_at : walk.escapes.left == 0)) return CF_JSON_REFUSED;
  *paused = {walk, paused->pause_at, true, out, level, container, expected, at, place, paused->quote, paused->after_quote};
  paused->move_no_model(no_model, nullptr);
  return CF_JSON_PAUSED;
}

}  // namespace

enum cf_json_status walk_tokens(cf_json_parser *parser, const uint8_t *text, uint32_t start, uint32_t length,
                                const uint32_t *places, escape_list *escapes, const cf_json_names *names,
                                uint32_t depth_limit, paused_walk *paused) noexcept {
  return paused ? walk_all<true>(parser, text, start, length, places, escapes, names, depth_limit, paused)
                : walk_all<false>(parser, text, start, length, places, escapes, names, depth_limit, nullptr);
}
