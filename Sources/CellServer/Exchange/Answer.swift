package import Cells

/// The answer to one request. It owns its body, or the part of it that exists so far.
///
/// The sender adds the headers that every answer has (`Answer+Headers`) and those of the connection. An answer to
/// HEAD has a body too; the sender omits it but sends its length.
package struct Answer: ~Copyable {
  package typealias Header = (name: StaticString, value: String)

  package var status: Int
  /// `nil` if the answer has no body.
  package var contentType: StaticString?
  /// In addition to `Vary` and the headers that every answer has.
  package var headers: [Header]
  /// What the rows have not found.
  var tally = ValueTally()
  package var varies: Varying = []
  /// Whether the answer gets an entity tag, computed over the body as sent. It becomes 304 if the client has
  /// that version.
  package var isTagged = false
  /// Whether the body may contain markup from the data. If it is shown as a page, its scripts do not run and
  /// it has no origin.
  package var isSandboxed = false
  /// Whether pages of every origin may read it.
  package var isPublic = false
  /// Whether compression may make it smaller. Images and fonts are compressed already.
  package var isCompressible = true
  package var body: ByteBuffer
  /// Whether the connection must be closed. The sender adds `Connection: close`.
  package var closesConnection: Bool
  /// What the request asks for, if the handler determined it. A work need not repeat it.
  package var subject: RequestSubject?
  /// When the answer was complete, in nanoseconds of `MonotonicClock`; 0 if the clock was not read then.
  var madeAt = 0
  /// The length of a streamed body, if it is known. The body of a 304 or of an answer to HEAD is never written.
  package var streamedBytes: Int?
  /// The work that remains.
  package var rest = Rest.nothing

  package enum Rest {
    case nothing
    /// As `streamed`, but the body is never complete: the work writes events as they happen. It is not compressed, its client
    /// has no deadline, and the request does not count as in flight.
    case events(any AnswerWork)
    /// The head is final and the body is incomplete; the work writes the rest.
    case streamed(any AnswerWork)
    /// The work has yet to make the answer. All other properties are meaningless.
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

  /// An answer that `work` will make.
  package static func unmade(_ work: any AnswerWork) -> Answer {
    var answer = Answer(status: 0)
    answer.rest = .unmade(work)
    return answer
  }

  /// An answer with the problem as `application/problem+json` and the headers required by its code.
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
