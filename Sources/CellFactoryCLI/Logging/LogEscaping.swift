/// Escapes text in a log, so that untrusted text cannot leave its line or field.
///
/// Whatever could end a line, move a cursor or change the writing direction is escaped as in JSON: the C0 and
/// C1 controls, DEL, U+2028, U+2029, and the directional marks, embeddings, overrides and isolates.
enum LogEscaping {
  /// Longer text is cut and ends with `…`.
  static let limitBytes = 4096

  /// Appends the text as a JSON string (RFC 8259, section 7).
  static func appendQuoted(_ text: String, limitBytes: Int = limitBytes, to sink: inout some ByteSink) {
    sink.append(UInt8(ascii: "\""))
    append(text, isQuoted: true, limitBytes: limitBytes, to: &sink)
    sink.append(UInt8(ascii: "\""))
  }

  /// Appends the text unchanged if it reads as a single value, otherwise as a JSON string.
  static func appendWord(_ text: String, limitBytes: Int = limitBytes, to sink: inout some ByteSink) {
    // The usual case.
    if appendPlain(text, isWord: true, limitBytes: limitBytes, to: &sink) { return }
    let isWord = !text.isEmpty && text.utf8.allSatisfy { isPlain($0, inWord: true) }
    if isWord {
      append(text, isQuoted: false, limitBytes: limitBytes, to: &sink)
    } else {
      appendQuoted(text, limitBytes: limitBytes, to: &sink)
    }
  }

  /// Appends the text without surrounding quotes; quotes inside it stay.
  static func appendLine(_ text: String, to sink: inout some ByteSink) {
    append(text, isQuoted: false, limitBytes: limitBytes, to: &sink)
  }

  /// Appends an ASCII literal, which needs no escaping.
  static func append(_ literal: StaticString, to sink: inout some ByteSink) {
    // The literal's own bytes, which live as long as the program.
    sink.append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private static func append(
    _ text: String, isQuoted: Bool, limitBytes: Int, to sink: inout some ByteSink
  ) {
    if appendPlain(text, isWord: false, limitBytes: limitBytes, to: &sink) { return }
    var left = limitBytes
    for scalar in text.unicodeScalars {
      left -= UTF8.width(scalar)
      if left < 0 {
        for byte in "…".utf8 { sink.append(byte) }
        return
      }
      switch scalar {
      case "\"" where isQuoted, "\\" where isQuoted:
        sink.append(UInt8(ascii: "\\"))
        sink.append(UInt8(scalar.value))
      case "\n": append("\\n", to: &sink)
      case "\r": append("\\r", to: &sink)
      case "\t": append("\\t", to: &sink)
      case _ where scalar.value >= 0x20 && scalar.value < 0x7F: sink.append(UInt8(scalar.value))
      case _ where isUnsafe(scalar.value): appendEscape(scalar.value, to: &sink)
      default: for unit in UTF8.encode(scalar)! { sink.append(unit) }
      }
    }
  }

  /// Appends short ASCII text that needs no escaping. Otherwise appends nothing and returns false.
  /// - Parameter isWord: whether characters that separate fields count as needing escaping too.
  private static func appendPlain(
    _ text: String, isWord: Bool, limitBytes: Int, to sink: inout some ByteSink
  ) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      guard bytes.count <= limitBytes, !isWord || !bytes.isEmpty else { return false }
      for byte in bytes where !isPlain(byte, inWord: isWord) { return false }
      // Read only within this call.
      sink.append(UnsafeRawBufferPointer(bytes))
      return true
    } ?? false
  }

  private static func isPlain(_ byte: UInt8, inWord: Bool) -> Bool {
    guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
      return false
    }
    return !inWord || byte != UInt8(ascii: " ") && byte != UInt8(ascii: "=")
  }

  private static func isUnsafe(_ value: UInt32) -> Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// Appends `\u001b`. All characters that need escaping are below U+10000.
  private static func appendEscape(_ value: UInt32, to sink: inout some ByteSink) {
    append("\\u", to: &sink)
    let digits = hexDigits(value)
    for shift in [UInt64(24), 16, 8, 0] { sink.append(UInt8(truncatingIfNeeded: digits >> shift)) }
  }

  /// Eight lowercase digits, the first in the highest byte.
  static func hexDigits(_ value: UInt32) -> UInt64 {
    // The value of each digit in its own byte.
    var digits = UInt64(value)
    digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
    digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
    digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}
