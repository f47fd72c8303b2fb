import CellTemplates
import Foundation
import Testing

@testable import Cells

/// Every example of the pages about the template language is correct.
@Suite struct LanguageDocumentTests {
  private let documents: [LanguageDocument]

  init() throws {
    documents = try ["language.md", "escaping.md", "diagnostics.md", "formats.md"].map(LanguageDocument.init)
  }

  /// The rows of all tables with this head.
  private func rows(_ head: String...) -> [LanguageDocument.Row] { documents.flatMap { $0.rows(head) } }

  /// The files of one example: named files as they are, otherwise one cell, which is a nib if it uses nib
  /// features.
  private static func files(_ template: String) -> [String: String] {
    if let match = template.wholeMatch(of: /([A-Za-z0-9._ \/-]+\.(?:html|mustache|hbs|json)): (.*)/) {
      return [String(match.1): String(match.2)]
    }
    let ofNibs = [
      "outlet", "tag", "bind", "design", "embed", "action", "missing", "when", "include", "format", "plural",
      "case",
    ]
    if template.contains("data-cell=\"cell\"") { return ["nib.html": template] }
    return ofNibs.contains { template.contains("data-\($0)") }
      ? ["nib.html": "<template data-cell=\"cell\">\(template)</template>"] : ["cell.mustache": template]
  }

  private static func check(_ files: [String: String]) throws -> [Diagnostic] {
    let folder = try TemporaryFolder(files)
    return FolderCheck(folder.path, executor: InlineExecutor()).diagnostics
  }

  // MARK: Tables

  @Test func outputsInTables() throws {
    let rows = rows("template", "data", "output")
    #expect(rows.count > 50)
    for row in rows {
      let harness = try RenderHarness(Self.files(row.text(0)))
      let outcomes = try harness.outcomes("cell", row.text(1))
      #expect(outcomes == [.rendered(row.text(2))], "line \(row.line)")
    }
  }

  @Test func formatsInTables() throws {
    let rows = rows("template", "data", "locale", "output")
    #expect(rows.count > 25)
    for row in rows {
      let harness = try FormatHarness(
        Self.files(row.text(0)), others: row.text(2).replacing("-u-nu-latn", with: ""))
      #expect(try harness.render("cell", row.text(1), locale: row.text(2)) == row.text(3), "line \(row.line)")
    }
  }

  @Test func missingNamesInTables() throws {
    let rows = rows("template", "missing", "output")
    #expect(rows.count > 5)
    for row in rows {
      let harness = try RenderHarness(Self.files(row.text(0)))
      var limits = RenderLimits()
      limits.missing = try #require(MissingPolicy(rawValue: row.text(1)), "line \(row.line)")
      let isBad = row.cells[2].hasPrefix("*a bad row:*")
      let expected: RenderHarness.Outcome = isBad ? .missing(row.spans(2)) : .rendered(row.text(2))
      #expect(try harness.outcomes("cell", "{}", limits: limits) == [expected], "line \(row.line)")
    }
  }

  @Test func refusedAndAcceptedForms() throws {
    let rows = rows("refused", "code", "instead")
    #expect(rows.count > 10)
    for row in rows {
      for template in row.spans(0) {
        let codes = try Self.check(Self.files(template)).map(\.code.rawValue)
        #expect(codes.contains(row.text(1)), "line \(row.line): \(template)")
      }
      for template in row.spans(2) {
        #expect(try Self.check(Self.files(template)) == [], "line \(row.line): \(template)")
      }
    }
  }

  // MARK: Diagnostics

  /// Errors of files and permissions, which a line of text cannot show.
  private static let withoutExample: Set<DiagnosticCode> = [
    .assetLimit, .invalidEncoding, .loadLimit, .nestedTooDeep, .outsideFolder, .unreadable,
  ]

  @Test func everyCodeHasAnExampleAndAMend() throws {
    let rows = rows("code", "an example", "a mend")
    #expect(rows.map { $0.text(0) } == DiagnosticCode.allCases.map(\.rawValue).sorted())
    for row in rows {
      let code = try #require(DiagnosticCode(rawValue: row.text(0)))
      #expect(row.spans(1).isEmpty == Self.withoutExample.contains(code), "line \(row.line)")
      for files in Self.folders(row.spans(1)) {
        #expect(try Self.check(files).map(\.code).contains(code), "line \(row.line): \(files)")
      }
      for files in Self.folders(row.spans(2)) {
        let rest = try Self.check(files).map(\.description)
        #expect(rest == [], "line \(row.line): \(files)")
      }
    }
  }

  /// Named files form a folder together; every other example is a folder by itself.
  private static func folders(_ spans: [String]) -> [[String: String]] {
    let all = spans.map(files)
    guard all.contains(where: { $0["cell.mustache"] == nil && $0["nib.html"] == nil }) else { return all }
    return [all.reduce(into: [:]) { folder, files in folder.merge(files) { $1 } }]
  }

  // MARK: Blocks

  private enum Role {
    case file(String)
    case rows(kind: String, owner: String?)
    case output
    case check
    case other
  }

  private static func role(of block: LanguageDocument.Block) -> Role {
    guard block.words.count > 1 else { return .other }
    switch (block.words[0], block.words[1]) {
    case (_, "output"): return .output
    case (_, "check"): return .check
    case (_, let name) where name.contains("."): return .file(name)
    case ("json", let kind):
      let owner = block.words.dropFirst(2).first.flatMap {
        $0.hasPrefix("owner=") ? String($0.dropFirst(6)) : nil
      }
      return .rows(kind: kind, owner: owner)
    default: return .other
    }
  }

  @Test(arguments: [
    ("language.md", 10), ("formats.md", 2), ("escaping.md", 1), ("diagnostics.md", 1), ("cookbook.md", 12),
    ("coming-from.md", 1),
  ])
  func blocks(page: String, count: Int) throws {
    let document = try LanguageDocument(page)
    var files: [String: String] = [:]
    var isFolderOpen = false
    var outcome: String?
    var compared = 0
    for block in document.blocks {
      let role = Self.role(of: block)
      if case .file(let name) = role {
        if !isFolderOpen { files = [:] }
        files[name] = block.text
        isFolderOpen = true
        continue
      }
      isFolderOpen = false
      switch role {
      case .rows(let kind, let owner):
        let folder = try TemporaryFolder(files)
        let harness = RenderHarness(archive: try CellArchive.compiling(folder: folder.path))
        if let owner {
          let rendered = try harness.outcomes(kind, block.text, owner: owner)
          guard case .rendered(let bytes)? = rendered.first else {
            Issue.record("line \(block.line): \(rendered)")
            continue
          }
          outcome = String(decoding: bytes, as: UTF8.self)
        } else {
          outcome = try harness.render(kind, block.text)
        }
      case .output:
        let rendered = try #require(outcome, "line \(block.line): no rows before it")
        #expect(Self.withoutEnd(rendered) == Self.withoutEnd(block.text), "line \(block.line)")
        outcome = nil
        compared += 1
      case .check:
        let folder = try TemporaryFolder(files)
        let found = FolderCheck(folder.path, executor: InlineExecutor()).diagnostics
          .map { $0.description.replacing(folder.path, with: "templates") }
        let starts = block.text.split(separator: "\n")
        #expect(found.count == starts.count, "line \(block.line): \(found)")
        for (line, start) in zip(found, starts) {
          #expect(line.hasPrefix(start), "line \(block.line): \(line)")
        }
        compared += 1
      case .file, .other:
        // Blocks that are not examples of the language, such as HTTP.
        #expect(!["html", "mustache"].contains(block.words.first), "line \(block.line): is not compared")
      }
    }
    #expect(compared >= count)
  }

  private static func withoutEnd(_ text: String) -> String {
    var rest = text[...]
    while rest.last == "\n" { rest.removeLast() }
    return String(rest)
  }
}
