// Escapes: checked during the walk, replaced once the document is known to be valid.

#include "parser.hpp"

namespace {

inline unsigned hex_digit(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  byte |= 0x20;
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10u;
  return ~0u;
}

/// The value of the four hexadecimal digits at `p`, or a value over 0xFFFF. Reads nothing after a byte that
/// is not a digit.
inline uint32_t hex_value(const uint8_t *p) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    unsigned d = hex_digit(p[i]);
    if (d > 15) return ~0u;
    value = value << 4 | d;
  }
  return value;
}

inline uint8_t *write_utf8(uint8_t *out, uint32_t scalar) {
  if (scalar < 0x80) {
    *out++ = uint8_t(scalar);
  } else if (scalar < 0x800) {
    *out++ = uint8_t(0xC0 | scalar >> 6);
    *out++ = uint8_t(0x80 | (scalar & 0x3F));
  } else if (scalar < 0x10000) {
    *out++ = uint8_t(0xE0 | scalar >> 12);
    *out++ = uint8_t(0x80 | (scalar >> 6 & 0x3F));
    *out++ = uint8_t(0x80 | (scalar & 0x3F));
  } else {
    *out++ = uint8_t(0xF0 | scalar >> 18);
    *out++ = uint8_t(0x80 | (scalar >> 12 & 0x3F));
    *out++ = uint8_t(0x80 | (scalar >> 6 & 0x3F));
    *out++ = uint8_t(0x80 | (scalar & 0x3F));
  }
  return out;
}

/// The meaning of the byte after a backslash; 0 if it is not a two-byte escape.
struct short_escapes {
  uint8_t meaning[256] = {};
  constexpr short_escapes() {
    meaning[uint8_t('"')] = '"';
    meaning[uint8_t('\\')] = '\\';
    meaning[uint8_t('/')] = '/';
    meaning[uint8_t('b')] = '\b';
    meaning[uint8_t('f')] = '\f';
    meaning[uint8_t('n')] = '\n';
    meaning[uint8_t('r')] = '\r';
    meaning[uint8_t('t')] = '\t';
  }
};
constexpr short_escapes short_escape;

/// Length of the escape at `p` (a backslash), or 0 if invalid. A high surrogate includes its low one. There
/// must be a double quote or a space somewhere after it.
inline size_t escape_length(const uint8_t *p) {
  if (short_escape.meaning[p[1]] != 0) return 2;
  if (p[1] != 'u') return 0;
  uint32_t unit = hex_value(p + 2);
  if (unit < 0xD800 || (unit >= 0xE000 && unit <= 0xFFFF)) return 6;
  if (unit >= 0xDC00) return 0;
  if (p[6] != '\\' || p[7] != 'u') return 0;
  uint32_t low = hex_value(p + 8);
  return low >= 0xDC00 && low <= 0xDFFF ? 12 : 0;
}

/// Replaces the valid escapes listed from `place` to `last`, and writes them and the text between them up to `end` to
/// `out`. Returns the end of the output. No escape is shorter than its replacement.
uint8_t *unescape(uint8_t *document, uint8_t *out, const uint32_t *place, const uint32_t *last, uint8_t *end) {
  while (place < last) {
    const uint8_t *in = document + *place++;
    if (uint8_t byte = short_escape.meaning[in[1]]) {
      *out++ = byte;
      in += 2;
    } else {
      uint32_t scalar = hex_value(in + 2);
      in += 6;
      if (scalar >= 0xD800 && scalar < 0xE000) {
        scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hex_value(in + 2) - 0xDC00);
        in += 6;
      }
      out = write_utf8(out, scalar);
    }
    const uint8_t *next = place < last ? document + *place : end;
    memmove(out, in, size_t(next - in));
    out += next - in;
  }
  return out;
}

/// The number of escapes of one string that are replaced at once.
constexpr ptrdiff_t escapes_at_once = 1 << 16;

}  // namespace

CF_SELDOM bool escape_scan::check(size_t quote) noexcept {
  do {
    size_t size = escape_length(document + backslash);
    if (size == 0) return false;
    *next_found++ = uint32_t(backslash);
    search_near(backslash + size);
  } while (backslash < quote && --left != 0);
  return backslash >= quote;
}

bool unescape_strings(cf_json_parser *parser, unescaping &rest, size_t work) noexcept {
  cf_node *nodes = parser->nodes;
  uint8_t *document = rest.text + rest.start;
  size_t done = 0;
  // From the last string to the first, like their escapes.
  for (uint32_t at = parser->last_escaped; at != CF_NODE_UNKNOWN_NAME; parser->last_escaped = at) {
    if (done >= work) return false;
    cf_node &node = nodes[at];
    uint8_t *content = rest.text + node.offset;
    if (!rest.out) {
      escape_list &escapes = rest.escapes;
      rest.last = escapes.end;
      while (escapes.end > escapes.first && escapes.end[-1] >= node.offset - rest.start) escapes.end--;
      rest.place = escapes.end;
      rest.out = document + *rest.place;
    }
    while (__builtin_expect(rest.last - rest.place > escapes_at_once, 0)) {
      const uint32_t *next = rest.place + escapes_at_once;
      rest.out = unescape(document, rest.out, rest.place, next, document + *next);
      done += *next - *rest.place;
      rest.place = next;
      if (done >= work) return false;
    }
    uint32_t next = node.link;
    done += node.length;
    node.length = uint32_t(unescape(document, rest.out, rest.place, rest.last, content + node.length) - content);
    rest.out = nullptr;
    bool is_key = (node.head & CF_NODE_KIND_BITS) == CF_NODE_KEY;
    node.link = is_key ? find_name(rest.names, content, node.length) : at + 1;
    at = next;
  }
  if (!parser->marks_later) return true;

  // Once over the whole document, so that the order of keys and objects does not affect the cost.
  for (uint32_t &at = rest.superseding; at < parser->node_count; at++) {
    done++;
    if (nodes[at].head & CF_NODE_MARK_LATER) {
      uint32_t key = rest.superseding_key ? rest.superseding_key : at + 1;
      size_t most = work > done ? work - done : 1;
      rest.superseding_key = mark_superseded(parser, at, key, most);
      done += rest.superseding_key - key;
      if (rest.superseding_key < nodes[at].link) return false;
      rest.superseding_key = 0;
      nodes[at].head &= ~uint32_t(CF_NODE_MARK_LATER);
    }
    if (done >= work) {
      at++;
      return false;
    }
  }
  parser->marks_later = false;
  return true;
}
