import CMicrohttpd
import Cells

/// The source of a connection's streamed body: the work of its exchange, which goes on as the turns of the loop have time.
///
/// Confined to the worker's thread. The connection owns it with its state, and keeps it no longer.
final class ConnectionStream: StreamSource {
  // `unowned` is safe: the worker stops its daemon, and with it every response, before it goes.
  private unowned let worker: Worker
  private let connection: ClientConnection
  private let isChunked: Bool
  /// Whether libmicrohttpd sends what it is given next in its next run, not at once. So it does at the beginning and when it
  /// was given nothing before, and always with chunks.
  private var isSentLater = true

  init(_ worker: Worker, _ connection: ClientConnection, isChunked: Bool) {
    (self.worker, self.connection, self.isChunked) = (worker, connection, isChunked)
  }

  func admitsPart() -> Bool {
    worker.waitingTurns.interrupt()
    worker.countSending()
    guard worker.shares.admitsPart(place: &connection.workPlace, isSentLater: isSentLater) else {
      isSentLater = true
      return false
    }
    return true
  }

  func render(into held: HeldBuffer) -> BodyProgress {
    let start = worker.control.statistics.latestNanoseconds
    defer { worker.sliceTook(since: start) }
    return worker.factory.enter(from: worker.control.loop, worker, connection, held) {
      worker, connection, held, factory in
      connection.exchange.write(
        into: &held.buffer, bytes: StreamedBody.pieceBytes, sharers: worker.slicedAnswers, factory: factory)
    }
  }

  func gives(bytes count: Int) {
    worker.shares.gives(bytes: count, isSentLater: isSentLater, at: worker.control.statistics.clock())
    isSentLater = isChunked
  }

  func breakOff() {
    // In a chunked body, the last chunk is missing. Otherwise the end of the connection would mean the
    // end of the body, so it is reset instead.
    if !connection.exchange.takesChunks { cf_reset(connection.descriptor) }
  }

  func pause() { worker.eventStreams.suspend(connection) }
}
