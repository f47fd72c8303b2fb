// Escapes: checked while walking, replaced once the document is known to be valid.

#include "parser.hpp"

namespace {

inline unsigned hex_digit(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  byte |= 0x20;
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10u;
  return ~0u;
}

/// The value of the four hexadecimal digits at `p`, or a value over 0xFFFF. Reads no byte behind one that is no digit.
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

/// Replaces the valid escapes in `size` bytes; returns the new size. No escape is shorter than what it stands for.
size_t unescape(uint8_t *text, size_t size) {
  uint8_t *const end = text + size;
  uint8_t *out = static_cast<uint8_t *>(memchr(text, '\\', size));
  uint8_t *in = out;
  while (in < end) {
    uint8_t kind = in[1];
    in += 2;
    switch (kind) {
      case 'b': *out++ = '\b'; break;
      case 'f': *out++ = '\f'; break;
      case 'n': *out++ = '\n'; break;
      case 'r': *out++ = '\r'; break;
      case 't': *out++ = '\t'; break;
      case 'u': {
        uint32_t scalar = hex_value(in);
        in += 4;
        if (scalar >= 0xD800 && scalar < 0xE000) {
          scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hex_value(in + 2) - 0xDC00);
          in += 6;
        }
        out = write_utf8(out, scalar);
        break;
      }
      default: *out++ = kind; break;
    }
    auto *next = static_cast<uint8_t *>(memchr(in, '\\', size_t(end - in)));
    if (!next) next = end;
    memmove(out, in, size_t(next - in));
    out += next - in;
    in = next;
  }
  return size_t(out - text);
}

}  // namespace

const uint8_t *skip_escape(const uint8_t *p) noexcept {
  switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return p + 2;
    case 'u': {
      uint32_t unit = hex_value(p + 2);
      if (unit < 0xD800 || (unit >= 0xE000 && unit <= 0xFFFF)) return p + 6;
      if (unit >= 0xDC00) return nullptr;
      if (p[6] != '\\' || p[7] != 'u') return nullptr;
      uint32_t low = hex_value(p + 8);
      return low >= 0xDC00 && low <= 0xDFFF ? p + 12 : nullptr;
    }
    default:
      return nullptr;
  }
}

void unescape_strings(cf_json_parser *parser, uint8_t *text, uint32_t root, const cf_json_names *names) noexcept {
  cf_json_node *nodes = parser->nodes;
  for (uint32_t at = parser->last_escaped; at != CF_JSON_UNKNOWN_NAME;) {
    cf_json_node &node = nodes[at];
    uint32_t next = node.link;
    uint8_t *content = text + node.offset;
    node.length = uint32_t(unescape(content, node.length));
    bool is_key = (node.head & 0xFF) == CF_JSON_KEY;
    node.link = is_key ? find_name(names, content, node.length) : at + 1;
    at = next;
  }
  parser->last_escaped = CF_JSON_UNKNOWN_NAME;
  if (!parser->has_escaped_keys) return;

  // Once over the whole document, so that no order of keys and objects makes it more.
  parser->has_escaped_keys = false;
  for (uint32_t at = root; at < parser->node_count; at++) {
    if (nodes[at].head & CF_JSON_HAS_ESCAPED_KEY) {
      nodes[at].head &= ~uint32_t(CF_JSON_HAS_ESCAPED_KEY);
      mark_superseded(parser, at);
    }
  }
}
