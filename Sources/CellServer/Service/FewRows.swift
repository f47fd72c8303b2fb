import Cells
import CellTemplates

/// The rows of most requests: few, in an array, all of one kind, and what they draw is all there is to the answer.
///
/// They take one cell and one go, and nothing of what a `BatchRenderer` needs to stop, and to tell what is wrong with a
/// row. Where it comes to that, one goes on where these have stopped; behind a bad row it begins again.
struct FewRows {
  private let kind: UInt32
  /// What is still to be drawn.
  private(set) var run: RowRun

  /// nil: the batch is another. As many rows are few as are drawn without a look at the clock.
  init?(_ batch: borrowing Batch, as format: OutputFormat, on tape: JSONTape, in archive: CellArchive) {
    guard case .data(let kind) = batch.content, case .elements(let array) = batch.rows,
      tape.count(array) <= Slice.rows, format == OutputFormat(ofKind: kind, in: archive)
    else { return nil }
    self.kind = kind
    run = RowRun(of: array, on: tape, owner: batch.owner)
  }

  /// Writes what they draw to `output`, which is empty, until it holds more than `pauseBytes`.
  /// - Returns: false: not all are drawn. The output ends with a row; if one is bad, it is as empty as it was.
  mutating func draw(
    into output: inout ByteBuffer, on tape: JSONTape, limits: RenderLimits, pauseBytes: Int,
    _ budget: MemoryBudget, _ archive: CellArchive, _ factory: isolated CellFactory
  ) -> Bool {
    if run.isAtEnd { return true }
    let statistics = budget.statistics
    let (first, turns) = (run, factory.turns)
    let cell = factory.dequeueReusableCell(ofKind: kind)
    var reservedBytes = 0
    defer {
      factory.enqueue(cell)
      budget.release(reservedBytes)
      factory.report(to: statistics)
      if run.next.place > 0 { statistics.countRows(run.next.place, ofKind: kind, in: archive) }
    }
    repeat {
      do throws(RenderFault) {
        try factory.draw(cell, &run, on: tape, limits: limits, into: &output, pauseBytes: pauseBytes)
      } catch {
        // What the row has cost is not to count twice.
        (run, factory.turns) = (first, turns)
        output.truncate(to: 0)
        return false
      }
      let grown = output.capacity + cell.capacity - reservedBytes
      if grown > 0 {
        guard budget.reserve(grown) else { return false }
        reservedBytes += grown
      }
    } while !run.isAtEnd && output.count <= pauseBytes
    return run.isAtEnd
  }
}
