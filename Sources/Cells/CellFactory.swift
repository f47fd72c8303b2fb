public import CellTemplates

/// Makes cells by kind, renders rows with them, and keeps them for reuse.
///
/// Use one factory for each rendering thread. Factories share only the archive, which is immutable. An event
/// loop passes itself as the executor and enters without a hop; otherwise a factory runs on its own queue.
public actor CellFactory {
  // Four unchecked, because every row uses them. The actor's methods run one at a time on its thread, and none
  // calls another while it accesses one of these; archives and rows are exchanged between requests and slices.
  /// The archive of the current request and the pool of its cells.
  @exclusivity(unchecked) private(set) var edition: Edition
  /// Parses rows. Its nodes are valid until it is reset.
  @exclusivity(unchecked) package private(set) var parser = JSONParser()
  @exclusivity(unchecked) private var stack = RenderStack()
  @exclusivity(unchecked) private(set) var memo: RequestMemo
  private var pausedRow: PausedRow?
  private let reuse: ReusePolicy
  private let tally = FactoryTally()
  private let retired = RetiredShelves()
  private let executor: any SerialExecutor

  /// The executor passed at creation, which the factory retains.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - archive: may be shared with other factories.
  ///   - reuse: how many idle cells are kept.
  public init(archive: CellArchive, reuse: ReusePolicy = ReusePolicy()) {
    self.init(archive: archive, reuse: reuse, executor: QueueExecutor())
  }

  /// - Parameter executor: where the factory runs; retained by the factory.
  package init(archive: CellArchive, reuse: ReusePolicy, executor: any SerialExecutor) {
    self.executor = executor
    self.reuse = reuse
    let edition = Edition(
      archive, names: JSONNames(of: archive), reuse: reuse, tally: tally, retired: retired)
    self.edition = edition
    memo = RequestMemo(for: archive, edition.formats)
    retired.begin = { [weak self] in
      if let self { Task { await self.freeRetired() } }
    }
  }

  /// Uses another archive for the requests that begin from now on. Requests answered in slices continue with
  /// the archive they began with, which is freed when the last of them ends.
  public func adopt(_ archive: CellArchive) { adopt(archive, names: JSONNames(of: archive)) }

  /// - Parameter names: the archive's names, made in advance.
  package func adopt(_ archive: CellArchive, names: JSONNames) {
    parser.reset()
    edition = Edition(archive, names: names, reuse: reuse, tally: tally, retired: retired)
    memo = RequestMemo(for: archive, edition.formats)
  }

  /// Frees what former editions have left behind. Each part is a job of its own.
  private func freeRetired() async {
    while retired.freeOne() { await Task.yield() }
  }

  /// The archive that cells are made from.
  package var archive: CellArchive { edition.archive }

  /// The names that the archive's templates look up; rows are parsed with them.
  package var names: JSONNames { edition.names }

  /// The plans recorded for each kind.
  var shelf: PlanShelf { edition.shelf }

  /// The archive's hash: 32 hexadecimal digits, equal for equal templates.
  public var archiveHash: String { edition.archiveHash }

  /// Statistics of the reuse pools since the factory was made.
  public var reuseStatistics: ReuseStatistics { tally.reuse }

  /// Statistics of the plans since the factory was made.
  package var planStatistics: PlanStatistics { tally.plans }

  /// A cell of a kind: an idle one, or a new one from the archive.
  /// - Parameter kind: the kind's number in the archive.
  package func dequeueReusableCell(ofKind kind: UInt32) -> Cell {
    edition.pool.dequeue(kind: kind)
      ?? Cell(ofKind: kind, from: edition.archive, edition.tables, edition.conditions)
  }

  /// Takes a cell back. Its output is discarded.
  package func enqueue(_ cell: consuming Cell) {
    precondition(cell.archive === edition.archive, "a cell from another archive")
    edition.pool.enqueue(cell)
  }

  /// Parses one document with the archive's names; see ``JSONParser/parse(_:in:names:depthLimit:)``.
  package func parse(
    _ text: inout ByteBuffer, in range: Range<Int>, depthLimit: Int
  ) throws(JSONFault) -> JSONTape.Index {
    try parser.parse(&text, in: range, names: edition.names, depthLimit: depthLimit)
  }

  /// Parses the next part of a document with the archive's names, as
  /// ``JSONParser/parsePart(_:names:depthLimit:bytes:)`` does.
  package func parsePart(
    _ text: inout ByteBuffer, in range: Range<Int>, depthLimit: Int, bytes: Int
  ) -> JSONParser.Part {
    parser.parsePart(&text, in: range, names: edition.names, depthLimit: depthLimit, bytes: bytes)
  }

  /// The parsed rows, over the text they were parsed from; see ``JSONParser/tape(over:)``.
  package func tape(over text: borrowing ByteBuffer) -> JSONTape { parser.tape(over: text) }

  /// Discards the parsed rows and everything remembered about them. Their tapes become invalid.
  package func forgetRows() {
    parser.reset()
    memo.reset()
    stack.trim()
  }

  /// Moves the parsed rows, and everything remembered about them, to work that continues while other requests
  /// are served. Their tapes and archive stay valid until the caller releases the result.
  package func keepRows() -> KeptRows {
    let rows = KeptRows(of: edition)
    exchangeRows(with: rows)
    return rows
  }

  /// Swaps the factory's rows and archive with kept ones; the same call again swaps back. Rows are parsed and
  /// rendered with the factory's current ones.
  package func exchangeRows(with rows: KeptRows) {
    swap(&parser, &rows.parser)
    swap(&memo, &rows.memo)
    swap(&edition, &rows.edition)
  }

  /// Loop iterations and calls used so far to render the request's rows. Reset it to an earlier value before
  /// rendering rows again.
  package var iterations: Int {
    get { memo.iterations }
    set { memo.iterations = newValue }
  }

  /// What the request's rows have not found so far, without bad rows.
  package var valueTally: ValueTally { memo.tally }

  /// Sets the locale, time zone and time of the rows of kinds that depend on them. It holds until it is set again, or the
  /// rows are forgotten.
  /// - Parameter kind: such a kind.
  package func use(_ setting: RenderSetting, for kind: UInt32) { memo.formats(of: kind).setting = setting }

  /// Whether such a setting has been made for the request's rows.
  package var hasSetting: Bool { memo.formats?.isSet ?? false }

  /// When rendering of the request's rows pauses. A pause is thrown as `.paused`; `takePausedRow` then
  /// returns the row.
  package var rowPause: RowPause {
    get { memo.pause }
    set { memo.pause = newValue }
  }

  /// The row that paused last, to pass to `resume`.
  package func takePausedRow() -> PausedRow {
    guard let row = pausedRow.take() else { preconditionFailure("no row has paused") }
    return row
  }

  /// Continues a paused row.
  /// - Parameters:
  ///   - cell: the cell that began the row, unchanged.
  ///   - context: the context the row was begun with.
  ///   - output: the row's output so far, or an empty buffer.
  /// - Throws: `RenderFault`. Unless it is `.paused`, the row's output has been removed.
  package func resume(
    _ row: PausedRow, _ cell: Cell, _ context: RowContext, on tape: JSONTape, limits: RenderLimits,
    into output: inout ByteBuffer
  ) throws(RenderFault) {
    var renderer = Renderer(cell, tape: tape, limits: limits, memo: memo, shelf: shelf)
    swap(&stack, &row.stack)
    row.start = min(row.start, output.count)
    defer {
      renderer.keepCounts()
      swap(&stack, &row.stack)
    }
    do throws(RenderFault) {
      try renderer.resume(context, at: row.point, row.long, into: &output, &stack)
    } catch {
      if case .paused = error, let point = renderer.resumePoint {
        (row.point, row.long) = (point, renderer.long)
        pausedRow = row
      } else {
        output.truncate(to: row.start)
        memo.tally = row.tallyBefore
      }
      throw error
    }
  }

  /// Looks for names in a row that its kind never reads.
  /// - Parameters:
  ///   - describes: whether the names are described, or only counted.
  ///   - comparisons: the names that may be compared to find nearest ones.
  package func unknownNames(
    in row: JSONTape.Index, ofKind kind: UInt32, describes: Bool, comparisons: Int
  ) -> UnknownNames {
    UnknownNames(
      in: row, edition.readStates(of: kind), memo, describes: describes, comparisons: comparisons)
  }

  /// Whether a kind reads a member of this name in its rows; false if it may read any.
  package func kind(_ kind: UInt32, readsMember name: String) -> Bool {
    var name = name
    guard let id = name.withUTF8({ edition.names.id(of: UnsafeRawBufferPointer($0)) }) else { return false }
    return edition.readStates(of: kind).readsMember(id)
  }

  /// Whether cells are kept between rows.
  package var reusesCells: Bool { reuse.isOn }

  /// Populates a cell with a row and appends its output.
  /// - Throws: `RenderFault`. Unless it is `.paused`, the output is unchanged.
  package func render(
    _ cell: Cell, _ context: RowContext, on tape: JSONTape, limits: RenderLimits,
    into output: inout ByteBuffer
  ) throws(RenderFault) {
    var renderer = Renderer(cell, tape: tape, limits: limits, memo: memo, shelf: shelf)
    defer { renderer.keepCounts() }
    try render(context, by: &renderer, cell, into: &output)
  }

  /// Populates a cell with one row after another and appends the output, until the run stops, the output had
  /// to grow, or the output has more than `pauseBytes` bytes. Without reuse, the cell is reset before each
  /// row.
  /// - Throws: `RenderFault` of the run's next row. The output then ends after the previous row.
  package func render(
    _ cell: Cell, _ run: inout RowRun, on tape: JSONTape, limits: RenderLimits, into output: inout ByteBuffer,
    pauseBytes: Int = .max
  ) throws(RenderFault) {
    let capacity = output.capacity
    var renderer = Renderer(cell, tape: tape, limits: limits, memo: memo, shelf: shelf)
    defer { renderer.keepCounts() }
    while true {
      try renderer.renderPlanned(&run, into: &output, pauseBytes: pauseBytes, &stack)
      if run.isAtStop || output.capacity != capacity || output.count > pauseBytes { return }
      if !reuse.isOn { cell.forget() }
      try render(run.next, by: &renderer, cell, into: &output)
      run.advance(on: tape)
      if run.isAtStop || output.capacity != capacity || output.count > pauseBytes { return }
    }
  }

  private func render(
    _ context: RowContext, by renderer: inout Renderer, _ cell: Cell, into output: inout ByteBuffer
  ) throws(RenderFault) {
    let (start, tallyBefore) = (output.count, memo.tally)
    output.reserve(cell.expectedCount)
    do throws(RenderFault) {
      try renderer.render(context, into: &output, &stack)
    } catch {
      if case .paused = error, let point = renderer.resumePoint {
        let row = PausedRow(at: point, renderer.long, start: start, tallyBefore: tallyBefore)
        swap(&stack, &row.stack)
        pausedRow = row
      } else {
        output.truncate(to: start)
        memo.tally = tallyBefore
      }
      throw error
    }
    cell.expectedCount = min(output.count - start, Cell.keptBufferBytes)
  }
}
