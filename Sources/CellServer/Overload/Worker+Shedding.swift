import CMicrohttpd
import Cells

// Overload: who is refused, and how. A refusal is to cost much less than the work it spares, and the client is to read
// it: so a body that is on its way is taken and forgotten, and the connection goes on; a large one is not waited for.
extension Worker {
  /// A larger body that was announced is not taken: the answer closes the connection.
  static let forgottenBodyBytes = 256 << 10

  /// Whether a request whose head, or whose body, is there now is to be refused for want of time.
  func isOverdue(_ connection: ClientConnection) -> Bool {
    admission.isOverdue && !Self.isNeverShed(connection.exchange.head)
  }

  /// Whether another answer may be made in slices beside those that are.
  var hasRoomForWork: Bool { making < settings.inFlightRequests }

  /// Refuses a request whose head is there.
  func shed(_ connection: ClientConnection, _ handle: OpaquePointer) -> MHD_Result {
    let reason: RefusalReason = connection.exchange.isRefused ? .memory : .queue
    if connection.exchange.announcedBytes > Self.forgottenBodyBytes, lingering.hasRoom {
      return refuse(connection, handle, .overloaded(), for: reason)
    }
    control.statistics.countRefusal(reason)
    connection.exchange.shed()
    connection.deadline = now + Int(settings.bodySeconds * 1000)
    return .YES
  }

  /// What tells the operators how the server is must be told above all when it is not well.
  private static func isNeverShed(_ head: borrowing RequestHead) -> Bool {
    switch head.path {
    case "/livez", "/readyz", "/metrics": true
    default: false
    }
  }
}
