import CMicrohttpd
import Cells

// Answers that are made, or streamed, a slice at a time. libmicrohttpd asks for each slice: it calls for an answer that
// is not there, and for a body, in every turn of its loop, and gives each connection one turn after another.
extension Worker {
  /// The answer takes longer: until it is there, nobody but the worker is to blame for the silence.
  func beginWork(for connection: ClientConnection) {
    connection.deadline = ClientConnection.never
    connection.isMaking = true
    overload.workBegins()
    countWork(for: connection)
  }

  func countWork(for connection: ClientConnection) {
    if connection.isCountedAsWork { return }
    connection.isCountedAsWork = true
    works += 1
  }

  /// The answer is there, if one was being made.
  func endMaking(of connection: ClientConnection) {
    if connection.isMaking { overload.workEnds() }
    connection.isMaking = false
  }

  /// Nothing is left to do for the connection's answer.
  func endWork(of connection: ClientConnection) {
    guard connection.isCountedAsWork else { return }
    endMaking(of: connection)
    connection.isCountedAsWork = false
    works -= 1
    if let stream = connection.stream.take() {
      record(connection, status: stream.status, bytes: stream.takenBytes)
    }
  }

  /// Draws the next piece of a streamed body.
  func draw(_ connection: ClientConnection, into held: HeldBuffer) -> BodyProgress {
    enter(connection, held) { worker, connection, held, factory in
      connection.exchange.write(
        into: &held.buffer, bytes: StreamedBody.pieceBytes, sharers: worker.works, factory: factory)
    }
  }
}
