import CMicrohttpd
import Cells

// Answers made or streamed in slices. libmicrohttpd drives the slices: in every turn of its loop, it asks
// once for each missing answer and each unfinished body.
extension Worker {
  /// Moves a connection to another state; nothing else changes its case. Keeps the counts of works up to date
  /// and records a streamed answer when it ends. A cut connection stays cut; a draining one can only be cut.
  func move(_ connection: ClientConnection, to state: consuming ConnectionState) {
    if connection.state.isCut { return }
    if connection.state.isDraining, !state.isCut { return }
    var ended: StreamedBody?
    if connection.state.isWork {
      works -= 1
      ended = connection.state.streamed
      if ended == nil { overload.workEnds() }
    }
    if state.isWork { works += 1 }
    if case .making = state { overload.workBegins() }
    connection.state = state
    if let ended { record(connection, status: ended.status, bytes: ended.takenBytes) }
  }

  /// Renders the next piece of a streamed body; nothing if the turn leaves no time for it.
  func render(_ connection: ClientConnection, into held: HeldBuffer) -> BodyProgress {
    waitingTurns.interrupt()
    guard shares.admitsWork(served: &connection.servedRound) else { return .more }
    let start = control.statistics.latestNanoseconds
    defer { workTook(since: start) }
    return enter(connection, held) { worker, connection, held, factory in
      connection.exchange.write(
        into: &held.buffer, bytes: StreamedBody.pieceBytes, sharers: worker.works, factory: factory)
    }
  }

  /// Counts the time of a work's slice.
  func workTook(since start: Int) { shares.workTook(control.statistics.clock() - start) }
}
