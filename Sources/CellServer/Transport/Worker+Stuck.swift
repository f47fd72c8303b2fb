import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// Chunk lines without end. The library reads the line that tells a chunk's size, with its extensions, into the connection's
// memory. Where that ends before the line does, it neither goes on nor gives up: it asks for another turn at once, and
// again, and does not hear of the client's end. So would one connection keep its worker's processor busy until the body's
// deadline.
extension Worker {
  /// So many turns that follow one another at once are seldom; what a library does that goes on, it has done by then.
  static let restlessTurnsBeforeLook = 16
  /// How often stuck connections are looked for while turns are restless.
  static let stuckLookMilliseconds = 10
  /// For how long nothing must have come of a body before its connection's memory is looked at.
  static let stuckMilliseconds = 20

  /// Refuses the requests whose chunk lines have used up their connections' memory.
  func endStuck() {
    nextStuckLook = now + Self.stuckLookMilliseconds
    for connection in table.watched where connection.isOpen && connection.exchange.phase == .body {
      guard connection.exchange.isChunked, isStuck(connection) else { continue }
      refuseDirectly(
        connection,
        Problem(
          .badRequest, detail: "the line of a chunk's size, with its extensions, is longer than can be read"))
      // The library does not look at the connection before it is closed on both sides. What has arrived can be read still.
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }
  }

  private func isStuck(_ connection: ClientConnection) -> Bool {
    guard case .body(var body) = connection.state else { return false }
    guard let stillness = body.stillness else {
      body.stillness = ConnectionState.Stillness(since: now, nextLook: now)
      connection.state = .body(body)
      return false
    }
    let still = now - stillness.since
    guard still >= Self.stuckMilliseconds, now >= stillness.nextLook else { return false }
    // While a body is read, what is free of the memory is the read buffer's: none is free only if that is full.
    if cf_has_no_memory(connection.handle) { return true }
    // A look takes a little of the memory: of a body that is only slow, less and less often.
    let isSlow = cf_readable_bytes(connection.descriptor) == 0
    body.stillness = ConnectionState.Stillness(
      since: stillness.since, nextLook: now + (isSlow ? still : Self.stuckMilliseconds))
    connection.state = .body(body)
    return false
  }
}
