/// The name of a form field, as sent: percent-encoded, with dots between its parts.
struct FieldName {
  /// Without the colon that says that the value is JSON.
  let range: Range<Int>
  /// Whether the name ends in a colon, as in `price:=19.90`.
  let isOfJSON: Bool

  init(_ range: Range<Int>, of text: borrowing Span<UInt8>) {
    let colon = Self.length(ofLast: UInt8(ascii: ":"), "%3A", in: range, of: text)
    self.range = range.lowerBound..<range.upperBound - colon
    isOfJSON = colon > 0
  }

  /// What to write instead of a part with an index or a key in brackets: `tags[]`, `tags[0]`, `author[name]`. nil for any
  /// other part; one that begins with a bracket is an ordinary name.
  static func hintOnBrackets(_ part: Range<Int>, of text: borrowing Span<UInt8>) -> String? {
    let close = length(ofLast: UInt8(ascii: "]"), "%5D", in: part, of: text)
    if close == 0 { return nil }
    var end = part.upperBound - close
    var isIndex = true
    while end > part.lowerBound {
      let open = length(ofLast: UInt8(ascii: "["), "%5B", in: part.lowerBound..<end, of: text)
      if open > 0 {
        if end - open == part.lowerBound { return nil }
        return isIndex ? "repeat the name for each value of a list" : "write dots: author.name=Ada"
      }
      end -= 1
      isIndex = isIndex && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[end])
    }
    return nil
  }

  /// The length of a character at the end of the range, sent as it is or percent-encoded; 0 if another is there.
  private static func length(
    ofLast byte: UInt8, _ escape: StaticString, in range: Range<Int>, of text: borrowing Span<UInt8>
  ) -> Int {
    guard let last = range.last else { return 0 }
    if text[last] == byte { return 1 }
    guard range.count >= 3, text[last - 2] == UInt8(ascii: "%") else { return 0 }
    // The escape has three bytes. Of its last digit, a letter, either case is allowed.
    let (high, low) = (escape.utf8Start[1], escape.utf8Start[2])
    return text[last - 1] == high && text[last] & 0xDF == low ? 3 : 0
  }
}
