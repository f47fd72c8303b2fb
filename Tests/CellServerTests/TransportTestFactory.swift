import CellTemplates
import Cells

/// Factories for servers whose handler renders no cells.
enum TransportTestFactory {
  private static let archive: CellArchive = {
    let source = TemplateSource(file: "a.mustache", kind: "a", mode: .html, bytes: Array("a".utf8))
    do {
      return try TemplateCompiler.compile([source]).archive
    } catch {
      preconditionFailure("the test's own template does not compile: \(error)")
    }
  }()

  static var archiveHash: String { archive.hash }

  @Sendable static func make(_ executor: any SerialExecutor) -> CellFactory {
    CellFactory(archive: archive, reuse: ReusePolicy(), executor: executor)
  }
}
