/// Why the server cut a connection: a value of the label `deadline`.
package enum CutReason: Int, CaseIterable, Sendable {
  /// The request's head did not arrive in time, or no request was sent.
  case head
  /// The body did not arrive in time.
  case body
  /// The connection was idle between requests for too long.
  case idle
  /// The client took too long to read the answer.
  case write
  /// No deadline: the connection was idle while others waited at the connection limit.
  case room
  /// No deadline: the client still took an answer of an archive that others have long replaced.
  case archive

  var label: StaticString {
    switch self {
    case .head: "head"
    case .body: "body"
    case .idle: "idle"
    case .write: "write"
    case .room: "room"
    case .archive: "archive"
    }
  }
}
