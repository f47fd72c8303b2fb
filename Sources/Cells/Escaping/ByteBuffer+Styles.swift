/// `style` attributes: values of declarations.
extension ByteBuffer {
  /// Appends a number, a length, a color or a word, with nothing that CSS could read as more; else `invalid`, which no
  /// property knows.
  mutating func appendStyleValue(_ source: UnsafeRawBufferPointer) {
    if source.count <= Self.mostJudgedBytes, source.allSatisfy(Self.isStyle) {
      append(source)
    } else {
      append("invalid")
    }
  }

  private static func isStyle(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: byte.isLetterOrDigit
    }
  }
}
