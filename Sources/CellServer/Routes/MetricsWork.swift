import Cells

/// A scrape that is sent in pieces: one of many kinds has megabytes, and a client that does not read would hold all of them.
final class MetricsWork: AnswerWork {
  private var report: MetricsReport

  private init(_ report: consuming MetricsReport) { self.report = report }

  /// A report up to this size is sent even if there is no room for it.
  private static let smallBytes = 16 << 10

  /// The answer with the whole report, if it has no more than a piece; or one that is streamed. There must be room for either.
  static func answer(_ report: consuming MetricsReport, budget: MemoryBudget) -> Answer {
    var answer = Answer(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8")
    answer.body = ByteBuffer(capacity: 32 << 10)
    let isWhole = !report.write(to: &answer.body, bytes: MemoryBudget.streamPieceBytes)
    let isSmall = isWhole && answer.body.count <= smallBytes
    guard isSmall || budget.hasRoomForStream(isForOperators: true) else {
      return Answer(problem: budget.refuse())
    }
    if !isWhole { answer.rest = .streamed(MetricsWork(report)) }
    return answer
  }

  /// Never called: the head is final from the start.
  func advance(over _: inout ByteBuffer, sharers _: Int, factory _: isolated CellFactory) -> Answer? { nil }

  func write(
    into output: inout ByteBuffer, bytes: Int, over _: inout ByteBuffer, sharers _: Int,
    factory _: isolated CellFactory
  ) -> BodyProgress {
    report.write(to: &output, bytes: bytes) ? .more : .complete
  }

  func end() {}
}
