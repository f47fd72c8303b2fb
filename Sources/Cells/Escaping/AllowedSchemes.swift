package import CellTemplates

/// The schemes that links may carry: names in lower case, an archive's own. Valid as long as the archive.
package struct AllowedSchemes {
  // Both are the archive's tables; its verifier has seen that each name lies inside the literals.
  private let names: UnsafeBufferPointer<LiteralRef>
  private let literals: UnsafePointer<UInt8>

  private static let mostNameBytes = 1024

  package init(_ archive: borrowing CellArchive) {
    names = UnsafeBufferPointer(start: archive.schemes.base, count: archive.schemes.count)
    literals = archive.literals.base
  }

  /// Whether `name`, of any case, is one of them. Tabs and line ends in it do not count, as in URL parsers; a name of more
  /// than `mostNameBytes` with them is none.
  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    if name.count > Self.mostNameBytes { return false }
    return names.contains { ref in
      let scheme = UnsafeBufferPointer(start: literals + Int(ref.offset), count: Int(ref.count))
      var place = 0
      for byte in name where !byte.isDroppedInURL {
        let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        if place == scheme.count || scheme[place] != (isCapital ? byte | 0x20 : byte) { return false }
        place += 1
      }
      return place == scheme.count
    }
  }
}
