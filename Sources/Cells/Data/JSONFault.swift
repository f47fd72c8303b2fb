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

  /// Reported if no error is found although the parser refused the text. This is a bug; a test compares the two on
  /// thousands of texts. Refusing is safe.
  package static func unexplained(at offset: Int) -> JSONFault {
    JSONFault(kind: .invalid, offset: offset, reason: "the text is not JSON")
  }
}

/// The line and column of a byte, for messages. Both count from 1, columns in bytes; `\n` ends a line.
/// `offset` may be the end of the text. Cost: one pass over the text before it.
///
/// The text before `offset` must be unchanged. Parsing a line of NDJSON unescapes its strings in place, which
/// may insert `\n`, so a line-by-line parser must count lines while splitting.
package func lineAndColumn(of offset: Int, in text: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
  let before = UnsafeRawBufferPointer(rebasing: text[..<offset])
  let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  var (index, line, lastWord) = (0, 1, 0)
  while index + 8 <= before.count {
    // In bounds. A newline becomes 0, and then the only byte without its high bit.
    let word = before.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
    let newlines = 8 - (((word & low) + low | word) & ~low).nonzeroBitCount
    if newlines > 0 { (line, lastWord) = (line + newlines, index) }
    index += 8
  }
  for byte in before[index...] where byte == 0x0A { line += 1 }
  let newline = before[index...].lastIndex(of: 0x0A) ?? before[lastWord...].prefix(8).lastIndex(of: 0x0A)
  return (line, offset - (newline ?? -1))
}
