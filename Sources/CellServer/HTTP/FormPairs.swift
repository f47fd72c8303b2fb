/// The pairs of a query or of form fields, as sent: split at `&`, then at the first `=`; empty pairs are
/// passed over.
struct FormPairs {
  /// Places in the text; nothing is decoded.
  struct Pair {
    var name: Range<Int>
    /// Empty where there is no `=`.
    var value: Range<Int>
  }

  private var position = 0

  /// The next pair of `text`, which is the same text in every call.
  mutating func next(in text: borrowing Span<UInt8>) -> Pair? {
    while position < text.count {
      let start = position
      var equals: Int?
      while position < text.count && text[position] != UInt8(ascii: "&") {
        if equals == nil && text[position] == UInt8(ascii: "=") { equals = position }
        position += 1
      }
      let end = position
      position += 1
      if start < end {
        return Pair(name: start..<(equals ?? end), value: (equals.map { $0 + 1 } ?? end)..<end)
      }
    }
    return nil
  }
}
