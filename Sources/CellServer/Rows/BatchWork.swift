import Cells
import CellTemplates

/// A batch whose answer is made in slices.
///
/// Before the head, rows are rendered in slices between the turns of other connections, until all are done or
/// the answer is too long to be sent whole. In the latter case the other rows are then checked. After the
/// head, they are rendered as the client takes them.
///
/// If all possible errors show in the request, checking only inspects it. If some errors show only in
/// rendering (`missing=error`, and `on_error=skip`, whose header counts every bad row), the rows are rendered
/// twice and the first output is discarded. That costs a large answer a second rendering but needs memory
/// only for a slice; keeping the output would need memory for all of it. Depth and size are then known too,
/// so nothing fails after the head.
///
/// Holds the parsed rows and the beginning of the answer (up to `completeBytes` and a row) or a slice's
/// output. Holds cells only within a slice, except that of a row that has paused.
final class BatchWork: AnswerWork {
  private enum Stage {
    case rendering
    case looking(RowCursor)
    case judging
    case streaming
  }

  private var reader: BodyReader
  private let rows: KeptRows
  private var stage = Stage.rendering
  private var renderer: BatchRenderer
  /// The beginning of the answer.
  private var output: ByteBuffer
  /// Output rendered only to check rows.
  private var dropped = ByteBuffer()
  /// The output of a streamed row that has paused. It is not sent before the row is complete: a bad row leaves nothing.
  private var unsent = ByteBuffer()
  /// The position at the end of the answer's beginning, the factory's iterations at that point, and the values before it that
  /// did not fit their formats.
  private var beginning: (position: BatchRenderer.Position, iterations: Int, misfits: Int)?

  /// Continues where the renderer stopped.
  init(
    _ renderer: consuming BatchRenderer, _ reader: consuming BodyReader, _ rows: KeptRows,
    output: consuming ByteBuffer
  ) {
    self.renderer = renderer
    reader.trim(rows)
    self.renderer.heldForReading = reader.heldBytes
    self.renderer.pausesForMemory = false
    self.reader = reader
    self.rows = rows
    self.output = output
  }

  private var options: BatchOptions { renderer.options }

  /// The answer so far: streamed if no row needs to be checked any more, otherwise unmade.
  func begin(_ factory: isolated CellFactory) -> Answer {
    factory.exchangeRows(with: rows)
    defer { factory.exchangeRows(with: rows) }
    if output.count > options.completeBytes, !renderer.isWithinRow, !renderer.isPausedForMemory,
      let answer = leaveBeginning(factory)
    {
      return answer
    }
    renderer.pause(output, factory)
    return .unmade(self)
  }

  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer? {
    let start = renderer.statistics.clock()
    factory.exchangeRows(with: rows)
    defer {
      factory.exchangeRows(with: rows)
      renderer.hold(indexBytes: rows.indexBytes + renderer.valueBytes)
      renderer.nanoseconds += renderer.statistics.clock() - start
    }
    var slice = Slice(
      microseconds: options.settings.sliceMicroseconds, sharers: sharers,
      outputBytes: options.completeBytes)
    factory.rowPause = slice.rowPause
    do throws(Problem) {
      if let answer = try advance(over: &body, &slice, factory) { return answer }
    } catch {
      renderer.abandonRow()
      renderer.finish(factory)
      renderer.budget.overload.note(refusedContent: error)
      return Answer(problem: error)
    }
    if case .judging = stage { renderer.pause(dropped, factory) } else { renderer.pause(output, factory) }
    return nil
  }

  private func advance(
    over body: inout ByteBuffer, _ slice: inout Slice, _ factory: isolated CellFactory
  ) throws(Problem) -> Answer? {
    switch stage {
    case .rendering:
      try renderer.resumeForMemory(&output)
      try renderer.render(into: &output, over: body, &slice, factory)
      if renderer.isAtEnd {
        try renderer.close(&output)
        renderer.countMisfits(factory)
        renderer.finish(factory)
        return options.answer(
          takeOutput(), errorCount: renderer.errorCount, tally: factory.valueTally, renderer.languages)
      }
      let isBeginning = output.count > options.completeBytes && !renderer.isWithinRow
      return isBeginning ? leaveBeginning(factory) : nil
    case .looking(var cursor):
      let found = renderer.findsBadRow(from: &cursor, &slice)
      stage = .looking(cursor)
      switch found {
      case nil: return nil
      case false?: return stream(errorCount: 0, factory)
      case true?:
        judge(factory)
        return nil
      }
    case .judging:
      try renderer.render(into: &dropped, over: body, &slice, factory)
      guard renderer.isAtEnd else { return nil }
      try renderer.close(&dropped)
      return stream(errorCount: renderer.errorCount, factory)
    case .streaming:
      preconditionFailure("the answer has been made")
    }
  }

  /// Called when the beginning is complete. Decides how the other rows are checked before it is sent.
  private func leaveBeginning(_ factory: isolated CellFactory) -> Answer? {
    beginning = (renderer.position, factory.iterations, factory.valueTally.misfits)
    if options.judgesByRendering {
      judge(factory)
    } else if renderer.isWorthLooking {
      stage = .looking(renderer.position.cursor)
    } else {
      return stream(errorCount: 0, factory)
    }
    return nil
  }

  /// Starts checking rows by rendering them, from the position where they will be rendered again.
  private func judge(_ factory: isolated CellFactory) {
    stage = .judging
    renderer.purpose = .judging
    renderer.passedBytes = output.count
    renderer.keptBytes = output.capacity
  }

  private func stream(errorCount: Int, _ factory: isolated CellFactory) -> Answer {
    stage = .streaming
    // From now on, memory is held for as long as the client takes.
    reader.endReading()
    dropped = ByteBuffer()
    if let beginning {
      renderer.position = beginning.position
      factory.iterations = beginning.iterations
      renderer.statistics.countUnformatted(beginning.misfits)
    }
    beginning = nil
    // The rows that were judged are rendered again.
    renderer.countedMisfits = factory.valueTally.misfits
    renderer.purpose = .streaming
    renderer.passedBytes = output.count
    renderer.finish(factory)
    var answer = options.answer(takeOutput(), errorCount: errorCount, tally: nil, renderer.languages)
    answer.rest = .streamed(self)
    return answer
  }

  private func takeOutput() -> ByteBuffer {
    var taken = ByteBuffer()
    swap(&taken, &output)
    return taken
  }

  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress {
    let start = renderer.statistics.clock()
    factory.exchangeRows(with: rows)
    defer {
      renderer.finish(factory)
      factory.exchangeRows(with: rows)
      renderer.hold(indexBytes: rows.indexBytes)
      renderer.holdRow(unsentBytes: unsent.capacity)
      renderer.nanoseconds += renderer.statistics.clock() - start
    }
    takeUp(&output)
    var slice = Slice(
      microseconds: options.settings.sliceMicroseconds, sharers: sharers, outputBytes: bytes)
    factory.rowPause = slice.rowPause
    do throws(Problem) {
      try renderer.render(into: &output, over: body, &slice, factory)
      renderer.countMisfits(factory)
      if renderer.isAtEnd {
        try renderer.close(&output)
        return .complete
      }
      if let row = renderer.openRow { holdBack(row, &output) }
      renderer.passedBytes += output.count
      return .more
    } catch {
      renderer.countMisfits(factory)
      renderer.abandonRow()
      return renderer.breakOff(error, &output)
    }
  }

  /// Moves what the open row has rendered so far out of the output.
  private func holdBack(_ row: PausedRow, _ output: inout ByteBuffer) {
    if row.start == 0 {
      swap(&unsent, &output)
    } else {
      unsent.append(UnsafeRawBufferPointer(rebasing: output.bytes[row.start...]))
      output.truncate(to: row.start)
      row.start = 0
    }
  }

  /// Moves it back into the output, which is empty.
  private func takeUp(_ output: inout ByteBuffer) {
    if unsent.isEmpty { return }
    precondition(output.isEmpty, "a piece begins empty")
    swap(&unsent, &output)
    unsent.reset(keptCapacity: 0)
  }

  func end() {
    renderer.countOutcome()
    renderer.hold(indexBytes: 0)
    renderer.release()
    reader.release()
  }
}
