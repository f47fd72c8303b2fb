/// Finds what libmicrohttpd 0.9.75 hides of a head, by where the fields are that it reports.
///
/// It parses lines in place, and makes zero bytes of line endings. So between one field and the next there are one or two of
/// these. But it appends a folded line to the *name* of its field, cuts a value short at a zero byte, and takes a line that begins
/// with a zero byte or a colon for the end of the head. All of that leaves a gap, or moves a name behind its value.
struct FieldPlaces {
  /// Where the last line ended; `nil` before the first line of a trailer.
  private var end: UnsafeRawPointer?
  private var isKnown = false

  /// Begins with the line after `line`. Until then, fields may be anywhere.
  mutating func begin(after line: UnsafeRawBufferPointer? = nil) {
    end = line.flatMap { Self.end(of: $0) }
    isKnown = true
  }

  /// Whether a field is whole, and begins on the line after the last one.
  mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard isKnown, let start = name.baseAddress, let valueStart = value.baseAddress else { return true }
    defer { end = Self.end(of: value) }
    // After a name is its colon.
    guard valueStart > start + name.count else { return false }
    return end.map { Self.isLineEnding(from: $0, to: start, 1...2) } ?? true
  }

  /// Whether only an empty line is between the last field and the end of the head.
  func areAll(before headEnd: UnsafeRawPointer) -> Bool {
    guard isKnown, let end else { return true }
    return Self.isLineEnding(from: end, to: headEnd, 2...4)
  }

  /// Whether there are as many bytes as line endings have, and nothing else: a colon at the start of a line is a zero byte,
  /// too, but what follows it is not.
  private static func isLineEnding(
    from start: UnsafeRawPointer, to end: UnsafeRawPointer, _ lengths: ClosedRange<Int>
  ) -> Bool {
    lengths.contains(end - start)
      && UnsafeRawBufferPointer(start: start, count: end - start).allSatisfy { $0 == 0 }
  }

  private static func end(of bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    bytes.baseAddress.map { $0 + bytes.count }
  }
}
