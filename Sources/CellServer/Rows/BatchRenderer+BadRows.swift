import Cells
import CellTemplates

/// Bad rows: their errors are counted, and described only as far as they are reported.
extension BatchRenderer {
  /// The name of the kind shared by all rows; nil if each item names its own.
  private var commonKind: UnsafeRawBufferPointer? {
    guard case .data(let kind) = batch.content else { return nil }
    return archive.bytes(archive.kinds.base[Int(kind)].name)
  }

  mutating func refuse(
    _ place: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, _ entries: [Problem.Entry], count: Int,
    _ output: inout ByteBuffer
  ) {
    position.errors.add(entries, count: count)
    guard position.errors.writesErrors else { return }
    beginRow(place, kind: kind, id: id, &output)
    RowWriter.append(problem: Problem(entries, count: count), to: &output)
    endRow(&output)
  }

  mutating func refuse(_ row: Row, _ entries: [Problem.Entry], count: Int, _ output: inout ByteBuffer) {
    let kind = archive.bytes(archive.kinds.base[Int(row.kind)].name)
    refuse(row.place, kind: kind, id: row.id, entries, count: count, &output)
  }

  /// Refuses a line that is not JSON.
  mutating func refuse(
    _ line: Batch.Line, _ place: Int, _ text: borrowing ByteBuffer, _ output: inout ByteBuffer
  ) {
    let error = position.errors.describes ? lineError(line, place, text) : nil
    refuse(place, kind: commonKind, id: nil, error.map { [$0] } ?? [], count: 1, &output)
  }

  mutating func refuse(_ row: Row, _ fault: RenderFault, _ output: inout ByteBuffer) throws(Problem) {
    switch fault {
    case .outputTooLarge:
      throw .outputTooLarge(limitBytes: limits.outputBytes)
    case .tooMuchWork:
      throw Problem(.outputTooLarge, detail: fault.description + " for these rows; send fewer at a time")
    case .tooDeep:
      let entry = Problem.Entry(pointer: batch.pointer(row.place), code: .tooDeep, detail: fault.description)
      refuse(row, [entry], count: 1, &output)
    case .paused:
      preconditionFailure("a paused row is not bad")
    case .missing(let names, let count):
      var entries: [Problem.Entry] = []
      if position.errors.describes { for name in names { entries.append(missingError(name, row)) } }
      if position.describingBudget <= 0 {
        throw Problem(
          .outputTooLarge, detail: "too many names are missing to list them all; send fewer rows")
      }
      refuse(row, entries, count: count, &output)
    }
  }

  func formatError(_ row: Row, isText: Bool) -> Problem.Entry {
    Problem.Entry(
      pointer: batch.pointer(row.place), code: .notAcceptable,
      detail: isText
        ? "a text cell cannot be rendered as HTML" : "an HTML cell cannot be rendered as plain text")
  }

  private mutating func missingError(_ missing: MissingName, _ row: Row) -> Problem.Entry {
    var pointer = batch.dataPointer(row.place)
    if let object = missing.object {
      var root = row.data
      if let owner = batch.owner, tape.contains(object, in: owner) { (root, pointer) = (owner, "/owner") }
      for part in tape.path(from: root, to: object, budget: &position.describingBudget) ?? [] {
        switch part {
        case .member(let name): pointer = JSONPointer.appending(name, to: pointer)
        case .element(let place): pointer = JSONPointer.appending(place, to: pointer)
        }
      }
    }
    return Problem.Entry(
      pointer: JSONPointer.appending(missing.name, to: pointer), code: .invalidRow,
      detail: "the name \(Excerpt.quoted(missing.name)) is missing")
  }

  private func lineError(
    _ line: Batch.Line, _ place: Int, _ text: borrowing ByteBuffer
  ) -> Problem.Entry? {
    let depth = options.settings.jsonDepth
    var found: JSONFault?
    if case .lines(let lines) = batch.rows { found = lines.fault(at: place) }
    found = found ?? JSONParser.firstFault(of: text, in: line.range, depthLimit: depth)
    guard let fault = found else { return nil }
    let problem = Problem(fault, line: Int(line.number), column: fault.offset - Int(line.start) + 1)
    return Problem.Entry(
      pointer: batch.pointer(place), code: problem.code, detail: problem.detail, line: problem.line,
      column: problem.column)
  }
}
