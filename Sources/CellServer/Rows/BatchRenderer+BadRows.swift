import Cells
import CellTemplates

/// Bad rows: their errors are counted, and described only as far as they are reported.
extension BatchRenderer {
  /// The name of the kind shared by all rows; nil if each item names its own.
  private var commonKind: UnsafeRawBufferPointer? {
    guard case .data(let kind) = batch.content else { return nil }
    return archive.name(ofKind: kind)
  }

  mutating func refuse(
    _ index: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, _ entries: [Problem.Entry], count: Int,
    _ output: inout ByteBuffer
  ) {
    forgetPassedBytesOfRow()
    position.errors.add(entries, count: count)
    guard position.errors.writesErrors else { return }
    beginRow(index, kind: kind, id: id, &output)
    format.writer.append(problem: Problem(entries, count: count), to: &output)
    endRow(&output)
  }

  mutating func refuse(_ row: Row, _ entries: [Problem.Entry], count: Int, _ output: inout ByteBuffer) {
    let kind = archive.name(ofKind: row.kind)
    refuse(row.index, kind: kind, id: row.id, entries, count: count, &output)
  }

  /// A line that is not JSON, while its first fault is looked for.
  struct UnfinishedLine {
    let line: Batch.Line
    let index: Int
    let finder: JSONFaultFinder
  }

  /// Bytes of a line checked between two readings of the clock.
  private static var lineBytesPerLook: Int { 64 << 10 }

  /// Refuses a line that is not JSON, or begins to: `badLine` then has it.
  mutating func refuse(
    _ line: Batch.Line, _ index: Int, _ text: borrowing ByteBuffer, _ output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) {
    if !position.errors.describes {
      refuse(index, kind: commonKind, id: nil, [], count: 1, &output)
    } else if case .lines(let lines) = batch.rows, let fault = lines.fault(at: index) {
      refuse(index, kind: commonKind, id: nil, [lineError(fault, line, index)], count: 1, &output)
    } else {
      let finder = JSONFaultFinder(line.range, depthLimit: options.settings.jsonDepth)
      refuse(UnfinishedLine(line: line, index: index, finder: finder), text, &output, factory)
    }
  }

  /// Continues to look for the line's fault, and refuses the line when it is found.
  mutating func refuse(
    _ bad: UnfinishedLine, _ text: borrowing ByteBuffer, _ output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) {
    badLine = nil
    while !bad.finder.look(at: text, bytes: Self.lineBytesPerLook) {
      if factory.rowPause.isOver() {
        badLine = bad
        return
      }
    }
    let error = bad.finder.fault.map { lineError($0, bad.line, bad.index) }
    refuse(bad.index, kind: commonKind, id: nil, error.map { [$0] } ?? [], count: 1, &output)
  }

  /// Refuses a row with a fault, or begins to: `incomplete` then has it.
  mutating func refuse(
    _ row: Row, _ fault: RenderFault, _ output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) {
    switch fault {
    case .outputTooLarge:
      throw .outputTooLarge(limitBytes: limits.outputBytes)
    case .tooMuchWork:
      throw Problem(.outputTooLarge, detail: fault.description + " for these rows; send fewer at a time")
    case .tooDeep, .tooFarIndented:
      let entry = Problem.Entry(pointer: batch.pointer(row.index), code: .tooDeep, detail: fault.description)
      refuse(row, [entry], count: 1, &output)
    case .item:
      if case .single = batch.layout { throw Problem(.badRequest, detail: fault.description) }
      refuse(row, [shapeError(fault, row)], count: 1, &output)
    case .notAnObject:
      refuse(row, [shapeError(fault, row)], count: 1, &output)
    case .notIncluded(_, _, let value):
      if !position.errors.describes { return refuse(row, [], count: 1, &output) }
      let error = MissingName(refused: value, because: fault.description)
      try refuse(RowWithMissingNames(row: row, names: [error], count: 1), &output, factory)
    case .paused:
      preconditionFailure("a paused row is not bad")
    case .missing(let names, let count):
      if !position.errors.describes { return refuse(row, [], count: count, &output) }
      try refuse(RowWithMissingNames(row: row, names: names, count: count), &output, factory)
    }
  }

  /// A row with missing names, while the places of these are looked for.
  struct RowWithMissingNames {
    let row: Row
    let names: [MissingName]
    let count: Int
    var entries: [Problem.Entry] = []
    /// Of the entries.
    var pointerBytes = 0
    /// For the next name.
    var finder: JSONTape.PathFinder?

    /// The name whose place is to be found next; nil if all entries are made, or as many as their pointers allow.
    var next: MissingName? {
      entries.count < names.count && pointerBytes < BatchRenderer.pointerBytes ? names[entries.count] : nil
    }

    mutating func append(_ entry: Problem.Entry) {
      entries.append(entry)
      pointerBytes += entry.pointer.utf8.count
      finder = nil
    }
  }

  /// The bytes of the pointers of one row's missing names, and one more.
  private static var pointerBytes: Int { 64 << 10 }

  /// Members and elements visited between two readings of the clock, to find places.
  private static var visitsPerLook: Int { 4096 }

  /// Refuses a row with missing names, or begins to, or continues: `incomplete` then has it.
  mutating func refuse(
    _ incomplete: RowWithMissingNames, _ output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) {
    var incomplete = incomplete
    self.incomplete = nil
    while let name = incomplete.next {
      let location = location(of: name, incomplete.row)
      if let root = location.root, let object = name.object {
        var finder = incomplete.finder ?? JSONTape.PathFinder(from: root, to: object, on: tape)
        var budget = min(Self.visitsPerLook, position.describingBudget)
        position.describingBudget -= budget
        let isFound = finder.find(on: tape, budget: &budget)
        position.describingBudget += budget
        if position.describingBudget <= 0 {
          throw Problem(
            .outputTooLarge, detail: "too many names are missing to list them all; send fewer rows")
        }
        if isFound {
          let pointer = Self.pointer(finder.parts, in: location.pointer)
          incomplete.append(missingError(name, at: pointer.text, isWhole: pointer.isWhole))
        } else {
          incomplete.finder = finder
        }
      } else {
        incomplete.append(missingError(name, at: location.pointer))
      }
      if factory.rowPause.isOver() {
        self.incomplete = incomplete
        return
      }
    }
    refuse(incomplete.row, incomplete.entries, count: incomplete.count, &output)
  }

  private func shapeError(_ fault: RenderFault, _ row: Row) -> Problem.Entry {
    Problem.Entry(pointer: batch.dataPointer(row.index), code: .invalidRow, detail: fault.description)
  }

  func formatError(_ row: Row, isText: Bool) -> Problem.Entry {
    Problem.Entry(
      pointer: batch.pointer(row.index), code: .notAcceptable,
      detail: isText
        ? "a text cell cannot be rendered as HTML" : "an HTML cell cannot be rendered as plain text")
  }

  /// Where the object of a missing name is: the pointer of a value, and that value; nil if it is the object itself.
  private func location(of missing: MissingName, _ row: Row) -> (pointer: String, root: JSONTape.Index?) {
    if missing.isOfOwner { return ("", nil) }
    guard let object = missing.object else { return (batch.dataPointer(row.index), nil) }
    if let owner = batch.owner, tape.contains(object, in: owner) { return ("/owner", owner) }
    return (batch.dataPointer(row.index), row.data)
  }

  /// Appends a path to a pointer. One that gets longer than 64 KiB ends there, and leads to what is around the place.
  static func pointer(_ path: [JSONTape.PathPart], in pointer: String) -> (text: String, isWhole: Bool) {
    var pointer = pointer
    for part in path {
      if pointer.utf8.count > Self.pointerBytes { return (pointer, false) }
      switch part {
      case .member(let name): JSONPointer.append(name, to: &pointer)
      case .element(let index): JSONPointer.append(String(index), to: &pointer)
      }
    }
    return (pointer, true)
  }

  /// - Parameter isWhole: whether the pointer leads to the object in which the name is missing.
  private func missingError(
    _ missing: MissingName, at pointer: String, isWhole: Bool = true
  ) -> Problem.Entry {
    if let refusal = missing.refusal {
      return Problem.Entry(pointer: pointer, code: .invalidRow, detail: refusal)
    }
    if let format = missing.misfit {
      return Problem.Entry(
        pointer: pointer, code: .invalidRow,
        detail: "the value does not fit the format \(Excerpt.quoted(format))")
    }
    return Problem.Entry(
      pointer: isWhole ? JSONPointer.appending(path: missing.name, to: pointer) : pointer, code: .invalidRow,
      detail: "the name \(Excerpt.quoted(missing.name)) is missing")
  }

  private func lineError(_ fault: JSONFault, _ line: Batch.Line, _ index: Int) -> Problem.Entry {
    let problem = Problem(fault, line: Int(line.number), column: fault.offset - Int(line.start) + 1)
    return Problem.Entry(
      pointer: batch.pointer(index), code: problem.code, detail: problem.detail, line: problem.line,
      column: problem.column)
  }
}
