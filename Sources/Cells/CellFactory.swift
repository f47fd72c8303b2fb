public import CellTemplates

/// Makes cells by kind, draws rows with them, and keeps them for reuse.
///
/// One for each thread that renders: nothing is shared but the archive, which is immutable. An event loop
/// passes itself as the executor and enters without a hop; in process a factory runs on a queue of its own.
public actor CellFactory {
  /// The archive that cells are made from, with the pool of its cells: that of the request at hand.
  // Unchecked: replaced between requests and between slices only, when nobody has hold of it.
  @exclusivity(unchecked) private var edition: Edition
  /// Reads rows; what it holds is valid until it is reset.
  // Unchecked, this and `scope`: replaced between requests only, when nobody has hold of them.
  @exclusivity(unchecked) package private(set) var parser = JSONParser()
  // Only `draw` uses it, which does not call itself: what a check at run time would find cannot happen.
  @exclusivity(unchecked) private var stack = RenderStack()
  @exclusivity(unchecked) private(set) var scope: RowScope
  @exclusivity(unchecked) private var pausedRow: PausedRow?
  private let reuse: ReusePolicy
  private let tally = FactoryTally()
  private let executor: any SerialExecutor

  /// The executor that the factory was made with, which it keeps as long as it lives.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - archive: shared with other factories as one likes.
  ///   - reuse: how many idle cells are kept.
  public init(archive: CellArchive, reuse: ReusePolicy = ReusePolicy()) {
    self.init(archive: archive, reuse: reuse, executor: QueueExecutor())
  }

  /// - Parameter executor: where the factory runs; held as long as the factory lives.
  package init(archive: CellArchive, reuse: ReusePolicy, executor: any SerialExecutor) {
    self.executor = executor
    self.reuse = reuse
    scope = RowScope(for: archive)
    edition = Edition(archive, names: JSONNames(of: archive), reuse: reuse, tally: tally)
  }

  /// Takes another archive for the requests that begin from now on. Those that are being answered in slices go on with the
  /// one they began with, which is freed when the last of them has ended.
  public func adopt(_ archive: CellArchive) { adopt(archive, names: JSONNames(of: archive)) }

  /// - Parameter names: the archive's, made by somebody who has the time for it.
  package func adopt(_ archive: CellArchive, names: JSONNames) {
    parser.reset()
    scope = RowScope(for: archive)
    edition = Edition(archive, names: names, reuse: reuse, tally: tally)
  }

  /// The archive that cells are made from.
  package var archive: CellArchive { edition.archive }

  /// The names the archive's templates look up; rows are parsed with them.
  package var names: JSONNames { edition.names }

  /// What has been learnt of the rows of each kind.
  var shelf: PlanShelf { edition.shelf }

  /// The archive's hash: 32 hexadecimal digits, equal wherever the templates are the same.
  public var archiveHash: String { edition.archiveHash }

  /// What the reuse pools have done since the factory was made.
  public var reuseStatistics: ReuseStatistics { tally.reuse }

  /// What has been learnt of rows, and what it was good for, since the factory was made.
  package var planStatistics: PlanStatistics { tally.plans }

  /// A cell of a kind: an idle one, else a new one from the archive.
  /// - Parameter kind: the kind's number in the archive.
  package func dequeueReusableCell(ofKind kind: UInt32) -> Cell {
    edition.pool.dequeue(kind: kind) ?? Cell(ofKind: kind, from: edition.archive)
  }

  /// Gives a cell back. What it drew is forgotten.
  package func enqueue(_ cell: consuming Cell) {
    precondition(cell.archive === edition.archive, "a cell of another archive")
    edition.pool.enqueue(cell)
  }

  /// Parses one document with the archive's names, as ``JSONParser/parse(_:in:names:depthLimit:)`` does.
  package func parse(
    _ text: inout ByteBuffer, in range: Range<Int>, depthLimit: Int
  ) throws(JSONFault) -> JSONTape.Index {
    try parser.parse(&text, in: range, names: edition.names, depthLimit: depthLimit)
  }

  /// The rows that were parsed, over the text they were parsed from; see ``JSONParser/tape(over:)``.
  package func tape(over text: borrowing ByteBuffer) -> JSONTape { parser.tape(over: text) }

  /// Forgets the rows that were parsed, and what was counted and remembered of them. Tapes over them end
  /// here.
  package func forgetRows() {
    parser.reset()
    scope.reset()
    stack.trim()
  }

  /// Hands over the rows that were parsed, and what is remembered of them, to work that goes on while other requests are
  /// served. Tapes over them stay valid until the caller lets go of them, and so does the archive they were parsed for.
  package func keepRows() -> KeptRows {
    let rows = KeptRows(of: edition)
    exchangeRows(with: rows)
    return rows
  }

  /// Takes up kept rows with their archive, and keeps the factory's own in their place; the same call again undoes it.
  /// Rows are parsed and drawn with what the factory has at the time.
  package func exchangeRows(with rows: KeptRows) {
    swap(&parser, &rows.parser)
    swap(&scope, &rows.scope)
    swap(&edition, &rows.edition)
  }

  /// Turns of loops, and calls, that drawing the request's rows has taken so far. To draw rows a second time it is set back
  /// to what it was.
  package var turns: Int {
    get { scope.turns }
    set { scope.turns = newValue }
  }

  /// When drawing the request's rows pauses. What pauses is thrown as `.paused`: `takePausedRow` has it.
  package var rowPause: RowPause {
    get { scope.pause }
    set { scope.pause = newValue }
  }

  /// The row that has paused last, for `resume`.
  package func takePausedRow() -> PausedRow {
    guard let row = pausedRow.take() else { preconditionFailure("no row has paused") }
    return row
  }

  /// Goes on with a row that has paused.
  /// - Parameters:
  ///   - cell: the one that has begun it, of which it has all it needs.
  ///   - context: as it was begun.
  ///   - output: what of it there is, or an empty one.
  /// - Throws: `RenderFault`; unless that is `.paused`, the output then ends before the row.
  package func resume(
    _ row: PausedRow, _ cell: Cell, _ context: RowContext, on tape: JSONTape, limits: RenderLimits,
    into output: inout ByteBuffer
  ) throws(RenderFault) {
    var renderer = Renderer(cell, tape: tape, limits: limits, scope: scope, shelf: shelf)
    swap(&stack, &row.stack)
    row.start = min(row.start, output.count)
    defer {
      scope.turns = renderer.turns
      swap(&stack, &row.stack)
    }
    do throws(RenderFault) {
      try renderer.resume(context, at: row.place, into: &output, &stack)
    } catch {
      if case .paused = error, let place = renderer.pausedPlace {
        row.place = place
        pausedRow = row
      } else {
        output.truncate(to: row.start)
      }
      throw error
    }
  }

  /// Cells are kept from one row to the next.
  package var reusesCells: Bool { reuse.isOn }

  /// Populates a cell with a row and appends what it draws.
  /// - Throws: `RenderFault`; unless that is `.paused`, the output then is as it was.
  package func draw(
    _ cell: Cell, _ context: RowContext, on tape: JSONTape, limits: RenderLimits,
    into output: inout ByteBuffer
  ) throws(RenderFault) {
    var renderer = Renderer(cell, tape: tape, limits: limits, scope: scope, shelf: shelf)
    defer { scope.turns = renderer.turns }
    try draw(context, by: &renderer, cell, into: &output)
  }

  /// Populates a cell with one row after another and appends what it draws, until the run stops, the output had to grow,
  /// or it holds more than `pauseBytes`. Where cells are not reused it is as new for each row.
  /// - Throws: `RenderFault` of the run's next row; the output then ends with the row before it.
  package func draw(
    _ cell: Cell, _ run: inout RowRun, on tape: JSONTape, limits: RenderLimits, into output: inout ByteBuffer,
    pauseBytes: Int = .max
  ) throws(RenderFault) {
    let capacity = output.capacity
    var renderer = Renderer(cell, tape: tape, limits: limits, scope: scope, shelf: shelf)
    defer { scope.turns = renderer.turns }
    while true {
      try renderer.drawPlanned(&run, into: &output, pauseBytes: pauseBytes, &stack)
      if run.isAtStop || output.capacity != capacity || output.count > pauseBytes { return }
      if !reuse.isOn { cell.forget() }
      try draw(run.next, by: &renderer, cell, into: &output)
      run.advance(on: tape)
      if run.isAtStop || output.capacity != capacity || output.count > pauseBytes { return }
    }
  }

  private func draw(
    _ context: RowContext, by renderer: inout Renderer, _ cell: Cell, into output: inout ByteBuffer
  ) throws(RenderFault) {
    let start = output.count
    output.reserve(cell.expectedCount)
    do throws(RenderFault) {
      try renderer.draw(context, into: &output, &stack)
    } catch {
      if case .paused = error, let place = renderer.pausedPlace {
        let row = PausedRow(at: place, start: start)
        swap(&stack, &row.stack)
        pausedRow = row
      } else {
        output.truncate(to: start)
      }
      throw error
    }
    cell.expectedCount = min(output.count - start, Cell.keptBufferBytes)
  }
}
