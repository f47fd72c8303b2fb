import CMicrohttpd
import Cells

// How a refused request is answered. That is to cost much less than the work it spares, and the client is to read the
// answer: so a body that is on its way is taken and forgotten, and the connection goes on; a large one is not waited for.
extension Worker {
  /// A larger body that was announced is not taken: the answer closes the connection.
  static let forgottenBodyBytes = 256 << 10

  /// Whether a request whose head, or whose body, is there now has waited too long.
  func overdue(_ connection: ClientConnection) -> OverloadPolicy.Shortage? {
    overload.isOverdue && !handler.isNeverOverdue(connection.exchange.head) ? .time : nil
  }

  /// Refuses a request whose head is there, because there is too much to do.
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

  /// Refuses a request by its head. An answer before the body closes the connection, as it should: where a refused
  /// request ends is nobody's to say.
  func refuse(
    _ connection: ClientConnection, _ handle: OpaquePointer, _ problem: Problem
  ) -> MHD_Result {
    connection.needsLinger = true
    let answer = connection.exchange.refusal(for: problem)
    let archiveHash = enter((), ()) { _, _, _, factory in factory.archiveHash }
    return send(answer, in: pool.takeEmpty(), to: connection, handle, archiveHash: archiveHash)
  }
}
