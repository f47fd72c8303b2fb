import CResources
import CellTemplates

/// The files for pages that are part of the program.
enum WebFiles {
  /// Without what browsers do not need: indentation, and lines that are comments.
  static let script = file("text/javascript; charset=utf-8", codeLines(of: bytes(of: cf_cells_js())))
  /// TypeScript's declarations. Browsers never load them.
  static let types = file("text/plain; charset=utf-8", bytes(of: cf_cells_d_ts()))

  private static func file(_ contentType: StaticString, _ bytes: [UInt8]) -> StoredFile {
    StoredFile(contentType: contentType, bytes: StoredBytes(bytes), hash: ContentHash(of: bytes).hex)
  }

  private static func bytes(of resource: cf_resource) -> [UInt8] {
    Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
  }

  /// The lines of a script that has no text or comment of more than one line.
  private static func codeLines(of script: [UInt8]) -> [UInt8] {
    let (newline, space, slash, star) = (
      UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "*")
    )
    return Array(
      script.split(separator: newline).map { $0.drop { $0 == space } }
        .filter {
          !$0.starts(with: [slash, slash]) && !($0.starts(with: [slash, star]) && $0.last == slash)
        }
        .joined(separator: [newline]))
  }
}
