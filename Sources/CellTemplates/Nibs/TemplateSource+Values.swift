extension TemplateSource {
  /// The offset in the source of a byte of an attribute's value, as far as no character reference precedes it. The attribute's
  /// own if it has no value.
  /// - Parameter at: where the attribute's name starts.
  func offset(of position: Int, inValueOfAttributeAt at: Int) -> Int {
    var start = at
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while start < content.upperBound, isSkipped(bytes[start]) { start += 1 }
    }
    // No further than the attribute: the next equals sign may be another's, far away.
    skip { !HTMLTokenizer.isSpace($0) && !"=/>".utf8.contains($0) }
    skip(HTMLTokenizer.isSpace)
    guard start < content.upperBound, bytes[start] == UInt8(ascii: "=") else { return at }
    start += 1
    skip(HTMLTokenizer.isSpace)
    if start < content.upperBound, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
      start += 1
    }
    return min(start + position, max(at, content.upperBound - 1))
  }
}
