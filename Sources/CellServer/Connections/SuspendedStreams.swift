import CMicrohttpd

/// The event streams of one worker. Between events, libmicrohttpd leaves their connections alone, so that an open stream
/// costs a connection and nothing else. Confined to the worker's thread.
final class SuspendedStreams {
  /// How long a stream is left alone: then its work writes a comment, so that proxies keep it and a client that is gone is
  /// noticed.
  static let quietMilliseconds = 15_000

  /// How many streams are asked in one turn of the loop: each sends, which takes up to a tenth of a millisecond.
  static let streamsPerTurn = 16

  private var suspended: [ClientConnection] = []
  /// Suspended streams that are asked in the next turns, in this order.
  private var due: [ClientConnection] = []

  /// Leaves a connection alone until the next event. May be called inside the callback that asks for more of its body.
  func suspend(_ connection: ClientConnection) {
    MHD_suspend_connection(connection.handle)
    connection.isSuspended = true
    suspended.append(connection)
  }

  /// Asks for more of a suspended body; the daemon must run next. Nothing happens to other connections.
  func resume(_ connection: ClientConnection, at now: Int) {
    guard connection.isSuspended else { return }
    suspended.removeAll { $0 === connection }
    due.removeAll { $0 === connection }
    resumeOne(connection, at: now)
  }

  /// Whether streams are to be asked in the next turn.
  var hasDue: Bool { !due.isEmpty }

  /// Makes the next turns ask every stream for what is new.
  func noteNews() {
    due += suspended
    suspended = []
  }

  /// Makes the next turns ask the streams that were left alone for long.
  func noteQuiet(at now: Int) {
    let isQuiet = { (connection: ClientConnection) in now - connection.resumedAt >= Self.quietMilliseconds }
    due += suspended.filter(isQuiet)
    suspended.removeAll(where: isQuiet)
  }

  /// Asks this turn's share of those that are due. Returns whether the daemon must run.
  func resumeDue(at now: Int) -> Bool {
    if due.isEmpty { return false }
    for connection in due.prefix(Self.streamsPerTurn) { resumeOne(connection, at: now) }
    due.removeFirst(min(due.count, Self.streamsPerTurn))
    return true
  }

  /// Asks all at once, before the daemon stops.
  func resumeAll(at now: Int) {
    for connection in suspended + due { resumeOne(connection, at: now) }
    (suspended, due) = ([], [])
  }

  private func resumeOne(_ connection: ClientConnection, at now: Int) {
    connection.isSuspended = false
    connection.resumedAt = now
    MHD_resume_connection(connection.handle)
  }
}
