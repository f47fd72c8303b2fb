import Cells
import CellTemplates

/// Renders a batch: checks each row, renders it with a cell of its kind, and writes it in the requested
/// format.
///
/// Stops when a slice ends, between rows or within one. Between rows, it can be reset to an earlier position.
/// `begin` and `close` write what precedes and follows the rows.
struct BatchRenderer: ~Copyable {
  /// Why the rows are rendered.
  enum Purpose {
    /// For an answer of which nothing has been sent.
    case answering
    /// To find their errors. The output is counted and discarded.
    case judging
    /// For an answer whose head has been sent. The first bad row ends it.
    case streaming
  }

  /// The current position and the result of the rows before it.
  struct Position {
    var cursor: RowCursor
    var errors: RowErrors
    /// How many members and elements may still be visited to describe where names are missing.
    var describingBudget = 16 << 20
    /// How many names may still be compared to say which one was meant. It takes long: half a microsecond each.
    var comparisonsLeft = 1 << 16
    var writtenRows = 0
    /// Whether the Turbo Stream that rows share has been begun, and not ended.
    var isTurboStreamOpen = false
    var begunTurboStreams = 0
    /// Whether what follows the rows has been appended.
    var isClosed = false
  }

  let batch: Batch
  let tape: JSONTape
  let archive: CellArchive
  let options: BatchOptions
  /// nil if nothing depends on the locale or the time.
  let terms: RenderTerms?
  let reusesCells: Bool
  let budget: MemoryBudget
  var position: Position
  var purpose = Purpose.answering
  /// Bytes of the answer no longer in the output, because they were sent or discarded. They count towards its
  /// limit.
  var passedBytes = 0
  /// Those of `passedBytes` that belong to the open row. If it turns out to be bad, they do not count.
  var passedBytesOfRow = 0
  /// Memory that the answer holds besides the output.
  var keptBytes = 0
  /// Memory that the request holds for its body and the rows read from it.
  var heldForReading = 0
  /// Time spent rendering so far.
  var nanoseconds = 0
  var reservedBytes = 0
  /// Whether a slice ends where there is no room, because the request can hold less afterwards.
  var pausesForMemory = false
  /// Whether it has ended so. What is in the output is not reserved then.
  var isPausedForMemory = false
  /// Whether the output has given back the capacity that it had when the request began.
  var hasTrimmedOutput = false
  var indexBytes = 0
  /// What a streamed answer is charged for its open row.
  var rowBytes = 0
  /// The current cell, used as long as rows are of its kind.
  var cell: Cell?
  /// The memory of the hints of cells that were made since the clock was looked at last.
  private var madeBytes = 0
  /// A fault of the next row, found by `FewRows`.
  var metFault: RenderFault?
  /// A paused row that must be continued first: the next row, or the one in `item`. It owns the cell.
  var paused: PausedRow?
  /// The fault of the next row, which is rendered alone because it may have another fault.
  var judgedFault: RenderFault?
  /// The unfinished row, if rows are rendered one by one.
  var item: UnfinishedItem?
  /// The line that is being refused.
  var badLine: UnfinishedLine?
  /// The row before the cursor, if it is being refused because of missing names.
  var incomplete: RowWithMissingNames?
  /// The reader of the item before the cursor, if it has paused.
  var pausedReader: ItemReader?
  /// The languages of the rows so far.
  var languages = AnswerLanguages()
  /// Whether the factory has the setting of an item that says something itself.
  var hasItemSetting = false
  /// The values that did not fit their formats, as far as they are counted.
  var countedMisfits = 0
  /// Whether the output ends within a row whose beginning has been sent.
  private var isRowCut = false

  /// Takes what the request has made so far; `options` holds the rest.
  init(
    _ batch: Batch, tape: JSONTape, archive: CellArchive, options: consuming BatchOptions,
    terms: RenderTerms?, reusesCells: Bool, budget: MemoryBudget
  ) {
    self.terms = terms
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
  /// Whether every row has been rendered.
  var isAtEnd: Bool { position.cursor.isAtEnd && !isWithinRow }
  /// Whether every row has been rendered, and there is room for its output.
  var isComplete: Bool { isAtEnd && !isPausedForMemory }
  /// Whether a row is partly rendered or written.
  var isWithinRow: Bool {
    paused != nil || item != nil || judgedFault != nil || badLine != nil || pausedReader != nil
      || incomplete != nil
  }
  /// The row in the output that is not complete, and may yet turn out to be bad. An object is written when its row is known
  /// to be good.
  var openRow: PausedRow? {
    if format.content.isWrittenWhole || judgedFault != nil { return nil }
    if case .judging = item?.stage { return nil }
    return paused
  }
  /// The number of rows skipped because of `on_error=skip`.
  var errorCount: Int { position.errors.skippedRows }

  /// Takes over the state of `rows` and continues with the remaining ones. Their output so far is in
  /// `output`.
  mutating func takeOver(_ rows: FewRows, _ output: inout ByteBuffer) throws(Problem) {
    position.cursor.move(to: rows.run)
    (cell, reservedBytes, metFault, paused) = (rows.cell, rows.reservedBytes, rows.fault, rows.paused)
    try check(&output, rowStart: output.count)
  }

  /// Appends what precedes the rows.
  func begin(_ output: inout ByteBuffer) {
    output.append(format.opening)
  }

  /// Appends rows to `output` until all are rendered or the slice is over.
  /// - Parameter text: the text that the tape was parsed from.
  /// - Throws: the problem of a fault that fails the whole request; `output` then ends after a complete row.
  mutating func render(
    into output: inout ByteBuffer, over text: borrowing ByteBuffer, _ slice: inout Slice,
    _ factory: isolated CellFactory
  ) throws(Problem) {
    if case .data(let kind) = batch.content, case .elements = batch.rows, mayRun(kind) {
      while !isAtEnd && !isPausedForMemory {
        try renderRun(of: kind, into: &output, slice.outputBytes, factory)
        if isWithinRow { return }
        if output.count > slice.outputBytes || (!isAtEnd && slice.isOver()) { return }
      }
    } else {
      // Streamed rows were checked before, and unknown kinds were reported then.
      var reader = ItemReader(
        tape: tape, archive: archive, batch: batch, terms: terms, takesStreams: options.turboStream != nil,
        onUnknownKind: purpose == .streaming ? nil : options.onUnknownKind)
      var rows = 0
      while !isAtEnd && !isPausedForMemory {
        let start = output.count
        let isBegun = isWritingObject
        let badRows = position.errors.badRows
        do throws(Problem) {
          try renderNext(by: &reader, into: &output, over: text, factory)
          // Long outputs take as long as many rows.
          rows += (max(output.count - start, 0) + madeBytes) / Slice.bytesLikeRow
          madeBytes = 0
          try check(&output, rowStart: start)
        } catch {
          isRowCut = isBegun
          throw error
        }
        // To say what is wrong with a line takes as long as many rows.
        rows += position.errors.badRows > badRows && position.errors.describes ? Slice.rows : 1
        if isWithinRow { return }
        if output.count > slice.outputBytes { return }
        if rows >= Slice.rows {
          rows = 0
          if !isAtEnd && slice.isOver() { return }
        }
      }
    }
  }

  /// Appends what follows the rows, once: if there was no room for it, the next slice calls this again.
  /// - Throws: the problem with all bad rows if they refuse the request, or a problem if there is no room.
  mutating func close(_ output: inout ByteBuffer) throws(Problem) {
    if position.errors.isRefused, let refusal = position.errors.refusal(of: count) { throw refusal }
    let start = output.count
    if !position.isClosed {
      position.isClosed = true
      endStreams(&output)
      format.close(errorCount: errorCount, &output)
    }
    try check(&output, rowStart: start)
  }

  /// Whether the object of the unfinished row has been started.
  private var isWritingObject: Bool { if case .writing = item?.stage { true } else { false } }

  /// Gives up a paused row.
  mutating func abandonRow() {
    (paused, item, judgedFault, badLine, pausedReader, incomplete) = (nil, nil, nil, nil, nil, nil)
  }

  /// Ends a streamed answer that cannot be completed. A partly written object cannot be ended.
  func breakOff(_ problem: Problem, _ output: inout ByteBuffer) -> BodyProgress {
    isRowCut ? .broken : format.breakOff(problem, badRows: position.errors.badRows, &output)
  }

  /// Releases the cell, unless a row is paused, and the reserved memory.
  mutating func finish(_ factory: isolated CellFactory) {
    giveCellBack(factory)
    release()
    factory.report(to: statistics)
  }

  /// Counts the result of all rows, when no more will be rendered.
  func countOutcome() {
    statistics.countRender(nanoseconds: nanoseconds)
    statistics.countBadRows(position.errors.badRows)
  }

  mutating func giveCellBack(_ factory: isolated CellFactory) {
    if isWithinRow { return }
    if let cell { factory.enqueue(cell) }
    cell = nil
  }

  // MARK: Rows

  /// Checks and renders a single row.
  private mutating func renderNext(
    by reader: inout ItemReader, into output: inout ByteBuffer, over text: borrowing ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(Problem) {
    if let item {
      try render(item.row, into: &output, factory)
      return
    }
    if let badLine {
      refuse(badLine, text, &output, factory)
      return
    }
    if let incomplete {
      try refuse(incomplete, &output, factory)
      return
    }
    if let paused = pausedReader.take() {
      reader = paused
      let index = position.cursor.index - 1
      let reading = reader.readOn(until: &factory.rowPause, pointer: { batch.pointer(index) })
      try render(reading, by: reader, index, into: &output, factory)
      return
    }
    let index = position.cursor.index
    switch position.cursor.next() {
    case .badLine(let line):
      refuse(line, index, text, &output, factory)
    case .node(let node):
      if case .data(let kind) = batch.content {
        try render(Row(index: index, kind: kind, data: node), into: &output, factory)
        return
      }
      reader.describes = position.errors.describes
      let reading = reader.read(node, until: &factory.rowPause, pointer: { batch.pointer(index) })
      try render(reading, by: reader, index, into: &output, factory)
    }
  }

  /// Renders or refuses an item as far as it has been read.
  private mutating func render(
    _ reading: ItemReader.Reading, by reader: ItemReader, _ index: Int, into output: inout ByteBuffer,
    _ factory: isolated CellFactory
  ) throws(Problem) {
    switch reading {
    case .good(let item):
      use(item, factory)
      let row = Row(
        index: index, kind: item.kind, data: item.data, id: item.id, etag: item.etag, stream: item.stream)
      try render(row, into: &output, factory)
    case .bad:
      refuse(
        index, kind: reader.sentKind.map(tape.bytes), id: reader.id, reader.errors, count: reader.errorCount,
        &output)
    case .pause: pausedReader = reader
    }
  }

  mutating func dequeue(_ kind: UInt32, _ factory: isolated CellFactory) -> Cell {
    if let cell {
      if isWithinRow || cell.kind == kind && reusesCells { return cell }
      factory.enqueue(cell)
    }
    let misses = factory.reuseStatistics.misses
    let next = factory.dequeueReusableCell(ofKind: kind)
    if factory.reuseStatistics.misses > misses { madeBytes += next.slotBytes }
    cell = next
    return next
  }
}
