/// Text in a log, so that it stays within its line and its field whoever wrote it.
///
/// What could end a line, move a cursor or turn the writing direction around is written as JSON escapes it: the C0 and
/// C1 controls, DEL, U+2028, U+2029, and the directional marks, embeddings, overrides and isolates.
enum LogEscaping {
  /// Longer text is cut, and ends with `…`.
  static let limitBytes = 4096

  /// The text as a JSON string (RFC 8259, section 7).
  static func appendQuoted(_ text: String, limitBytes: Int = limitBytes, to sink: inout some ByteSink) {
    sink.append(UInt8(ascii: "\""))
    append(text, isQuoted: true, limitBytes: limitBytes, to: &sink)
    sink.append(UInt8(ascii: "\""))
  }

  /// The text as it is where it can be read as one value, else as a JSON string.
  static func appendWord(_ text: String, limitBytes: Int = limitBytes, to sink: inout some ByteSink) {
    if isWord(text) {
      append(text, isQuoted: false, limitBytes: limitBytes, to: &sink)
    } else {
      appendQuoted(text, limitBytes: limitBytes, to: &sink)
    }
  }

  /// The text without quotes around it; those in it stay.
  static func appendLine(_ text: String, to sink: inout some ByteSink) {
    append(text, isQuoted: false, limitBytes: limitBytes, to: &sink)
  }

  /// The ASCII text of a literal, which needs no escaping.
  static func append(_ literal: StaticString, to sink: inout some ByteSink) {
    // The literal's own bytes, which live as long as the program.
    sink.append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
          && byte != UInt8(ascii: "\\")
      }
  }

  private static func append(
    _ text: String, isQuoted: Bool, limitBytes: Int, to sink: inout some ByteSink
  ) {
    if appendPlain(text, limitBytes: limitBytes, to: &sink) { return }
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

  /// What nearly every text is: ASCII with nothing to escape, and not too long. False: it is not, and nothing was done.
  private static func appendPlain(_ text: String, limitBytes: Int, to sink: inout some ByteSink) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      let isPlain =
        bytes.count <= limitBytes
        && bytes.allSatisfy {
          $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
      // Read within this call only.
      if isPlain { sink.append(UnsafeRawBufferPointer(bytes)) }
      return isPlain
    } ?? false
  }

  private static func isUnsafe(_ value: UInt32) -> Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  /// `\u001b`; all that need it are below U+10000.
  private static func appendEscape(_ value: UInt32, to sink: inout some ByteSink) {
    append("\\u", to: &sink)
    for shift in [UInt32(12), 8, 4, 0] { sink.append(hexDigit(UInt8(value >> shift & 15))) }
  }

  /// - Parameter value: below 16.
  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
