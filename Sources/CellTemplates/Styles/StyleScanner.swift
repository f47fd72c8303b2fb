/// Splits a style sheet into tokens, as far as references, brackets and at-rules need it. One pass without look-back; the
/// cost is linear. Source: CSS Syntax Module Level 3, section 4.
struct StyleScanner {
  enum Token: Equatable {
    case space
    case comment
    /// The range of its content, without quotes.
    case string(Range<Int>)
    /// `url(…)` without quotes; the range of its content.
    case url(Range<Int>)
    case atKeyword
    /// A name and its parenthesis.
    case function
    case word
    /// `(`, `[` or `{`.
    case open(UInt8)
    case close(UInt8)
    case semicolon
    /// `<!--` or `-->`.
    case mark
    /// A string or URL that is cut off by what it must not contain.
    case broken
    case other
  }

  let bytes: [UInt8]
  /// The range of the last token.
  private(set) var range = 0..<0
  /// What the last token lacks at the end of the text, to be complete.
  private(set) var missingEnd: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next token; nil at the end.
  mutating func next() -> Token? {
    let start = range.upperBound
    guard start < bytes.count else { return nil }
    var position = start
    let token = scan(&position)
    range = start..<position
    return token
  }

  /// The name in a token with a name, in lowercase and with escapes decoded.
  var name: String {
    var text = bytes[range]
    if text.first == UInt8(ascii: "@") { text.removeFirst() }
    if text.last == UInt8(ascii: "(") { text.removeLast() }
    return Self.unescaped(text).lowercased()
  }

  /// The text of a name, a string or a URL, with its escapes decoded.
  static func unescaped(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    var output: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      let digits = rest.prefix(6).prefix { isHexDigit($0) }
      if digits.isEmpty {
        // An escaped line end in a string is nothing.
        if let next = rest.first {
          rest.removeFirst()
          if next == 13, rest.first == 10 { rest.removeFirst() }
          if !isLineEnd(next) { output.append(next) }
        }
        continue
      }
      rest = rest.dropFirst(digits.count)
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
      output += String(Unicode.Scalar(value == 0 ? 0xFFFD : value) ?? "\u{FFFD}").utf8
      if let next = rest.first, isSpace(next) {
        rest.removeFirst()
        if next == 13, rest.first == 10 { rest.removeFirst() }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  // MARK: Tokens

  private mutating func scan(_ position: inout Int) -> Token {
    let byte = bytes[position]
    if Self.isSpace(byte) {
      while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
      return .space
    }
    switch byte {
    case UInt8(ascii: "/") where holds("/*", at: position):
      position += 2
      while position < bytes.count, !holds("*/", at: position) { position += 1 }
      if position == bytes.count { missingEnd = Array("*/".utf8) }
      position = min(position + 2, bytes.count)
      return .comment
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return scanString(&position)
    case UInt8(ascii: "<") where holds("<!--", at: position):
      position += 4
      return .mark
    case UInt8(ascii: "-") where holds("-->", at: position):
      position += 3
      return .mark
    case UInt8(ascii: "@"), UInt8(ascii: "#"):
      position += 1
      let isNamed = scanName(&position)
      return isNamed && byte == UInt8(ascii: "@") ? .atKeyword : .other
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      position += 1
      return .open(byte)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      position += 1
      return .close(byte)
    case UInt8(ascii: ";"):
      position += 1
      return .semicolon
    default:
      let start = position
      guard scanName(&position) else {
        position += 1
        return .other
      }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "(") else { return .word }
      let isNumber = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      if isNumber { return .word }
      let isURL = Self.unescaped(bytes[start..<position]).lowercased() == "url"
      position += 1
      return isURL ? scanURL(&position) : .function
    }
  }

  /// Scans letters, digits, `-`, `_`, other characters than ASCII, and escapes. Returns false if there are none.
  private mutating func scanName(_ position: inout Int) -> Bool {
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\\") {
        guard position + 1 < bytes.count else {
          // A line end would end the escape.
          missingEnd = [0x20]
          position += 1
          return true
        }
        if Self.isLineEnd(bytes[position + 1]) { break }
        skipEscape(&position)
        continue
      }
      guard Self.isNameByte(byte) else { break }
      position += 1
    }
    return position > start
  }

  /// Skips an escape: a byte, or up to six hexadecimal digits with one white space that ends them.
  private func skipEscape(_ position: inout Int) {
    let digits = bytes[(position + 1)...].prefix(6).prefix { Self.isHexDigit($0) }.count
    position += 1 + max(digits, 1)
    guard digits > 0, position < bytes.count else { return }
    if holds("\r\n", at: position) {
      position += 2
    } else if Self.isSpace(bytes[position]) {
      position += 1
    }
  }

  private mutating func scanString(_ position: inout Int) -> Token {
    let quote = bytes[position]
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == quote {
        position += 1
        return .string(start..<position - 1)
      }
      if byte == UInt8(ascii: "\\") {
        if position + 1 == bytes.count { missingEnd = [10] }
        if holds("\r\n", at: position + 1) { position += 1 }
        position = min(position + 2, bytes.count)
        continue
      }
      if Self.isLineEnd(byte) { return .broken }
      position += 1
    }
    missingEnd.append(quote)
    return .string(start..<position)
  }

  /// Scans what follows `url(`.
  private mutating func scanURL(_ position: inout Int) -> Token {
    var start = position
    while start < bytes.count, Self.isSpace(bytes[start]) { start += 1 }
    if start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
      return .function
    }
    position = start
    var end: Int?
    var isBroken = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ")") {
        position += 1
        return isBroken ? .broken : .url(start..<(end ?? position - 1))
      }
      if byte == UInt8(ascii: "\\") {
        if position + 1 == bytes.count {
          missingEnd = [10]
        } else if Self.isLineEnd(bytes[position + 1]) {
          isBroken = true
        }
        if end != nil { isBroken = true }
        position = min(position + 2, bytes.count)
        continue
      }
      if Self.isSpace(byte) {
        end = end ?? position
      } else if end != nil || "\"'(".utf8.contains(byte) || byte < 0x20 || byte == 0x7F {
        isBroken = true
      }
      position += 1
    }
    missingEnd.append(UInt8(ascii: ")"))
    return isBroken ? .broken : .url(start..<(end ?? position))
  }

  // MARK: Bytes

  private func holds(_ text: StaticString, at position: Int) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where bytes[position + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || isLineEnd(byte) }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 12 || byte == 13 }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f")
  }
}
