/// The text of one template file, with what its path said about it.
package struct TemplateSource: Sendable {
  /// The language a cell is written in.
  package enum Mode: Sendable {
    /// A Mustache cell whose output is HTML.
    case html
    /// A text cell: exactly the Mustache spec, no HTML analysis.
    case text
  }

  /// The path that diagnostics print: the folder as given, joined with the path below it.
  package let file: String
  package let kind: String
  package let mode: Mode
  /// The whole file.
  package let bytes: [UInt8]
  /// The template's part of the file: of a Mustache file all behind its byte order mark, of a nib one cell.
  let content: Range<Int>
  /// Of a cell in a nib.
  package let cell: NibCell?
  /// Where each line begins, behind a byte order mark: an editor does not count it as a column.
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

  /// One cell of a nib, which is read already.
  init(kind: String, cell: NibCell, content: Range<Int>, of nib: TemplateSource) {
    file = nib.file
    self.kind = kind
    mode = .html
    bytes = nib.bytes
    self.content = content
    self.cell = cell
    lines = nib.lines
  }

  /// Where the template is defined: of a cell in a nib its identifier, of a Mustache file its start.
  var definition: Int { cell?.at ?? 0 }

  /// Line and column of a byte, counted from 1; columns in bytes. The end of the text is a position.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    lines.position(of: offset)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
