import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

extension Worker {
  /// A stop that is going on.
  struct Draining {
    /// A connection on which nothing is going on is left open for so long: its next request may be on its
    /// way.
    static let graceMilliseconds = 500

    /// When the waiting ends, whatever is still going on.
    var deadline: Int
    /// When connections without a request are cut.
    var grace: Int
  }

  /// Whether the loop has nothing left to do after a stop.
  var isOver: Bool {
    guard let draining else { return false }
    return (table.isEmpty && lingering.isEmpty && !acceptor.isOpen) || now >= draining.deadline
  }

  /// Begins the drain, or goes on with it.
  ///
  /// Every answer says `Connection: close` by now. What waits in the listening queue is served as well.
  func drain() {
    guard let draining else {
      // This turn's may be old: what it did may have taken long, and the grace begins here.
      now = MonotonicClock.milliseconds()
      let deadline = control.drainDeadline
      draining = Draining(deadline: deadline, grace: min(now + Draining.graceMilliseconds, deadline))
      acceptor.acceptRest(serve: serve)
      return
    }
    if acceptor.isOpen { acceptor.acceptRest(serve: serve) }
    guard now >= draining.grace else { return }
    for connection in table.all {
      guard case .waiting = connection.state else { continue }
      // What has arrived in the meantime is read in the next turn.
      if cf_readable_bytes(connection.descriptor) == 0 { cut(connection) }
    }
  }
}
