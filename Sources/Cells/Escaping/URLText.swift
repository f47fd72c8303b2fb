import CellTemplates

/// A value that is to be a URL, or its beginning: what a URL parser would make of its start.
///
/// Source: URL Standard, "basic URL parser": C0 controls and spaces at the ends are dropped, then tabs and line ends
/// wherever they stand.
struct URLText {
  /// Without C0 controls and spaces at its ends. Part of the value it was made of, and valid as long.
  let bytes: UnsafeRawBufferPointer

  init(_ value: UnsafeRawBufferPointer) {
    let (start, end) = (Self.edgeBlocks(of: value), value.count)
    self.init(UnsafeRawBufferPointer(rebasing: value[start..<end]), droppingAtEnds: \.isDroppedAroundURL)
  }

  /// - Parameter isEdge: what is dropped at the ends.
  init(_ value: UnsafeRawBufferPointer, droppingAtEnds isEdge: (UInt8) -> Bool) {
    var start = 0
    var end = value.count
    while start < end, isEdge(value[start]) { start += 1 }
    while start < end, isEdge(value[end - 1]) { end -= 1 }
    bytes = UnsafeRawBufferPointer(rebasing: value[start..<end])
  }

  /// Whether its scheme is one that links may carry, or it has none.
  func isAllowed(by schemes: AllowedSchemes) -> Bool {
    guard let scheme else { return true }
    return schemes.contains(scheme)
  }

  /// Whether it leads to the page's own origin.
  ///
  /// `\` is percent-encoded, and so is no `/` to a URL parser any more: only what follows a first `/` must be judged.
  var isInSameOrigin: Bool { scheme == nil && !startsWithHost }

  /// Whether it leads to a place in the same document.
  var isFragment: Bool { bytes.first == UInt8(ascii: "#") }

  /// What stands before the first `:`; nil if there is none before the first `/`, `?` or `#`. Not every such text is
  /// a scheme to a parser, but none of another kind is.
  var scheme: UnsafeRawBufferPointer? {
    for place in firstMark..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ":"): return UnsafeRawBufferPointer(rebasing: bytes[..<place])
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: continue
      }
    }
    return nil
  }

  /// A place at or before the first of `: / ? #`: whole words of other bytes are passed over.
  private var firstMark: Int {
    Self.end(of: bytes) { word in
      Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: ":")))
        | Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: "/")))
        | Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: "?")))
        | Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: "#"))) == 0
    }
  }

  /// Bytes at the beginning that are dropped, in whole words.
  private static func edgeBlocks(of value: UnsafeRawBufferPointer) -> Int {
    end(of: value) { word in ((word & ~Self.highBits) &+ Self.word(of: 0x5F) | word) & Self.highBits == 0 }
  }

  // MARK: Eight bytes at a time

  private static var highBits: UInt64 { word(of: 0x80) }

  private static func word(of byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Not 0 if, and only if, one of the word's bytes is 0.
  @inline(__always)
  private static func zeroes(in word: UInt64) -> UInt64 { (word &- Self.word(of: 1)) & ~word & highBits }

  /// Where the first word begins that is not passed over, or the last bytes, which are no whole word.
  @inline(__always)
  private static func end(of bytes: UnsafeRawBufferPointer, passing isPassed: (UInt64) -> Bool) -> Int {
    var place = 0
    // The word lies in `bytes`.
    while place + 8 <= bytes.count, isPassed(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) {
      place += 8
    }
    return place
  }

  /// Whether it names a host without a scheme: `//` or `/\` at the start. Where a text of tabs and line ends follows the
  /// first `/`, longer than `mostDropped`, it is not looked for further, and counts as a host.
  private var startsWithHost: Bool {
    guard bytes.first == UInt8(ascii: "/") else { return false }
    for (place, byte) in bytes.dropFirst().enumerated()
    where !byte.isDroppedInURL || place == Self.mostDropped {
      return byte.isURLSlash || place == Self.mostDropped
    }
    return false
  }

  private static let mostDropped = 256
}
