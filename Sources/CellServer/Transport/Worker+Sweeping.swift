import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// What the library does not see: deadlines that bytes cannot push away, and clients that are gone.
//
// A sweep looks at the sockets of connections on which something is going on, which are watched, and of a few of the others
// in turn, so that thousands that are idle cost next to nothing. What those could hide can wait: the library hears of an
// end that comes alone. Of all others it looks at the deadline.
extension Worker {
  /// How often watched connections are looked at, so how late one of them may be cut.
  static let sweepMilliseconds = 500

  /// A sweep looks at one in so many of the connections that are not watched, and at `leastInTurn` at least.
  static let turnsOfSweep = 32
  static let leastInTurn = 64

  func sweep() {
    nextSweep = now + Self.sweepMilliseconds
    watchNextInTurn()
    cutLate()
    cutIdle()
    cutEnded()
    forgetIdle()
    startAccepting()
  }

  /// Lets the sweeps to come look at the connection, until one finds it idle.
  func watch(_ connection: ClientConnection) {
    if connection.isWatched { return }
    connection.isWatched = true
    watched.append(connection)
  }

  private func watchNextInTurn() {
    let count = min(connections.count, max(connections.count / Self.turnsOfSweep, Self.leastInTurn))
    for _ in 0..<count {
      if nextInTurn >= connections.count { nextInTurn = 0 }
      watch(connections[nextInTurn])
      nextInTurn += 1
    }
  }

  private func forgetIdle() {
    watched.removeAll { connection in
      connection.isWatched = connection.isOpen && !(connection.state.isIdle && !connection.wasFoundEnded)
      return !connection.isWatched
    }
  }

  private func cutLate() {
    for connection in watched where connection.isOpen {
      if case .measure(let reading) = deadlines.verdict(on: connection.state, at: now) {
        guard hasStopped(connection, reading) else { continue }
        // Most of the answer may lie in the socket, and the exchange be over.
        cut(connection)
        control.statistics.countCut(.write)
        // What the client does not take would be kept for it long after the close.
        cf_reset(connection.descriptor)
      } else {
        cutIfLate(connection)
      }
    }
  }

  /// Cuts those that have been idle for too long; a look at each costs nothing worth sparing.
  private func cutIdle() {
    for connection in connections where !connection.isWatched { cutIfLate(connection) }
  }

  private func cutIfLate(_ connection: ClientConnection) {
    switch deadlines.verdict(on: connection.state, at: now) {
    case .keep, .measure: return
    case .cutIfSilent(let reason):
      if !connection.wasFoundEnded, cf_readable_bytes(connection.descriptor) > 0 { return }
      control.statistics.countCut(reason)
    case .cut(let reason):
      control.statistics.countCut(reason)
    }
    cut(connection)
  }

  /// Whether the client takes its answer too slowly, or not at all.
  private func hasStopped(_ connection: ClientConnection, _ reading: ConnectionState.Reading) -> Bool {
    switch deadlines.measure(reading, taken(of: connection), at: now) {
    case .hasStopped: return true
    case .goesOn(let reading): connection.state = connection.state.with(reading)
    case .isDone(let reading): connection.state = connection.state.done(reading)
    }
    return false
  }

  private func taken(of connection: ClientConnection) -> Deadlines.Taken {
    var count: UInt64 = 0
    return switch cf_acknowledged(connection.descriptor, &count) {
    case 0: .all
    case 1: .bytes(count)
    default: .unknown
    }
  }

  /// Cuts the connections that are to say something and cannot any more.
  ///
  /// The library's epoll is edge-triggered: of a client's last bytes and its end, come together, it reads the
  /// bytes and never hears of the end. Such a connection would be held until its deadline. Twice in a row it
  /// must be found so: a request that is already read, and not yet taken up, is still answered.
  private func cutEnded() {
    polled.removeAll(keepingCapacity: true)
    let hangUp = Int16(EPOLLRDHUP.rawValue)  // The same bit as POLLRDHUP, which is hidden from Swift.
    for connection in watched where connection.isOpen && connection.state.awaitsClient {
      polled.append(pollfd(fd: connection.descriptor, events: hangUp, revents: 0))
    }
    guard !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
    var place = 0
    for connection in watched where connection.isOpen && connection.state.awaitsClient {
      let hasEnded = polled[place].revents & hangUp != 0 && cf_readable_bytes(connection.descriptor) == 0
      place += 1
      if hasEnded, connection.wasFoundEnded { cut(connection) }
      connection.wasFoundEnded = hasEnded
    }
  }

  /// Ends the connection from our side; its close comes as a callback of a later turn.
  func cut(_ connection: ClientConnection) {
    move(connection, to: .cut)
    connection.needsLinger = false
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
