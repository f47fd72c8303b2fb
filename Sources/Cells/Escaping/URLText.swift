import CellTemplates

/// A value used as a URL or as the start of one, parsed like in a URL parser.
///
/// Source: URL standard, "basic URL parser": C0 controls and spaces at the ends are dropped, then tabs and
/// newlines at any position.
struct URLText {
  /// Without C0 controls and spaces at its ends. A slice of the value, valid as long as the value.
  let bytes: UnsafeRawBufferPointer

  init(_ value: UnsafeRawBufferPointer) {
    let start = Self.edgeBlocks(of: value)
    let end = Self.startOfEdgeBlocks(of: value, after: start)
    self.init(UnsafeRawBufferPointer(rebasing: value[start..<end])) { $0.isDroppedAroundURL }
  }

  /// - Parameter isEdge: selects the bytes dropped at the ends.
  init(_ value: UnsafeRawBufferPointer, droppingAtEnds isEdge: (UInt8) -> Bool) {
    var start = 0
    var end = value.count
    while start < end, isEdge(value[start]) { start += 1 }
    while start < end, isEdge(value[end - 1]) { end -= 1 }
    bytes = UnsafeRawBufferPointer(rebasing: value[start..<end])
  }

  /// Whether its scheme is allowed or it has none.
  func isAllowed(by schemes: AllowedSchemes) -> Bool {
    guard let scheme else { return true }
    return schemes.contains(scheme)
  }

  /// Whether it stays on the page's origin.
  ///
  /// `\` is percent-encoded and so no longer a slash to a URL parser. Only the bytes after a leading `/` need
  /// to be checked.
  var isInSameOrigin: Bool { scheme == nil && !startsWithHost }

  /// Whether it refers to a part of the same document.
  var isFragment: Bool { bytes.first == UInt8(ascii: "#") }

  /// The text before the first `:`; nil if there is none before the first `/`, `?` or `#`. Parsers do not
  /// accept all such text as a scheme, but every scheme they accept is found.
  var scheme: UnsafeRawBufferPointer? {
    for offset in firstMark..<bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: ":"): return UnsafeRawBufferPointer(rebasing: bytes[..<offset])
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: continue
      }
    }
    return nil
  }

  /// An index at or before the first of `: / ? #`, found by skipping whole words of other bytes.
  private var firstMark: Int {
    Self.end(of: bytes) { word in
      Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: ":")))
        | Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: "/")))
        | Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: "?")))
        | Self.zeroes(in: word ^ Self.word(of: UInt8(ascii: "#"))) == 0
    }
  }

  /// The number of dropped bytes at the start, in whole words.
  private static func edgeBlocks(of value: UnsafeRawBufferPointer) -> Int {
    end(of: value, passing: isDropped)
  }

  /// Where the dropped bytes at the end begin, in whole words.
  private static func startOfEdgeBlocks(of value: UnsafeRawBufferPointer, after start: Int) -> Int {
    var offset = value.count
    // The word is within `value`.
    while offset - 8 >= start, isDropped(value.loadUnaligned(fromByteOffset: offset - 8, as: UInt64.self)) {
      offset -= 8
    }
    return offset
  }

  /// Whether all bytes of a word are C0 controls and spaces.
  @inline(__always)
  private static func isDropped(_ word: UInt64) -> Bool {
    ((word & ~highBits) &+ Self.word(of: 0x5F) | word) & highBits == 0
  }

  // MARK: Eight bytes at a time

  private static var highBits: UInt64 { word(of: 0x80) }

  private static func word(of byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Nonzero if and only if one of the word's bytes is 0.
  @inline(__always)
  private static func zeroes(in word: UInt64) -> UInt64 { (word &- Self.word(of: 1)) & ~word & highBits }

  /// The start of the first word that is not skipped, or of the remaining bytes after the last whole word.
  @inline(__always)
  private static func end(of bytes: UnsafeRawBufferPointer, passing isPassed: (UInt64) -> Bool) -> Int {
    var offset = 0
    // The word is within `bytes`.
    while offset + 8 <= bytes.count, isPassed(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) {
      offset += 8
    }
    return offset
  }

  /// Whether it names a host without a scheme: `//` or `/\` at the start. If more than `mostDropped` tabs and
  /// newlines follow the first `/`, the search stops and it counts as a host.
  private var startsWithHost: Bool {
    guard bytes.first == UInt8(ascii: "/") else { return false }
    for (offset, byte) in bytes.dropFirst().enumerated()
    where !byte.isDroppedInURL || offset == Self.mostDropped {
      return byte.isURLSlash || offset == Self.mostDropped
    }
    return false
  }

  private static let mostDropped = 256
}
