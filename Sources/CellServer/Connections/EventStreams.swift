import CMicrohttpd

/// The event streams of one worker. Between events, libmicrohttpd leaves their connections alone, so that an open stream
/// costs a connection and nothing else. Confined to the worker's thread.
final class EventStreams {
  /// How long a stream is left alone: then its work writes a comment, so that proxies keep it and a client that is gone is
  /// noticed.
  static let quietMilliseconds = 15_000

  private var suspended: [ClientConnection] = []

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
    resumeOne(connection, at: now)
  }

  /// Asks every stream for what is new. Returns whether the daemon must run.
  @discardableResult
  func resumeAll(at now: Int) -> Bool { resume(at: now) { _ in true } }

  /// Asks every stream that was left alone for long. Returns whether the daemon must run.
  func resumeQuiet(at now: Int) -> Bool {
    resume(at: now) { now - $0.resumedAt >= Self.quietMilliseconds }
  }

  private func resume(at now: Int, where isDue: (ClientConnection) -> Bool) -> Bool {
    if suspended.isEmpty { return false }
    let due = suspended.filter(isDue)
    suspended.removeAll(where: isDue)
    for connection in due { resumeOne(connection, at: now) }
    return !due.isEmpty
  }

  private func resumeOne(_ connection: ClientConnection, at now: Int) {
    connection.isSuspended = false
    connection.resumedAt = now
    MHD_resume_connection(connection.handle)
  }
}
