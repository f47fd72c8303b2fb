// Checks on header bytes, eight at a time.

extension UnsafeRawBufferPointer {
  /// Whether every byte passes. A word for which `areGood` returns true is accepted as a whole; the bytes of
  /// any other word are checked one by one. `areGood` must not accept a word with a byte that would fail
  /// `isGood`.
  @inline(__always)
  func isAll(mostly areGood: (UInt64) -> Bool, _ isGood: (UInt8) -> Bool) -> Bool {
    guard count >= 8 else { return allSatisfy(isGood) }
    var position = 0
    while true {
      // In bounds: `position` is at most `count - 8`, the start of the last word.
      if !areGood(loadUnaligned(fromByteOffset: position, as: UInt64.self)),
        !self[position..<(position + 8)].allSatisfy(isGood)
      {
        return false
      }
      if position == count - 8 { return true }
      position = Swift.min(position + 8, count - 8)
    }
  }

  /// Whether these bytes start with `text`, which must not be longer. With `ignoringCase`, `text` must be
  /// lowercase.
  @inline(__always)
  func begins(with text: StaticString, ignoringCase: Bool) -> Bool {
    let end = text.utf8CodeUnitCount
    var position = 0
    // In bounds of both: each word either has enough bytes left or ends with the last byte. The literal lives
    // as long as the program.
    func isSame<Word: FixedWidthInteger>(at position: Int, _: Word.Type) -> Bool {
      let wanted = UnsafeRawPointer(text.utf8Start + position).loadUnaligned(as: Word.self)
      let letters = ignoringCase ? wanted & Word(truncatingIfNeeded: UInt64(bytes: 0x40)) : 0
      // Among these characters only letters have the bit 0x40, and case differs only in the bit 0x20.
      return loadUnaligned(fromByteOffset: position, as: Word.self) | letters >> 1 == wanted
    }
    if end < 4 {
      while position < end, isSame(at: position, UInt8.self) { position += 1 }
      return position == end
    }
    if end < 8 { return isSame(at: 0, UInt32.self) && isSame(at: end - 4, UInt32.self) }
    while position < end - 8 {
      if !isSame(at: position, UInt64.self) { return false }
      position += 8
    }
    return isSame(at: end - 8, UInt64.self)
  }
}

extension UInt64 {
  /// The same byte eight times.
  fileprivate init(bytes: UInt8) { self = 0x0101_0101_0101_0101 &* UInt64(bytes) }

  /// Letters, digits and `-`, the usual characters of field names.
  var isNameWord: Bool {
    let small = self | UInt64(bytes: 0x20)
    return isEach(small.within(0x61...0x7A) | within(0x30...0x39) | within(0x2D...0x2D))
  }

  /// Letters, digits, `.`, `-` and `:`.
  var isHostWord: Bool {
    let small = self | UInt64(bytes: 0x20)
    return isEach(small.within(0x61...0x7A) | within(0x30...0x3A) | within(0x2D...0x2E))
  }

  /// Printable ASCII: no controls (tab included) and no bytes from 0x80.
  var isPrintableWord: Bool { isEach(within(0x20...0x7E)) }

  /// Printable ASCII without spaces.
  var isVisibleWord: Bool { isEach(within(0x21...0x7E)) }

  /// Whether each of the eight bytes is ASCII and has its high bit set in `found`.
  @inline(__always)
  private func isEach(_ found: UInt64) -> Bool { found & ~self & UInt64(bytes: 0x80) == UInt64(bytes: 0x80) }

  /// Sets the high bit of each byte whose low seven bits are within the bounds. One sum sets that bit from
  /// the lower bound on, the other from just past the upper bound. No sum carries into the next byte.
  @inline(__always)
  private func within(_ bounds: ClosedRange<UInt8>) -> UInt64 {
    let low = self & UInt64(bytes: 0x7F)
    return (low &+ UInt64(bytes: 0x80 - bounds.lowerBound))
      & ~(low &+ UInt64(bytes: 0x7F - bounds.upperBound))
  }
}
