/// Percent-encodes paths for links in HTML and in style sheets: all but letters, digits and `-._~/`.
package enum PercentEncoding {
  package static func encoded(_ path: some StringProtocol) -> String {
    var text: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      let isPlain =
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-._~/".utf8.contains(byte)
      if isPlain {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
