/// The text of one template file, and what its path says about it.
package struct TemplateSource: Sendable {
  /// The type of a cell.
  package enum Mode: Sendable {
    /// A Mustache cell whose output is HTML.
    case html
    /// A text cell: exactly the Mustache spec, without HTML analysis.
    case text
  }

  /// The path printed in diagnostics: the folder as given, joined with the relative path.
  package let file: String
  package let kind: String
  package let mode: Mode
  /// The whole file.
  package let bytes: [UInt8]
  /// The template's part of the file: in a Mustache file, everything after its byte order mark; in a nib, one
  /// cell.
  let content: Range<Int>
  /// For a cell in a nib.
  package let cell: NibCell?
  /// The start of each line, after a byte order mark, which editors do not count as a column.
  private let lines: LineIndex

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package init(file: String, kind: String, mode: Mode, bytes: [UInt8]) {
    self.file = file
    self.kind = kind
    self.mode = mode
    self.bytes = bytes
    cell = nil
    let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    content = start..<bytes.count
    lines = LineIndex(bytes, from: start)
  }

  /// One cell of a nib that was already read.
  init(kind: String, cell: NibCell, content: Range<Int>, of nib: TemplateSource) {
    file = nib.file
    self.kind = kind
    mode = .html
    bytes = nib.bytes
    self.content = content
    self.cell = cell
    lines = nib.lines
  }

  /// Where the template is defined: a nib cell's identifier, or the start of a Mustache file.
  var definition: Int { cell?.at ?? 0 }

  /// Line and column of a byte, counted from 1; columns in bytes. The end of the text is a valid position.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    lines.position(of: offset)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
