import Cells

/// Percent-decoding (RFC 3986, section 2.1), applied once.
enum PercentDecoding {
  enum Fault: Error, Equatable {
    /// A `%` not followed by two hexadecimal digits, at this offset of the encoded text.
    case badEscape(offset: Int)
    /// The decoded bytes are not UTF-8.
    case notUTF8

    /// Completes a sentence whose subject is the text that was decoded.
    var reason: String {
      switch self {
      case .badEscape: "has a % that is not followed by two hexadecimal digits; write %25 for %"
      case .notUTF8: "is not UTF-8 once percent-decoded"
      }
    }
  }

  /// Decodes `text[range]`, checks that the result is UTF-8, and appends it to `buffer`. After a fault, the
  /// part already appended stays in `buffer`. `%00` is decoded like any other escape.
  static func append(
    _ text: borrowing Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool, to buffer: inout ByteBuffer
  ) throws(Fault) {
    let start = buffer.count
    let isASCII = try appendUnchecked(text, range, plusIsSpace: plusIsSpace, to: &buffer)
    if !isASCII && !isUTF8(UnsafeRawBufferPointer(rebasing: buffer.bytes[start...])) { throw .notUTF8 }
  }

  /// Same as `append`, without the UTF-8 check. Returns whether all decoded bytes are ASCII.
  static func appendUnchecked(
    _ text: borrowing Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool, to buffer: inout ByteBuffer
  ) throws(Fault) -> Bool {
    var isASCII = true
    var position = range.lowerBound
    var runStart = position
    while position < range.upperBound {
      let byte = text[position]
      isASCII = isASCII && byte < 0x80
      let decoded: UInt8
      var length = 1
      if byte == UInt8(ascii: "%") {
        guard range.upperBound - position > 2,
          let high = hexDigit(text[position + 1]), let low = hexDigit(text[position + 2])
        else { throw .badEscape(offset: position) }
        decoded = high << 4 | low
        isASCII = isASCII && decoded < 0x80
        length = 3
      } else if byte == UInt8(ascii: "+") && plusIsSpace {
        decoded = UInt8(ascii: " ")
      } else {
        position += 1
        continue
      }
      append(text, runStart..<position, to: &buffer)
      buffer.append(byte: decoded)
      position += length
      runStart = position
    }
    append(text, runStart..<position, to: &buffer)
    return isASCII
  }

  /// The end of the next piece of `range`: at most `bytes` long, and not inside an escape.
  static func pieceEnd(_ text: borrowing Span<UInt8>, _ range: Range<Int>, bytes: Int) -> Int {
    guard range.count > bytes else { return range.upperBound }
    let end = range.lowerBound + bytes
    if text[end - 1] == UInt8(ascii: "%") { return end - 1 }
    return text[end - 2] == UInt8(ascii: "%") ? end - 2 : end
  }

  /// The start of a last character that may continue after `bytes`; `bytes.count` if the last one is
  /// complete.
  static func openCharacter(in bytes: UnsafeRawBufferPointer) -> Int {
    for length in 1...3 where length <= bytes.count {
      let byte = bytes[bytes.count - length]
      if byte < 0x80 { break }
      // A lead byte tells how many bytes follow it.
      if byte >= 0xC0 {
        return (byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2) > length ? bytes.count - length : bytes.count
      }
    }
    return bytes.count
  }

  /// `text[range]`, decoded.
  static func string(
    _ text: borrowing Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool
  ) throws(Fault) -> String {
    var buffer = ByteBuffer(capacity: range.count)
    try append(text, range, plusIsSpace: plusIsSpace, to: &buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static func append(_ text: borrowing Span<UInt8>, _ range: Range<Int>, to buffer: inout ByteBuffer)
  {
    if range.isEmpty { return }
    // The bytes are copied before the borrow of `text` ends.
    text.extracting(range).withUnsafeBytes { buffer.append($0) }
  }

  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The span borrows the caller's memory, which does not change before the span ends.
    bytes.withMemoryRebound(to: UInt8.self) {
      (try? UTF8Span(validating: $0.span)) != nil
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
