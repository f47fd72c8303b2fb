@testable import CellPreview
import CellServer
import CellTemplates
import Cells
import Foundation

/// A preview of a temporary folder, without sockets. The folder is deleted in `deinit`.
final class PreviewTarget {
  let folder: String
  let preview: Preview
  private let server: InProcessServer
  private let locales: OfferedLocales

  /// - Parameters:
  ///   - files: the contents, by path in the folder.
  ///   - locales: those in which the cells are offered besides English.
  init(_ files: KeyValuePairs<String, String>, hosts: [String] = [], locales: String = "") throws {
    self.locales = try OfferedLocales(standard: "en", others: locales)
    folder =
      FileManager.default.temporaryDirectory.appendingPathComponent("cellfactory-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (path, text) in files { try Self.write(text, to: folder + "/" + path) }
    let archive = try CellArchive.compiling(
      folder: folder, schemes: .standard, locales: self.locales, budget: LoadBudget())
    let readiness = Readiness()
    readiness.set(true)
    preview = try Preview(
      folder: folder, schemes: .standard, locales: self.locales, loadSeconds: 30, hosts: hosts,
      readiness: readiness)
    preview.update(archive)
    var settings = ServerSettings(port: 0)
    settings.servesPages = true
    settings.metrics = Metrics(more: preview.endpoints)
    let service = CellService(readiness: readiness, metrics: settings.metrics, more: preview.endpoints)
    server = try InProcessServer(settings: settings, handler: service) {
      CellFactory(archive: archive, reuse: ReusePolicy(), executor: $0)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ text: String, to path: String) throws { try Self.write(text, to: folder + "/" + path) }

  /// Loads the folder again, as a reload does.
  func reload() throws {
    do {
      preview.update(
        try CellArchive.compiling(
          folder: folder, schemes: .standard, locales: locales, budget: LoadBudget()))
    } catch {
      preview.fail(error)
    }
  }

  func get(
    _ target: String, method: String = "GET", host: String = "localhost", headers: [(String, String)] = []
  ) async -> InProcessAnswer {
    await server.respond(
      to: InProcessRequest(
        exactly: method, target, headers: [("Host", host)] + headers.map { (name: $0.0, value: $0.1) }))
  }

  /// The bytes charged as in flight when no request is being processed.
  func heldBytes() async -> Int { await server.heldBytes() }

  private static func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}
