import Glibc

/// Iterates over the pairs of a query or form as sent: split at `&`, then at the first `=`. Empty pairs are
/// to be ignored.
struct FormPairs {
  /// Ranges of the undecoded text.
  struct Pair {
    var name: Range<Int>
    /// Empty if there is no `=`.
    var value: Range<Int>
    /// Whether there is nothing between two `&`.
    var isEmpty: Bool
  }

  /// Start of the next pair.
  private(set) var position = 0

  /// The next pair of `text`, which must be the same text in every call.
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
      // `memchr` stays within `range`, which lies within the text.
      let part = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let start = part.baseAddress, let found = memchr(start, Int32(byte), part.count) else {
        return range.upperBound
      }
      return range.lowerBound + (UnsafeRawPointer(found) - start)
    }
  }
}
