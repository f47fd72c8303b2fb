/// The candidates of a `srcset`, split like in browsers.
///
/// Source: HTML standard, "parse a srcset attribute": a comma ends a candidate at the end of the URL, or in
/// the descriptor outside parentheses; a comma inside the URL is part of it.
struct SourceSetCandidates: Sequence, IteratorProtocol {
  struct Candidate {
    /// Not empty, without commas at its ends.
    let url: URLText
    /// Without white space at its ends.
    let descriptor: UnsafeRawBufferPointer
  }

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> Candidate? {
    while true {
      skip { $0.isHTMLSpace || $0 == UInt8(ascii: ",") }
      if offset == bytes.count { return nil }
      let start = offset
      skip { !$0.isHTMLSpace }
      let isEnded = bytes[offset - 1] == UInt8(ascii: ",")
      // Removes control characters that a URL parser drops, and the commas after them, which would then end
      // the candidate.
      let url = URLText(part(start, offset)) { $0.isDroppedAroundURL || $0 == UInt8(ascii: ",") }
      let descriptor = isEnded ? part(offset, offset) : nextDescriptor()
      if !url.bytes.isEmpty { return Candidate(url: url, descriptor: descriptor) }
    }
  }

  private mutating func nextDescriptor() -> UnsafeRawBufferPointer {
    skip { $0.isHTMLSpace }
    let start = offset
    var isInParentheses = false
    skip { byte in
      if byte == UInt8(ascii: "(") { isInParentheses = true }
      if byte == UInt8(ascii: ")") { isInParentheses = false }
      return isInParentheses || byte != UInt8(ascii: ",")
    }
    var end = offset
    while end > start, bytes[end - 1].isHTMLSpace { end -= 1 }
    return part(start, end)
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while offset < bytes.count, isSkipped(bytes[offset]) { offset += 1 }
  }

  private func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}
