import Cells
import CellTemplates

/// Renders a batch into one answer: each row is judged, drawn by a cell of its kind, and written in the
/// format asked for.
struct BatchRenderer: ~Copyable {
  private let batch: Batch
  private let tape: JSONTape
  private let archive: CellArchive
  private let format: OutputFormat
  private let fields: RowFields
  private let limits: RenderLimits
  private let budget: MemoryBudget
  private let count: Int
  private var errors: RowErrors
  /// Members and elements that may be looked at to say where names are missing.
  private var describingBudget = 16 << 20
  private var writtenRows = 0
  private var reservedBytes = 0
  private let reusesCells: Bool
  /// The cell in use; it serves as long as rows are of its kind.
  private var cell: Cell?

  /// A row that may be drawn.
  private struct Row {
    var place: Int
    var kind: UInt32
    var data: JSONTape.Index
    var id: JSONTape.Index?
    var etag: JSONTape.Index?
  }

  /// The name of the one kind that all rows have; nil where each item says its own.
  private var commonKind: UnsafeRawBufferPointer? {
    guard case .data(let kind) = batch.content else { return nil }
    return archive.bytes(archive.kinds.base[Int(kind)].name)
  }

  /// Rows that were left out, under `on_error=skip`.
  var errorCount: Int { errors.skippedRows }

  init(
    _ batch: Batch, tape: JSONTape, archive: CellArchive, format: OutputFormat, fields: RowFields,
    onError: Controls.OnError, limits: RenderLimits, reusesCells: Bool, budget: MemoryBudget
  ) {
    self.batch = batch
    self.tape = tape
    self.archive = archive
    self.format = format
    self.fields = fields
    self.limits = limits
    self.reusesCells = reusesCells
    self.budget = budget
    count = batch.count(on: tape)
    let writesErrors = onError == .skip && (format == .json || format == .ndjson)
    errors = RowErrors(onError: onError, writesErrors: writesErrors)
  }

  /// Appends the answer's whole body to `output`, which is empty.
  /// - Parameter text: what the tape was parsed from.
  /// - Throws: the problem of the first fault that fails all, or of all bad rows.
  mutating func run(
    into output: inout ByteBuffer, over text: borrowing ByteBuffer, jsonDepth: Int,
    onUnknownKind: ((String) -> Void)?, _ factory: isolated CellFactory
  ) throws(Problem) {
    defer { finish(factory) }
    if format == .json { output.append("{\"rows\":[") }
    if case .data(let kind) = batch.content, case .elements(let array) = batch.rows, mayRun(kind) {
      try run(over: array, kind, into: &output, factory)
    } else {
      try runOneByOne(into: &output, over: text, jsonDepth: jsonDepth, onUnknownKind: onUnknownKind, factory)
    }
    if let refusal = errors.refusal(of: count) { throw refusal }
    if format == .json {
      output.append("],\"errors\":")
      output.append(decimal: errors.skippedRows)
      output.append(byte: UInt8(ascii: "}"))
    }
    try check(&output)
  }

  /// Whether all rows may be drawn by one cell, one behind another: their outputs are all there is to the answer.
  private func mayRun(_ kind: UInt32) -> Bool {
    let isText = archive.kinds.base[Int(kind)].isText == 1
    return reusesCells && format == (isText ? .text : .html)
  }

  private mutating func run(
    over array: JSONTape.Index, _ kind: UInt32, into output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) {
    let cell = dequeue(kind, factory)
    var run = RowRun(of: array, on: tape, owner: batch.owner)
    while !run.isAtEnd {
      do throws(RenderFault) {
        if errors.isRefused {
          // Rows behind a bad one are judged alone: what they draw is dropped, and must not add up to the
          // limit.
          try factory.draw(cell, run.next, on: tape, limits: limits, into: &output)
          run.advance(on: tape)
        } else {
          try factory.draw(cell, &run, on: tape, limits: limits, into: &output)
        }
      } catch {
        let fault = fault(error, of: run.next, by: cell, behind: output.count, factory)
        try refuse(Row(place: run.next.place, kind: kind, data: run.next.row), fault, &output)
        run.advance(on: tape)
      }
      try check(&output)
    }
  }

  /// Judges and draws each row by itself.
  private mutating func runOneByOne(
    into output: inout ByteBuffer, over text: borrowing ByteBuffer, jsonDepth: Int,
    onUnknownKind: ((String) -> Void)?, _ factory: isolated CellFactory
  ) throws(Problem) {
    var cursor = RowCursor(batch.rows, on: tape)
    var reader = ItemReader(tape: tape, archive: archive, batch: batch, onUnknownKind: onUnknownKind)
    for place in 0..<count {
      switch cursor.next() {
      case .badLine(let line):
        let error = errors.describes ? lineError(line, place, text, jsonDepth) : nil
        refuse(place, kind: commonKind, id: nil, error.map { [$0] } ?? [], count: 1, &output)
      case .node(let node):
        if case .data(let kind) = batch.content {
          try draw(Row(place: place, kind: kind, data: node), into: &output, factory)
        } else {
          reader.describes = errors.describes
          if let item = reader.read(node, pointer: { batch.pointer(place) }) {
            let row = Row(place: place, kind: item.kind, data: item.data, id: item.id, etag: item.etag)
            try draw(row, into: &output, factory)
          } else {
            refuse(
              place, kind: reader.sentKind.map(tape.bytes), id: reader.id, reader.errors,
              count: reader.errorCount,
              &output)
          }
        }
      }
      try check(&output)
    }
  }

  private mutating func finish(_ factory: isolated CellFactory) {
    if let cell { factory.enqueue(cell) }
    cell = nil
    budget.release(reservedBytes)
    reservedBytes = 0
  }

  /// Holds the answer to its limit, and counts what it takes.
  private mutating func check(_ output: inout ByteBuffer) throws(Problem) {
    if errors.isRefused { output.truncate(to: 0) }
    if output.count > limits.outputBytes { throw .outputTooLarge(limitBytes: limits.outputBytes) }
    let grown = output.capacity + (cell?.capacity ?? 0) - reservedBytes
    if grown > 0 {
      guard budget.reserve(grown) else { throw .busy }
      reservedBytes += grown
    }
  }

  // MARK: Good rows

  private mutating func draw(
    _ row: Row, into output: inout ByteBuffer, _ factory: isolated CellFactory
  ) throws(Problem) {
    let isText = archive.kinds.base[Int(row.kind)].isText == 1
    if (format == .html && isText) || (format == .text && !isText) {
      refuse(row, [formatError(row, isText: isText)], count: 1, &output)
      return
    }
    let cell = dequeue(row.kind, factory)
    let context = RowContext(row: row.data, place: row.place, count: count, owner: batch.owner)
    do throws(RenderFault) {
      if format == .html || format == .text {
        do throws(RenderFault) {
          try factory.draw(cell, context, on: tape, limits: limits, into: &output)
        } catch {
          throw fault(error, of: context, by: cell, behind: output.count, factory)
        }
      } else {
        cell.buffer.truncate(to: 0)
        try factory.draw(cell, context, on: tape, limits: limits, into: &cell.buffer)
        let contentCount = cell.buffer.count
        if fields.contains(.outlets) {
          // Behind a byte that no JSON begins with: so what is hashed tells both apart.
          cell.buffer.append(byte: 0)
          try factory.appendOutlets(ofKind: row.kind, context, on: tape, limits: limits, to: &cell.buffer)
          if cell.buffer.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
        }
        write(row, cell.buffer.bytes, contentCount: contentCount, isText: isText, to: &output)
      }
    } catch {
      try refuse(row, error, &output)
    }
  }

  /// What is wrong with a row for which there was no room behind `count` bytes. Drawn alone it may be bad for
  /// another reason, and what is bad needs no room.
  private func fault(
    _ fault: RenderFault, of context: RowContext, by cell: Cell, behind count: Int,
    _ factory: isolated CellFactory
  ) -> RenderFault {
    guard case .outputTooLarge = fault, count > 0 else { return fault }
    cell.buffer.truncate(to: 0)
    do throws(RenderFault) {
      try factory.draw(cell, context, on: tape, limits: limits, into: &cell.buffer)
    } catch {
      return error
    }
    return fault
  }

  private mutating func dequeue(_ kind: UInt32, _ factory: isolated CellFactory) -> Cell {
    if let cell {
      if cell.kind == kind, reusesCells { return cell }
      factory.enqueue(cell)
    }
    let next = factory.dequeueReusableCell(ofKind: kind)
    cell = next
    return next
  }

  private mutating func write(
    _ row: Row, _ drawn: UnsafeRawBufferPointer, contentCount: Int, isText: Bool, to output: inout ByteBuffer
  ) {
    beginRow(row.place, kind: archive.bytes(archive.kinds.base[Int(row.kind)].name), id: row.id, &output)
    let etag = fields.contains(.etag) || row.etag != nil ? ContentHash(of: drawn) : nil
    if let etag, let known = row.etag, tape.bytes(known).elementsEqual(etag.hex.utf8) {
      RowWriter.append(etag: etag, to: &output)
      output.append(",\"unchanged\":true")
    } else {
      if let etag, fields.contains(.etag) { RowWriter.append(etag: etag, to: &output) }
      let kind = archive.kinds.base[Int(row.kind)]
      RowWriter.append(describing: kind, fields, of: archive, to: &output)
      if fields.contains(.html) {
        let content = UnsafeRawBufferPointer(rebasing: drawn[..<contentCount])
        RowWriter.append(content: content, isText: isText, to: &output)
      }
      if fields.contains(.outlets) {
        output.append(",\"outlets\":")
        output.append(UnsafeRawBufferPointer(rebasing: drawn[(contentCount + 1)...]))
      }
    }
    endRow(&output)
  }

  private mutating func beginRow(
    _ place: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, _ output: inout ByteBuffer
  ) {
    if format == .json, writtenRows > 0 { output.append(byte: UInt8(ascii: ",")) }
    writtenRows += 1
    RowWriter.begin(place, kind: kind, id: id, on: tape, to: &output)
  }

  private func endRow(_ output: inout ByteBuffer) {
    output.append(byte: UInt8(ascii: "}"))
    if format == .ndjson { output.append(byte: UInt8(ascii: "\n")) }
  }

  // MARK: Bad rows

  private mutating func refuse(
    _ place: Int, kind: UnsafeRawBufferPointer?, id: JSONTape.Index?, _ entries: [Problem.Entry], count: Int,
    _ output: inout ByteBuffer
  ) {
    errors.add(entries, count: count)
    guard errors.writesErrors else { return }
    beginRow(place, kind: kind, id: id, &output)
    RowWriter.append(problem: Problem(entries, count: count), to: &output)
    endRow(&output)
  }

  private mutating func refuse(_ row: Row, _ entries: [Problem.Entry], count: Int, _ output: inout ByteBuffer)
  {
    let kind = archive.bytes(archive.kinds.base[Int(row.kind)].name)
    refuse(row.place, kind: kind, id: row.id, entries, count: count, &output)
  }

  private mutating func refuse(_ row: Row, _ fault: RenderFault, _ output: inout ByteBuffer) throws(Problem) {
    switch fault {
    case .outputTooLarge(let limit):
      throw .outputTooLarge(limitBytes: limit)
    case .tooMuchWork:
      throw Problem(.outputTooLarge, detail: fault.description + " for these rows; send fewer at a time")
    case .tooDeep:
      let entry = Problem.Entry(pointer: batch.pointer(row.place), code: .tooDeep, detail: fault.description)
      refuse(row, [entry], count: 1, &output)
    case .missing(let names, let count):
      var entries: [Problem.Entry] = []
      if errors.describes { for name in names { entries.append(missingError(name, row)) } }
      if describingBudget <= 0 {
        throw Problem(
          .outputTooLarge, detail: "too many names find nothing for all to be listed; send fewer rows")
      }
      refuse(row, entries, count: count, &output)
    }
  }

  private mutating func missingError(_ missing: MissingName, _ row: Row) -> Problem.Entry {
    var pointer = batch.dataPointer(row.place)
    if let object = missing.object {
      var root = row.data
      if let owner = batch.owner, tape.contains(object, in: owner) { (root, pointer) = (owner, "/owner") }
      for step in tape.steps(from: root, to: object, budget: &describingBudget) ?? [] {
        switch step {
        case .member(let name): pointer = JSONPointer.appending(name, to: pointer)
        case .element(let place): pointer = JSONPointer.appending(place, to: pointer)
        }
      }
    }
    return Problem.Entry(
      pointer: JSONPointer.appending(missing.name, to: pointer), code: .invalidRow,
      detail: "the name \(Excerpt.quoted(missing.name)) finds nothing")
  }

  private func formatError(_ row: Row, isText: Bool) -> Problem.Entry {
    Problem.Entry(
      pointer: batch.pointer(row.place), code: .notAcceptable,
      detail: isText ? "a text cell is never HTML" : "an HTML cell is never plain text")
  }

  private func lineError(
    _ line: Batch.Line, _ place: Int, _ text: borrowing ByteBuffer, _ jsonDepth: Int
  ) -> Problem.Entry? {
    guard let fault = JSONParser.firstFault(of: text, in: line.range, depthLimit: jsonDepth) else {
      return nil
    }
    let problem = Problem(fault, line: Int(line.number), column: fault.offset - Int(line.start) + 1)
    return Problem.Entry(
      pointer: batch.pointer(place), code: problem.code, detail: problem.detail, line: problem.line,
      column: problem.column)
  }
}
