import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// Finds what libmicrohttpd does not notice: exceeded deadlines and clients that are gone.
///
/// A sweep looks at the sockets of watched connections, which are the active ones, and at a few of the others
/// in turn, so that thousands of idle connections cost next to nothing. Missing something on an idle one does
/// no harm: libmicrohttpd is notified of an end that arrives alone. For all others, the sweep checks only the
/// deadline. It is spread over as many turns of the loop as it takes, since a crowd of connections may exceed their
/// deadlines together. Confined to the worker's thread.
final class Sweeper {
  /// The sweep interval, which is also how late a watched connection may be cut, unless a crowd of them is late together.
  static let milliseconds = 500
  /// How many connections a turn cuts: each takes some microseconds of the system.
  static let cutsEachTurn = 32
  /// How many cuts one counts for whose client has not taken its answer: the system frees up to megabytes of it.
  static let cutsOfUnreadAnswer = 8
  /// The most sockets that a turn asks, some microseconds each.
  private static let looksEachTurn = 400
  /// How long a turn may go on with a sweep, and how late in the turn, so that what else it does leaves less for it. At least
  /// some of a sweep is done in each.
  private static let nanoseconds = 1_000_000
  private static let nanosecondsInTurn = 3_000_000
  private static let leastNanoseconds = 300_000

  /// What is to be looked at next.
  private enum Stage {
    case resting
    /// An index into the watched connections.
    case watched(Int)
    /// How many of all connections are left.
    case unwatched(Int)
  }

  private let table: ConnectionTable
  private let deadlines: Deadlines
  private let statistics: WorkerStatistics
  private var nextSweep = 0
  private var stage = Stage.resting
  private var cuts = 0
  /// When the turn goes on with something else.
  private var end = 0
  /// Kept between sweeps to reuse its memory.
  private var polled: [pollfd] = []

  init(_ table: ConnectionTable, _ deadlines: Deadlines, _ statistics: WorkerStatistics) {
    self.table = table
    self.deadlines = deadlines
    self.statistics = statistics
  }

  /// Whether a sweep has begun and goes on in the next turn.
  var isGoingOn: Bool { if case .resting = stage { false } else { true } }

  func isDue(at now: Int) -> Bool { isGoingOn || now >= nextSweep }

  /// Looks at connections, as many as a turn may. `cut` closes one from the server's side.
  func sweep(at now: Int, cut: (ClientConnection) -> Void) {
    cuts = 0
    let start = MonotonicClock.nanoseconds()
    let left = statistics.turnBegan + Self.nanosecondsInTurn - start
    end = start + max(Self.leastNanoseconds, min(Self.nanoseconds, left))
    if case .resting = stage {
      nextSweep = now + Self.milliseconds
      table.watchNextInTurn()
      stage = .watched(0)
    }
    if case .watched(let first) = stage { sweepWatched(from: first, at: now, cut) }
    if case .unwatched(let left) = stage, !isOver {
      sweepUnwatched(left, at: now, cut)
    }
  }

  /// Whether the turn has cut as many as it may, or has no time for more.
  private var isOver: Bool { cuts >= Self.cutsEachTurn || MonotonicClock.nanoseconds() >= end }

  private func sweepWatched(from first: Int, at now: Int, _ cut: (ClientConnection) -> Void) {
    var next = first
    let limit = min(table.watched.count, first + Self.looksEachTurn)
    while next < limit, !isOver {
      let connection = table.watched[next]
      next += 1
      guard connection.isOpen else { continue }
      if isLate(connection, at: now) {
        cuts += 1
        cut(connection)
      } else if hasStoppedReading(connection, at: now) || holdsOldArchive(connection) {
        cuts += Self.cutsOfUnreadAnswer
        cut(connection)
        // Otherwise the system would keep the unread bytes long after the close, and the end of a body that has neither length
        // nor chunks would look like that of a whole one.
        cf_reset(connection.descriptor)
      }
    }
    next = cutEnded(first..<next, cut)
    stage = next < table.watched.count ? .watched(next) : .unwatched(table.all.count)
  }

  /// Idle connections. Checking a deadline is cheap.
  private func sweepUnwatched(_ left: Int, at now: Int, _ cut: (ClientConnection) -> Void) {
    // From the last one down: one that closes meanwhile is replaced by the last, which has been looked at.
    var index = min(left, table.all.count)
    while index > 0 {
      index -= 1
      let connection = table.all[index]
      if connection.isWatched || !isLate(connection, at: now) { continue }
      cuts += 1
      cut(connection)
      if isOver {
        stage = .unwatched(index)
        return
      }
    }
    table.forgetIdle()
    stage = .resting
  }

  /// Whether the connection has exceeded its time. If so, counts it.
  private func isLate(_ connection: ClientConnection, at now: Int) -> Bool {
    // It is the server that waits.
    if connection.isHeld { return false }
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

  /// Whether the client reads its answer too slowly or not at all. If so, counts it. The exchange may be over
  /// while most of the answer is still in the socket.
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

  /// Whether the client still takes an answer of an archive that too many have followed. If so, counts it. Each such archive
  /// takes as much memory as the current one.
  private func holdsOldArchive(_ connection: ClientConnection) -> Bool {
    guard let stream = connection.state.streamed, !stream.isWhole,
      connection.holdsOldArchive(after: statistics.adoptions)
    else { return false }
    statistics.countCut(.archive)
    return true
  }

  private static func needsLook(_ connection: ClientConnection) -> Bool {
    !connection.isHeld
      && (connection.state.awaitsClient || connection.state.awaitsAnswer || connection.isEventStream)
  }

  private func taken(of connection: ClientConnection) -> Deadlines.Taken {
    var count: UInt64 = 0
    return switch cf_acknowledged(connection.descriptor, &count) {
    case 0: .all
    case 1: .bytes(count)
    default: .unknown
    }
  }

  /// Cuts connections whose client has closed its side although it has to send more, waits for an answer, or gets events.
  ///
  /// libmicrohttpd's epoll is edge-triggered: if the last bytes and the end arrive together, it reads the
  /// bytes and is never notified of the end. Such a connection would stay open until its deadline. It is cut
  /// only if two sweeps in a row find it ended, so that a request already read but not yet processed is still
  /// answered. Connections whose answer is being made, and event streams, are not watched by libmicrohttpd at all: without
  /// this, the work for clients that are gone would go on to its end. What such a client has sent besides does not matter.
  /// - Returns: the position of the first that was not looked at, because the turn has no time or no cuts left for it.
  private func cutEnded(_ positions: Range<Int>, _ cut: (ClientConnection) -> Void) -> Int {
    polled.removeAll(keepingCapacity: true)
    let hangUp = Int16(EPOLLRDHUP.rawValue)  // The same bit as POLLRDHUP, which is not visible in Swift.
    for connection in table.watched[positions] where connection.isOpen && Self.needsLook(connection) {
      polled.append(pollfd(fd: connection.descriptor, events: hangUp, revents: 0))
    }
    guard !polled.isEmpty, poll(&polled, nfds_t(polled.count), 0) > 0 else { return positions.upperBound }
    var found = polled[...]
    for position in positions {
      let connection = table.watched[position]
      guard connection.isOpen, Self.needsLook(connection) else { continue }
      let hasEnded =
        found.removeFirst().revents & hangUp != 0
        && (connection.state.awaitsAnswer || connection.isEventStream
          || cf_readable_bytes(connection.descriptor) == 0)
      if hasEnded, connection.wasFoundEnded {
        guard cuts == 0 || !isOver else { return position }
        cuts += 1
        cut(connection)
      }
      connection.wasFoundEnded = hasEnded
    }
    return positions.upperBound
  }
}
