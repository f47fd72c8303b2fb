import CellTemplates
import Cells

/// The lines of files that diagnostics are about.
struct SourceLines {
  /// A longer line is cut.
  private static let limitBytes = 300
  private let folder: String
  private let files: NibFiles?
  private var lines: [String: [ArraySlice<UInt8>]] = [:]

  /// - Parameter folder: the templates folder, as diagnostics name it.
  init(of folder: String) {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    self.folder = folder + "/"
    files = TemplateFolder.files(at: folder, limitBytes: TemplateFolder.fileLimitBytes)
  }

  /// nil if the diagnostic is about the whole file, or the file cannot be read any more.
  mutating func line(of diagnostic: Diagnostic) -> String? {
    guard diagnostic.line > 0, diagnostic.file.hasPrefix(folder) else { return nil }
    let path = String(diagnostic.file.dropFirst(folder.count))
    if lines[path] == nil {
      lines[path] =
        (try? files?.read(path))?.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) ?? []
    }
    guard let found = lines[path], diagnostic.line <= found.count else { return nil }
    return String(decoding: found[diagnostic.line - 1].prefix(Self.limitBytes), as: UTF8.self)
  }
}
