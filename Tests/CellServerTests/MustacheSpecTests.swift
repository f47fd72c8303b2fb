import CellServer
import CellTemplates
import Cells
import Foundation
import Testing

/// The cases of the Mustache specification, read as data and run through the code path of a request.
@Suite struct MustacheSpecTests {
  @Test(
    .enabled(if: MustacheSpec.folder != nil, "no mustache-spec folder; name it by CELLFACTORY_MUSTACHE_SPEC"))
  func textCellsPassEveryCaseOfTheSpecification() async throws {
    let cases = try MustacheSpec.cases()
    #expect(cases.count == 184)
    #expect(try await failures(of: cases, ending: ".txt.mustache", firstLine: "") == [])
  }

  /// Cases that HTML mode renders differently, because it escapes or refuses what the specification leaves
  /// alone.
  private static let exceptionsOfHTML = [
    // The template ends in `<`, which would form a tag with whatever follows the cell, so it is printed as
    // `&lt;`.
    "comments: Variable Name Collision",
    // A value follows a `<` and could name a tag: refused.
    "partials: Recursion", "~dynamic-names: Recursion",
  ]

  @Test(
    .enabled(if: MustacheSpec.folder != nil, "no mustache-spec folder; name it by CELLFACTORY_MUSTACHE_SPEC"))
  func htmlCellsWithRawValuesAllowedPassAllButTheListedCases() async throws {
    let cases = try MustacheSpec.cases()
    #expect(cases.count == 184)
    let failures = try await failures(of: cases, ending: ".mustache", firstLine: "{{! raw: allow }}\n")
    #expect(failures.map(\.name) == Self.exceptionsOfHTML, "\(failures)")
  }

  private func failures(
    of cases: [MustacheSpec.Case], ending: String, firstLine: String
  ) async throws -> [MustacheSpec.Failure] {
    var failures: [MustacheSpec.Failure] = []
    for specCase in cases {
      let mode: TemplateSource.Mode = ending == ".mustache" ? .html : .text
      var templates = specCase.partials
      templates[MustacheSpec.kind] = specCase.template
      let sources = templates.map { kind, text in
        TemplateSource(file: kind + ending, kind: kind, mode: mode, bytes: Array((firstLine + text).utf8))
      }
      let answer: String
      do {
        let factory = CellFactory(archive: try TemplateCompiler.compile(sources).archive)
        answer = await self.answer(to: "[\(specCase.data)]", factory)
      } catch {
        answer = error.description
      }
      if answer != "200 \(specCase.expected)" {
        failures.append(.init(name: specCase.name, expected: specCase.expected, answer: answer))
      }
    }
    return failures
  }

  /// The status and the body of the answer to `POST /cells/KIND`.
  private func answer(to text: String, _ factory: isolated CellFactory) -> String {
    let head = RequestHead(
      method: .post, path: "/cells/" + MustacheSpec.kind, contentType: "application/json")
    let service = CellService(readiness: Readiness())
    var body = ByteBuffer()
    body.append(text: text)
    let budget = MemoryBudget(limitBytes: 1 << 30)
    let answer = service.answer(head, body: &body, output: ByteBuffer(), budget: budget, factory: factory)
    return "\(answer.status) \(answer.body.description)"
  }
}

/// The files of github.com/mustache/spec that JSON data can use (all except `~lambdas`), if they are
/// available.
private enum MustacheSpec {
  struct Case {
    /// The file and the case's own name: `sections: Truthy`.
    let name: String
    /// The row, as JSON.
    let data: String
    let template: String
    let partials: [String: String]
    let expected: String
  }

  struct Failure: Equatable {
    let name: String
    let expected: String
    let answer: String
  }

  /// A kind that is not the name of any partial in the specification.
  static let kind = "the-template"

  static let files = [
    "comments", "delimiters", "interpolation", "inverted", "partials", "sections", "~dynamic-names",
    "~inheritance",
  ]

  static let folder: URL? = {
    let candidate: URL
    if let path = ProcessInfo.processInfo.environment["CELLFACTORY_MUSTACHE_SPEC"] {
      candidate = URL(fileURLWithPath: path)
    } else {
      var root = URL(fileURLWithPath: #filePath)
      for _ in 0..<3 { root.deleteLastPathComponent() }
      candidate = root.appendingPathComponent("../shared/mustache-spec").standardizedFileURL
    }
    return FileManager.default.fileExists(atPath: candidate.path) ? candidate : nil
  }()

  private struct Malformed: Error { let file: String }

  static func cases() throws -> [Case] {
    guard let folder else { return [] }
    return try files.flatMap { file in
      let content = try Data(contentsOf: folder.appendingPathComponent(file + ".json"))
      guard let suite = try JSONSerialization.jsonObject(with: content) as? [String: Any],
        let tests = suite["tests"] as? [[String: Any]]
      else { throw Malformed(file: file) }
      return try tests.map { test in
        guard let name = test["name"] as? String, let template = test["template"] as? String,
          let expected = test["expected"] as? String, let data = test["data"]
        else { throw Malformed(file: file) }
        return Case(
          name: "\(file): \(name)",
          data: String(
            decoding: try JSONSerialization.data(withJSONObject: data, options: [.fragmentsAllowed]),
            as: UTF8.self),
          template: template, partials: test["partials"] as? [String: String] ?? [:], expected: expected)
      }
    }
  }
}
