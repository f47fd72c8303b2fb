import CellServer
import Cells

/// One open event stream (WHATWG HTML, section 9.2). Confined to its worker's thread.
final class EventStream: AnswerWork {
  /// The most bytes of one piece: a client that does not read holds one.
  private static let pieceBytes = 16 << 10

  private let events: PreviewEvents
  private let readiness: Readiness
  /// The number of the event that was begun last; -1 before the stream's first line.
  private var begun = -1
  /// What is left of it. All streams share its bytes.
  private var rest: ArraySlice<UInt8> = []
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
    if begun < 0 {
      output.append("retry: 1000\n\n")
      begun = 0
    }
    if rest.isEmpty, let event = events.next(after: begun) {
      begun = event.number
      rest = event.bytes[...]
    }
    if !rest.isEmpty {
      let piece = rest.prefix(min(bytes, Self.pieceBytes))
      piece.withUnsafeBytes { output.append($0) }
      rest.removeFirst(piece.count)
      isPaused = false
      return .more
    }
    // Asked again after a pause although nothing is new: to show that the connection is alive.
    if output.isEmpty, isPaused { output.append(":\n\n") }
    isPaused = output.isEmpty
    return .waiting
  }

  func end() { events.close() }
}
