/// `style` attributes: values of declarations.
extension ByteBuffer {
  /// Appends a number, a length, a color or a word, with nothing that CSS could read as more; else `invalid`, which no
  /// property knows.
  mutating func appendStyleValue(_ source: UnsafeRawBufferPointer) {
    let isPlain = source.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "#"), UInt8(ascii: "%"),
        UInt8(ascii: "+"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    if isPlain { append(source) } else { append("invalid") }
  }
}
