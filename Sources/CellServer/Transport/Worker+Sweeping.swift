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
      connection.isWatched = connection.isOpen && !connection.isIdle
      return !connection.isWatched
    }
  }

  private func cutLate() {
    for connection in watched where connection.isOpen {
      var deadline = connection.deadlineKind
      if isLate(connection) {
        cut(connection)
      } else if hasStoppedReading(connection) {
        cut(connection)
        // Most of the answer may lie in the socket, and the exchange be over.
        deadline = .write
        // What the client does not take would be kept for it long after the close.
        cf_reset(connection.descriptor)
      } else {
        continue
      }
      control.statistics.countCut(deadline)
    }
  }

  /// Cuts those that have been idle for too long; a look at each costs nothing worth sparing.
  private func cutIdle() {
    for connection in connections where now >= connection.deadline && !connection.isWatched {
      guard isLate(connection) else { continue }
      control.statistics.countCut(connection.deadlineKind)
      cut(connection)
    }
  }

  /// Whether the connection's deadline has passed. What lies in the socket of one that is idle is a request that came in
  /// time, and is read in the next turn.
  private func isLate(_ connection: ClientConnection) -> Bool {
    now >= connection.deadline && !(connection.isIdle && cf_readable_bytes(connection.descriptor) > 0)
  }

  /// Whether the client takes its answer too slowly: of what there was for it, less than `leastBytesPerSecond` in all of
  /// `writeSeconds`. What it takes is what it has acknowledged.
  ///
  /// The size of the answer does not matter, so that a slow client may have a large one; and a client that has all there
  /// is yet of a streamed one waits for us. A large answer may have gone as far as the library knows, and still lie in
  /// the socket.
  private func hasStoppedReading(_ connection: ClientConnection) -> Bool {
    let isSent = connection.isWaiting
    guard connection.exchange.phase == .answered || (isSent && connection.mayBeUnread) else { return false }
    let isDue = now - connection.answeredAt >= Int(settings.writeSeconds * 1000)
    guard isDue || isSent || !connection.isReading else { return false }
    var taken: UInt64 = 0
    switch cf_acknowledged(connection.descriptor, &taken) {
    case 0:
      (connection.isReading, connection.answeredAt) = (false, now)
      if isSent { connection.mayBeUnread = false }
      return false
    case 1: break
    default:
      // It may have read all, or nothing: the next sweep asks again, for as long again at most.
      return now - connection.answeredAt >= 2 * Int(settings.writeSeconds * 1000)
    }
    if connection.isReading {
      guard isDue else { return false }
      let least = UInt64(Double(ServerSettings.leastBytesPerSecond) * settings.writeSeconds)
      if taken &- connection.takenBytes < least { return true }
      connection.answeredAt = now
    }
    (connection.isReading, connection.takenBytes) = (true, taken)
    return false
  }

  /// Cuts the connections that are to say something and cannot any more.
  ///
  /// The library's epoll is edge-triggered: of a client's last bytes and its end, come together, it reads the
  /// bytes and never hears of the end. Such a connection would be held until its deadline. Twice in a row it
  /// must be found so: a request that is already read, and not yet taken up, is still answered.
  private func cutEnded() {
    polled.removeAll(keepingCapacity: true)
    let hangUp = Int16(EPOLLRDHUP.rawValue)  // The same bit as POLLRDHUP, which is hidden from Swift.
    for connection in watched where connection.awaitsClient {
      polled.append(pollfd(fd: connection.descriptor, events: hangUp, revents: 0))
    }
    guard !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
    var place = 0
    for connection in watched where connection.awaitsClient {
      let hasEnded = polled[place].revents & hangUp != 0 && cf_readable_bytes(connection.descriptor) == 0
      place += 1
      if hasEnded, connection.wasFoundEnded { cut(connection) }
      connection.wasFoundEnded = hasEnded
    }
  }

  /// Ends the connection from our side; its close comes as a callback of a later turn.
  func cut(_ connection: ClientConnection) {
    connection.deadline = ClientConnection.never
    connection.needsLinger = false
    // Neither is it looked at again.
    (connection.isReading, connection.mayBeUnread, connection.answeredAt) = (true, false, .max)
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
