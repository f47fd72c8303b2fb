import Foundation

/// One of the package's documents, split into fenced blocks, headings and links.
struct DocumentPage {
  struct Block {
    /// The line of the opening fence.
    let line: Int
    /// The words after the fence.
    let words: [String]
    /// Without the last line end.
    let text: String
  }

  /// All documents.
  static let paths = [
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/architecture.md",
    "docs/coming-from.md", "docs/configuration.md", "docs/cookbook.md", "docs/diagnostics.md",
    "docs/escaping.md", "docs/formats.md", "docs/http.md", "docs/language.md", "docs/metrics.md",
    "docs/operations.md",
    "docs/performance.md", "docs/preview.md", "docs/web.md",
  ]

  /// Relative to the package's folder.
  let path: String
  let text: String
  private(set) var blocks: [Block] = []
  /// The anchors that a link may name after `#`.
  private(set) var anchors: Set<String> = []
  /// The lines outside blocks.
  private(set) var prose = ""

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOfFile: Package.folder + "/" + path, encoding: .utf8)
    var open: (line: Int, words: [String], lines: [Substring])?
    for (position, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(
            Block(line: block.line, words: block.words, text: block.lines.joined(separator: "\n")))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (position + 1, line.dropFirst(3).split(separator: " ").map(String.init), [])
      } else {
        if line.hasPrefix("#") { anchors.insert(Self.anchor(of: line)) }
        prose += line + "\n"
      }
    }
  }

  /// The lines of the file.
  var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }

  /// The targets of links into the package.
  var links: [String] {
    prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
  }

  /// The anchor that GitHub generates for a heading.
  private static func anchor(of heading: Substring) -> String {
    heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
      .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }
}
