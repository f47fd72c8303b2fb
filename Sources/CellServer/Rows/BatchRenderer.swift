import Cells
import CellTemplates

/// Renders a batch: each row is judged, drawn by a cell of its kind, and written in the format asked for.
///
/// It stops where a slice ends, between two rows or within one, and between rows can be set back to where it was. What the answer needs before
/// its rows and behind them is written by `begin` and `close`.
struct BatchRenderer: ~Copyable {
  /// What the rows are drawn for.
  enum Purpose {
    /// An answer of which nothing has been sent.
    case answering
    /// To know what is wrong with them: what they draw is counted and dropped.
    case judging
    /// An answer whose head has been sent: the first bad row ends it.
    case streaming
  }

  /// Where it stands, and what came of the rows before.
  struct Position {
    var cursor: RowCursor
    var errors: RowErrors
    /// Members and elements that may be looked at to say where names are missing.
    var describingBudget = 16 << 20
    var writtenRows = 0
  }

  let batch: Batch
  let tape: JSONTape
  let archive: CellArchive
  let options: BatchOptions
  let reusesCells: Bool
  let budget: MemoryBudget
  var position: Position
  var purpose = Purpose.answering
  /// Bytes of the answer that are in the output no more: sent, or dropped. They count for its limit.
  var passedBytes = 0
  /// Memory that the answer holds beside the output.
  var keptBytes = 0
  /// What drawing has taken so far.
  var nanoseconds = 0
  private var reservedBytes = 0
  private var indexBytes = 0
  /// The cell in use; it serves as long as rows are of its kind.
  private var cell: Cell?
  /// What somebody else has found wrong with the next row.
  private var metFault: RenderFault?
  /// The row that has paused, which is gone on with before all others: the next one, or `pausedItem`. The cell is its own.
  var paused: PausedRow?
  /// The same, of a row that is drawn by itself.
  var pausedItem: Row?

  init(
    _ batch: Batch, tape: JSONTape, archive: CellArchive, options: consuming BatchOptions, reusesCells: Bool,
    budget: MemoryBudget
  ) {
    self.batch = batch
    self.tape = tape
    self.archive = archive
    self.reusesCells = reusesCells
    self.budget = budget
    position = Position(
      cursor: RowCursor(batch, on: tape),
      errors: RowErrors(onError: options.onError, writesErrors: options.writesErrors))
    self.options = options
  }

  var statistics: WorkerStatistics { budget.statistics }
  var count: Int { position.cursor.count }
  var format: RowFormat { options.format }
  var limits: RenderLimits { options.limits }
  /// Every row has been drawn.
  var isAtEnd: Bool { position.cursor.isAtEnd && !isWithinRow }
  /// A row is drawn in part.
  var isWithinRow: Bool { paused != nil }
  /// Rows that were left out, under `on_error=skip`.
  var errorCount: Int { position.errors.skippedRows }

  /// Takes over what these rows hold, and goes on with those that they have left. What they drew is in `output`.
  mutating func takeOver(_ rows: FewRows, _ output: inout ByteBuffer) throws(Problem) {
    position.cursor.move(to: rows.run)
    (cell, reservedBytes, metFault, paused) = (rows.cell, rows.reservedBytes, rows.fault, rows.paused)
    try check(&output, rowStart: output.count)
  }

  /// What stands before the rows.
  func begin(_ output: inout ByteBuffer) {
    output.append(format.opening)
  }

  /// Appends rows to `output` until all are drawn or the slice is over.
  /// - Parameter text: what the tape was parsed from.
  /// - Throws: the problem of the first fault that fails all; `output` then ends with a row.
  mutating func draw(
    into output: inout ByteBuffer, over text: borrowing ByteBuffer, _ slice: inout Slice,
    _ factory: isolated CellFactory
  ) throws(Problem) {
    if case .data(let kind) = batch.content, case .elements = batch.rows, mayRun(kind) {
      while !isAtEnd {
        try drawRun(of: kind, into: &output, slice.outputBytes, factory)
        if isWithinRow { return }
        if output.count > slice.outputBytes || (!isAtEnd && slice.isOver()) { return }
      }
    } else {
      // What is streamed was judged before, and what is unknown was told then.
      var reader = ItemReader(
        tape: tape, archive: archive, batch: batch,
        onUnknownKind: purpose == .streaming ? nil : options.onUnknownKind)
      var rows = 0
      while !isAtEnd {
        let start = output.count
        try drawNext(by: &reader, into: &output, over: text, factory)
        try check(&output, rowStart: start)
        rows += 1
        if isWithinRow { return }
        if output.count > slice.outputBytes { return }
        if rows % Slice.rows == 0 && !isAtEnd && slice.isOver() { return }
      }
    }
  }

  /// Appends what stands behind the rows.
  /// - Throws: the problem of all bad rows, if they refuse the request; or that there is no room.
  mutating func close(_ output: inout ByteBuffer) throws(Problem) {
    if position.errors.isRefused, let refusal = position.errors.refusal(of: count) { throw refusal }
    let start = output.count
    format.close(errorCount: errorCount, &output)
    try check(&output, rowStart: start)
  }

  /// A row that has paused is not gone on with.
  mutating func abandonRow() { (paused, pausedItem) = (nil, nil) }

  /// Gives back the cell, unless a row has paused, and what was reserved.
  mutating func finish(_ factory: isolated CellFactory) {
    giveCellBack(factory)
    release()
    factory.report(to: statistics)
  }

  /// Counts what has come of all rows, when nothing more will be drawn.
  func countOutcome() {
    statistics.countRender(nanoseconds: nanoseconds)
    statistics.countBadRows(position.errors.badRows)
  }

  private mutating func giveCellBack(_ factory: isolated CellFactory) {
    if isWithinRow { return }
    if let cell { factory.enqueue(cell) }
    cell = nil
  }

  /// Gives back what need not be held until the next slice: the cell, for one, unless a row has paused.
  mutating func pause(_ output: borrowing ByteBuffer, _ factory: isolated CellFactory) {
    giveCellBack(factory)
    let needed = min(reservedBytes, output.capacity + keptBytes + (cell?.capacity ?? 0))
    budget.release(reservedBytes - needed)
    reservedBytes = needed
  }

  /// Counts what the rows hold to be looked into: it is there.
  mutating func hold(indexBytes bytes: Int) {
    budget.charge(bytes)
    budget.release(indexBytes)
    indexBytes = bytes
  }

  /// Gives back what was reserved; between two slices no cell is held.
  mutating func release() {
    budget.release(reservedBytes)
    reservedBytes = 0
  }

  // MARK: Rows

  /// Whether all rows may be drawn by one cell, one behind another: their outputs are all there is to the answer.
  private func mayRun(_ kind: UInt32) -> Bool {
    format.isOutput(ofKind: kind, in: archive)
  }

  private mutating func drawRun(
    of kind: UInt32, into output: inout ByteBuffer, _ pauseBytes: Int, _ factory: isolated CellFactory
  ) throws(Problem) {
    let cell = dequeue(kind, factory)
    var run = position.cursor.run(owner: batch.owner, limit: Slice.rows)
    let (start, badRows) = (run.next.place, position.errors.badRows)
    defer {
      // What is drawn to be judged alone is no row of an answer.
      let drawn = run.next.place - start - (position.errors.badRows - badRows)
      if purpose != .judging, drawn > 0 { statistics.countRows(drawn, ofKind: kind, in: archive) }
    }
    while !run.isAtStop && (isWithinRow || output.count <= pauseBytes) {
      do throws(RenderFault) {
        if let fault = metFault.take() { throw fault }
        if let row = paused.take() {
          try factory.resume(row, cell, run.next, on: tape, limits: room, into: &output)
          run.advance(on: tape)
        } else if position.errors.isRefused {
          // Rows behind a bad one are judged alone: what they draw is dropped, and must not add up to the
          // limit.
          try factory.draw(cell, run.next, on: tape, limits: limits, into: &output)
          run.advance(on: tape)
        } else {
          try factory.draw(cell, &run, on: tape, limits: room, into: &output, pauseBytes: pauseBytes)
        }
      } catch {
        if case .paused = error {
          paused = factory.takePausedRow()
          try check(&output, rowStart: output.count)
          break
        }
        let fault = fault(error, of: run.next, by: cell, behind: output.count, factory)
        try refuse(Row(place: run.next.place, kind: kind, data: run.next.row), fault, &output)
        run.advance(on: tape)
      }
      try check(&output, rowStart: output.count)
    }
    position.cursor.move(to: run)
  }

  /// Judges and draws a row by itself.
  private mutating func drawNext(
    by reader: inout ItemReader, into output: inout ByteBuffer, over text: borrowing ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(Problem) {
    if let pausedItem {
      try draw(pausedItem, into: &output, factory)
      return
    }
    let place = position.cursor.place
    switch position.cursor.next() {
    case .badLine(let line):
      refuse(line, place, text, &output)
    case .node(let node):
      if case .data(let kind) = batch.content {
        try draw(Row(place: place, kind: kind, data: node), into: &output, factory)
        return
      }
      reader.describes = position.errors.describes
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

  /// The limits of what is drawn straight into the output: what has passed counts, too.
  var room: RenderLimits {
    var limits = limits
    if !position.errors.isRefused { limits.outputBytes -= passedBytes }
    return limits
  }

  /// Holds the answer to its limit, and counts what it takes.
  /// - Parameter rowStart: where the row begins that is cut off where there is no room for it.
  private mutating func check(_ output: inout ByteBuffer, rowStart: Int) throws(Problem) {
    if position.errors.isRefused {
      if purpose == .streaming, let refusal = position.errors.refusal(of: count) { throw refusal }
      output.truncate(to: 0)
    } else if output.count > limits.outputBytes - passedBytes {
      output.truncate(to: rowStart)
      throw .outputTooLarge(limitBytes: limits.outputBytes)
    }
    switch purpose {
    case .answering: break
    case .judging:
      passedBytes += output.count
      output.truncate(to: 0)
    case .streaming:
      // Bounded, and counted by whoever sends it: what has been begun is not to fail for others' sake.
      return
    }
    let grown = output.capacity + keptBytes + (cell?.capacity ?? 0) - reservedBytes
    if grown > 0 {
      guard budget.reserve(grown) else {
        let needed = reservedBytes + grown
        if needed > budget.largestBytes {
          throw .neverFits(answerOf: needed, limitBytes: budget.limitBytes)
        }
        throw budget.overload.refuse(for: .rowMemory)
      }
      reservedBytes += grown
    }
  }

  mutating func dequeue(_ kind: UInt32, _ factory: isolated CellFactory) -> Cell {
    if let cell {
      if isWithinRow || cell.kind == kind && reusesCells { return cell }
      factory.enqueue(cell)
    }
    let next = factory.dequeueReusableCell(ofKind: kind)
    cell = next
    return next
  }
}
