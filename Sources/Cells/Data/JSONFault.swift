/// Why a text was refused: its first error.
package struct JSONFault: Error, Equatable, Sendable {
  package enum Kind: Sendable {
    /// Not JSON (RFC 8259), or not UTF-8.
    case invalid
    /// Valid JSON so far, but this bracket exceeds the limit of nested arrays and objects.
    case tooDeep
  }

  package var kind: Kind

  /// The position in bytes from the start of the buffer; the end of the text if it ends too soon.
  package var offset: Int

  /// The error as part of a sentence: `expected ',' or ']'`.
  package var reason: String

  package init(kind: Kind, offset: Int, reason: String) {
    self.kind = kind
    self.offset = offset
    self.reason = reason
  }
}

/// The line and column of a byte, for messages. Both count from 1, columns in bytes; `\n` ends a line.
/// `offset` may be the end of the text. Cost: one pass over the text before it.
///
/// The text before `offset` must be unchanged. Parsing a line of NDJSON unescapes its strings in place, which
/// may insert `\n`, so a line-by-line parser must count lines while splitting.
package func lineAndColumn(of offset: Int, in text: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
  var line = 1
  var lineStart = 0
  for (index, byte) in text.prefix(offset).enumerated() where byte == UInt8(ascii: "\n") {
    line += 1
    lineStart = index + 1
  }
  return (line, offset - lineStart + 1)
}
