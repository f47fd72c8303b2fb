package import CellTemplates

/// The URL schemes allowed in links: lowercase names from an archive. Valid as long as the archive.
package struct AllowedSchemes: BitwiseCopyable {
  // Both are tables of the archive, whose verifier has checked that each name is inside the literals.
  private let names: UnsafeBufferPointer<LiteralRef>
  private let literals: UnsafePointer<UInt8>

  private static let mostNameBytes = 1024

  package init(_ archive: borrowing CellArchive) {
    names = UnsafeBufferPointer(start: archive.tables.$schemes.base, count: archive.tables.$schemes.count)
    literals = archive.tables.$literals.base
  }

  /// Whether `name`, in any case, is one of them. Tabs and newlines in it are ignored, like in URL parsers. A
  /// name of more than `mostNameBytes`, including them, is refused.
  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    if name.count > Self.mostNameBytes { return false }
    return names.contains { ref in
      let scheme = UnsafeBufferPointer(start: literals + Int(ref.offset), count: Int(ref.count))
      var offset = 0
      for byte in name where !byte.isDroppedInURL {
        let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        if offset == scheme.count || scheme[offset] != (isCapital ? byte | 0x20 : byte) { return false }
        offset += 1
      }
      return offset == scheme.count
    }
  }
}
