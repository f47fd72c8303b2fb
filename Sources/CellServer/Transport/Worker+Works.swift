import CMicrohttpd
import Cells

// Answers that are made in slices.
extension Worker {
  /// Does one slice of work on an answer. While nothing is queued, libmicrohttpd asks again in the next turn
  /// of the loop, after the other connections.
  func goOn(with connection: ClientConnection, _ handle: OpaquePointer) -> MHD_Result {
    countSending()
    guard shares.admitsWork(place: &connection.workPlace) else {
      waitingTurns.interrupt()
      return .YES
    }
    return factory.enter(from: control.loop, self, connection, handle) {
      worker, connection, handle, factory in
      if connection.hasOutlivedReloads(at: worker.now, worker.control.statistics.adoptions),
        connection.exchange.mayGiveUp
      {
        return worker.sendWork(connection.exchange.giveUp(for: .archives), to: connection, handle, factory)
      }
      let start = worker.control.statistics.latestNanoseconds
      let answer = connection.exchange.work(sharers: worker.slicedAnswers, factory: factory)
      worker.sliceTook(since: start)
      switch consume answer {
      case let answer?:
        return worker.sendWork(answer, to: connection, handle, factory)
      case nil:
        if connection.exchange.isWaiting {
          worker.waitingTurns.note()
        } else {
          worker.waitingTurns.interrupt()
        }
        return .YES
      }
    }
  }

  /// Passes on the answer that a work has made. Libmicrohttpd sends it in its next run.
  private func sendWork(
    _ answer: consuming Answer, to connection: ClientConnection, _ handle: OpaquePointer,
    _ factory: isolated CellFactory
  ) -> MHD_Result {
    waitingTurns.interrupt()
    shares.gives(
      bytes: max(answer.body.count, TurnShares.leastAnswerBytes), isSentLater: true,
      at: control.statistics.latestNanoseconds)
    return send(
      answer, in: pool.takeEmpty(), to: connection, handle,
      archiveHash: connection.exchange.archiveHash(in: factory))
  }

  /// Counts the time of a slice.
  func sliceTook(since start: Int) { shares.workTook(control.statistics.clock() - start) }

  /// Counts the time in which libmicrohttpd has sent a part of a streamed body, if it has.
  func countSending() {
    if shares.mayHaveSent { shares.countSending(until: control.statistics.clock()) }
  }
}
