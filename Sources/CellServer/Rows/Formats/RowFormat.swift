import CellTemplates
import Cells

/// A format for answers with rows: its names, and how rows are written. Each has its own file; `all` lists
/// them.
package final class RowFormat: NegotiableFormat, Sendable {
  /// What an answer contains of each row.
  enum Content: Sendable {
    /// Only the output of an HTML cell.
    case html
    /// Only the output of a text cell.
    case text
    /// A cell of either type with what belongs to it, or a bad row that was skipped, written by the format's `writer`.
    case objects
    /// The output of an HTML cell, in an element that says what becomes of it.
    case turboStreams

    /// Whether a row is written when it is known to be good, and not while it is rendered.
    var isWrittenWhole: Bool { self == .objects || self == .turboStreams }
  }

  package let name: String
  package let type: String
  package let subtype: String
  /// The `Content-Type` header of an answer.
  package let contentType: StaticString
  let content: Content
  /// Writes the rows, if `content` is `objects`.
  let writer: any RowWriter.Type
  /// The name of the answer's schema in the API description.
  let schema: String
  /// What is written before the rows, between rows, and after each row.
  let opening: StaticString
  let separator: StaticString
  let terminator: StaticString
  private let writeEnd: @Sendable (_ errorCount: Int, inout ByteBuffer) -> Void
  private let writeBreak: @Sendable (Problem, _ badRows: Int, inout ByteBuffer) -> BodyProgress

  /// Takes all that a format declares, by name; each format leaves out most.
  /// - Parameters:
  ///   - close: appends what follows the rows, of which `errorCount` were skipped.
  ///   - breakOff: see the method `breakOff`; the default writes no problem.
  init(
    _ name: String, type: String, subtype: String, contentType: StaticString, content: Content,
    writer: any RowWriter.Type = JSONRowWriter.self, schema: String, opening: StaticString = "",
    separator: StaticString = "", terminator: StaticString = "",
    close: @escaping @Sendable (_ errorCount: Int, inout ByteBuffer) -> Void = { _, _ in },
    breakOff: @escaping @Sendable (Problem, _ badRows: Int, inout ByteBuffer) -> BodyProgress = { _, _, _ in
      .broken
    }
  ) {
    // `FewRows` writes outputs and nothing else.
    precondition(
      content == .objects || [opening, separator, terminator].allSatisfy { $0.utf8CodeUnitCount == 0 },
      "only rows that are objects have something between them")
    (self.name, self.type, self.subtype, self.contentType) = (name, type, subtype, contentType)
    (self.content, self.writer, self.schema) = (content, writer, schema)
    (self.opening, self.separator, self.terminator) = (opening, separator, terminator)
    (writeEnd, writeBreak) = (close, breakOff)
  }

  /// Ends an answer after its last row.
  func close(errorCount: Int, _ output: inout ByteBuffer) { writeEnd(errorCount, &output) }

  /// Ends a streamed answer that cannot be completed, after its last row. Writes the problem if the format
  /// allows that.
  func breakOff(_ problem: Problem, badRows: Int, _ output: inout ByteBuffer) -> BodyProgress {
    writeBreak(problem, badRows, &output)
  }

  /// Whether the format supports text cells or HTML cells.
  func holds(isText: Bool) -> Bool {
    switch content {
    case .html, .turboStreams: !isText
    case .text: isText
    case .objects: true
    }
  }

  /// Whether an answer with cells of the kind consists only of their outputs.
  func isOutput(ofKind kind: UInt32, in archive: CellArchive) -> Bool {
    content == (archive.isText(kind) ? .text : .html)
  }

  package static func == (left: RowFormat, right: RowFormat) -> Bool { left === right }
}
