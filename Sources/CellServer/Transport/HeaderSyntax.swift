/// The character classes of HTTP (RFC 9110, section 5; RFC 9112, section 2), as questions about runs of
/// bytes.
enum HeaderSyntax {
  // One bit for each ASCII character that may stand in a token: digits, letters and !#$%&'*+-.^_`|~
  private static let tokensBelow64: UInt64 = 0x03FF_6CFA_0000_0000
  private static let tokensFrom64: UInt64 = 0x57FF_FFFF_C7FF_FFFE

  static func isToken(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    let bits = byte < 64 ? tokensBelow64 : tokensFrom64
    return (bits >> UInt64(byte & 63)) & 1 == 1
  }

  /// One or more token characters.
  static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return false }
    for byte in bytes where !isToken(byte) { return false }
    return true
  }

  /// A field value: no control character but the tab. Bytes from 0x80 on are opaque.
  static func isFieldValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
      // In bounds by the condition.
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if hasControl(word), !bytes[place..<(place + 8)].allSatisfy(isFieldByte) { return false }
      place += 8
    }
    while place < bytes.count {
      if !isFieldByte(bytes[place]) { return false }
      place += 1
    }
    return true
  }

  private static func isFieldByte(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

  /// Whether one of eight bytes is below 0x20 or is 0x7F: in the high bit of each byte, the borrow of a
  /// subtraction where the byte itself had none (Bit Twiddling Hacks, "Determine if a word has a byte less
  /// than n").
  private static func hasControl(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high = ones << 7
    let isDelete = word ^ (ones &* 0x7F)
    return ((word &- ones &* 0x20) & ~word | (isDelete &- ones) & ~isDelete) & high != 0
  }

  /// Without spaces, controls and bytes beyond ASCII.
  static func isVisible(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// A host with or without a port, by its characters; empty is allowed (RFC 9110, section 7.2).
  static func isHost(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: ","),
        UInt8(ascii: "\\"):
        false
      default: byte > 0x20 && byte < 0x7F
      }
    }
  }

  /// Whether a token is this name, which is written in lower case here. For tokens only: setting the bit that
  /// makes a letter small turns some bytes that no token holds into token characters.
  @inline(__always)
  static func matches(_ token: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    token.count == name.utf8CodeUnitCount && begins(token, with: name)
  }

  /// As `matches`, for the beginning of a longer token.
  static func begins(_ token: UnsafeRawBufferPointer, with name: StaticString) -> Bool {
    guard token.count >= name.utf8CodeUnitCount else { return false }
    for place in 0..<name.utf8CodeUnitCount where token[place] | 0x20 != name.utf8Start[place] {
      return false
    }
    return true
  }

  /// Whether the bytes are exactly those of `text`.
  @inline(__always)
  static func equals(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for place in 0..<bytes.count where bytes[place] != text.utf8Start[place] { return false }
    return true
  }

  /// The bytes without spaces and tabs at their ends.
  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}
