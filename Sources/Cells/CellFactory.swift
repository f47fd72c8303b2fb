public import CellTemplates

/// Makes cells by kind, draws rows with them, and keeps them for reuse.
///
/// One for each thread that renders: nothing is shared but the archive, which is immutable. An event loop
/// passes itself as the executor and enters without a hop; in process a factory runs on a queue of its own.
public actor CellFactory {
  /// The archive that cells are made from.
  package let archive: CellArchive
  /// The names the archive's templates look up; rows are parsed with them.
  package let names: JSONNames
  /// Reads rows; what it holds is valid until it is reset.
  package let parser = JSONParser()
  // Its own methods alone use it, and none calls another.
  @exclusivity(unchecked) private var pool: CellPool
  // Only `draw` uses it, which does not call itself: what a check at run time would find cannot happen.
  @exclusivity(unchecked) private var stack = RenderStack()
  let scope: RowScope
  /// What has been learnt of the rows of each kind.
  let shelf: PlanShelf
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
    self.archive = archive
    self.executor = executor
    archiveHash = archive.hash
    names = JSONNames((0..<archive.names.count).map { Array(archive.bytes(archive.names[$0].text)) })
    scope = RowScope(for: archive)
    shelf = PlanShelf(kindCount: archive.kinds.count)
    pool = CellPool(kindCount: archive.kinds.count, policy: reuse)
  }

  /// The archive's hash: 32 hexadecimal digits, equal wherever the templates are the same.
  public nonisolated let archiveHash: String

  /// What the reuse pool has done since the factory was made.
  public var reuseStatistics: ReuseStatistics { pool.statistics }

  /// A cell of a kind: an idle one, else a new one from the archive.
  /// - Parameter kind: the kind's number in the archive.
  package func dequeueReusableCell(ofKind kind: UInt32) -> Cell {
    pool.dequeue(kind: kind) ?? Cell(ofKind: kind, from: archive)
  }

  /// Gives a cell back. What it drew is forgotten.
  package func enqueue(_ cell: Cell) {
    pool.enqueue(cell)
  }

  /// Forgets the rows that were parsed, and what was counted and remembered of them. Tapes over them end
  /// here.
  package func forgetRows() {
    parser.reset()
    scope.reset()
    stack.trim()
  }

  /// Cells are kept from one row to the next.
  package var reusesCells: Bool { pool.isOn }

  /// Populates a cell with a row and appends what it draws.
  /// - Throws: `RenderFault`; the output then is as it was.
  package func draw(
    _ cell: Cell, _ context: RowContext, on tape: JSONTape, limits: RenderLimits,
    into output: inout ByteBuffer
  ) throws(RenderFault) {
    var renderer = Renderer(cell, tape: tape, limits: limits, scope: scope, shelf: shelf)
    defer { scope.turns = renderer.turns }
    try draw(context, by: &renderer, cell, into: &output)
  }

  /// Populates a cell with one row after another and appends what it draws, until none is left or the output had to
  /// grow.
  /// - Throws: `RenderFault` of the run's next row; the output then ends with the row before it.
  package func draw(
    _ cell: Cell, _ run: inout RowRun, on tape: JSONTape, limits: RenderLimits, into output: inout ByteBuffer
  ) throws(RenderFault) {
    let capacity = output.capacity
    var renderer = Renderer(cell, tape: tape, limits: limits, scope: scope, shelf: shelf)
    defer { scope.turns = renderer.turns }
    while !run.isAtEnd && output.capacity == capacity {
      try draw(run.next, by: &renderer, cell, into: &output)
      run.advance(on: tape)
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
      output.truncate(to: start)
      throw error
    }
    cell.expectedCount = min(output.count - start, Cell.keptBufferBytes)
  }
}
