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
  package let bytes: [UInt8]

  package init(file: String, kind: String, mode: Mode, bytes: [UInt8]) {
    self.file = file
    self.kind = kind
    self.mode = mode
    self.bytes = bytes
  }

  /// Line and column of a byte, counted from 1; columns in bytes. The end of the text is a position.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    var line = 1
    var lineStart = 0
    for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    return (line, min(offset, bytes.count) - lineStart + 1)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
