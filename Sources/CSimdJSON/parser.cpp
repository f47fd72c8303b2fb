// A parser's memory and the order of its steps.

#include "walk.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

template <typename T>
bool resize(T *&array, size_t count) noexcept {
  auto *moved = static_cast<T *>(realloc(static_cast<void *>(array), count * sizeof(T)));
  if (!moved) return false;
  array = moved;
  return true;
}

/// Initial capacity of the stack, in containers.
constexpr uint32_t first_stack_capacity = 64;

/// Initial capacity of the token index in bytes of text, so that small bodies of varying size do not make it
/// grow.
constexpr size_t first_text_capacity = 8192;

/// The work for a token and an escape, in bytes, when a document is parsed in parts.
constexpr size_t bytes_per_token = 8;
constexpr size_t bytes_per_escape = 16;

/// The most nodes that `tokens` tokens can make with at most `depth` containers open at once.
///
/// In a valid document, nodes <= (tokens + 1) / 2, by induction: a scalar is one token and one node; an array
/// of k values adds one node and k + 1 tokens (or 2); an object of k members, k + 1 nodes and 3k + 1 tokens.
/// The walk may stop in the middle, before the closing brackets of `depth` containers, and may write one node
/// before the token that shows the fault. Spare nodes are added.
inline uint32_t most_nodes(size_t tokens, uint32_t depth) {
  size_t open = depth < tokens ? depth : tokens;
  return uint32_t((tokens + open) / 2 + 2 + CF_NODE_SPARE);
}

bool reserve_nodes(cf_json_parser *parser, uint32_t additional, uint32_t text_length, uint32_t depth) noexcept {
  uint32_t needed = parser->node_count + additional;
  if (needed <= parser->node_capacity) return true;
  // Doubling suits the lines of NDJSON, but no text needs more than its length allows.
  uint32_t bound = most_nodes(text_length, depth);
  uint32_t capacity = parser->node_capacity > bound / 2 ? bound : parser->node_capacity * 2;
  if (capacity < needed) capacity = needed;
  if (!resize(parser->nodes, capacity)) return false;
  parser->node_capacity = capacity;
  return true;
}

bool reserve_last_keys(cf_json_parser *parser, uint32_t count) noexcept {
  if (count <= parser->last_key_count) return true;
  if (!resize(parser->last_key, count)) return false;
  memset(parser->last_key + parser->last_key_count, 0, (count - parser->last_key_count) * sizeof(uint32_t));
  parser->last_key_count = count;
  return true;
}

/// Estimates the number of tokens in a text from its beginning.
size_t expected_tokens(const uint8_t *text, size_t length) {
  constexpr size_t sample = 16 << 10;
  size_t seen = length < sample ? length : sample;
  // Two quotes are one token. Numbers and literals, which are not counted, compensate for overcounting.
  size_t found = 0;
  for (size_t at = 0; at < seen; at++) {
    uint8_t byte = text[at];
    found += byte == ',' || byte == ':' || byte == '"' || byte == '{' || byte == '}' || byte == '[' || byte == ']';
  }
  return seen ? length / seen * found : 0;
}

/// Where a walk that continues at `place` pauses next: the first comma after this many bytes or their worth in
/// tokens; SIZE_MAX if there is none nearby.
size_t comma_after(const paused_document &document, const uint32_t *place, size_t bytes) {
  const uint32_t *end = document.places + document.tokens;
  const uint32_t *last = size_t(end - place) > bytes / bytes_per_token ? place + bytes / bytes_per_token : end;
  last = std::upper_bound(place, last, *place + bytes);
  // In a valid document, commas are no further apart than the containers that open or close between them.
  const uint32_t *far = size_t(end - last) > 4 * size_t(document.depth_limit) ? last + 4 * document.depth_limit : end;
  while (last < far && document.text[*last] != ',') last++;
  return last < far ? *last : SIZE_MAX;
}

/// Sets the memory to touch from now on. `memory` has at least `size` bytes.
void touch_later(cf_json_parser *parser, void *memory, size_t size) {
  parser->touching = static_cast<volatile uint8_t *>(memory);
  parser->touching_size = size;
  parser->touched = 0;
}

/// Drops a document that was being parsed in parts.
void end_parts(cf_json_parser *parser) {
  delete parser->paused;
  parser->paused = nullptr;
  parser->prepared_text = nullptr;
}

}  // namespace

bool cf_json_parser::grow_stack(uint32_t limit) noexcept {
  uint32_t wanted = stack_capacity ? stack_capacity * 2 : first_stack_capacity;
  if (wanted > limit && limit > stack_capacity) wanted = limit;
  if (!resize(stack, wanted)) return false;
  stack_capacity = wanted;
  return true;
}

extern "C" {

cf_json_parser *cf_json_parser_create(void) { return new (std::nothrow) cf_json_parser(); }

void cf_json_parser_free(cf_json_parser *parser) {
  if (!parser) return;
  end_parts(parser);
  parser->tokens.release();
  free(parser->nodes);
  free(parser->stack);
  free(parser->last_key);
  delete parser;
}

enum cf_json_status cf_json_begin(cf_json_parser *parser, const uint8_t *text, uint32_t text_length) {
  parser->prepared_text = nullptr;
  parser->touching = nullptr;
  if (parser->tokens.capacity < text_length && parser->tokens.reserve(text_length) != CF_JSON_OK) {
    return CF_JSON_OUT_OF_MEMORY;
  }
  touch_later(parser, parser->tokens.memory(), expected_tokens(text, text_length) * sizeof(uint32_t));
  return CF_JSON_OK;
}

enum cf_json_status cf_json_prepare(cf_json_parser *parser, const uint8_t *text, uint32_t text_length,
                                    uint32_t depth_limit) {
  parser->prepared_text = nullptr;
  parser->touching = nullptr;
  enum cf_json_status status = parser->tokens.fill(text, text_length, text_length, &parser->prepared_places,
                                                   &parser->prepared_tokens);
  if (status != CF_JSON_OK) return status;
  uint32_t nodes = most_nodes(parser->prepared_tokens, depth_limit);
  if (!reserve_nodes(parser, nodes, text_length, depth_limit)) return CF_JSON_OUT_OF_MEMORY;
  parser->prepared_text = text;
  parser->prepared_length = text_length;
  touch_later(parser, parser->nodes, nodes * sizeof(cf_node));
  return CF_JSON_OK;
}

size_t cf_json_parser_touch(cf_json_parser *parser, size_t bytes) {
  constexpr size_t page = 4096;
  if (!parser->touching) return 0;
  size_t left = parser->touching_size - parser->touched;
  size_t end = parser->touched + (left > bytes ? bytes : left);
  // There is no data yet.
  for (; parser->touched < end; parser->touched += page) parser->touching[parser->touched] = 0;
  if (parser->touched < parser->touching_size) return parser->touching_size - parser->touched;
  parser->touching = nullptr;
  return 0;
}

enum cf_json_status cf_json_parse(cf_json_parser *parser, uint8_t *text, uint32_t text_length, uint32_t start,
                                  uint32_t end, const cf_json_names *names, uint32_t depth_limit, uint32_t *root) {
  uint32_t length = end - start;
  // As with nodes: the next line of NDJSON may be slightly longer.
  size_t wanted = parser->tokens.capacity * 2 < text_length ? parser->tokens.capacity * 2 : text_length;
  if (wanted < first_text_capacity) wanted = first_text_capacity;
  uint32_t *places;
  uint32_t tokens;
  enum cf_json_status status = CF_JSON_OK;
  if (__builtin_expect(parser->prepared_text != nullptr, 0) && parser->prepared_text == text &&
      parser->prepared_length == length && start == 0) {
    places = parser->prepared_places;
    tokens = parser->prepared_tokens;
  } else {
    status = parser->tokens.fill(text + start, length, wanted, &places, &tokens);
  }
  parser->prepared_text = nullptr;
  parser->touching = nullptr;
  if (status != CF_JSON_OK) return status;
  if (!reserve_nodes(parser, most_nodes(tokens, depth_limit), text_length, depth_limit) ||
      !reserve_last_keys(parser, names->count)) {
    return CF_JSON_OUT_OF_MEMORY;
  }

  // A model's bytes are read again, so they must be unchanged: in this text and before this document.
  if (parser->model_text != text || parser->model_names != names || parser->model_end > start) {
    parser->model = CF_NODE_UNKNOWN_NAME;
  }
  uint32_t first = parser->node_count;
  uint32_t model = parser->model;
  parser->last_escaped = CF_NODE_UNKNOWN_NAME;
  parser->has_escaped_keys = false;
  // Trailing white space changes no document and stops every scan at the end.
  uint8_t behind = text[end];
  text[end] = ' ';
  escape_list escapes = {places + tokens + 1, places + tokens + 1};
  status = walk_tokens(parser, text, start, length, places, &escapes, names, depth_limit);
  text[end] = behind;
  if (status != CF_JSON_OK) {
    parser->model = model;
    return status;
  }
  if (parser->model != model) {
    if (parser->has_escaped_keys) parser->model = CF_NODE_UNKNOWN_NAME;
    parser->model_end = end;
    parser->model_text = text;
    parser->model_names = names;
  }
  if (parser->last_escaped != CF_NODE_UNKNOWN_NAME) {
    unescaping rest = {text, start, first, escapes, names, first};
    unescape_strings(parser, rest, SIZE_MAX);
  }
  *root = first;
  return CF_JSON_OK;
}

enum cf_json_status cf_json_parse_part(cf_json_parser *parser, uint8_t *text, uint32_t text_length,
                                       const cf_json_names *names, uint32_t depth_limit, size_t bytes, uint32_t *root) {
  paused_document *document = parser->paused;
  if (!document) {
    if (parser->prepared_text != text || parser->prepared_length != text_length) {
      return cf_json_parse(parser, text, text_length, 0, text_length, names, depth_limit, root);
    }
    // Nodes were reserved when the tokens were found.
    if (!reserve_last_keys(parser, names->count)) return CF_JSON_OUT_OF_MEMORY;
    parser->touching = nullptr;
    parser->model = CF_NODE_UNKNOWN_NAME;
    parser->last_escaped = CF_NODE_UNKNOWN_NAME;
    parser->has_escaped_keys = false;
    uint32_t *escapes = parser->prepared_places + parser->prepared_tokens + 1;
    document = new (std::nothrow) paused_document{
        {walk(parser, text, 0, text_length, escapes, depth_limit * level_step)}, text, text_length, names, depth_limit,
        parser->prepared_places, parser->prepared_tokens};
    if (!document) return CF_JSON_OUT_OF_MEMORY;
    document->rest = {text, 0, 0, {escapes, escapes}, names, 0};
    parser->paused = document;
  }
  // Pointers into the text are kept.
  if (document->text != text || document->length != text_length) __builtin_trap();

  enum cf_json_status status = CF_JSON_OK;
  if (!document->is_walked) {
    paused_walk &walk = document->walk;
    walk.pause_at = comma_after(*document, walk.is_paused ? walk.place : document->places, bytes);
    walk.walk.escapes.left = bytes / bytes_per_escape + 1;
    bool has_comma = walk.pause_at != SIZE_MAX;
    uint8_t behind = text[text_length];
    text[text_length] = ' ';
    if (has_comma) text[walk.pause_at] = ' ';
    status = walk_tokens(parser, text, 0, text_length, document->places, &document->rest.escapes, names, depth_limit,
                         &walk);
    if (has_comma) text[walk.pause_at] = ',';
    text[text_length] = behind;
    if (status == CF_JSON_PAUSED) return status;
    document->is_walked = status == CF_JSON_OK;
    // A model's text would have to stay unchanged.
    parser->model = CF_NODE_UNKNOWN_NAME;
  } else {
    status = unescape_strings(parser, document->rest, bytes) ? CF_JSON_OK : CF_JSON_PAUSED;
    if (status == CF_JSON_PAUSED) return status;
  }
  bool has_escapes = status == CF_JSON_OK && parser->last_escaped != CF_NODE_UNKNOWN_NAME;
  if (has_escapes) return CF_JSON_PAUSED;
  end_parts(parser);
  *root = 0;
  return status;
}

const cf_node *cf_json_parser_nodes(const cf_json_parser *parser) { return parser->nodes; }

uint32_t cf_json_parser_node_count(const cf_json_parser *parser) { return parser->node_count; }

void cf_json_parser_reset(cf_json_parser *parser, size_t kept_bytes) {
  parser->node_count = 0;
  end_parts(parser);
  parser->touching = nullptr;
  parser->model = CF_NODE_UNKNOWN_NAME;
  // Each part keeps a share, because a body that needs much of one usually needs much of the others.
  // `last_key` stays: its size depends on the table of names, not on a body, and clearing a new one for each
  // request would cost as many words.
  if (parser->tokens.held_bytes() > kept_bytes / 4) parser->tokens.release();
  if (parser->node_capacity * sizeof(cf_node) > kept_bytes / 2) {
    free(parser->nodes);
    parser->nodes = nullptr;
    parser->node_capacity = 0;
  }
  if (parser->stack_capacity * sizeof(open_container) > kept_bytes / 8) {
    free(parser->stack);
    parser->stack = nullptr;
    parser->stack_capacity = 0;
  }
}

void cf_json_parser_trim(cf_json_parser *parser) {
  parser->prepared_text = nullptr;
  parser->touching = nullptr;
  parser->tokens.release();
  free(parser->stack);
  parser->stack = nullptr;
  parser->stack_capacity = 0;
}

size_t cf_json_parser_held_bytes(const cf_json_parser *parser) {
  return parser->tokens.held_bytes() + parser->node_capacity * sizeof(cf_node) +
         parser->stack_capacity * sizeof(open_container) + parser->last_key_count * sizeof(uint32_t);
}

size_t cf_json_parser_estimated_bytes(size_t text_length, uint32_t depth_limit) {
  size_t depth = depth_limit < text_length ? depth_limit : text_length;
  size_t containers = depth * 2 > first_stack_capacity ? depth * 2 : first_stack_capacity;
  size_t indexed = text_length > first_text_capacity ? text_length : first_text_capacity;
  return token_index::bytes_for(indexed) + most_nodes(text_length, depth_limit) * sizeof(cf_node) +
         containers * sizeof(open_container);
}
}
