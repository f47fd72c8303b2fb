import CMicrohttpd
import Cells

/// The source of a connection's streamed body: the work of its exchange, which goes on as the turns of the loop have time.
///
/// Confined to the worker's thread. The connection owns it with its state, and keeps it no longer.
final class ConnectionStream: StreamSource {
  // `unowned` is safe: the worker stops its daemon, and with it every response, before it goes.
  private unowned let worker: Worker
  private let connection: ClientConnection

  init(_ worker: Worker, _ connection: ClientConnection) {
    (self.worker, self.connection) = (worker, connection)
  }

  func admitsPiece() -> Bool {
    worker.waitingTurns.interrupt()
    return worker.shares.admitsWork(served: &connection.servedRound)
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

  func note(sentBytes count: Int) { worker.shares.sends(bytes: count) }

  func breakOff() {
    // In a chunked body, the last chunk is missing. Otherwise the end of the connection would mean the
    // end of the body, so it is reset instead.
    if !connection.exchange.takesChunks { cf_reset(connection.descriptor) }
  }

  func pause() { worker.eventStreams.suspend(connection) }
}
