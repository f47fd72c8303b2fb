import CellTemplates

/// A value that is to be a URL, or its beginning: what a URL parser would make of its start.
///
/// Source: URL Standard, "basic URL parser": C0 controls and spaces at the ends are dropped, then tabs and line ends
/// wherever they stand.
struct URLText {
  /// Without C0 controls and spaces at its ends. Part of the value it was made of, and valid as long.
  let bytes: UnsafeRawBufferPointer

  init(_ value: UnsafeRawBufferPointer) {
    self.init(value) { $0.isDroppedAroundURL }
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

  /// What stands before the first `:`; nil if there is none before the first `/`, `?` or `#`. Not every such text is
  /// a scheme to a parser, but none of another kind is.
  var scheme: UnsafeRawBufferPointer? {
    for (place, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: ":"): return UnsafeRawBufferPointer(rebasing: bytes[..<place])
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: continue
      }
    }
    return nil
  }

  /// Whether it names a host without a scheme: `//` or `/\` at the start.
  var startsWithHost: Bool {
    guard bytes.first == UInt8(ascii: "/"),
      let second = bytes.dropFirst().first(where: { !$0.isDroppedInURL })
    else {
      return false
    }
    return second == UInt8(ascii: "/") || second == UInt8(ascii: "\\")
  }
}
