import CMicrohttpd
import Cells

#if canImport(Glibc)
  import Glibc
#endif

// Refusing requests. A refusal must cost much less than the work it avoids, and the client must be able to
// read the answer. So a body on its way is read and discarded and the connection stays open; a large body is
// not waited for.
extension Worker {
  /// An announced body larger than this is not read; the answer closes the connection.
  static let forgottenBodyBytes = 256 << 10

  /// The shortage of time if a request whose head or body has just arrived has waited too long.
  func overdue(_ connection: ClientConnection) -> OverloadPolicy.Shortage? {
    overload.shortage(
      waitingSince: arrival(of: connection), isExempt: handler.isNeverOverdue(connection.exchange.head))
  }

  /// Refuses a request after its head because of overload.
  func refuse(
    _ connection: ClientConnection, _ handle: OpaquePointer, for shortage: OverloadPolicy.Shortage
  ) -> MHD_Result {
    overload.note(shortage)
    if connection.exchange.announcedBytes > Self.forgottenBodyBytes, lingering.hasRoom {
      return refuse(connection, handle, shortage.problem)
    }
    connection.exchange.refuse(for: shortage)
    move(connection, to: deadlines.body(at: now))
    return .YES
  }

  /// Refuses a request because of its head. An answer before the body closes the connection, because it is
  /// uncertain where the refused request ends.
  func refuse(
    _ connection: ClientConnection, _ handle: OpaquePointer, _ problem: Problem
  ) -> MHD_Result {
    connection.needsLinger = true
    let answer = connection.exchange.refusal(for: problem)
    return send(
      answer, in: pool.takeEmpty(), to: connection, handle,
      archiveHash: factory.archiveHash(from: control.loop))
  }

  // MARK: Past libmicrohttpd

  // When a connection's memory is too small for an answer, when libmicrohttpd would write the head of its own answer twice,
  // and when it does not go on with a body.

  /// Memory of a connection needed for the head of an answer.
  static let answerHeadBytes = 2048

  /// Whether the request's head has left too little memory for the head of an answer.
  func isTight(_ connection: ClientConnection, _ handle: OpaquePointer) -> Bool {
    cf_head_bytes(handle) + connection.exchange.memoryBesideHead
      > settings.connectionMemoryBytes - Self.answerHeadBytes
  }

  static func headTooLarge() -> Problem {
    Problem(.headTooLarge, detail: "the request's head has too many fields for the connection's memory")
  }

  /// Answers at once and closes the sending side. libmicrohttpd then fails to send anything and closes the
  /// connection. In a callback with a result, return `.NO`.
  func refuseDirectly(_ connection: ClientConnection, _ problem: Problem) {
    overload.note(refusedHead: problem)
    let answer = connection.exchange.refusal(for: problem)
    let bytes = DirectAnswer.bytes(
      of: answer, to: connection.exchange.head, settings,
      archiveHash: factory.archiveHash(from: control.loop))
    // Nothing else is being sent to this client except what is in the socket. Whatever does not fit there is
    // lost.
    _ = Glibc.send(
      connection.descriptor, bytes.bytes.baseAddress, bytes.count,
      Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    shutdown(connection.descriptor, Int32(SHUT_WR))
    connection.needsLinger = true
    move(connection, to: .draining(until: now + Int(LingeringSockets.seconds * 1000)))
    control.statistics.countAnswer()
    record(connection, status: answer.status, bytes: answer.body.count)
  }

  /// Same as `refuseDirectly`, inside a callback of libmicrohttpd, which must return the result.
  func refuseInCallback(_ connection: ClientConnection, _ problem: Problem) -> MHD_Result {
    refuseDirectly(connection, problem)
    // libmicrohttpd would report an internal error.
    isQuiet = true
    return .NO
  }

  /// Called when libmicrohttpd is about to answer a request itself. Just after checking a whole head, it then
  /// continues as if it had not, and writes the head of its answer twice. So this answers instead.
  func answerForLibrary() {
    let found = table.watched.last {
      $0.isOpen && $0.exchange.phase == .head && cf_is_judging_head($0.handle)
    }
    guard let connection = found else { return }
    // If the guard finds no error, the head has used up the memory.
    var problem = Self.headTooLarge()
    do throws(Problem) {
      try connection.exchange.receiveHead(ids: &ids) { Self.feedHeaders(of: connection.handle, to: &$0) }
    } catch {
      problem = error
    }
    refuseDirectly(connection, problem)
  }

  func refuseStuck() {
    for connection in stuckBodies.find(among: table.watched, at: now) {
      refuseDirectly(
        connection,
        Problem(.badRequest, detail: "the line with a chunk's size and extensions is too long"))
      // libmicrohttpd ignores the connection until both sides are closed. Data that has arrived can still be
      // read.
      shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }
  }
}
