/// Judges the head of a request before anything is done for it, and keeps what its answer depends on.
///
/// It refuses whatever two parties on the way could read in two ways (RFC 9112, section 11.2), which the
/// library below lets through. Pure: it is fed the request line and then each header field once, as they were
/// sent.
struct RequestGuard: ~Copyable {
  /// How the body's end is told.
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  private(set) var head = RequestHead(target: RequestTarget())
  private var findings = Findings()
  private let optional: OptionalFields

  /// What was found in the head beside what the answer depends on.
  private struct Findings {
    /// The first thing that is wrong.
    var fault: StaticString?
    var headBytes = 0
    var trailerBytes = 0
    var cookieBytes = 0
    var fields = 0
    /// The address of the last header field's name.
    var lastName: UnsafeRawPointer?
    var isVersion11 = false
    var hosts = 0
    var lengths = 0
    var expectations = 0
    var expectsContinue = false
    var length = 0
    var codings = 0
    var contentTypes = 0
    var origins = 0
    var traces = 0
    var sentTrace: TraceParent?
  }

  /// What libmicrohttpd 0.9.75 takes of a connection's memory for each header field and each cookie, beside its text.
  private static let libraryFieldBytes = 64

  init(optional: OptionalFields = OptionalFields()) { self.optional = optional }

  /// The one `traceparent` that was sent, if it is valid and was to be read.
  var trace: TraceParent? { findings.traces == 1 ? findings.sentTrace : nil }

  /// Bytes that the library takes beside those of the head: for the trailer, for records of fields, and for cookies.
  var memoryBesideHead: Int {
    findings.trailerBytes + findings.fields * Self.libraryFieldBytes + findings.cookieBytes
  }

  /// Whether the client speaks HTTP/1.1, and so takes a body in chunks.
  var isVersion11: Bool { findings.isVersion11 }

  /// Forgets everything and takes a new request's target, as sent. If it is that of the request before, it is not taken
  /// apart again.
  mutating func begin(target bytes: UnsafeRawBufferPointer) {
    findings = Findings()
    findings.headBytes = bytes.count
    head.forget()
    if !head.target.isMade(of: bytes) { head.target = RequestTarget(bytes) ?? RequestTarget() }
    if head.path.isEmpty { note("the request target is no path") }
  }

  /// - Parameter lineBytes: from the method's first byte to the version's, if that is known. Two spaces are
  ///   what lies between them and the target; more bytes are spaces too many, or a target that a NUL cut
  ///   short.
  mutating func receive(
    method: UnsafeRawBufferPointer, version: UnsafeRawBufferPointer, lineBytes: Int? = nil
  ) {
    if let lineBytes, lineBytes != method.count + findings.headBytes + 2 {
      note("the request line is not method, target and version with one space between them")
    }
    // Two spaces and the line's end, and the empty line that ends the head.
    findings.headBytes += method.count + version.count + 6
    if HeaderSyntax.equals(method, "POST") {
      head.method = .post
    } else if HeaderSyntax.equals(method, "GET") {
      head.method = .get
    } else if HeaderSyntax.isToken(method) {
      head.method = RequestHead.Method(String(decoding: method, as: UTF8.self))
    } else {
      note("the method is no token")
    }
    if HeaderSyntax.equals(version, "HTTP/1.1") {
      findings.isVersion11 = true
    } else if !HeaderSyntax.equals(version, "HTTP/1.0") {
      note("the version is neither HTTP/1.1 nor HTTP/1.0")
    }
    if head.target.isAsterisk, head.method != .options {
      note("the request target * is for OPTIONS only")
    }
  }

  mutating func receive(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    findings.headBytes += name.count + value.count + 4
    findings.fields += 1
    findings.lastName = name.baseAddress
    let field = HeaderField(name)
    guard field?.isWhole == true || HeaderSyntax.isToken(name) else {
      return note("a header name is no token")
    }
    // A host has no control characters, so a value that is one need not be looked at again.
    let isHost = field == .host && HostSyntax.isHost(value)
    guard isHost || HeaderSyntax.isFieldValue(value) else {
      return note("a header value holds a control character")
    }
    switch field {
    case .host:
      findings.hosts += 1
      if !isHost { note("the header Host is no host") }
    case .accept:
      Self.join(value, to: &head.accept)
    case .expect:
      findings.expectations += 1
      receiveExpectation(value)
    case .cookie:
      receiveCookies(value)
    case .traceParent where optional.readsTrace:
      findings.traces += 1
      findings.sentTrace = TraceParent(HeaderSyntax.trimmed(value))
    case .origin where optional.origins != nil:
      findings.origins += 1
      head.allowedOrigin = findings.origins == 1 ? optional.origins?.place(of: value) : nil
    case .contentType:
      receiveContentType(value)
    case .requestID:
      if (1...128).contains(value.count), HeaderSyntax.isVisible(value) {
        head.requestID = String(decoding: value, as: UTF8.self)
      }
    case .ifNoneMatch:
      Self.join(value, to: &head.ifNoneMatch)
    case .contentLength:
      receiveContentLength(value)
    case .likeContentLength:
      note("a header name begins with Content-Length and goes on")
    case .acceptEncoding where optional.readsCodings:
      head.codings.add(value)
    case .contentEncoding:
      Self.join(value, to: &head.contentEncoding)
    case .transferEncoding:
      receiveTransferEncoding(value)
    case .likeTransferEncoding:
      note("a header name begins with Transfer-Encoding and goes on")
    case .requestMethod where optional.origins != nil:
      head.isPreflight = head.method == .options
    default: break  // Of no concern, or not read.
    }
  }

  /// Says, after the last header field, how the body is framed; or why the request is refused: 400, 411, 431
  /// and 413, in this order.
  func finish(headLimitBytes: Int, bodyLimitBytes: Int) throws(Problem) -> Framing {
    if let fault = findings.fault { throw Problem(.badRequest, detail: "\(fault)") }
    if findings.hosts > 1 || (isVersion11 && findings.hosts == 0) {
      throw Problem(
        .badRequest, detail: "the header Host must be there once, and is there \(findings.hosts) times")
    }
    if findings.codings > 0 && findings.lengths > 0 {
      throw Problem(.badRequest, detail: "Content-Length and Transfer-Encoding exclude each other")
    }
    if findings.codings > 0 && !isVersion11 {
      throw Problem(.badRequest, detail: "HTTP/1.0 has no Transfer-Encoding")
    }
    if head.method == .post && findings.codings == 0 && findings.lengths == 0 {
      throw Problem(.lengthRequired, detail: "POST needs Content-Length, or Transfer-Encoding: chunked")
    }
    if findings.headBytes > headLimitBytes {
      throw Problem(
        .headTooLarge,
        detail: "the request's head has \(findings.headBytes) bytes, more than \(headLimitBytes)")
    }
    if findings.length > bodyLimitBytes { throw Self.bodyTooLarge(limitBytes: bodyLimitBytes) }
    if findings.codings > 0 { return .chunked }
    if findings.length > 0 { return .length(findings.length) }
    // The library would say that it may go on, and nothing more if another request stands behind it.
    if findings.expectsContinue && isVersion11 {
      throw Problem(.badRequest, detail: "Expect: 100-continue is for a request with a body")
    }
    return .none
  }

  /// Takes a field that stands behind a chunked body. It may say anything but what a head says (RFC 9110, section 6.5.1).
  mutating func receive(trailer name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    // Where a trailer comes in pieces the library takes the head's last field for the first of it.
    if let last = findings.lastName, name.baseAddress == last { return }
    findings.trailerBytes += name.count + value.count + 4
    findings.fields += 1
    if HeaderField(name) != nil { return note("a trailer field belongs in the head") }
    guard HeaderSyntax.isToken(name) else { return note("a trailer name is no token") }
    guard HeaderSyntax.isFieldValue(value) else { return note("a trailer value holds a control character") }
  }

  /// Says, after the last trailer field, why the request is refused: 400 or 431.
  func finishTrailers(headLimitBytes: Int) throws(Problem) {
    if let fault = findings.fault { throw Problem(.badRequest, detail: "\(fault)") }
    let count = findings.headBytes + findings.trailerBytes
    if count > headLimitBytes {
      throw Problem(
        .headTooLarge,
        detail: "the request's head and trailer have \(count) bytes, more than \(headLimitBytes)")
    }
  }

  static func bodyTooLarge(limitBytes: Int) -> Problem {
    Problem(.bodyTooLarge, detail: "the request's body has more than \(limitBytes) bytes")
  }

  /// Gives the request an id if it did not bring a usable one.
  mutating func identify(by ids: inout RequestIDs) {
    if head.requestID.isEmpty { head.requestID = ids.next() }
  }

  // MARK: - Single fields

  private mutating func receiveContentType(_ value: UnsafeRawBufferPointer) {
    findings.contentTypes += 1
    if findings.contentTypes > 1 {
      note("the header Content-Type is there more than once")
    } else if HeaderSyntax.equals(value, "application/json") {
      // The usual ones as literals, which need no memory.
      head.contentType = "application/json"
    } else if HeaderSyntax.equals(value, "application/x-www-form-urlencoded") {
      head.contentType = "application/x-www-form-urlencoded"
    } else {
      head.contentType = String(decoding: value, as: UTF8.self)
    }
  }

  private mutating func receiveContentLength(_ value: UnsafeRawBufferPointer) {
    findings.lengths += 1
    guard findings.lengths == 1 else { return note("the header Content-Length is there more than once") }
    // The library takes white space behind it for a part of it, which HTTP allows: so it is refused.
    guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return note("the header Content-Length is no number, or white space follows it")
    }
    for digit in value {
      let (tens, overflow) = findings.length.multipliedReportingOverflow(by: 10)
      // Saturates: any limit is below.
      findings.length = overflow || tens > Int.max - 9 ? Int.max : tens + Int(digit - 0x30)
    }
  }

  private mutating func receiveTransferEncoding(_ value: UnsafeRawBufferPointer) {
    findings.codings += 1
    guard findings.codings == 1 else { return note("the header Transfer-Encoding is there more than once") }
    // With white space behind it, which HTTP allows, the library would not know it, and wait for ever.
    guard HeaderSyntax.matches(value, "chunked") else {
      return note("the header Transfer-Encoding is not exactly chunked")
    }
  }

  /// The library reads the first such header alone, and does not know the word with white space behind it, which HTTP
  /// allows: the client would wait.
  private mutating func receiveExpectation(_ value: UnsafeRawBufferPointer) {
    guard HeaderSyntax.matches(HeaderSyntax.trimmed(value), "100-continue") else { return }
    findings.expectsContinue = true
    if isVersion11, findings.expectations > 1 || !HeaderSyntax.matches(value, "100-continue") {
      note("the header Expect is not exactly 100-continue")
    }
  }

  /// The library copies the first such header, and makes a record for each cookie in it.
  private mutating func receiveCookies(_ value: UnsafeRawBufferPointer) {
    guard findings.cookieBytes == 0 else { return }
    let separators = value.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    findings.cookieBytes = value.count + (separators + 2) * Self.libraryFieldBytes
  }

  private static func join(_ value: UnsafeRawBufferPointer, to text: inout String?) {
    let addition = String(decoding: value, as: UTF8.self)
    text = text.map { $0 + ", " + addition } ?? addition
  }

  private mutating func note(_ detail: StaticString) {
    if findings.fault == nil { findings.fault = detail }
  }
}
