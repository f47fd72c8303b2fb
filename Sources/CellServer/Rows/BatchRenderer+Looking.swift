import Cells
import CellTemplates

/// Finds bad rows without rendering: lines that are not JSON, items that select no cell, cells that the
/// format does not support, and values that cannot be rows of their kind.
extension BatchRenderer {
  /// Whether there can be such rows.
  var isWorthLooking: Bool {
    if case .lines = batch.rows { return true }
    switch batch.content {
    case .items: return true
    case .data(let kind):
      return archive.rowUses(of: kind).mayRefuse || options.turboStream?.needsID == true
    }
  }

  /// Looks for a bad row from the cursor on, until the slice is over.
  /// - Returns: nil if none was found before the slice ended.
  mutating func findsBadRow(from cursor: inout RowCursor, _ slice: inout Slice) -> Bool? {
    var pause = slice.rowPause
    // Unknown kinds are reported later, when the rows are rendered.
    var reader = ItemReader(
      tape: tape, archive: archive, batch: batch, terms: terms, takesStreams: options.turboStream != nil,
      onUnknownKind: nil)
    reader.describes = false
    while !cursor.isAtEnd || pausedReader != nil {
      var reading: ItemReader.Reading?
      if let paused = pausedReader.take() {
        reader = paused
        reading = reader.readOn(until: &pause, pointer: { "" })
      } else {
        switch cursor.next() {
        case .badLine: return true
        case .node(let node):
          switch batch.content {
          case .items: reading = reader.read(node, until: &pause, pointer: { "" })
          case .data(let kind):
            if archive.rowUses(of: kind).fault(of: node, on: tape) != nil { return true }
            if streamFault(of: Row(index: 0, kind: kind, data: node)) != nil { return true }
          }
        }
      }
      switch reading {
      case nil: break
      case .bad: return true
      case .good(let item):
        if !format.holds(isText: archive.isText(item.kind)) { return true }
        note(item)
        if archive.rowUses(of: item.kind).fault(of: item.data, on: tape) != nil { return true }
        let row = Row(index: 0, kind: item.kind, data: item.data, id: item.id, stream: item.stream)
        if streamFault(of: row) != nil { return true }
      case .pause:
        pausedReader = reader
        return nil
      }
      if cursor.index % Slice.rows == 0 && !cursor.isAtEnd && slice.isOver() { return nil }
    }
    return false
  }
}
