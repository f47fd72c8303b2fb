/// CSS: the values of declarations, and names in selectors.
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

  /// Appends a part of a name, which can end neither the name nor the selector; otherwise `invalid`.
  mutating func appendSelectorName(_ source: UnsafeRawBufferPointer) {
    let isName =
      source.count <= Self.mostJudgedBytes
      && source.allSatisfy {
        $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 >= 0x80
      }
    if isName { append(source) } else { append("invalid") }
  }

  private static func isStyle(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: byte.isLetterOrDigit
    }
  }
}
