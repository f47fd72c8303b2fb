import CellTemplates
import Testing

@testable import Cells

/// Pieces of everyday pages are accepted and rendered, or refused with a hint that helps.
@Suite struct SnippetTests {
  /// How many snippets each page of `Tests/Snippets` has, so that none is lost unseen.
  static let counts = [
    "alpine": 14, "bootstrap": 19, "forms": 17, "htmx": 16, "mail": 11, "media": 15, "mistakes": 41,
    "pages": 16, "svg": 14, "tailwind": 15, "turbo": 11,
  ]

  @Test func everyPageIsRead() throws {
    #expect(try SnippetFile.families == Self.counts.keys.sorted())
  }

  @Test(arguments: counts.keys.sorted())
  func snippets(_ family: String) throws {
    let snippets = try SnippetFile(family).snippets
    #expect(snippets.count == Self.counts[family])
    for snippet in snippets { try Self.check(snippet) }
  }

  private static func check(_ snippet: Snippet) throws {
    let files = Dictionary(uniqueKeysWithValues: snippet.files)
    let folder = try TemporaryFolder(files)
    // Snippets are without the files that their pages link to.
    let found = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics
      .filter { $0.code != .missingAsset }
    let positions = found.map { "\($0.line):\($0.column) \($0.code.rawValue)" }
    #expect(positions == snippet.diagnostics.map(\.position), "\(snippet): \(found)")
    for (diagnostic, expected) in zip(found, snippet.diagnostics) {
      for words in expected.hints {
        #expect(diagnostic.hint.contains(words), "\(snippet): \(diagnostic)")
      }
    }
    let isRefused = found.contains { $0.severity == .error }
    #expect(snippet.isComplete(isRefused: isRefused), "\(snippet) is not complete")
    if !isRefused { try render(snippet, files) }
  }

  private static func render(_ snippet: Snippet, _ files: [String: String]) throws {
    let harness = try RenderHarness(files)
    for row in snippet.rows {
      let outcomes = try harness.outcomes(try #require(snippet.kind), row.json, owner: row.owner)
      guard case .rendered(let bytes) = outcomes[0] else {
        Issue.record("\(snippet), \(row.json): \(outcomes[0])")
        continue
      }
      let output = String(decoding: bytes, as: UTF8.self)
      for fragment in row.fragments {
        #expect(output.contains(fragment), "\(snippet), \(row.json) lacks \(fragment): \(output)")
      }
      for fragment in row.absent {
        #expect(!output.contains(fragment), "\(snippet), \(row.json) has \(fragment): \(output)")
      }
    }
  }
}
