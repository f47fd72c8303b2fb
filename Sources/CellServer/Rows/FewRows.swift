import Cells
import CellTemplates

/// The rows of most requests: few, in an array, all of one kind, and what they draw is all there is to the answer.
///
/// They take one cell and one go, and nothing of what a `BatchRenderer` needs to stop, and to tell what is wrong with a
/// row. Where it comes to that, one takes over what they hold, and goes on where they have stopped.
struct FewRows {
  private let kind: UInt32
  /// What is still to be drawn.
  private(set) var run: RowRun
  /// Held until all are drawn, or by who goes on: the cell, and what was reserved for it and the output.
  private(set) var cell: Cell?
  private(set) var reservedBytes = 0
  /// What is wrong with the next row.
  private(set) var fault: RenderFault?
  /// The next row, where it has paused.
  private(set) var paused: PausedRow?

  /// nil: the batch is another. As many rows are few as are drawn without a look at the clock.
  init?(_ batch: borrowing Batch, as format: RowFormat, on tape: JSONTape, in archive: CellArchive) {
    guard case .data(let kind) = batch.content, case .elements(let array) = batch.rows,
      tape.count(array) <= Slice.rows, format.isOutput(ofKind: kind, in: archive)
    else { return nil }
    self.kind = kind
    run = RowRun(of: array, on: tape, owner: batch.owner)
  }

  /// Appends what they draw to `output`, until it holds more than `pauseBytes`.
  /// - Returns: false: that is not all of the answer, or more than there may be. The output ends with a row.
  mutating func draw(
    into output: inout ByteBuffer, on tape: JSONTape, limits: RenderLimits, pauseBytes: Int,
    _ budget: MemoryBudget, _ archive: CellArchive, _ factory: isolated CellFactory
  ) -> Bool {
    if run.isAtEnd { return true }
    let statistics = budget.statistics
    let cell = factory.dequeueReusableCell(ofKind: kind)
    self.cell = cell
    defer { if run.next.place > 0 { statistics.countRows(run.next.place, ofKind: kind, in: archive) } }
    repeat {
      do throws(RenderFault) {
        try factory.draw(cell, &run, on: tape, limits: limits, into: &output, pauseBytes: pauseBytes)
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
