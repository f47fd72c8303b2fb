import CMicrohttpd

/// Connections whose bodies come in so many pieces that the rest of them waits for later turns.
///
/// A client may send chunks of one byte. libmicrohttpd passes each on by a call, thousands for what a connection has received,
/// and goes on with every connection that has more. So a turn receives a number of pieces; then libmicrohttpd keeps what it has
/// read of a body, and leaves its connection alone until a later turn resumes it. Those that have waited longest come first.
///
/// Confined to the worker's thread.
final class HeldBodies {
  /// How many pieces a turn receives of all connections, some 40 nanoseconds each. A connection that was resumed may have its
  /// own besides.
  static let piecesEachTurn = 40_000
  static let piecesOfResumed = 8192
  /// How many connections a turn resumes.
  static let resumedEachTurn = 3

  // Exclusivity checks are off, because each turn asks for these: no method calls other code while it accesses one.
  @exclusivity(unchecked) private var piecesLeft = piecesEachTurn
  /// In the order in which they were held, from `next` on. Some may have been resumed, or be there twice.
  @exclusivity(unchecked) private var held: [ClientConnection] = []
  @exclusivity(unchecked) private var next = 0
  /// The connections that this turn has resumed.
  @exclusivity(unchecked) private var resumed: [ClientConnection] = []

  /// Whether any connection waits to be resumed.
  var isEmpty: Bool { held.isEmpty }

  func turnBegins() {
    piecesLeft = Self.piecesEachTurn
    if resumed.isEmpty { return }
    for connection in resumed { connection.piecesLeft = 0 }
    resumed.removeAll(keepingCapacity: true)
  }

  /// Whether a piece of a connection's body is received in this turn. If it is not, call `hold`. Do not ask for a body without
  /// chunks: each of its pieces is all that was read.
  func admitsPiece(of connection: ClientConnection) -> Bool {
    if connection.piecesLeft > 0 {
      connection.piecesLeft -= 1
      return true
    }
    if piecesLeft > 0 {
      piecesLeft -= 1
      return true
    }
    return false
  }

  /// Leaves a connection alone. Must be called inside the callback that receives the piece, which libmicrohttpd keeps.
  /// - Parameter now: in milliseconds, as for the other functions.
  func hold(_ connection: ClientConnection, at now: Int) {
    MHD_suspend_connection(connection.handle)
    (connection.isHeld, connection.heldSince) = (true, now)
    held.append(connection)
  }

  /// Goes on with this turn's share of the connections. Returns whether the daemon must run.
  func resumeSome(at now: Int) -> Bool {
    if held.isEmpty { return false }
    while next < held.count, resumed.count < Self.resumedEachTurn {
      let connection = held[next]
      next += 1
      guard connection.isHeld else { continue }
      connection.piecesLeft = Self.piecesOfResumed
      resume(connection, at: now)
      resumed.append(connection)
    }
    if next == held.count {
      held.removeAll(keepingCapacity: true)
      next = 0
    } else if next > held.count / 2, next >= 1024 {
      held.removeFirst(next)
      next = 0
    }
    return !resumed.isEmpty
  }

  /// Goes on with a connection; the daemon must run next. Its client gets the time back. Nothing happens to one that is not held.
  func resume(_ connection: ClientConnection, at now: Int) {
    guard connection.isHeld else { return }
    connection.isHeld = false
    if case .body(var body) = connection.state {
      body.until += now - connection.heldSince
      connection.state = .body(body)
    }
    MHD_resume_connection(connection.handle)
  }

  /// Goes on with all, before the daemon stops.
  func resumeAll(at now: Int) {
    for connection in held[next...] { resume(connection, at: now) }
    held.removeAll()
    next = 0
  }
}
