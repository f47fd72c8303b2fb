import CMicrohttpd
import Cells

// Answers that are made, or streamed, a slice at a time. libmicrohttpd asks for each slice: it calls for an answer that
// is not there, and for a body, in every turn of its loop, and gives each connection one turn after another.
extension Worker {
  /// The one way of a connection from a state to the next: the counts of answers that are made in slices follow, and a
  /// streamed answer that is over is recorded. What is cut stays cut, and what drains can only be cut.
  func move(_ connection: ClientConnection, to state: ConnectionState) {
    let before = connection.state
    switch before {
    case .cut: return
    case .draining: guard case .cut = state else { return }
    case .making:
      works -= 1
      overload.workEnds()
    case .streaming: works -= 1
    case .waiting, .head, .body, .sending: break
    }
    connection.state = state
    if state.isWork { works += 1 }
    if case .making = state { overload.workBegins() }
    if case .streaming(let stream, _) = before {
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
