import Cells
import CellTemplates

/// Rows judged by what stands in them, without drawing: lines that are no JSON, items that select no cell, and cells that
/// the format does not take.
extension BatchRenderer {
  /// Whether that can find anything.
  var isWorthLooking: Bool {
    if case .items = batch.content { return true }
    if case .lines = batch.rows { return true }
    return false
  }

  /// Looks for a bad row from the cursor on, until the slice is over.
  /// - Returns: nil: none so far, and the cursor is not at its end.
  func findsBadRow(from cursor: inout RowCursor, _ slice: inout Slice) -> Bool? {
    // Who is told of unknown kinds hears of them when the rows are drawn.
    var reader = ItemReader(tape: tape, archive: archive, batch: batch, onUnknownKind: nil)
    reader.describes = false
    while !cursor.isAtEnd {
      switch cursor.next() {
      case .badLine:
        return true
      case .node(let node):
        guard case .items = batch.content else { break }
        guard let item = reader.read(node, pointer: { "" }) else { return true }
        if !format.holds(isText: archive.isText(item.kind)) { return true }
      }
      if cursor.place % Slice.rows == 0 && !cursor.isAtEnd && slice.isOver() { return nil }
    }
    return false
  }
}
