import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// What the library does not see: deadlines that bytes cannot push away, and clients that are gone.
///
/// A sweep looks at the sockets of connections on which something is going on, which are watched, and of a few of the others
/// in turn, so that thousands that are idle cost next to nothing. What those could hide can wait: the library hears of an
/// end that comes alone. Of all others it looks at the deadline. Confined to the worker's thread.
final class Sweeper {
  /// How often watched connections are looked at, so how late one of them may be cut.
  static let milliseconds = 500

  private let table: ConnectionTable
  private let deadlines: Deadlines
  private let statistics: WorkerStatistics
  private var next = 0
  /// Kept from one sweep to the next for its memory alone.
  private var polled: [pollfd] = []

  init(_ table: ConnectionTable, _ deadlines: Deadlines, _ statistics: WorkerStatistics) {
    self.table = table
    self.deadlines = deadlines
    self.statistics = statistics
  }

  func isDue(at now: Int) -> Bool { now >= next }

  /// Looks at the connections. `cut` ends one from our side.
  func sweep(at now: Int, cut: (ClientConnection) -> Void) {
    next = now + Self.milliseconds
    table.watchNextInTurn()
    for connection in table.watched where connection.isOpen {
      if isLate(connection, at: now) {
        cut(connection)
      } else if hasStoppedReading(connection, at: now) {
        cut(connection)
        // What the client does not take would be kept for it long after the close.
        cf_reset(connection.descriptor)
      }
    }
    // Those that are idle: a look at each costs nothing worth sparing.
    for connection in table.all where !connection.isWatched && isLate(connection, at: now) { cut(connection) }
    cutEnded(cut)
    table.forgetIdle()
  }

  /// Whether the connection has had its time, which is counted.
  private func isLate(_ connection: ClientConnection, at now: Int) -> Bool {
    let reason: CutReason
    switch deadlines.verdict(on: connection.state, at: now) {
    case .keep, .measure: return false
    case .cut(let found): reason = found
    case .cutIfSilent(let found):
      if !connection.wasFoundEnded, cf_readable_bytes(connection.descriptor) > 0 { return false }
      reason = found
    }
    statistics.countCut(reason)
    return true
  }

  /// Whether the client takes its answer too slowly, or not at all, which is counted. Most of the answer may lie in the
  /// socket, and the exchange be over.
  private func hasStoppedReading(_ connection: ClientConnection, at now: Int) -> Bool {
    guard case .measure(let reading) = deadlines.verdict(on: connection.state, at: now) else { return false }
    switch deadlines.measure(reading, taken(of: connection), at: now) {
    case .goesOn(let reading): connection.state = connection.state.with(reading)
    case .isDone(let reading): connection.state = connection.state.done(reading)
    case .hasStopped:
      statistics.countCut(.write)
      return true
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
  private func cutEnded(_ cut: (ClientConnection) -> Void) {
    polled.removeAll(keepingCapacity: true)
    let hangUp = Int16(EPOLLRDHUP.rawValue)  // The same bit as POLLRDHUP, which is hidden from Swift.
    for connection in table.watched where connection.isOpen && connection.state.awaitsClient {
      polled.append(pollfd(fd: connection.descriptor, events: hangUp, revents: 0))
    }
    guard !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) > 0 else { return }
    var place = 0
    for connection in table.watched where connection.isOpen && connection.state.awaitsClient {
      let hasEnded = polled[place].revents & hangUp != 0 && cf_readable_bytes(connection.descriptor) == 0
      place += 1
      if hasEnded, connection.wasFoundEnded { cut(connection) }
      connection.wasFoundEnded = hasEnded
    }
  }
}
