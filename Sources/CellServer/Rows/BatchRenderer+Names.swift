import Cells
import CellTemplates

/// Rows with names that their kind never reads.
extension BatchRenderer {
  /// Looks for such names before a row is rendered.
  /// - Returns: false if the row has been refused, or if the time is over: `item` then has it.
  mutating func hasKnownNames(
    _ row: Row, _ output: inout ByteBuffer, _ factory: isolated CellFactory
  ) -> Bool {
    let names: UnknownNames
    switch item?.stage {
    case .naming(let begun): names = begun
    case nil:
      // What cannot be a row at all is refused for that.
      guard archive.rowUses(of: row.kind).fault(of: row.data, on: tape) == nil
      else { return true }
      names = factory.unknownNames(
        in: row.data, ofKind: row.kind, describes: position.errors.describes)
    case .rendering, .judging, .outlets, .tagging, .writing: return true
    }
    guard names.find(on: tape, until: &factory.rowPause) else {
      item = UnfinishedItem(row: row, stage: .naming(names))
      return false
    }
    item = nil
    if names.count == 0 { return true }
    refuse(row, names.findings.map { unknownError($0, row) }, count: names.count, &output)
    return false
  }

  private func unknownError(_ finding: UnknownNames.Finding, _ row: Row) -> Problem.Entry {
    var detail = "this kind never reads the name \(Excerpt.quoted(finding.name))"
    if let nearest = finding.nearest { detail += "; did you mean \(Excerpt.quoted(nearest))?" }
    return Problem.Entry(
      pointer: Self.pointer(finding.path, in: batch.dataPointer(row.index)).text, code: .invalidRow,
      detail: detail
    )
  }
}
