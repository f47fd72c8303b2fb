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
    name: "page.js", contentType: "text/javascript; charset=utf-8", bytes: PackageResources.page_js)
  static let styles = File(
    name: "page.css", contentType: "text/css; charset=utf-8", bytes: PackageResources.page_css)

  /// The nibs by name.
  static let nibs: [(name: String, bytes: [UInt8])] = [
    ("index", PackageResources.index_html), ("kind", PackageResources.kind_html),
    ("diagnostics", PackageResources.diagnostics_html),
  ]
}
