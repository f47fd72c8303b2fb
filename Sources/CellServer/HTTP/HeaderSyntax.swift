/// The character classes of HTTP (RFC 9110, section 5; RFC 9112, section 2), as predicates on runs of bytes.
enum HeaderSyntax {
  // One bit for each ASCII character allowed in a token: digits, letters and !#$%&'*+-.^_`|~
  private static let tokensBelow64: UInt64 = 0x03FF_6CFA_0000_0000
  private static let tokensFrom64: UInt64 = 0x57FF_FFFF_C7FF_FFFE

  static func isToken(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    let bits = byte < 64 ? tokensBelow64 : tokensFrom64
    return (bits >> UInt64(byte & 63)) & 1 == 1
  }

  /// Whether the bytes are one or more token characters.
  static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isEmpty && bytes.isAll(mostly: { $0.isNameWord }, isToken)
  }

  /// Whether the bytes are a field value: no control character except tab. Bytes from 0x80 are opaque.
  static func isFieldValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.isAll(mostly: { $0.isPrintableWord }) { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// Whether all bytes are visible ASCII: no spaces, controls or bytes from 0x80.
  static func isVisible(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.isAll(mostly: { $0.isVisibleWord }) { $0 > 0x20 && $0 < 0x7F }
  }

  /// Whether the bytes equal `name`, ignoring ASCII case. `name` must be lowercase.
  @inline(__always)
  static func matches(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    bytes.count == name.utf8CodeUnitCount && bytes.begins(with: name, ignoringCase: true)
  }

  /// Same as `matches`, for a prefix.
  @inline(__always)
  static func begins(_ bytes: UnsafeRawBufferPointer, with name: StaticString) -> Bool {
    bytes.count >= name.utf8CodeUnitCount && bytes.begins(with: name, ignoringCase: true)
  }

  /// Whether the bytes equal `text`, case-sensitively.
  @inline(__always)
  static func equals(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    bytes.count == text.utf8CodeUnitCount && bytes.begins(with: text, ignoringCase: false)
  }

  /// The bytes without leading and trailing spaces and tabs.
  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}
