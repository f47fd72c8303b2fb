import CellTemplates
import Cells

/// A form in which rows are answered: its names, and how rows stand in it. Each has a file of its own; `all` lists them.
package final class RowFormat: NegotiableFormat, Sendable {
  /// What of each row an answer holds.
  enum Content: Sendable {
    /// The output of a cell of HTML as it is, and nothing else.
    case html
    /// The same of a text cell.
    case text
    /// An object, of any cell; a row that is skipped as bad has one, too.
    case objects
  }

  package let name: String
  package let type: String
  package let subtype: String
  /// The header `Content-Type` of an answer.
  package let contentType: StaticString
  let content: Content
  /// The name of an answer's schema in the contract.
  let schema: String
  /// What stands before the rows, between two of them, and after each.
  let opening: StaticString
  let separator: StaticString
  let terminator: StaticString
  private let writeEnd: @Sendable (_ errorCount: Int, inout ByteBuffer) -> Void
  private let writeBreak: @Sendable (Problem, _ badRows: Int, inout ByteBuffer) -> BodyProgress

  /// - Parameters:
  ///   - close: appends what stands after the rows, of which `errorCount` were skipped.
  ///   - breakOff: as `breakOff`; the default has no place for a problem.
  init(
    _ name: String, type: String, subtype: String, contentType: StaticString, content: Content,
    schema: String, opening: StaticString = "", separator: StaticString = "", terminator: StaticString = "",
    close: @escaping @Sendable (_ errorCount: Int, inout ByteBuffer) -> Void = { _, _ in },
    breakOff: @escaping @Sendable (Problem, _ badRows: Int, inout ByteBuffer) -> BodyProgress = { _, _, _ in
      .broken
    }
  ) {
    (self.name, self.type, self.subtype, self.contentType) = (name, type, subtype, contentType)
    (self.content, self.schema) = (content, schema)
    (self.opening, self.separator, self.terminator) = (opening, separator, terminator)
    (writeEnd, writeBreak) = (close, breakOff)
  }

  /// Ends an answer after its last row.
  func close(errorCount: Int, _ output: inout ByteBuffer) { writeEnd(errorCount, &output) }

  /// Ends a streamed answer that cannot be completed, after its last row: with the problem, where the format has a place
  /// for it.
  func breakOff(_ problem: Problem, badRows: Int, _ output: inout ByteBuffer) -> BodyProgress {
    writeBreak(problem, badRows, &output)
  }

  /// Whether it takes cells of text, or of HTML.
  func holds(isText: Bool) -> Bool {
    switch content {
    case .html: !isText
    case .text: isText
    case .objects: true
    }
  }

  /// Whether an answer is what cells of the kind draw, and nothing else.
  func isOutput(ofKind kind: UInt32, in archive: CellArchive) -> Bool {
    content == (archive.isText(kind) ? .text : .html)
  }

  package static func == (left: RowFormat, right: RowFormat) -> Bool { left === right }
}
