/// `style` attributes: the values of declarations.
extension ByteBuffer {
  /// Appends a number, length, color or word that CSS cannot parse as anything else; otherwise `invalid`,
  /// which is not a valid value of any property.
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
