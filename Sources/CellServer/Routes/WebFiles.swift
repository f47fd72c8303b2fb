import CResources
import CellTemplates

/// The files for pages that are part of the program.
enum WebFiles {
  static let script = file("text/javascript; charset=utf-8", cf_cells_js())
  /// TypeScript's declarations. Browsers never load them.
  static let types = file("text/plain; charset=utf-8", cf_cells_d_ts())

  private static func file(_ contentType: StaticString, _ resource: cf_resource) -> StoredFile {
    let bytes = Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
    return StoredFile(contentType: contentType, bytes: StoredBytes(bytes), hash: ContentHash(of: bytes).hex)
  }
}
