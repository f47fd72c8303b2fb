/// Checks the head of a request before any work is done for it, and keeps what the answer depends on.
///
/// Refuses whatever two parties could parse differently (RFC 9112, section 11.2), because libmicrohttpd
/// accepts it. Pure: receives the request line and then each header field once, as sent.
struct RequestGuard: ~Copyable {
  /// How the end of the body is determined.
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  private(set) var head = RequestHead(target: RequestTarget())
  private var findings = Findings()
  private let optional: OptionalFields

  /// Facts about the head that only the checks need.
  private struct Findings {
    /// The first error found.
    var fault: StaticString?
    var headBytes = 0
    var trailerBytes = 0
    var cookieBytes = 0
    var fields = 0
    /// The address of the last header field's name.
    var lastName: UnsafeRawPointer?
    var places = FieldPlaces()
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

  /// Memory that libmicrohttpd 0.9.75 takes from a connection for each header field and each cookie, in
  /// addition to its text.
  private static let libraryFieldBytes = 64

  init(optional: OptionalFields = OptionalFields()) { self.optional = optional }

  /// The `traceparent`, if exactly one was sent, it is valid, and traces are read.
  var trace: TraceParent? { findings.traces == 1 ? findings.sentTrace : nil }

  /// Bytes that libmicrohttpd uses in addition to the head: the trailer, field records, and cookies.
  var memoryBesideHead: Int {
    findings.trailerBytes + findings.fields * Self.libraryFieldBytes + findings.cookieBytes
  }

  /// The size of the head as far as it was received.
  var headBytes: Int { findings.headBytes }

  /// Forgets the texts of the head.
  mutating func forgetHead() {
    head.forget()
    head.target = RequestTarget()
    findings.headBytes = 0
  }

  /// Whether the client speaks HTTP/1.1 and so accepts a chunked body.
  var isVersion11: Bool { findings.isVersion11 }

  /// Resets the state and takes the target of a new request, as sent. A target equal to the previous one is
  /// not parsed again.
  /// - Parameters:
  ///   - isHead: whether the method is HEAD; false if it is not known yet.
  ///   - isKept: whether the target is needed. Otherwise `/` takes its place.
  mutating func begin(target bytes: UnsafeRawBufferPointer, isHead: Bool = false, isKept: Bool = true) {
    findings = Findings()
    findings.headBytes = bytes.count
    head.forget()
    if isHead { head.method = .head }
    if !isKept {
      head.target = RequestTarget(path: "/")
    } else if !head.target.isMade(of: bytes) {
      head.target = RequestTarget(bytes) ?? RequestTarget()
    }
    if head.path.isEmpty { note("the request target is not a path") }
  }

  /// Takes the rest of the request line.
  /// - Parameter lineBytes: from the first byte of the method to the last of the version, if known. Apart
  ///   from method, target and version, it should have two spaces; more bytes mean extra spaces, or a target
  ///   that a NUL cut short.
  mutating func receive(
    method: UnsafeRawBufferPointer, version: UnsafeRawBufferPointer, lineBytes: Int? = nil
  ) {
    if let lineBytes, lineBytes != method.count + findings.headBytes + 2 {
      note("the request line is not method, target and version with one space between them")
    }
    // Two spaces, the line ending, and the empty line that ends the head.
    findings.headBytes += method.count + version.count + 6
    if HeaderSyntax.equals(method, "POST") {
      head.method = .post
    } else if HeaderSyntax.equals(method, "GET") {
      head.method = .get
    } else if HeaderSyntax.isToken(method) {
      head.method = RequestHead.Method(String(decoding: method, as: UTF8.self))
    } else {
      note("the method is not a token")
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

  /// Expects the fields of the head, or of the trailer, where libmicrohttpd has parsed them.
  /// - Parameter line: the request line, as far as it is known; `nil` for the trailer.
  mutating func expectFields(after line: UnsafeRawBufferPointer?) { findings.places.begin(after: line) }

  /// Takes where the head ends.
  mutating func receive(headEnd: UnsafeRawPointer) {
    if !findings.places.areAll(before: headEnd) { note(Self.hiddenBytes) }
  }

  private static let hiddenBytes: StaticString =
    "a header line is folded, begins with a colon or contains a zero byte"

  mutating func receive(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    findings.headBytes += name.count + value.count + 4
    findings.fields += 1
    findings.lastName = name.baseAddress
    guard findings.places.take(name, value) else { return note(Self.hiddenBytes) }
    let field = RequestField(name)
    guard field?.isWhole == true || HeaderSyntax.isToken(name) else {
      return note("a header name is not a token")
    }
    // A valid host has no control characters, so its value needs no second check.
    let isHost = field == .host && HostSyntax.isHost(value)
    guard isHost || HeaderSyntax.isFieldValue(value) else {
      return note("a header value contains a control character")
    }
    switch field {
    case .host:
      findings.hosts += 1
      if !isHost { note("the header Host is not a valid host") }
      if optional.readsOrigin { Self.join(value, to: &head.host) }
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
      head.allowedOrigin = findings.origins == 1 ? optional.origins?.position(of: value) : nil
    case .fetchSite where optional.readsOrigin:
      Self.join(value, to: &head.fetchSite)
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
      note("a header name starts with Content-Length but continues")
    case .acceptEncoding where optional.readsCodings:
      head.codings.add(value)
    case .acceptLanguage:
      Self.join(value, to: &head.acceptLanguage)
    case .contentEncoding:
      Self.join(value, to: &head.contentEncoding)
    case .transferEncoding:
      receiveTransferEncoding(value)
    case .likeTransferEncoding:
      note("a header name starts with Transfer-Encoding but continues")
    case .requestMethod where optional.origins != nil:
      head.isPreflight = head.method == .options
    default: break  // Not needed, or not read.
    }
  }

  /// Called after the last header field. Returns the framing of the body, or throws the reason for refusal:
  /// 400, 411, 431 or 413, checked in this order.
  func finish(headLimitBytes: Int, bodyLimitBytes: Int) throws(Problem) -> Framing {
    if let fault = findings.fault { throw Problem(.badRequest, detail: "\(fault)") }
    if findings.hosts > 1 || (isVersion11 && findings.hosts == 0) {
      throw Problem(
        .badRequest, detail: "the header Host must be sent exactly once, not \(findings.hosts) times")
    }
    if findings.codings > 0 && findings.lengths > 0 {
      throw Problem(.badRequest, detail: "Content-Length and Transfer-Encoding must not be sent together")
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
    // libmicrohttpd would send 100 Continue, and nothing more if another request follows in the buffer.
    if findings.expectsContinue && isVersion11 {
      throw Problem(.badRequest, detail: "Expect: 100-continue requires a body")
    }
    return .none
  }

  /// Takes a trailer field, sent after a chunked body. It must not be a field that belongs in the head (RFC
  /// 9110, section 6.5.1).
  mutating func receive(trailer name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    // If a trailer arrives in pieces, libmicrohttpd reports the head's last field as its first.
    if let last = findings.lastName, name.baseAddress == last { return }
    findings.trailerBytes += name.count + value.count + 4
    findings.fields += 1
    guard findings.places.take(name, value) else { return note(Self.hiddenBytes) }
    if RequestField(name) != nil { return note("a trailer field belongs in the head") }
    guard HeaderSyntax.isToken(name) else { return note("a trailer name is not a token") }
    guard HeaderSyntax.isFieldValue(value) else {
      return note("a trailer value contains a control character")
    }
  }

  /// Called after the last trailer field. Throws the reason for refusal: 400 or 431.
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

  /// Generates a request id if the client did not send a usable one.
  mutating func identify(by ids: inout RequestIDs) {
    if head.requestID.isEmpty { head.requestID = ids.next() }
  }

  // MARK: - Single fields

  private mutating func receiveContentType(_ value: UnsafeRawBufferPointer) {
    findings.contentTypes += 1
    if findings.contentTypes > 1 {
      note("the header Content-Type is sent more than once")
    } else if HeaderSyntax.equals(value, "application/json") {
      // The common types are literals, which allocate nothing.
      head.contentType = "application/json"
    } else if HeaderSyntax.equals(value, "application/x-www-form-urlencoded") {
      head.contentType = "application/x-www-form-urlencoded"
    } else {
      head.contentType = String(decoding: value, as: UTF8.self)
    }
  }

  private mutating func receiveContentLength(_ value: UnsafeRawBufferPointer) {
    findings.lengths += 1
    guard findings.lengths == 1 else { return note("the header Content-Length is sent more than once") }
    // HTTP allows trailing white space, but libmicrohttpd treats it as part of the value. So it is refused.
    guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return note("the header Content-Length is not a number, or is followed by white space")
    }
    for digit in value {
      let (tens, overflow) = findings.length.multipliedReportingOverflow(by: 10)
      // Saturates; every limit is below `Int.max`.
      findings.length = overflow || tens > Int.max - 9 ? Int.max : tens + Int(digit - 0x30)
    }
  }

  private mutating func receiveTransferEncoding(_ value: UnsafeRawBufferPointer) {
    findings.codings += 1
    guard findings.codings == 1 else { return note("the header Transfer-Encoding is sent more than once") }
    // HTTP allows trailing white space, but libmicrohttpd would not recognize the coding and would wait
    // forever.
    guard HeaderSyntax.matches(value, "chunked") else {
      return note("the header Transfer-Encoding is not exactly chunked")
    }
  }

  /// libmicrohttpd reads only the first Expect header and does not recognize the value if white space follows
  /// it, which HTTP allows. The client would wait.
  private mutating func receiveExpectation(_ value: UnsafeRawBufferPointer) {
    guard HeaderSyntax.matches(HeaderSyntax.trimmed(value), "100-continue") else { return }
    findings.expectsContinue = true
    if isVersion11, findings.expectations > 1 || !HeaderSyntax.matches(value, "100-continue") {
      note("the header Expect is not exactly 100-continue")
    }
  }

  /// libmicrohttpd copies the first Cookie header and makes a record for each cookie in it.
  private mutating func receiveCookies(_ value: UnsafeRawBufferPointer) {
    guard findings.cookieBytes == 0 else { return }
    let separators = value.count { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    findings.cookieBytes = value.count + (separators + 2) * Self.libraryFieldBytes
  }

  private static func join(_ value: UnsafeRawBufferPointer, to text: inout String?) {
    let addition = String(decoding: value, as: UTF8.self)
    if text == nil {
      text = addition
    } else {
      // In place: a name may repeat thousands of times.
      text?.append(", ")
      text?.append(addition)
    }
  }

  private mutating func note(_ detail: StaticString) {
    if findings.fault == nil { findings.fault = detail }
  }
}
