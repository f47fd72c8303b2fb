extension JSONTape {
  /// Appends UTF-8 `bytes` as a JSON string with quotes, minimally escaped (RFC 8259, section 7): `\"`, `\\`,
  /// `\b`, `\f`, `\n`, `\r`, `\t`, and other control characters as `\u00xx`.
  ///
  /// `bytes` must not lie in `output`.
  package static func appendJSONString(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    output.reserve(bytes.count + 2)
    output.append(byte: UInt8(ascii: "\""))
    appendJSONContent(bytes, to: &output)
    output.append(byte: UInt8(ascii: "\""))
  }

  /// The same without quotes. A string may be appended in parts, split anywhere.
  package static func appendJSONContent(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    var start = 0
    while true {
      let stop = firstToEscape(in: bytes, from: start)
      if stop > start { output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<stop])) }
      guard stop < bytes.count else { break }
      appendEscape(of: bytes[stop], to: &output)
      start = stop + 1
    }
  }

  /// The index of the first quote, backslash or control character from `start` on; `bytes.count` if there is
  /// none.
  @inline(__always)
  private static func firstToEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var at = start
    while at + 8 <= bytes.count {
      // Eight bytes inside `bytes`, by the loop's condition.
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      // Sets the high bit of each byte that is a quote or backslash or less than 0x20. A borrow can mark a
      // wrong byte only above a correctly marked one, and only the lowest mark is used.
      let marks =
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- (ones &* 0x20)) & ~word)
      if marks & high != 0 { return at + (marks & high).trailingZeroBitCount / 8 }
      at += 8
    }
    while at < bytes.count {
      let byte = bytes[at]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return at }
      at += 1
    }
    return at
  }

  private static func appendEscape(of byte: UInt8, to output: inout ByteBuffer) {
    switch byte {
    case UInt8(ascii: "\""): output.append("\\\"")
    case UInt8(ascii: "\\"): output.append("\\\\")
    case 0x08: output.append("\\b")
    case 0x09: output.append("\\t")
    case 0x0A: output.append("\\n")
    case 0x0C: output.append("\\f")
    case 0x0D: output.append("\\r")
    default:
      output.append("\\u00")
      for digit in [byte >> 4, byte & 15] {
        output.append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
