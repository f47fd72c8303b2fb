/// Paths as file systems read them, by their bytes. To Swift, a `/` or `.` and a combining mark after it are one character,
/// and `é` equals `é` in its other form.
package enum FilePath {
  private static let slash = UInt8(ascii: "/")

  /// The names on a path.
  package static func names(_ path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// A path up to its last `/`; empty if it has none.
  package static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: slash).map { String(Substring(path.utf8[...$0])) } ?? ""
  }

  /// A path without its last `/` and what follows; empty if there is none.
  package static func parent(of path: String) -> String {
    String(Substring(folder(of: path).utf8.dropLast()))
  }

  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Whether a name begins with a dot.
  package static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  /// Whether a path is that of a folder, or of something in it. Neither ends with `/`, except for the root.
  package static func isInside(_ path: String, _ folder: String) -> Bool {
    guard path.utf8.starts(with: folder.utf8) else { return false }
    let rest = path.utf8.dropFirst(folder.utf8.count)
    return rest.isEmpty || rest.first == slash || folder.utf8.last == slash
  }
}
