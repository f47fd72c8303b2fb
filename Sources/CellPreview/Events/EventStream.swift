import CellServer
import Cells

/// One open event stream (WHATWG HTML, section 9.2). Confined to its worker's thread.
final class EventStream: AnswerWork {
  private let events: PreviewEvents
  private let readiness: Readiness
  /// The number of the last event that was sent; -1 before the stream's first line.
  private var sent = -1
  /// Whether there was nothing to send when it was asked last.
  private var isPaused = false

  /// - Parameters:
  ///   - events: a stream that it has counted as open.
  ///   - readiness: the stream ends when the server is no longer ready.
  init(of events: PreviewEvents, while readiness: Readiness) {
    self.events = events
    self.readiness = readiness
  }

  /// The answer with the stream as its body.
  func answer() -> Answer {
    var answer = Answer(
      status: 200, contentType: "text/event-stream",
      headers: [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
    answer.rest = .events(self)
    return answer
  }

  /// Never called: the head is final from the start.
  func advance(over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory) -> Answer? { nil }

  func write(
    into output: inout ByteBuffer, bytes: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress {
    if !readiness.isReady { return .complete }
    if sent < 0 {
      output.append("retry: 1000\n\n")
      sent = 0
    }
    sent = events.append(after: sent, to: &output)
    // Asked again after a pause although nothing is new: to show that the connection is alive.
    if output.isEmpty, isPaused { output.append(":\n\n") }
    isPaused = output.isEmpty
    return .waiting
  }

  func end() { events.close() }
}
