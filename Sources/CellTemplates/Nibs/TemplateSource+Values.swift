extension TemplateSource {
  /// The offset in the source of a byte of an attribute's value, as far as no character reference precedes it.
  /// - Parameter at: where the attribute's name starts.
  func offset(of position: Int, inValueOfAttributeAt at: Int) -> Int {
    var start = at
    while start < content.upperBound, bytes[start] != UInt8(ascii: "=") { start += 1 }
    start += 1
    while start < content.upperBound, HTMLTokenizer.isSpace(bytes[start]) { start += 1 }
    if start < content.upperBound, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
      start += 1
    }
    return min(start + position, max(at, content.upperBound - 1))
  }
}
