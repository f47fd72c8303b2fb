/// Scans a field value for the tokens of RFC 9110, section 5.6.
struct HeaderScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  /// - Parameter limitBytes: the most bytes that are scanned; the rest is ignored.
  init(_ value: String, limitBytes: Int = .max) { bytes = Array(value.utf8.prefix(limitBytes)) }

  var isAtEnd: Bool { position == bytes.count }
  var current: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Skips optional white space: spaces and tabs.
  mutating func skipSpace() {
    while let byte = current, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  /// A token in lowercase; nil if none starts here.
  mutating func token() -> String? {
    let start = position
    while let byte = current, Self.isTokenByte(byte) { position += 1 }
    if start == position { return nil }
    return String(decoding: bytes[start..<position].map(Self.lowercased), as: UTF8.self)
  }

  /// The content of a quoted string, ASCII lowercased; nil if no complete one starts here.
  mutating func quotedString() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var content: [UInt8] = []
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = current else { return nil }
        position += 1
        content.append(Self.lowercased(escaped))
      default: content.append(Self.lowercased(byte))
      }
    }
    return nil
  }

  /// The opaque part of an entity tag (RFC 9110, section 8.8.3), where `\` is not an escape; nil if no
  /// complete one starts here. Bytes that are invalid in a tag are accepted, because such a tag equals none
  /// of ours.
  mutating func opaqueTag() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes[start..<position - 1], as: UTF8.self) }
    }
    return nil
  }

  /// Advances to the comma that ends a list element, or to the end. Commas in quoted strings do not count.
  mutating func skipElement() {
    var isQuoted = false
    while let byte = current {
      if isQuoted {
        if byte == UInt8(ascii: "\"") { isQuoted = false }
        if byte == UInt8(ascii: "\\") && position + 1 < bytes.count { position += 1 }
      } else {
        if byte == UInt8(ascii: ",") { return }
        if byte == UInt8(ascii: "\"") { isQuoted = true }
      }
      position += 1
    }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: tokenMarks.contains(byte)
    }
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
