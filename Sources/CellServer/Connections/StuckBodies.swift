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

  /// The most connections that a turn goes through, and how many of them it asks, which takes up to a microsecond each.
  private static let mostEachTurn = 10_000
  private static let askedEachTurn = 400

  /// Consecutive turns after which the daemon asked for another one at once.
  private var restlessTurns = 0
  private var nextLook = 0
  /// Where the next turn goes on.
  private var place = 0

  mutating func noteTurn(isRestless: Bool) { restlessTurns = isRestless ? restlessTurns + 1 : 0 }

  func isDue(at now: Int) -> Bool { restlessTurns >= Self.restlessTurnsBeforeLook && now >= nextLook }

  /// Connections that never go on. Goes through all in several turns, if they are many.
  mutating func find(among connections: [ClientConnection], at now: Int) -> [ClientConnection] {
    let end = min(connections.count, place + Self.mostEachTurn)
    var found: [ClientConnection] = []
    var asked = 0
    while place < end, asked < Self.askedEachTurn {
      let connection = connections[place]
      place += 1
      guard
        connection.isOpen, !connection.isHeld, connection.exchange.phase == .body,
        connection.exchange.isChunked
      else { continue }
      if Self.isStuck(connection, at: now, &asked) { found.append(connection) }
    }
    if place >= connections.count {
      place = 0
      nextLook = now + Self.lookMilliseconds
    }
    return found
  }

  /// - Parameter asked: how many connections were asked.
  private static func isStuck(_ connection: ClientConnection, at now: Int, _ asked: inout Int) -> Bool {
    guard case .body(var body) = connection.state else { return false }
    guard let stillness = body.stillness else {
      body.stillness = ConnectionState.Stillness(since: now, nextLook: now)
      connection.state = .body(body)
      return false
    }
    let still = now - stillness.since
    guard still >= stuckMilliseconds, now >= stillness.nextLook else { return false }
    asked += 1
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
