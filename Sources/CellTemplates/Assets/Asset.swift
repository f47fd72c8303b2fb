/// A file of the templates folder that a nib links to: a style sheet, an image or a font.
package struct Asset: Sendable {
  /// Relative to the folder.
  package let path: String
  package let type: AssetType
  package let bytes: [UInt8]
  package let hash: ContentHash

  init(path: String, type: AssetType, bytes: [UInt8]) {
    (self.path, self.type, self.bytes) = (path, type, bytes)
    hash = ContentHash(of: bytes)
  }
}
