import Foundation

/// A page of `Tests/Snippets`, parsed into its snippets. `README.md` there describes the format.
struct SnippetFile {
  /// What a line is that the parser does not understand.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Snippets").standardized.path

  /// The names of all pages, without `.md`, sorted.
  static var families: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".md") && $0 != "README.md" }.map { String($0.dropLast(3)) }.sorted()
    }
  }

  private(set) var snippets: [Snippet] = []
  private let family: String

  init(_ family: String) throws {
    self.family = family
    let text = try String(contentsOfFile: "\(Self.folder)/\(family).md", encoding: .utf8)
    var file: (name: String, lines: [Substring])?
    for (position, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let number = position + 1
      if let block = file {
        if line == "```" {
          let text = block.lines.map { $0 + "\n" }.joined()
          try change(number) { $0.files.append((block.name, text)) }
          file = nil
        } else {
          file?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        let words = line.dropFirst(3).split(separator: " ")
        file = (words.count > 1 ? String(words[1]) : "page.html", [])
      } else if line.hasPrefix("## ") {
        snippets.append(Snippet(family: family, name: String(line.dropFirst(3)), line: number))
      } else if line.hasPrefix("- ") {
        try readExpectation(line.dropFirst(2), number)
      } else if !line.isEmpty, !snippets.isEmpty {
        throw fault(number)
      }
    }
    if file != nil { throw Fault(description: "\(family).md: the last block has no end") }
  }

  /// - Parameter text: `has: …`, for example.
  private mutating func readExpectation(_ text: Substring, _ line: Int) throws {
    let fault = fault(line)
    guard let colon = text.firstRange(of: ": ") else { throw fault }
    let ticks = text[colon.upperBound...].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
    switch text[..<colon.lowerBound] {
    case "row": try change(line) { $0.rows.append(Snippet.Row(json: ticks, isAttack: false)) }
    case "attack": try change(line) { $0.rows.append(Snippet.Row(json: ticks, isAttack: true)) }
    case "owner": try changeRow(line) { $0.owner = ticks }
    case "has": try changeRow(line) { $0.fragments.append(ticks) }
    case "lacks": try changeRow(line) { $0.absent.append(ticks) }
    case "refused", "warned":
      guard ticks.wholeMatch(of: /\d+:\d+ [a-z-]+/) != nil else { throw fault }
      try change(line) { $0.diagnostics.append(Snippet.Expected(position: ticks)) }
    case "hint":
      try change(line) { snippet in
        guard !snippet.diagnostics.isEmpty else { throw fault }
        snippet.diagnostics[snippet.diagnostics.count - 1].hints.append(ticks)
      }
    default: throw fault
    }
  }

  private mutating func change(_ line: Int, _ body: (inout Snippet) throws -> Void) throws {
    guard !snippets.isEmpty else { throw fault(line) }
    try body(&snippets[snippets.count - 1])
  }

  private mutating func changeRow(_ line: Int, _ body: (inout Snippet.Row) -> Void) throws {
    let fault = fault(line)
    try change(line) { snippet in
      guard !snippet.rows.isEmpty else { throw fault }
      body(&snippet.rows[snippet.rows.count - 1])
    }
  }

  private func fault(_ line: Int) -> Fault {
    Fault(description: "\(family).md:\(line): neither a block, a heading nor an expectation")
  }
}
