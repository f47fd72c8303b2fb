// Explains why a text was refused: finds the first byte at which no JSON text can continue, and why.

#include <cstring>
#include <new>

#include "cf_json.h"

namespace {

/// For each byte, whether it is white space in JSON.
struct spaces {
  bool of[256] = {};
  constexpr spaces() { of[' '] = of['\t'] = of['\n'] = of['\r'] = true; }
};
constexpr spaces is_space;

uint64_t load_word(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

/// Whether all eight bytes are ASCII characters that need no escape in a string.
bool is_plain(uint64_t word) {
  constexpr uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  auto has_zero = [](uint64_t bytes) { return (bytes - ones) & ~bytes & high; };
  uint64_t below_space = (word - ones * 0x20) & ~word & high;
  return ((word & high) | below_space | has_zero(word ^ ones * '"') | has_zero(word ^ ones * '\\')) == 0;
}

/// Length of the UTF-8 sequence at `p`, of which `available` bytes exist; 0 if invalid (RFC 3629, section 4).
size_t utf8_length(const uint8_t *p, size_t available) {
  uint8_t lead = p[0];
  if (lead < 0x80) return 1;
  size_t length;
  uint8_t low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (available < length || p[1] < low || p[1] > high) return 0;
  for (size_t i = 2; i < length; i++) {
    if ((p[i] & 0xC0) != 0x80) return 0;
  }
  return length;
}

enum class verdict { valid, invalid, paused };

/// Where a text can be left and taken up again. White space may come before all of them but those inside a value.
enum class step {
  value,
  /// A value, or the end of an empty array.
  first_value,
  name,
  /// A name, or the end of an empty object.
  first_name,
  colon,
  /// After a value: a comma, or the end of what contains it.
  closing,
  /// After the outermost value.
  end,
  /// Inside a string; inside the digits of a number.
  string, integer, fraction, exponent,
};

}  // namespace

struct cf_json_judge {
  const uint8_t *text;
  uint32_t at;
  uint32_t start;
  uint32_t end;
  uint32_t depth_limit;
  cf_json_fault fault;

  /// Which of the open containers are objects, one bit each.
  uint64_t objects[65536 / 64];
  uint32_t depth;
  /// What comes next in the text.
  step next;
  /// Whether the string being read is a name.
  bool is_name;
  /// The error to report if the next value or name is invalid.
  const char *otherwise;
  /// The judge pauses at or right after this position.
  uint64_t pause_at;

  bool at_end() const { return at == end; }
  bool is(char byte) const { return at < end && text[at] == uint8_t(byte); }
  bool is_digit() const { return at < end && text[at] >= '0' && text[at] <= '9'; }

  bool fail(const char *reason) {
    if (at_end()) {
      reason = "unexpected end of input";
    } else if (utf8_length(text + at, end - at) == 0) {
      reason = "invalid UTF-8";
    }
    fault = {reason, at, 0};
    return false;
  }

  /// Skips bytes up to the next pause. Returns false if there may be more of them.
  template <typename Class>
  bool skip(Class belongs) {
    uint32_t limit = pause_at < end ? uint32_t(pause_at) : end;
    while (at < limit && belongs(text[at])) at++;
    return at < limit || at == end;
  }

  bool skip_space() {
    return skip([](uint8_t byte) { return is_space.of[byte]; });
  }

  bool skip_digits() {
    return skip([](uint8_t byte) { return byte >= '0' && byte <= '9'; });
  }

  bool literal(const char *word) {
    for (; *word; word++, at++) {
      if (!is(*word)) return fail("expected true, false or null");
    }
    return true;
  }

  /// Begins the digits of a part of a number. There must be one.
  bool digits(step part, const char *reason) {
    if (!is_digit()) return fail(reason);
    at++;
    next = part;
    return true;
  }

  /// Begins a number.
  bool number() {
    if (is('-')) at++;
    if (!is('0')) return digits(step::integer, "expected a digit");
    at++;
    if (is_digit()) return fail("a number has a leading zero");
    next = step::integer;
    return true;
  }

  /// After the digits of a part of a number: begins the next part, or ends the value.
  bool number_on() {
    if (next == step::integer && is('.')) {
      at++;
      return digits(step::fraction, "expected a digit after the decimal point");
    }
    if (next != step::exponent && (is('e') || is('E'))) {
      at++;
      if (is('+') || is('-')) at++;
      return digits(step::exponent, "expected a digit in the exponent");
    }
    next = step::closing;
    return true;
  }

  bool hex(uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, at++) {
      uint8_t byte = at_end() ? 0 : text[at];
      uint32_t value;
      if (byte >= '0' && byte <= '9') {
        value = byte - '0';
      } else if (byte >= 'a' && byte <= 'f') {
        value = byte - 'a' + 10u;
      } else if (byte >= 'A' && byte <= 'F') {
        value = byte - 'A' + 10u;
      } else {
        return fail("expected four hexadecimal digits after \\u");
      }
      *unit = *unit * 16 + value;
    }
    return true;
  }

  bool lone_surrogate(uint32_t escape) {
    fault = {"a lone surrogate", escape, 0};
    return false;
  }

  bool escape() {
    uint32_t begin = at++;
    if (at_end()) return fail("");
    switch (text[at]) {
      case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        at++;
        return true;
      case 'u':
        at++;
        break;
      default:
        return fail("not an escape that JSON knows");
    }
    uint32_t unit;
    if (!hex(&unit)) return false;
    if (unit < 0xD800 || unit > 0xDFFF) return true;
    if (unit >= 0xDC00) return lone_surrogate(begin);
    if (at_end()) return fail("");
    if (!is('\\')) return lone_surrogate(begin);
    at++;
    if (at_end()) return fail("");
    if (!is('u')) return lone_surrogate(begin);
    at++;
    if (!hex(&unit)) return false;
    return unit >= 0xDC00 && unit <= 0xDFFF ? true : lone_surrogate(begin);
  }

  /// Begins a string.
  bool string(bool name) {
    at++;
    is_name = name;
    next = step::string;
    return true;
  }

  /// Continues inside a string, up to the next pause or its end.
  bool string_on() {
    while (at < pause_at) {
      while (end - at >= 8 && at < pause_at && is_plain(load_word(text + at))) at += 8;
      if (at_end()) return fail("");
      uint8_t byte = text[at];
      if (byte == '"') {
        at++;
        next = is_name ? step::colon : step::closing;
        return true;
      }
      if (byte == '\\') {
        if (!escape()) return false;
      } else if (byte < 0x20) {
        return fail("a control character in a string");
      } else {
        size_t length = utf8_length(text + at, end - at);
        if (length == 0) return fail("");
        at += uint32_t(length);
      }
    }
    return true;
  }

  /// Begins a string or number, or reads a literal.
  bool scalar() {
    if (at_end()) return fail(otherwise);
    next = step::closing;
    switch (text[at]) {
      case '"': return string(false);
      case 't': return literal("true");
      case 'f': return literal("false");
      case 'n': return literal("null");
      case '-': return number();
      default: return is_digit() ? number() : fail(otherwise);
    }
  }

  bool open(bool is_object) {
    if (depth == depth_limit) {
      fault = {"nested too deep", at, 1};
      return false;
    }
    uint64_t bit = uint64_t(1) << (depth & 63);
    if (is_object) {
      objects[depth / 64] |= bit;
    } else {
      objects[depth / 64] &= ~bit;
    }
    depth++;
    at++;
    return true;
  }

  bool in_object() const { return objects[(depth - 1) / 64] >> ((depth - 1) & 63) & 1; }

  /// Reads a value, or its beginning.
  bool value() {
    if (is('{')) {
      next = step::first_name;
      return open(true);
    }
    if (is('[')) {
      next = step::first_value;
      return open(false);
    }
    return scalar();
  }

  /// Reads the end of an empty array or object.
  void close() {
    at++;
    depth--;
    next = step::closing;
  }

  /// After a value: reads a comma, or the end of what contains the value.
  bool closing() {
    if (depth == 0) {
      next = step::end;
      return true;
    }
    if (is(',')) {
      at++;
      next = in_object() ? step::name : step::value;
      otherwise = in_object() ? "expected a name in quotes" : "expected a value";
      return true;
    }
    if (!is(in_object() ? '}' : ']')) return fail(in_object() ? "expected ',' or '}'" : "expected ',' or ']'");
    close();
    return true;
  }

  /// Takes the next step. Returns false if the text is invalid there.
  bool take_step() {
    switch (next) {
      case step::first_value:
        if (is(']')) {
          close();
          return true;
        }
        otherwise = "expected a value or ']'";
        return value();
      case step::value:
        return value();
      case step::first_name:
        if (is('}')) {
          close();
          return true;
        }
        otherwise = "expected a name in quotes or '}'";
        [[fallthrough]];
      case step::name:
        return is('"') ? string(true) : fail(otherwise);
      case step::colon:
        if (!is(':')) return fail("expected ':' after a name");
        at++;
        next = step::value;
        otherwise = "expected a value";
        return true;
      case step::closing:
        return closing();
      case step::string:
        return string_on();
      case step::integer: case step::fraction: case step::exponent:
        return number_on();
      case step::end:
        return true;
    }
    return false;
  }

  /// Skips what does not matter before the next step. Returns false if there may be more of it.
  bool approach() {
    switch (next) {
      case step::string: return true;
      case step::integer: case step::fraction: case step::exponent: return skip_digits();
      default: return skip_space();
    }
  }

  /// Checks the text up to the next pause, or to its end.
  verdict document() {
    for (;;) {
      if (at >= pause_at || !approach()) return verdict::paused;
      if (next == step::end) {
        if (at_end()) return verdict::valid;
        fail("more text after the value");
        return verdict::invalid;
      }
      if (!take_step()) return verdict::invalid;
    }
  }
};

extern "C" {

cf_json_judge *cf_json_judge_create(uint32_t start, uint32_t end, uint32_t depth_limit) {
  auto *judge = new (std::nothrow) cf_json_judge();
  if (!judge) return nullptr;
  judge->at = start;
  judge->start = start;
  judge->end = end;
  judge->depth_limit = depth_limit < 65535 ? depth_limit : 65535;
  judge->next = step::value;
  judge->otherwise = "expected a value";
  return judge;
}

void cf_json_judge_free(cf_json_judge *judge) { delete judge; }

bool cf_json_judge_continue(cf_json_judge *judge, const uint8_t *text, size_t bytes) {
  judge->text = text;
  if (judge->at == judge->start && judge->end - judge->at >= 3 && text[judge->at] == 0xEF &&
      text[judge->at + 1] == 0xBB && text[judge->at + 2] == 0xBF) {
    judge->fault = {"a byte order mark, which JSON does not allow", judge->at, 0};
    return true;
  }
  judge->pause_at = bytes == SIZE_MAX ? UINT64_MAX : uint64_t(judge->at) + bytes;
  return judge->document() != verdict::paused;
}

cf_json_fault cf_json_judge_fault(const cf_json_judge *judge) { return judge->fault; }

}
