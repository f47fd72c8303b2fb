// The walk: from token places to nodes, checking everything that stage 1 does not.
//
// It stops at the first token it does not like, but says neither where nor why: `cf_json_first_fault` does. A space
// stands behind the document, and the list of places ends with that space's: so no scan of a number or literal runs
// past the end, and a token read past the last is a space, which no state takes.

#include "parser.hpp"

namespace {

/// What may follow a number or a literal.
struct terminators {
  bool is[256] = {};
  constexpr terminators() {
    is[uint8_t(' ')] = is[uint8_t('\t')] = is[uint8_t('\n')] = is[uint8_t('\r')] = true;
    is[uint8_t(',')] = is[uint8_t(']')] = is[uint8_t('}')] = true;
  }
};
constexpr terminators ends_scalar;

inline uint32_t load_half(const uint8_t *p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

constexpr uint32_t half(char a, char b, char c, char d) {
  return uint32_t(uint8_t(a)) | uint32_t(uint8_t(b)) << 8 | uint32_t(uint8_t(c)) << 16 | uint32_t(uint8_t(d)) << 24;
}

inline unsigned digit(const uint8_t *p) { return unsigned(*p) - '0'; }

/// The byte behind the number at `p` (RFC 8259, section 6), or NULL. `mantissa`: all its digits, or-ed.
inline const uint8_t *scan_number(const uint8_t *p, unsigned *mantissa) {
  p += *p == '-';
  unsigned d = digit(p);
  if (d > 9) return nullptr;
  unsigned digits = d;
  p++;
  if (d != 0) {
    while (digit(p) <= 9) p++;
  }
  if (*p == '.') {
    p++;
    if (digit(p) > 9) return nullptr;
    do {
      digits |= digit(p);
      p++;
    } while (digit(p) <= 9);
  }
  if ((*p | 0x20) == 'e') {
    p++;
    p += *p == '+' || *p == '-';
    if (digit(p) > 9) return nullptr;
    do p++;
    while (digit(p) <= 9);
  }
  *mantissa = digits;
  return ends_scalar.is[*p] ? p : nullptr;
}

}  // namespace

enum cf_json_status walk_tokens(cf_json_parser *parser, const uint8_t *const text, uint32_t start, uint32_t length,
                                const uint32_t *place, const cf_json_names *names, uint32_t depth_limit) noexcept {
  const uint8_t *const document = text + start;
  const uint8_t *const end = document + length;
  cf_json_node *const nodes = parser->nodes;
  uint32_t n = parser->node_count;

  // The innermost open container; those around it are on the stack.
  uint32_t container = 0;
  uint32_t count = 0;
  uint64_t seen = 0;
  uint32_t depth = 0;
  open_container *stack = parser->stack;

  // The next backslash at or behind the current token. Where all tokens so far are valid it lies in a string to come.
  const uint8_t *backslash = static_cast<const uint8_t *>(memchr(document, '\\', length));
  if (!backslash) backslash = end;

  const uint8_t *p;

  auto put = [&](uint32_t kind, const uint8_t *content, size_t size, uint32_t link) {
    nodes[n] = {kind | depth << 16, uint32_t(content - text), uint32_t(size), link};
    n++;
  };

  // The closing quote of the string at `p`, found from the next token's place backwards.
  auto closing_quote = [&]() {
    const uint8_t *q = document + *place - 1;
    while (*q != '"') q--;
    return q;
  };

  // Checks the escapes of the string that ends at `quote` and puts the node to come on the list. false: a bad escape.
  auto note_escapes = [&](const uint8_t *quote) {
    const uint8_t *at = backslash;
    do {
      at = skip_escape(at);
      if (!at) return false;
      at = static_cast<const uint8_t *>(memchr(at, '\\', size_t(end - at)));
      if (!at) at = end;
    } while (at < quote);
    backslash = at;
    return true;
  };

  // The scalar at `p`. false: none.
  auto scalar = [&]() __attribute__((always_inline)) {
    switch (*p) {
      case '"': {
        const uint8_t *quote = closing_quote();
        p++;
        uint32_t link = n + 1;
        if (__builtin_expect(backslash < quote, 0)) {
          if (!note_escapes(quote)) return false;
          link = parser->last_escaped;
          parser->last_escaped = n;
        }
        put(CF_JSON_STRING, p, size_t(quote - p), link);
        return true;
      }
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': {
        unsigned mantissa;
        const uint8_t *q = scan_number(p, &mantissa);
        if (!q) return false;
        put(CF_JSON_NUMBER | (mantissa == 0 ? CF_JSON_ZERO : 0), p, size_t(q - p), n + 1);
        return true;
      }
      case 't':
        if (load_half(p) != half('t', 'r', 'u', 'e') || !ends_scalar.is[p[4]]) return false;
        put(CF_JSON_TRUE, p, 4, n + 1);
        return true;
      case 'f':
        if (load_half(p + 1) != half('a', 'l', 's', 'e') || !ends_scalar.is[p[5]]) return false;
        put(CF_JSON_FALSE, p, 5, n + 1);
        return true;
      case 'n':
        if (load_half(p) != half('n', 'u', 'l', 'l') || !ends_scalar.is[p[4]]) return false;
        put(CF_JSON_NULL, p, 4, n + 1);
        return true;
      default:
        return false;
    }
  };

  // Opens the container at `p`: its node, and the state of the one around it onto the stack.
  auto open = [&](uint32_t kind) {
    if (__builtin_expect(depth >= parser->stack_capacity, 0)) {
      if (!parser->grow_stack(depth_limit)) return false;
      stack = parser->stack;
    }
    stack[depth] = {seen, container, count};
    container = n;
    count = 0;
    seen = 0;
    put(kind, p, 0, 0);
    depth++;
    return true;
  };

  p = document + *place++;
  if (*p == '{') goto object_begin;
  if (*p == '[') goto array_begin;
  if (!scalar()) return CF_JSON_REFUSED;
  goto finish;

object_begin:
  if (depth == depth_limit) return CF_JSON_REFUSED;
  if (!open(CF_JSON_OBJECT)) return CF_JSON_OUT_OF_MEMORY;
  p = document + *place++;
  if (*p == '}') goto close;

object_key:
  if (*p != '"') return CF_JSON_REFUSED;
  {
    const uint8_t *quote = closing_quote();
    p++;
    uint32_t size = uint32_t(quote - p);
    uint32_t id;
    if (__builtin_expect(backslash < quote, 0)) {
      if (!note_escapes(quote)) return CF_JSON_REFUSED;
      // Its id is not known before it is unescaped; until then `link` is the list's.
      id = parser->last_escaped;
      parser->last_escaped = n;
      parser->has_escaped_keys = true;
      nodes[container].head |= CF_JSON_HAS_ESCAPED_KEY;
    } else {
      id = find_name(names, p, size);
      if (id != CF_JSON_UNKNOWN_NAME) {
        uint64_t bit = uint64_t(1) << (id & 63);
        if (seen & bit) nodes[container].head |= CF_JSON_MAY_REPEAT;
        seen |= bit;
      }
    }
    put(CF_JSON_KEY, p, size, id);
    count++;
  }
  if (document[*place++] != ':') return CF_JSON_REFUSED;
  p = document + *place++;
  if (*p == '{') goto object_begin;
  if (*p == '[') goto array_begin;
  if (!scalar()) return CF_JSON_REFUSED;

object_continue:
  p = document + *place++;
  if (*p == ',') {
    p = document + *place++;
    goto object_key;
  }
  if (*p != '}') return CF_JSON_REFUSED;

close: {
  cf_json_node &closed = nodes[container];
  closed.length = count;
  closed.link = n;
  if (closed.head & CF_JSON_MAY_REPEAT) {
    closed.head &= ~uint32_t(CF_JSON_MAY_REPEAT);
    // With a key still to be unescaped it is judged later, when all its keys are known.
    if (!(closed.head & CF_JSON_HAS_ESCAPED_KEY)) mark_superseded(parser, container);
  }
  depth--;
  const open_container &around = stack[depth];
  seen = around.seen;
  container = around.node;
  count = around.count;
  if (depth == 0) goto finish;
  if ((nodes[container].head & 0xFF) == CF_JSON_OBJECT) goto object_continue;
}

array_continue:
  p = document + *place++;
  if (*p == ',') {
    p = document + *place++;
    goto array_value;
  }
  if (*p != ']') return CF_JSON_REFUSED;
  goto close;

array_begin:
  if (depth == depth_limit) return CF_JSON_REFUSED;
  if (!open(CF_JSON_ARRAY)) return CF_JSON_OUT_OF_MEMORY;
  p = document + *place++;
  if (*p == ']') goto close;

array_value:
  count++;
  if (*p == '{') goto object_begin;
  if (*p == '[') goto array_begin;
  if (!scalar()) return CF_JSON_REFUSED;
  goto array_continue;

finish:
  if (*place != length) return CF_JSON_REFUSED;
  parser->node_count = n;
  return CF_JSON_OK;
}

void mark_superseded(cf_json_parser *parser, uint32_t object) noexcept {
  cf_json_node *nodes = parser->nodes;
  uint32_t end = nodes[object].link;
  uint32_t key_head = ((nodes[object].head >> 16) + 1) << 16 | CF_JSON_KEY;
  // A string's `link` may still be the list's of escaped strings, so the end of a value is taken from containers only.
  auto end_of_value = [&](uint32_t value) {
    return (nodes[value].head & 0xFF) >= CF_JSON_ARRAY ? nodes[value].link : value + 1;
  };
  for (uint32_t key = object + 1; key < end; key = end_of_value(key + 1)) {
    uint32_t id = nodes[key].link;
    if (id == CF_JSON_UNKNOWN_NAME) continue;
    // What the table holds may be left from another object or text: it counts only if it is a key of this object
    // that came before this one and has this id. So it is never cleared, and the pass costs its object's members.
    uint32_t earlier = parser->last_key[id];
    parser->last_key[id] = key;
    if (earlier <= object || earlier >= key || nodes[earlier].link != id) continue;
    if ((nodes[earlier].head & ~uint32_t(CF_JSON_SUPERSEDED)) != key_head) continue;
    nodes[earlier].head |= CF_JSON_SUPERSEDED;
    nodes[object].head |= CF_JSON_HAS_SUPERSEDED;
  }
}
