import Cells
import CellTemplates

/// Reads a large body in slices between the turns of other connections. NDJSON is read line by line. A
/// document is parsed in parts; only its tokens are found in one go, which takes some milliseconds for 16 MiB.
/// A `BatchWork` renders the rows.
final class ReadWork: AnswerWork {
  private let options: BatchOptions
  /// Nil once the work that renders has taken it over; after that, only `end` is called.
  private var reader: BodyReader?
  private let rows: KeptRows
  private let budget: MemoryBudget
  /// Empty; for the answer.
  private var output: ByteBuffer

  /// Continues where the reader stopped.
  init(
    _ reader: consuming BodyReader, _ options: BatchOptions, output: consuming ByteBuffer,
    budget: MemoryBudget,
    _ factory: isolated CellFactory
  ) {
    self.options = options
    self.output = output
    self.reader = consume reader
    self.budget = budget
    rows = factory.keepRows()
  }

  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer? {
    do throws(Problem) {
      let renderer = try readOn(&body, sharers: sharers, factory)
      guard let renderer, let reader = reader.take() else { return nil }
      var output = ByteBuffer()
      swap(&output, &self.output)
      renderer.begin(&output)
      // After the exchange of rows, so that these rows are trimmed and counted.
      return .unmade(BatchWork(renderer, reader, rows, output: output))
    } catch {
      budget.overload.note(refusedContent: error)
      return Answer(problem: error)
    }
  }

  /// Reads for a slice. Returns the renderer once all rows are read.
  private func readOn(
    _ body: inout ByteBuffer, sharers: Int, _ factory: isolated CellFactory
  ) throws(Problem) -> BatchRenderer? {
    var slice = Slice(microseconds: options.settings.sliceMicroseconds, sharers: sharers, outputBytes: 0)
    let statistics = budget.statistics
    let start = statistics.clock()
    factory.exchangeRows(with: rows)
    defer { factory.exchangeRows(with: rows) }
    // Also after an error, so that the turn's time is known.
    defer { reader!.nanoseconds += statistics.clock() - start }
    let batch = try reader!.readOn(&body, &slice, factory)
    guard let batch else { return nil }
    statistics.countParse(nanoseconds: reader!.nanoseconds + statistics.clock() - start)
    var renderer = BatchRenderer(
      batch, tape: factory.tape(over: body), archive: factory.archive, options: options,
      terms: try options.terms(of: batch, in: factory.archive), reusesCells: factory.reusesCells,
      budget: budget)
    renderer.beginReading(factory)
    return renderer
  }

  func write(
    into _: inout ByteBuffer, bytes _: Int, over _: inout ByteBuffer, sharers _: Int,
    factory _: isolated CellFactory
  ) -> BodyProgress {
    preconditionFailure("a body is not an answer")
  }

  func end() { reader?.release() }
}
