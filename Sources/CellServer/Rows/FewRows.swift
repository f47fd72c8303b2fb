import Cells
import CellTemplates

/// Fast path for most requests: few rows in an array, all of one kind, whose outputs are the whole answer.
///
/// Renders them with one cell and without the state that a `BatchRenderer` needs to stop and to describe
/// errors. If that is needed after all, a `BatchRenderer` takes over and continues. What both must agree on is in
/// `docs/architecture.md`, "Rows to answers".
struct FewRows {
  private let kind: UInt32
  /// The rows still to be rendered.
  private(set) var run: RowRun
  /// The cell, and the memory reserved for it and the output. Held until all rows are rendered or taken over.
  private(set) var cell: Cell?
  private(set) var reservedBytes = 0
  /// The fault of the next row.
  private(set) var fault: RenderFault?
  /// The next row, if it has paused.
  private(set) var paused: PausedRow?

  /// nil if the batch is not suitable. At most as many rows as are rendered without a clock reading.
  init?(_ batch: borrowing Batch, as format: RowFormat, on tape: JSONTape, in archive: CellArchive) {
    guard case .data(let kind) = batch.content, case .elements(let array) = batch.rows,
      tape.count(array) <= Slice.rows, format.isOutput(ofKind: kind, in: archive)
    else { return nil }
    self.kind = kind
    run = RowRun(of: array, on: tape, owner: batch.owner)
  }

  /// Appends rendered rows to `output` until it has more than `pauseBytes` bytes. Takes much of the request apart, because a
  /// type for that would be filled for each request.
  /// - Returns: false if the answer is incomplete or exceeds a limit. The output ends after a complete row.
  mutating func render(
    into output: inout ByteBuffer, on tape: JSONTape, limits: RenderLimits, pauseBytes: Int,
    _ budget: MemoryBudget, _ archive: CellArchive, _ factory: isolated CellFactory
  ) -> Bool {
    if run.isAtEnd { return true }
    let statistics = budget.statistics
    let cell = factory.dequeueReusableCell(ofKind: kind)
    self.cell = cell
    defer { if run.next.index > 0 { statistics.countRows(run.next.index, ofKind: kind, in: archive) } }
    repeat {
      do throws(RenderFault) {
        try factory.render(cell, &run, on: tape, limits: limits, into: &output, pauseBytes: pauseBytes)
      } catch {
        if case .paused = error { paused = factory.takePausedRow() } else { fault = error }
        return false
      }
      let grown = output.capacity + cell.capacity - reservedBytes
      if grown > 0 {
        guard budget.reserve(grown) else { return false }
        reservedBytes += grown
      }
    } while !run.isAtEnd && output.count <= pauseBytes
    guard run.isAtEnd else { return false }
    self.cell = nil
    factory.enqueue(cell)
    budget.release(reservedBytes)
    factory.report(to: statistics)
    return true
  }
}
