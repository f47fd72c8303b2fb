import CMicrohttpd
import Cells

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
    let archiveHash = enter((), ()) { _, _, _, factory in factory.archiveHash }
    return send(answer, in: pool.takeEmpty(), to: connection, handle, archiveHash: archiveHash)
  }
}
