import Cells
import CellTemplates

/// A large body, read in slices between other connections' turns: NDJSON line by line, a document in three parts, of which
/// the first and the last take as long as they take (some milliseconds for 16 MiB). What is drawn is a `BatchWork`'s.
final class ReadWork: AnswerWork {
  private let options: BatchOptions
  /// Until the work that draws takes it over: nothing is asked of this one then but its end.
  private var reader: BodyReader?
  private let rows: KeptRows
  private let budget: MemoryBudget
  /// For the answer; empty.
  private var output: ByteBuffer

  /// Goes on where the reader has stopped.
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
      // Behind the exchange of rows: it is these that are trimmed, and counted.
      return .unmade(BatchWork(renderer, reader, rows, output: output))
    } catch {
      budget.overload.note(refusedContent: error)
      return Answer(problem: error)
    }
  }

  /// Reads for a slice. Returns what draws the rows, once all are read.
  private func readOn(
    _ body: inout ByteBuffer, sharers: Int, _ factory: isolated CellFactory
  ) throws(Problem) -> BatchRenderer? {
    var slice = Slice(microseconds: options.settings.sliceMicroseconds, sharers: sharers, outputBytes: 0)
    let statistics = budget.statistics
    let start = statistics.clock()
    factory.exchangeRows(with: rows)
    defer { factory.exchangeRows(with: rows) }
    let batch = try reader!.readOn(&body, &slice, factory)
    reader!.nanoseconds += statistics.clock() - start
    guard let batch else { return nil }
    statistics.countParse(nanoseconds: reader!.nanoseconds)
    return BatchRenderer(
      batch, tape: factory.tape(over: body), archive: factory.archive, options: options,
      reusesCells: factory.reusesCells, budget: budget)
  }

  func write(
    into _: inout ByteBuffer, bytes _: Int, over _: inout ByteBuffer, sharers _: Int,
    factory _: isolated CellFactory
  ) -> BodyProgress {
    preconditionFailure("a body alone is no answer")
  }

  func end() { reader?.release() }
}
