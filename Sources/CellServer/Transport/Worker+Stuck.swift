import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

// Endless chunk lines. libmicrohttpd reads a chunk's size line, including extensions, into the connection's
// memory. If the memory ends before the line does, it neither continues nor gives up: it asks for another
// turn immediately, again and again, and does not notice when the client closes. One such connection would
// keep its worker's processor busy until the body's deadline.
extension Worker {
  /// So many immediate turns in a row are rare; normal work is done by then.
  static let restlessTurnsBeforeLook = 16
  /// How often to look for stuck connections while turns are restless.
  static let stuckLookMilliseconds = 10
  /// How long no piece of a body must have arrived before its connection's memory is checked.
  static let stuckMilliseconds = 20

  /// Refuses requests whose chunk lines have used up their connection's memory.
  func endStuck() {
    nextStuckLook = now + Self.stuckLookMilliseconds
    for connection in table.watched where connection.isOpen && connection.exchange.phase == .body {
      guard connection.exchange.isChunked, isStuck(connection) else { continue }
      refuseDirectly(
        connection,
        Problem(
          .badRequest, detail: "the line with a chunk's size and extensions is too long"))
      // libmicrohttpd ignores the connection until both sides are closed. Data that has arrived can still be
      // read.
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
    // While a body is read, all free memory belongs to the read buffer, so none is free only if that buffer
    // is full.
    if cf_has_no_memory(connection.handle) { return true }
    // A check uses a little of the memory, so a body that is only slow is checked less and less often.
    let isSlow = cf_readable_bytes(connection.descriptor) == 0
    body.stillness = ConnectionState.Stillness(
      since: stillness.since, nextLook: now + (isSlow ? still : Self.stuckMilliseconds))
    connection.state = .body(body)
    return false
  }
}
