@testable import CellPreview
import CellServer
import CellTemplates
import Cells
import Foundation
import Synchronization

/// A preview of a temporary folder, without sockets. The folder is deleted in `deinit`.
final class PreviewTarget {
  let folder: String
  let preview: Preview
  private let server: InProcessServer
  let checks = Checks()
  private let locales: OfferedLocales

  /// - Parameters:
  ///   - files: the contents, by path in the folder.
  ///   - locales: those in which the cells are offered besides English.
  ///   - missing: what the server does with names that the data does not have.
  ///   - mayFail: whether the folder need not be one that the preview can show.
  init(
    _ files: KeyValuePairs<String, String>, hosts: [String] = [], locales: String = "",
    missing: MissingPolicy = .drop, mayFail: Bool = false
  ) throws {
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
      folder: folder, schemes: .standard, locales: self.locales, missing: missing, loadSeconds: 30,
      hosts: hosts, readiness: readiness, runCheck: { [checks] in checks.run($0) })
    if let errors = preview.update(archive), !mayFail { throw errors }
    var settings = ServerSettings(address: ServerAddress(host: "127.0.0.1", port: 0))
    settings.servesPages = true
    settings.metrics = Metrics(more: preview.endpoints)
    let service = CellService(
      readiness: readiness, metrics: settings.metrics, more: preview.endpoints,
      maySeeSamples: { [preview] in preview.maySeeSamples($0) })
    server = try InProcessServer(settings: settings, handler: service) {
      CellFactory(archive: archive, reuse: ReusePolicy(), executor: $0)
    }
  }

  /// Runs the checks of samples at once, or later.
  final class Checks: Sendable {
    /// Those that wait; nil if none has to.
    private let waiting = Mutex<[@Sendable () -> Void]?>(nil)

    /// Makes checks wait for `go`.
    func hold() { waiting.withLock { $0 = [] } }

    func go() { for check in waiting.withLock({ $0.take() }) ?? [] { check() } }

    func run(_ check: @escaping @Sendable () -> Void) {
      let isHeld = waiting.withLock { waiting in
        waiting?.append(check)
        return waiting != nil
      }
      if !isHeld { check() }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ text: String, to path: String) throws { try Self.write(text, to: folder + "/" + path) }

  /// Loads the folder again, as a reload does. Errors are shown.
  func reload() throws {
    do {
      let archive = try CellArchive.compiling(
        folder: folder, schemes: .standard, locales: locales, budget: LoadBudget())
      if let errors = preview.update(archive) { throw errors }
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
