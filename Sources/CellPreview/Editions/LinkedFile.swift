import CellTemplates

/// A file of the templates folder that a nib links to: a style sheet, an image or a font.
struct LinkedFile: Sendable {
  let contentType: StaticString
  let bytes: [UInt8]
  /// The hash of the bytes, in hexadecimal.
  let hash: String

  init(contentType: StaticString, bytes: [UInt8]) {
    self.contentType = contentType
    self.bytes = bytes
    hash = ContentHash(of: bytes).hex
  }

  /// All files together have at most so many bytes; what comes later is left out.
  static let totalLimitBytes = 16 << 20

  /// The type of a file by the ending of its name; nil for files that pages must not get.
  static func contentType(of path: String) -> StaticString? {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    return types[path[path.index(after: dot)...].lowercased()]
  }

  private static let types: [String: StaticString] = [
    "css": "text/css; charset=utf-8",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "svg": "image/svg+xml", "ico": "image/x-icon", "bmp": "image/bmp",
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
  ]
}

/// Collects the files that nibs link to, and those that their style sheets link to, each once. Files are read here and never
/// when a request comes.
struct LinkedFiles {
  private(set) var byPath: [String: LinkedFile] = [:]
  private var seen: Set<String> = []
  private var bytes = 0
  private let files: NibFiles
  private let budget: LoadBudget

  /// - Parameters:
  ///   - files: the templates folder.
  ///   - budget: the work that reading may do. Beyond it, files are left out.
  init(in files: NibFiles, budget: LoadBudget) {
    self.files = files
    self.budget = budget
  }

  /// - Parameter nib: the nib's path relative to the folder.
  mutating func add(linkedFrom page: [UInt8], nib: String) {
    add(LinkScan.references(ofPage: page), from: nib)
  }

  private mutating func add(_ references: [String], from file: String) {
    var waiting = references.map { (reference: $0, file: file) }
    while let (reference, file) = waiting.popLast() {
      // A look at a file costs as much as this many bytes.
      guard budget.spend(1000) else { return }
      let plain = reference.prefix { $0 != "?" && $0 != "#" }
      guard let path = try? NibFiles.path(of: String(plain), in: file), seen.insert(path).inserted,
        let type = LinkedFile.contentType(of: path), let content = try? files.read(path),
        bytes + content.count <= LinkedFile.totalLimitBytes
      else { continue }
      bytes += content.count
      byPath[path] = LinkedFile(contentType: type, bytes: content)
      guard path.lowercased().hasSuffix(".css") else { continue }
      waiting += LinkScan.references(ofStyles: content).map { ($0, path) }
    }
  }
}
