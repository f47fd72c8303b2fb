package import Cells

/// A complete answer to one request, ready to be sent; it owns its body.
///
/// Headers that every answer carries (`CellFactory-Archive`, `X-Request-Id`, `X-Content-Type-Options`) and
/// those of the connection are added where it is sent. The body of an answer to HEAD is there, too: the
/// sender leaves it out and sends its length.
package struct Answer: ~Copyable {
  package typealias Header = (name: StaticString, value: String)

  package var status: Int
  /// `nil`: the answer has no body.
  package var contentType: StaticString?
  /// Beside those that every answer has.
  package var headers: [Header]
  package var body: ByteBuffer
  /// The connection is of no further use: the sender adds `Connection: close`.
  package var closesConnection: Bool

  package init(
    status: Int, contentType: StaticString? = nil, headers: [Header] = [],
    body: consuming ByteBuffer = ByteBuffer(), closesConnection: Bool = false
  ) {
    self.status = status
    self.contentType = contentType
    self.headers = headers
    self.body = body
    self.closesConnection = closesConnection
  }

  /// The problem as `application/problem+json`, with the headers that its code asks for.
  package init(problem: Problem, closesConnection: Bool = false) {
    var body = ByteBuffer(capacity: 256)
    problem.append(to: &body)
    var headers: [Header] = []
    if !problem.allow.isEmpty {
      headers.append(("Allow", problem.allow.joined(separator: ", ")))
    }
    if let seconds = problem.retryAfterSeconds {
      headers.append(("Retry-After", String(seconds)))
    }
    self.init(
      status: problem.code.status, contentType: Problem.contentType, headers: headers, body: body,
      closesConnection: closesConnection)
  }
}
