/// Identifiers of CSS.
enum CSSIdentifier {
  /// As `CSS.escape` does (CSSOM, "serialize an identifier").
  /// - Parameter text: UTF-8.
  static func escaped(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(2 * text.count)
    for (position, byte) in text.enumerated() {
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      let startsName = position == 0 || position == 1 && text[0] == UInt8(ascii: "-")
      switch byte {
      case 0: output += "\u{FFFD}".utf8
      case 1..<0x20, 0x7F: appendCode(byte, to: &output)
      case _ where isDigit && startsName: appendCode(byte, to: &output)
      case UInt8(ascii: "-") where text.count == 1: output += [UInt8(ascii: "\\"), byte]
      case _ where byte >= 0x80 || isDigit || isLetter, UInt8(ascii: "-"), UInt8(ascii: "_"):
        output.append(byte)
      default:
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      }
    }
    return output
  }

  /// The code of a character, which a space ends.
  private static func appendCode(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    output += String(byte, radix: 16).utf8
    output.append(UInt8(ascii: " "))
  }
}
