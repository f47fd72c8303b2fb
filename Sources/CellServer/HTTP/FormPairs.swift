import Glibc

/// The pairs of a query or of form fields, as sent: split at `&`, then at the first `=`. Empty pairs mean nothing.
struct FormPairs {
  /// Places in the text; nothing is decoded.
  struct Pair {
    var name: Range<Int>
    /// Empty where there is no `=`.
    var value: Range<Int>
    /// Nothing stands between two `&`.
    var isEmpty: Bool
  }

  /// Where the next pair begins.
  private(set) var position = 0

  /// The next pair of `text`, which is the same text in every call.
  mutating func next(in text: borrowing Span<UInt8>) -> Pair? {
    guard position < text.count else { return nil }
    let start = position
    let end = Self.find(UInt8(ascii: "&"), in: text, start..<text.count)
    let equals = Self.find(UInt8(ascii: "="), in: text, start..<end)
    position = end + 1
    return Pair(name: start..<equals, value: min(equals + 1, end)..<end, isEmpty: start == end)
  }

  private static func find(_ byte: UInt8, in text: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
    text.withUnsafeBytes { bytes in
      // The search stays in the range, which is one of the text's.
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let start = part.baseAddress, let found = memchr(start, Int32(byte), part.count) else {
        return range.upperBound
      }
      return range.lowerBound + (UnsafeRawPointer(found) - start)
    }
  }
}
