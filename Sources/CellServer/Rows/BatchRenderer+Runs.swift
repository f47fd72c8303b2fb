import Cells
import CellTemplates

/// Runs of rows of one kind, rendered by one cell into the answer.
extension BatchRenderer {
  /// Whether one cell can render all rows in a row, because the answer consists only of their outputs.
  func mayRun(_ kind: UInt32) -> Bool {
    !options.refusesUnknownNames && format.isOutput(ofKind: kind, in: archive)
  }

  mutating func renderRun(
    of kind: UInt32, into output: inout ByteBuffer, _ pauseBytes: Int, _ factory: isolated CellFactory
  ) throws(Problem) {
    let cell = dequeue(kind, factory)
    var run = position.cursor.run(owner: batch.owner, limit: Slice.rows)
    let (start, badRows) = (run.next.index, position.errors.badRows)
    defer {
      // Rows rendered only to be checked are not counted.
      let rendered = run.next.index - start - (position.errors.badRows - badRows)
      if purpose != .judging, rendered > 0 { statistics.countRows(rendered, ofKind: kind, in: archive) }
    }
    if let incomplete {
      try refuse(incomplete, &output, factory)
      if self.incomplete != nil { return }
      run.advance(on: tape)
      try check(&output, rowStart: output.count)
    }
    while !run.isAtStop && (isWithinRow || output.count <= pauseBytes) {
      let wasJudged = judgedFault != nil
      do throws(RenderFault) {
        if let fault = metFault.take() { throw fault }
        if judgedFault != nil {
          try renderRest(cell, run.next, limits: limits, into: &cell.buffer, factory)
          if let fault = judgedFault.take() { throw fault }
        }
        if let row = paused.take() {
          try factory.resume(row, cell, run.next, on: tape, limits: room, into: &output)
          run.advance(on: tape)
        } else if position.errors.isRefused {
          // Rows after a bad one are only checked. Their output is discarded and must not add up to the
          // limit.
          try factory.render(cell, run.next, on: tape, limits: limits, into: &output)
          run.advance(on: tape)
        } else {
          try factory.render(cell, &run, on: tape, limits: room, into: &output, pauseBytes: pauseBytes)
        }
      } catch {
        if case .paused = error {
          paused = factory.takePausedRow()
          try check(&output, rowStart: output.count)
          break
        }
        if !wasJudged, mayHaveAnotherFault(error, after: output.count) {
          cell.buffer.truncate(to: 0)
          judgedFault = error
          continue
        }
        judgedFault = nil
        try refuse(Row(index: run.next.index, kind: kind, data: run.next.row), error, &output, factory)
        if incomplete != nil { break }
        run.advance(on: tape)
      }
      try check(&output, rowStart: output.count)
      if isPausedForMemory { break }
    }
    position.cursor.move(to: run)
  }
}
