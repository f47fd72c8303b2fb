import CMicrohttpd

/// Finds requests whose chunk lines have used up their connection's memory.
///
/// libmicrohttpd reads a chunk's size line, including extensions, into the connection's memory. If the memory ends before the
/// line does, it neither continues nor gives up: it asks for another turn immediately, again and again, and does not notice
/// when the client closes. One such connection would keep its worker's processor busy until the body's deadline.
///
/// Confined to the worker's thread. Times are milliseconds of `MonotonicClock`.
struct StuckBodies {
  /// So many immediate turns in a row are rare; normal work is done by then.
  private static let restlessTurnsBeforeLook = 16
  /// How often to look for stuck connections while turns are restless.
  private static let lookMilliseconds = 10
  /// How long no piece of a body must have arrived before its connection's memory is checked.
  private static let stuckMilliseconds = 20

  /// Consecutive turns after which the daemon asked for another one at once.
  private var restlessTurns = 0
  private var nextLook = 0

  mutating func noteTurn(isRestless: Bool) { restlessTurns = isRestless ? restlessTurns + 1 : 0 }

  func isDue(at now: Int) -> Bool { restlessTurns >= Self.restlessTurnsBeforeLook && now >= nextLook }

  /// The connections that never go on.
  mutating func find(among connections: [ClientConnection], at now: Int) -> [ClientConnection] {
    nextLook = now + Self.lookMilliseconds
    return connections.filter { connection in
      connection.isOpen && !connection.isHeld && connection.exchange.phase == .body
        && connection.exchange.isChunked
        && Self.isStuck(connection, at: now)
    }
  }

  private static func isStuck(_ connection: ClientConnection, at now: Int) -> Bool {
    guard case .body(var body) = connection.state else { return false }
    guard let stillness = body.stillness else {
      body.stillness = ConnectionState.Stillness(since: now, nextLook: now)
      connection.state = .body(body)
      return false
    }
    let still = now - stillness.since
    guard still >= stuckMilliseconds, now >= stillness.nextLook else { return false }
    // While a body is read, all free memory belongs to the read buffer, so none is free only if that buffer
    // is full.
    if cf_has_no_memory(connection.handle) { return true }
    // A check uses a little of the memory, so a body that is only slow is checked less and less often.
    let isSlow = cf_readable_bytes(connection.descriptor) == 0
    body.stillness = ConnectionState.Stillness(
      since: stillness.since, nextLook: now + (isSlow ? still : stuckMilliseconds))
    connection.state = .body(body)
    return false
  }
}
