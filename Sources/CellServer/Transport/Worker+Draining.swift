import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

extension Worker {
  /// The state of a drain.
  struct Draining {
    /// How long connections without a request stay open: their next request may be on its way.
    static let graceMilliseconds = 500

    /// When the drain ends, even if requests are still in progress.
    var deadline: Int
    /// When connections without a request are cut.
    var grace: Int
  }

  /// Whether the loop has nothing left to do after a stop.
  var isOver: Bool {
    guard let draining else { return false }
    return (table.isEmpty && lingering.isEmpty && !acceptor.isOpen) || now >= draining.deadline
  }

  /// Begins or continues the drain.
  ///
  /// By now every answer says `Connection: close`. Connections waiting in the listening queue are still
  /// served.
  func drain() {
    guard let draining else {
      // This turn's time may be old if the turn took long, and the grace period starts here.
      now = MonotonicClock.milliseconds()
      let deadline = control.drainDeadline
      draining = Draining(deadline: deadline, grace: min(now + Draining.graceMilliseconds, deadline))
      acceptor.acceptRest(serve: serve)
      eventStreams.noteNews()
      return
    }
    if acceptor.isOpen { acceptor.acceptRest(serve: serve) }
    guard now >= draining.grace else { return }
    var cuts = 0
    for connection in table.all where cuts < Sweeper.cutsEachTurn {
      guard case .waiting = connection.state else { continue }
      // Bytes that have arrived since are read in the next turn.
      if cf_readable_bytes(connection.descriptor) != 0 { continue }
      cut(connection)
      cuts += 1
    }
  }
}
