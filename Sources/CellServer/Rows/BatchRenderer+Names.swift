import Cells
import CellTemplates

/// Rows with names that their kind never reads.
extension BatchRenderer {
  /// Looks for such names before a row is rendered.
  /// - Returns: false if the row has been refused, or if the time is over: `item` then has it.
  /// - Throws: a problem that fails the whole request.
  mutating func hasKnownNames(
    _ row: Row, _ output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) -> Bool {
    let names: UnknownNames
    switch item?.stage {
    case .naming(let begun): names = begun
    case nil:
      // What cannot be a row at all is refused for that.
      guard archive.rowUses(of: row.kind).fault(of: row.data, on: tape) == nil
      else { return true }
      names = factory.unknownNames(
        in: row.data, ofKind: row.kind, describes: position.errors.describes,
        comparisons: position.comparisonsLeft)
    case .rendering, .judging, .outlets, .tagging, .writing: return true
    }
    let isDone: Bool
    do throws(RenderFault) {
      isDone = try names.find(on: tape, limits)
    } catch {
      item = nil
      try refuse(row, error, &output, factory)
      return false
    }
    item = isDone ? nil : UnfinishedItem(row: row, stage: .naming(names))
    if !isDone { return false }
    position.comparisonsLeft = names.comparisonsLeft
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
