// A parser's memory and the order of its steps.

#include "walk.hpp"

#include <discard.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
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

/// Frees an array, a large one in parts if the thread defers that.
template <typename T>
void release(T *&array, size_t count) noexcept {
  cf_discard(array, count * sizeof(T), free);
  array = nullptr;
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

/// Returns the pages after the last node to the system. The array may have been made for a much longer text.
void give_back_surplus(cf_json_parser *parser) noexcept {
  uint32_t used = parser->node_count + CF_NODE_SPARE;
  if (used >= parser->node_capacity) return;
  auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  uintptr_t start = (reinterpret_cast<uintptr_t>(parser->nodes + used) + page - 1) & ~(page - 1);
  uintptr_t end = reinterpret_cast<uintptr_t>(parser->nodes + parser->node_capacity) & ~(page - 1);
  if (start >= end || madvise(reinterpret_cast<void *>(start), end - start, MADV_DONTNEED) != 0) return;
  parser->surplus_bytes = end - start;
}

bool reserve_counting_keys(cf_json_parser *parser, uint32_t count) noexcept {
  if (count <= parser->counting_key_count) return true;
  if (!resize(parser->counting_key, count)) return false;
  memset(parser->counting_key + parser->counting_key_count, 0, (count - parser->counting_key_count) * sizeof(uint32_t));
  parser->counting_key_count = count;
  return true;
}

/// Adds to the most tokens that a text can have, counted without looking for the ends of strings: too many if strings contain
/// brackets, commas, colons or white space.
void count_possible_tokens(cf_json_parser *parser, const uint8_t *text, size_t length) {
  // As many as a byte counts, so that the compiler can compare many bytes at once.
  constexpr size_t block = 64;
  size_t found = 0, quotes = 0, after_quotes = 0;
  bool was_apart = true, was_quote = false;
  for (size_t start = 0; start < length; start += block) {
    size_t size = length - start < block ? length - start : block;
    const uint8_t *bytes = text + start;
    uint8_t apart[block], quote[block];
    uint8_t sum = 0, quote_sum = 0, after_sum = 0;
    for (size_t at = 0; at < size; at++) {
      uint8_t byte = bytes[at];
      // The library takes two control characters for a comma and a colon, at first.
      uint8_t printed = byte | 0x20;
      uint8_t is_operator = (printed == ',') | (printed == ':') | (printed == '{') | (printed == '}');
      apart[at] = is_operator | (byte == ' ') | (byte == '\n') | (byte == '\r') | (byte == '\t');
      quote[at] = byte == '"';
      sum = uint8_t(sum + is_operator);
      quote_sum = uint8_t(quote_sum + quote[at]);
    }
    // Every other token begins after one of these, or after a string.
    sum = uint8_t(sum + (was_apart & !apart[0]));
    after_sum = was_quote & !apart[0];
    for (size_t at = 1; at < size; at++) {
      sum = uint8_t(sum + (apart[at - 1] & (apart[at] ^ 1)));
      after_sum = uint8_t(after_sum + (quote[at - 1] & (apart[at] ^ 1)));
    }
    was_apart = apart[size - 1];
    was_quote = quote[size - 1];
    found += sum;
    quotes += quote_sum;
    after_quotes += after_sum;
  }
  // In valid JSON, only what is in strings comes right after quotes, unless it is escaped.
  if (after_quotes > quotes / 2) found += after_quotes;
  parser->possible_tokens += found;
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

/// Counts the tokens of the next `bytes` of the text that was begun. Once all are counted, the index can be touched.
void count_tokens(cf_json_parser *parser, size_t bytes) {
  size_t left = parser->counting_length - parser->counted;
  size_t part = left < bytes ? left : bytes;
  count_possible_tokens(parser, parser->counting + parser->counted, part);
  parser->counted += part;
  if (parser->counted < parser->counting_length) return;
  parser->counting = nullptr;
  size_t most = parser->possible_tokens < parser->counting_length ? parser->possible_tokens : parser->counting_length;
  touch_later(parser, parser->tokens.memory(), most * sizeof(uint32_t));
}

/// Forgets what was to be counted and touched.
void end_touching(cf_json_parser *parser) {
  parser->touching = nullptr;
  parser->counting = nullptr;
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
  release(parser->nodes, parser->node_capacity);
  release(parser->stack, parser->stack_capacity);
  release(parser->counting_key, parser->counting_key_count);
  delete parser;
}

enum cf_json_status cf_json_begin(cf_json_parser *parser, const uint8_t *text, uint32_t start, uint32_t end) {
  uint32_t length = end - start;
  end_parts(parser);
  end_touching(parser);
  if (length == 0) return CF_JSON_OK;
  if (parser->tokens.capacity < length && parser->tokens.reserve(length) != CF_JSON_OK) {
    return CF_JSON_OUT_OF_MEMORY;
  }
  parser->counting = text + start;
  parser->counting_length = length;
  parser->counted = 0;
  parser->possible_tokens = 0;
  return CF_JSON_OK;
}

enum cf_json_status cf_json_prepare(cf_json_parser *parser, const uint8_t *text, uint32_t text_length, uint32_t start,
                                    uint32_t end, uint32_t depth_limit) {
  uint32_t length = end - start;
  end_parts(parser);
  end_touching(parser);
  enum cf_json_status status = parser->tokens.fill(text + start, length, length, &parser->prepared_places,
                                                   &parser->prepared_tokens);
  if (status != CF_JSON_OK) return status;
  uint32_t nodes = most_nodes(parser->prepared_tokens, depth_limit);
  if (!reserve_nodes(parser, nodes, text_length, depth_limit)) return CF_JSON_OUT_OF_MEMORY;
  parser->prepared_text = text + start;
  parser->prepared_length = length;
  touch_later(parser, parser->nodes + parser->node_count, nodes * sizeof(cf_node));
  return CF_JSON_OK;
}

size_t cf_json_parser_touch(cf_json_parser *parser, size_t bytes) {
  constexpr size_t page = 4096;
  if (parser->counting) {
    count_tokens(parser, bytes);
    return parser->counting ? parser->counting_length - parser->counted : 1;
  }
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
  if (__builtin_expect(parser->prepared_text != nullptr, 0) && parser->prepared_text == text + start &&
      parser->prepared_length == length) {
    places = parser->prepared_places;
    tokens = parser->prepared_tokens;
  } else {
    status = parser->tokens.fill(text + start, length, wanted, &places, &tokens);
  }
  parser->prepared_text = nullptr;
  end_touching(parser);
  if (status != CF_JSON_OK) return status;
  if (!reserve_nodes(parser, most_nodes(tokens, depth_limit), text_length, depth_limit) ||
      !reserve_counting_keys(parser, names->count)) {
    return CF_JSON_OUT_OF_MEMORY;
  }

  // A model's bytes are read again, so they must be unchanged: in this text and before this document.
  if (parser->model_text != text || parser->model_names != names || parser->model_end > start) {
    parser->model = CF_NODE_UNKNOWN_NAME;
  }
  uint32_t first = parser->node_count;
  uint32_t model = parser->model;
  parser->last_escaped = CF_NODE_UNKNOWN_NAME;
  parser->marks_later = false;
  // Trailing white space changes no document and stops every scan at the end.
  uint8_t after = text[end];
  text[end] = ' ';
  escape_list escapes = {places + tokens + 1, places + tokens + 1};
  status = walk_tokens(parser, text, start, length, places, &escapes, names, depth_limit);
  text[end] = after;
  if (status != CF_JSON_OK) {
    parser->model = model;
    return status;
  }
  if (parser->model != model) {
    if (parser->marks_later) parser->model = CF_NODE_UNKNOWN_NAME;
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

enum cf_json_status cf_json_parse_part(cf_json_parser *parser, uint8_t *text, uint32_t text_length, uint32_t start,
                                       uint32_t end, const cf_json_names *names, uint32_t depth_limit, size_t bytes,
                                       uint32_t *root) {
  uint32_t length = end - start;
  paused_document *document = parser->paused;
  if (!document) {
    if (parser->prepared_text != text + start || parser->prepared_length != length) {
      return cf_json_parse(parser, text, text_length, start, end, names, depth_limit, root);
    }
    // Nodes were reserved when the tokens were found.
    if (!reserve_counting_keys(parser, names->count)) return CF_JSON_OUT_OF_MEMORY;
    end_touching(parser);
    parser->model = CF_NODE_UNKNOWN_NAME;
    parser->last_escaped = CF_NODE_UNKNOWN_NAME;
    parser->marks_later = false;
    uint32_t *escapes = parser->prepared_places + parser->prepared_tokens + 1;
    document = new (std::nothrow) paused_document{
        {walk(parser, text, start, length, escapes, depth_limit * level_step)}, text + start, length, names, depth_limit,
        parser->prepared_places, parser->prepared_tokens, parser->node_count};
    if (!document) return CF_JSON_OUT_OF_MEMORY;
    document->rest = {text, start, document->root, {escapes, escapes}, names, document->root};
    parser->paused = document;
  }
  // Pointers into the text are kept.
  if (document->text != text + start || document->length != length) __builtin_trap();

  enum cf_json_status status = CF_JSON_OK;
  if (!document->is_walked) {
    paused_walk &walk = document->walk;
    walk.pause_at = comma_after(*document, walk.is_paused ? walk.place : document->places, bytes);
    walk.walk.escapes.left = bytes / bytes_per_escape + 1;
    bool has_comma = walk.pause_at != SIZE_MAX;
    uint8_t after = text[end];
    text[end] = ' ';
    if (has_comma) document->text[walk.pause_at] = ' ';
    status = walk_tokens(parser, text, start, length, document->places, &document->rest.escapes, names, depth_limit,
                         &walk);
    if (has_comma) document->text[walk.pause_at] = ',';
    text[end] = after;
    if (status == CF_JSON_PAUSED) return status;
    document->is_walked = status == CF_JSON_OK;
    // A model's text would have to stay unchanged.
    parser->model = CF_NODE_UNKNOWN_NAME;
  } else {
    status = unescape_strings(parser, document->rest, bytes) ? CF_JSON_OK : CF_JSON_PAUSED;
    if (status == CF_JSON_PAUSED) return status;
  }
  bool has_more = parser->last_escaped != CF_NODE_UNKNOWN_NAME || parser->marks_later;
  if (status == CF_JSON_OK && has_more) return CF_JSON_PAUSED;
  *root = document->root;
  end_parts(parser);
  return status;
}

const cf_node *cf_json_parser_nodes(const cf_json_parser *parser) { return parser->nodes; }

uint32_t cf_json_parser_node_count(const cf_json_parser *parser) { return parser->node_count; }

void cf_json_parser_reset(cf_json_parser *parser, size_t kept_bytes) {
  parser->node_count = 0;
  end_parts(parser);
  end_touching(parser);
  parser->model = CF_NODE_UNKNOWN_NAME;
  // Each part keeps a share, because a body that needs much of one usually needs much of the others.
  // `counting_key` stays: its size depends on the table of names, not on a body, and clearing a new one for each
  // request would cost as many words.
  if (parser->tokens.held_bytes() > kept_bytes / 4) parser->tokens.release();
  if (parser->node_capacity * sizeof(cf_node) > kept_bytes / 2) {
    release(parser->nodes, parser->node_capacity);
    parser->node_capacity = 0;
  }
  if (parser->stack_capacity * sizeof(open_container) > kept_bytes / 8) {
    release(parser->stack, parser->stack_capacity);
    parser->stack_capacity = 0;
  }
}

void cf_json_parser_trim(cf_json_parser *parser) {
  parser->prepared_text = nullptr;
  end_touching(parser);
  parser->tokens.release();
  release(parser->stack, parser->stack_capacity);
  parser->stack_capacity = 0;
  release(parser->counting_key, parser->counting_key_count);
  parser->counting_key_count = 0;
  give_back_surplus(parser);
}

size_t cf_json_parser_held_bytes(const cf_json_parser *parser) {
  return parser->tokens.held_bytes() + parser->node_capacity * sizeof(cf_node) - parser->surplus_bytes +
         parser->stack_capacity * sizeof(open_container) + parser->counting_key_count * sizeof(uint32_t);
}

size_t cf_json_parser_estimated_bytes(size_t text_length, uint32_t depth_limit) {
  size_t depth = depth_limit < text_length ? depth_limit : text_length;
  size_t containers = depth * 2 > first_stack_capacity ? depth * 2 : first_stack_capacity;
  size_t indexed = text_length > first_text_capacity ? text_length : first_text_capacity;
  return token_index::bytes_for(indexed) + most_nodes(text_length, depth_limit) * sizeof(cf_node) +
         containers * sizeof(open_container);
}
}
