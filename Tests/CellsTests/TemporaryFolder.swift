import Foundation

/// A folder of files, deleted in `deinit`.
final class TemporaryFolder {
  let path: String

  /// - Parameter files: paths in the folder, with their texts.
  init(_ files: [String: String] = [:]) throws {
    let temporary = FileManager.default.temporaryDirectory.path
    path =
      (temporary.hasSuffix("/") ? String(temporary.dropLast()) : temporary) + "/cells-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (file, text) in files { try write(file, Array(text.utf8)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ file: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: path + "/" + file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func write(_ file: String, _ text: String) throws { try write(file, Array(text.utf8)) }

  /// - Parameter target: the path stored in the link.
  func link(_ file: String, to target: String) throws {
    let url = URL(fileURLWithPath: path + "/" + file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
  }

  /// Every name in the folder, including hidden files.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
