extension JSONTape {
  /// Appends `bytes`, which are UTF-8, as a JSON string with quotes, minimally escaped (RFC 8259, section 7):
  /// `\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`, other control characters as `\u00xx`; all else as it is.
  ///
  /// `bytes` must not lie in `output`.
  package static func appendJSONString(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    output.reserve(bytes.count + 2)
    output.append(byte: UInt8(ascii: "\""))
    appendJSONContent(bytes, to: &output)
    output.append(byte: UInt8(ascii: "\""))
  }

  /// The same without quotes: a string may be appended in parts, wherever it is divided.
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

  /// The place of the first quote, backslash or control character from `start` on; `bytes.count` if there is
  /// none.
  @inline(__always)
  private static func firstToEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var at = start
    while at + 8 <= bytes.count {
      // Eight bytes inside of `bytes`: checked by the loop's condition.
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      // The high bit of each byte that is 0, or less than 0x20. A borrow can mark a byte wrongly only above
      // one that is marked rightly, and the lowest is what counts.
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
