/// Which deadline a connection was cut at, or what else it was cut for: a value of the label `deadline`.
package enum CutReason: Int, CaseIterable, Sendable {
  /// Its request's head was not there in time; or it never sent one.
  case head
  /// The body was not.
  case body
  /// Between two requests, it was idle for too long.
  case idle
  /// Its client took too long to take the answer.
  case write
  /// None: it was idle, and others waited at the limit of connections.
  case room

  var label: StaticString {
    switch self {
    case .head: "head"
    case .body: "body"
    case .idle: "idle"
    case .write: "write"
    case .room: "room"
    }
  }
}
