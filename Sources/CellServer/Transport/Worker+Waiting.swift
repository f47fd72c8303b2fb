import Cells

// From one turn of the loop to the next.
extension Worker {
  /// Waits until there is something to do, and returns it.
  func nextTurn() -> EventLoop.Ready {
    let statistics = control.statistics
    statistics.turnEnds()
    defer {
      now = statistics.latestNanoseconds / 1_000_000
      overload.turnBegins(at: now)
      shares.turnBegins(at: statistics.turnBegan, requestsInFlight: statistics.inFlight)
    }
    if busyTurns.next(answers: statistics.requests, at: statistics.latestNanoseconds) {
      statistics.turnFollows()
      return .daemon
    }
    var limit = waitLimit()
    restlessTurns = limit == 0 ? restlessTurns + 1 : 0
    let isRestless = limit == 0
    if isRestless { limit = waitingTurns.pause }
    waitingTurns.end()
    var ready = control.loop.wait(milliseconds: limit)
    statistics.turnBegins()
    busyTurns.looked(at: statistics.latestNanoseconds)
    // If nothing is ready, the wait timed out, and the daemon may have set the timeout.
    if ready.isEmpty || isRestless { ready.insert(.daemon) }
    return ready
  }

  /// Gives the pages of large freed blocks back to the system, a part in each turn: 4 MiB take up to a millisecond.
  func giveBackMemory() {
    if DiscardedMemory.bytes > 0 { DiscardedMemory.drop(Self.bytesGivenBack) }
  }

  private static let bytesGivenBack = 4 << 20

  /// How long the loop may sleep: never longer than the daemon allows, or buffered data would be stuck.
  private func waitLimit() -> Int32 {
    if DiscardedMemory.bytes > 0 || eventStreams.hasDue || sweeper.isGoingOn { return 0 }
    var limit = daemonTimeoutMilliseconds ?? Int.max
    if !table.isEmpty || !acceptor.isAccepting { limit = min(limit, Sweeper.milliseconds) }
    if !lingering.isEmpty || draining != nil { limit = min(limit, LingeringSockets.pollMilliseconds) }
    return limit == Int.max ? -1 : Int32(clamping: limit)
  }
}
