import Foundation

/// A page about the template language, parsed into its examples.
///
/// - A fenced block whose second word is a file name is that file; consecutive blocks form a folder.
/// - `json KIND` is a row or an array of rows of that kind; `owner={…}` after it is the owner of the request.
/// - `output` as the second word is the output of the rows before it; `check` is the start of each line that
///   `check` prints.
/// - Tables are identified by the words of their head; their examples are code spans.
struct LanguageDocument {
  struct Block {
    /// The line of the opening fence.
    let line: Int
    let words: [String]
    let text: String
  }

  struct Row {
    let line: Int
    let cells: [String]

    /// The code spans of a cell.
    func spans(_ position: Int) -> [String] {
      guard position < cells.count else { return [] }
      return cells[position].matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// The code spans of a cell, joined; the word "newline" between two is replaced by a newline.
    func text(_ position: Int) -> String {
      guard position < cells.count else { return "" }
      return cells[position].matches(of: /`([^`]+)`|newline/).map { $0.1.map(String.init) ?? "\n" }.joined()
    }
  }

  struct Table {
    let head: [String]
    var rows: [Row] = []
  }

  private(set) var blocks: [Block] = []
  private(set) var tables: [Table] = []

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../docs")

  /// - Parameter name: the file's name.
  init(_ name: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    var open: (line: Int, words: [String], lines: [Substring])?
    var isInTable = false
    for (position, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(
            Block(line: block.line, words: block.words, text: block.lines.map { $0 + "\n" }.joined()))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (position + 1, line.dropFirst(3).split(separator: " ").map(String.init), [])
      } else if line.hasPrefix("|") {
        // A bar in a cell has a backslash before it.
        let cells = line.replacing("\\|", with: "\u{1}").dropFirst().dropLast()
          .split(separator: "|", omittingEmptySubsequences: false)
          .map { $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|") }
        if !isInTable {
          tables.append(Table(head: cells))
        } else if !line.hasPrefix("|--") {
          tables[tables.count - 1].rows.append(Row(line: position + 1, cells: cells))
        }
      }
      isInTable = open == nil && line.hasPrefix("|")
    }
  }

  /// The rows of all tables with this head.
  func rows(_ head: [String]) -> [Row] { tables.filter { $0.head == head }.flatMap(\.rows) }
}
