/// The versions of the style sheets of nibs: hashes of all that they are made from. Clients name them in the addresses of
/// sheets that they keep.
package struct StyleVersions: Sendable {
  /// By nib; nil for a nib without styles.
  private let nibs: [ContentHash?]
  /// Of all sheets together.
  package let all: String
  /// Changes whenever other sheets are made from the same archive.
  private static let revision: UInt8 = 1

  init(_ tables: ArchiveTables) {
    var files = ContentHasher()
    for ref in tables.assetsURL { Self.append(tables.text(ref), to: &files) }
    for asset in tables.assets {
      Self.append(tables.text(asset.path), to: &files)
      Self.append(Array(asset.hash.hex.utf8)[...], to: &files)
    }
    let filesHash = Array(files.hash.hex.utf8)
    var sum = ContentHasher()
    nibs = tables.nibs.map { nib in
      if nib.styleCount == 0 { return nil }
      var hasher = ContentHasher()
      Self.append([Self.revision], to: &hasher)
      Self.append(filesHash[...], to: &hasher)
      Self.append(tables.text(nib.name), to: &hasher)
      for position in nib.styleStart..<nib.styleStart + nib.styleCount {
        Self.append(tables.text(tables.texts[Int(position)]), to: &hasher)
      }
      Self.append(Array(hasher.hash.hex.utf8)[...], to: &sum)
      return hasher.hash
    }
    all = sum.hash.hex
  }

  /// The version of a nib's sheet, in hexadecimal; nil if the nib has no styles.
  package func version(ofNib nib: Int) -> String? { nibs[nib]?.hex }

  /// Appends a text with its length, so that no two lists of texts are the same bytes.
  private static func append(_ text: ArraySlice<UInt8>, to hasher: inout ContentHasher) {
    withUnsafeBytes(of: UInt64(text.count).littleEndian) { hasher.append($0) }
    text.withUnsafeBytes { hasher.append($0) }
  }
}
