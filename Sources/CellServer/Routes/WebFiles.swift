import CellTemplates

/// The files for pages that are part of the program.
enum WebFiles {
  static let script = file("text/javascript; charset=utf-8", PackageResources.cells_js)
  /// TypeScript's declarations. Browsers never load them.
  static let types = file("text/plain; charset=utf-8", PackageResources.cells_d_ts)

  private static func file(_ contentType: StaticString, _ bytes: [UInt8]) -> StoredFile {
    StoredFile(contentType: contentType, bytes: StoredBytes(bytes), hash: ContentHash(of: bytes).hex)
  }
}
