package import Cells

/// An answer to one request, ready to be sent; it owns its body, or what of it there is so far.
///
/// Headers that every answer carries (`CellFactory-Archive`, `X-Request-Id`, `X-Content-Type-Options`) and
/// those of the connection are added where it is sent. The body of an answer to HEAD is there, too: the
/// sender leaves it out and sends its length.
package struct Answer: ~Copyable {
  package typealias Header = (name: StaticString, value: String)

  package var status: Int
  /// `nil`: the answer has no body.
  package var contentType: StaticString?
  /// Beside those that every answer has, and `Vary`.
  package var headers: [Header]
  package var varies: Varying = []
  /// It gets an entity tag, over the body as it is sent, and is 304 where the client has it.
  package var isTagged = false
  /// It may hold markup that the data brought: shown as a page, it runs no script and has no origin.
  package var isSandboxed = false
  package var body: ByteBuffer
  /// The connection is of no further use: the sender adds `Connection: close`.
  package var closesConnection: Bool
  /// What the request asks for, where whoever answers has found out; a work need not say it again.
  package var subject: RequestSubject?
  /// When it was complete, in nanoseconds of `MonotonicClock`, where the clock was looked at then; else 0.
  var madeAt = 0
  /// What is still to be done for it.
  package var rest = Rest.nothing

  package enum Rest {
    case nothing
    /// The head is right, and the body its beginning: the work writes what follows.
    case streamed(any AnswerWork)
    /// There is no answer yet: the work makes it. Nothing else of the answer counts.
    case unmade(any AnswerWork)
  }

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

  /// The answer that a work is still to make.
  package static func unmade(_ work: any AnswerWork) -> Answer {
    var answer = Answer(status: 0)
    answer.rest = .unmade(work)
    return answer
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
