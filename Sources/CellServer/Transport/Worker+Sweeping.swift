import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// What the library does not see: deadlines that bytes cannot push away, and clients that are gone.
extension Worker {
  /// How often connections are looked at, so how late one may be cut.
  static let sweepMilliseconds = 500

  func sweep() {
    nextSweep = now + Self.sweepMilliseconds
    cutLate()
    cutEnded()
    startAccepting()
  }

  private func cutLate() {
    for connection in connections where now >= connection.deadline {
      cut(connection)
      control.statistics.countCut()
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
    for connection in connections where connection.awaitsClient {
      polled.append(pollfd(fd: connection.descriptor, events: hangUp, revents: 0))
    }
    guard !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
    var place = 0
    for connection in connections where connection.awaitsClient {
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
    shutdown(connection.descriptor, Int32(SHUT_RDWR))
  }
}
