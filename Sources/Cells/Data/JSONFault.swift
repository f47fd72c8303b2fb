/// Why a text was refused: its first fault, read from the left.
package struct JSONFault: Error, Equatable, Sendable {
  package enum Kind: Sendable {
    /// Not JSON (RFC 8259), or not UTF-8.
    case invalid
    /// JSON up to here, but this bracket opens more arrays and objects than are allowed at once.
    case tooDeep
  }

  package var kind: Kind

  /// Where, in bytes from the start of the buffer; the end of the text where it ends too soon.
  package var offset: Int

  /// What is wrong, as part of a sentence: `expected ',' or ']'`.
  package var reason: String

  package init(kind: Kind, offset: Int, reason: String) {
    self.kind = kind
    self.offset = offset
    self.reason = reason
  }
}

/// The place of a byte in a text, for people: line and column count from 1, columns in bytes, `\n` ends a
/// line. `offset` may be the end of the text. Cost: one pass over the text before it.
///
/// The text before `offset` must be as it was sent. Parsing a line of NDJSON unescapes its strings in place,
/// which may put `\n` into it: who parses line by line counts lines while splitting.
package func lineAndColumn(of offset: Int, in text: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
  var line = 1
  var lineStart = 0
  for (index, byte) in text.prefix(offset).enumerated() where byte == UInt8(ascii: "\n") {
    line += 1
    lineStart = index + 1
  }
  return (line, offset - lineStart + 1)
}
