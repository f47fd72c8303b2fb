import CResources
import CellServer

/// The files of the preview's own pages, which are part of the program.
enum PreviewResources {
  /// A file that pages load.
  struct File: Sendable {
    /// The last segment of its path.
    let name: String
    let contentType: StaticString
    let bytes: [UInt8]
  }

  static let script = File(
    name: "page.js", contentType: "text/javascript; charset=utf-8", bytes: bytes(cf_preview_page_js()))
  static let styles = File(
    name: "page.css", contentType: "text/css; charset=utf-8", bytes: bytes(cf_preview_page_css()))

  /// The nibs by name.
  static let nibs: [(name: String, bytes: [UInt8])] = [
    ("index", bytes(cf_preview_index_html())), ("kind", bytes(cf_preview_kind_html())),
    ("diagnostics", bytes(cf_preview_diagnostics_html())),
  ]

  private static func bytes(_ resource: cf_resource) -> [UInt8] {
    Array(UnsafeBufferPointer(start: resource.bytes, count: resource.count))
  }
}
