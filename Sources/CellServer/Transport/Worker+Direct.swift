import CMicrohttpd
import Cells

#if canImport(Glibc)
  import Glibc
#endif

// Refusals that go past the library to the client: where the library's memory for the connection does not suffice for an
// answer, and where it would write the head of its own answer twice.
extension Worker {
  /// What the head of an answer may take of a connection's memory.
  static let answerHeadBytes = 2048

  /// Whether the memory that a head has left is too little for the head of an answer.
  func isTight(_ connection: ClientConnection, _ handle: OpaquePointer) -> Bool {
    cf_head_bytes(handle) + connection.exchange.memoryBesideHead
      > settings.connectionMemoryBytes - Self.answerHeadBytes
  }

  static func headTooLarge() -> Problem {
    Problem(.headTooLarge, detail: "the request's head has too many fields for the memory that it may take")
  }

  /// Answers at once, and lets nothing follow. The library fails to send anything more, and closes the connection; where
  /// its callback asks for a result, that is `.NO`.
  func refuseDirectly(_ connection: ClientConnection, _ problem: Problem) {
    overload.note(refusedHead: problem)
    let answer = connection.exchange.refusal(for: problem)
    let archiveHash = enter((), ()) { _, _, _, factory in factory.archiveHash }
    let bytes = DirectAnswer.bytes(
      of: answer, to: connection.exchange.head, settings, archiveHash: archiveHash)
    // Nothing else is on its way to this client but what lies in the socket. What does not fit there is lost.
    _ = Glibc.send(
      connection.descriptor, bytes.bytes.baseAddress, bytes.count,
      Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    shutdown(connection.descriptor, Int32(SHUT_WR))
    connection.needsLinger = true
    move(connection, to: .draining(until: now + Int(LingeringSockets.seconds * 1000)))
    control.statistics.countAnswer()
    record(connection, status: answer.status, bytes: answer.body.count)
  }

  /// As `refuseDirectly`, from inside the library's callback, which is to return what this does.
  func refuseInCallback(_ connection: ClientConnection, _ problem: Problem) -> MHD_Result {
    refuseDirectly(connection, problem)
    // The library would tell of an error inside the server.
    isQuiet = true
    return .NO
  }

  /// The library is about to answer a request by itself. Where it has just judged a whole head it goes on as if it had not,
  /// and writes the head of its answer a second time: so it is answered here.
  func answerForLibrary() {
    let found = table.watched.last {
      $0.isOpen && $0.exchange.phase == .head && cf_is_judging_head($0.handle)
    }
    guard let connection = found else { return }
    // What the guard finds nothing wrong with has left no memory.
    var problem = Self.headTooLarge()
    do throws(Problem) {
      try connection.exchange.receiveHead(ids: &ids) { Self.feedHeaders(of: connection.handle, to: &$0) }
    } catch {
      problem = error
    }
    refuseDirectly(connection, problem)
  }
}
