import Cells
import CellTemplates

/// A batch whose answer is not made in one go.
///
/// Before the head, in slices between other connections' turns, rows are drawn until all are, or the answer is too long
/// to be sent whole; and then the other rows are judged. Behind the head they are drawn as the client takes them.
///
/// How they are judged: where all that can be wrong stands in the request, by looking at it. Where only drawing shows it
/// (`missing=error`, and `on_error=skip`, whose header counts every bad row), they are drawn twice: what the first time
/// draws is dropped. That costs a large answer its rendering once more, and holds no more than a slice of it, where
/// keeping it would hold all. Depth and size are then known, too, so that nothing fails behind the head.
///
/// It holds the parsed rows, the beginning of the answer (as long as a whole answer may be, and a row), or a slice's
/// output; cells only within a slice.
final class BatchWork: AnswerWork {
  private enum Stage {
    case drawing
    case looking(RowCursor)
    case judging
    case streaming
  }

  private var reader: BodyReader
  private let rows: KeptRows
  private var stage = Stage.drawing
  private var renderer: BatchRenderer
  /// The beginning of the answer.
  private var output: ByteBuffer
  /// What is drawn only to be judged.
  private var dropped = ByteBuffer()
  /// Where the answer's beginning ends, and the turns it took.
  private var beginning: (position: BatchRenderer.Position, turns: Int)?

  /// Goes on where the renderer has stopped.
  init(
    _ renderer: consuming BatchRenderer, _ reader: consuming BodyReader, _ rows: KeptRows,
    output: consuming ByteBuffer
  ) {
    self.renderer = renderer
    reader.trim(rows)
    self.reader = reader
    self.rows = rows
    self.output = output
  }

  private var options: BatchOptions { renderer.options }

  /// The answer as far as it is: streamed, if no row need be judged any more, else unmade.
  func begin(_ factory: isolated CellFactory) -> Answer {
    factory.exchangeRows(with: rows)
    defer { factory.exchangeRows(with: rows) }
    if output.count > options.settings.completeBytes, !renderer.isWithinRow,
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
      renderer.hold(indexBytes: rows.indexBytes)
      renderer.nanoseconds += renderer.statistics.clock() - start
    }
    var slice = Slice(
      microseconds: options.settings.sliceMicroseconds, sharers: sharers,
      outputBytes: options.settings.completeBytes)
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
    case .drawing:
      try renderer.draw(into: &output, over: body, &slice, factory)
      if renderer.isAtEnd {
        try renderer.close(&output)
        renderer.finish(factory)
        return options.answer(takeOutput(), errorCount: renderer.errorCount)
      }
      let isBeginning = output.count > options.settings.completeBytes && !renderer.isWithinRow
      return isBeginning ? leaveBeginning(factory) : nil
    case .looking(var cursor):
      let found = renderer.findsBadRow(from: &cursor, &slice)
      stage = .looking(cursor)
      switch found {
      case nil: return nil
      case false?: return stream(errorCount: 0, factory)
      case true?:
        judge()
        return nil
      }
    case .judging:
      try renderer.draw(into: &dropped, over: body, &slice, factory)
      guard renderer.isAtEnd else { return nil }
      try renderer.close(&dropped)
      return stream(errorCount: renderer.errorCount, factory)
    case .streaming:
      preconditionFailure("the answer is there already")
    }
  }

  /// The beginning is complete: what is to be known of the other rows before it is sent?
  private func leaveBeginning(_ factory: isolated CellFactory) -> Answer? {
    beginning = (renderer.position, factory.turns)
    if options.judgesByDrawing {
      judge()
    } else if renderer.isWorthLooking {
      stage = .looking(renderer.position.cursor)
    } else {
      return stream(errorCount: 0, factory)
    }
    return nil
  }

  /// From here on rows are drawn to be judged; they begin where they are to be drawn again.
  private func judge() {
    stage = .judging
    renderer.purpose = .judging
    renderer.passedBytes = output.count
    renderer.keptBytes = output.capacity
  }

  private func stream(errorCount: Int, _ factory: isolated CellFactory) -> Answer {
    stage = .streaming
    // What it holds from now on it holds for as long as the client takes.
    reader.endReading()
    dropped = ByteBuffer()
    if let beginning {
      renderer.position = beginning.position
      factory.turns = beginning.turns
    }
    beginning = nil
    renderer.purpose = .streaming
    renderer.passedBytes = output.count
    renderer.finish(factory)
    var answer = options.answer(takeOutput(), errorCount: errorCount)
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
      renderer.nanoseconds += renderer.statistics.clock() - start
    }
    var slice = Slice(
      microseconds: options.settings.sliceMicroseconds, sharers: sharers, outputBytes: bytes)
    factory.rowPause = slice.rowPause
    do throws(Problem) {
      try renderer.draw(into: &output, over: body, &slice, factory)
      if renderer.isAtEnd {
        try renderer.close(&output)
        return .complete
      }
      renderer.passedBytes += output.count
      return .more
    } catch {
      renderer.abandonRow()
      return renderer.breakOff(error, &output)
    }
  }

  func end() {
    renderer.countOutcome()
    renderer.hold(indexBytes: 0)
    renderer.release()
    reader.release()
  }
}
