import Cells

/// The headers of answers, those of every answer included. `OpenAPIDocument+Answers` describes those whose values
/// differ.
extension Answer {
  /// The headers that every answer has with the same value. To add one, add it here, and to
  /// `exposedHeaders` if pages of other origins may read it. The API description lists them.
  static let constantHeaders: [(name: StaticString, value: StaticString)] = [
    ("X-Content-Type-Options", "nosniff")
  ]

  /// The policy of answers that may hold what others have written: opened as a page, they run no script.
  static let sandbox: StaticString = "sandbox"
  /// That of files, which load nothing either.
  static let sandboxOfFiles = "sandbox; default-src 'none'"

  static let requestIDName: StaticString = "X-Request-Id"
  /// The headers that a page of an allowed origin may read in addition to the CORS-safelisted ones.
  private static let exposedHeaders: StaticString = """
    Allow, CellFactory-Archive, CellFactory-Errors, CellFactory-Missing, CellFactory-Reload, Content-Encoding, ETag, \
    Retry-After, X-Request-Id
    """

  /// Calls `body` for every header of the answer except those of the connection (`Connection`,
  /// `Content-Length`, `Date`). Name and value are C strings that are valid during the call.
  func forEachHeader(
    to head: borrowing RequestHead, _ settings: borrowing ServerSettings, archiveHash: String,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
  ) {
    forEachLastingHeader(
      to: head, settings, archiveHash: archiveHash,
      tellsOfFailedReload: !settings.metrics.reloads.lastWasSuccessful, body)
    head.requestID.withCString { body(Self.requestIDName.cString, $0) }
  }

  /// Same, without the request id: the headers shared by all answers of the same kind. What decides their values must be in
  /// `PreparedResponse.Kind`, or be compared in `PreparedResponses`: a prepared response is sent again with the headers it has.
  func forEachLastingHeader(
    to head: borrowing RequestHead, _ settings: borrowing ServerSettings, archiveHash: String,
    tellsOfFailedReload: Bool, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
  ) {
    func add(_ name: StaticString, _ value: String) { value.withCString { body(name.cString, $0) } }
    add("CellFactory-Archive", archiveHash)
    if tellsOfFailedReload { add("CellFactory-Reload", "failed") }
    for header in Self.constantHeaders { body(header.name.cString, header.value.cString) }
    if let contentType { body(("Content-Type" as StaticString).cString, contentType.cString) }
    if isSandboxed {
      body(("Content-Security-Policy" as StaticString).cString, Self.sandbox.cString)
    }
    for header in headers { add(header.name, header.value) }
    if tally.missing > 0 { add("CellFactory-Missing", "\(tally.missing); drawn=\(tally.drawn)") }
    var varies = varies
    if settings.compression != nil, contentType != nil { varies.insert(.acceptEncoding) }
    if isPublic {
      add("Access-Control-Allow-Origin", "*")
      // To all origins, so that caches keep one copy.
      forEachCrossOriginHeader(isPreflight: head.isPreflight, body)
    } else if let origins = settings.origins {
      varies.insert(.origin)
      if let position = head.allowedOrigin {
        add("Access-Control-Allow-Origin", origins.list[position])
        forEachCrossOriginHeader(isPreflight: head.isPreflight, body)
      }
    }
    if let names = varies.headerValue { body(("Vary" as StaticString).cString, names.cString) }
  }

  /// The CORS headers for an allowed origin: of a preflight answer, or of an answer that a page may read.
  private func forEachCrossOriginHeader(
    isPreflight: Bool, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
  ) {
    guard isPreflight, status == 204 else {
      let name: StaticString = "Access-Control-Expose-Headers"
      return body(name.cString, Self.exposedHeaders.cString)
    }
    let fields: [(name: StaticString, value: StaticString)] = [
      ("Access-Control-Allow-Headers", AllowedOrigins.requestHeaders),
      ("Access-Control-Max-Age", AllowedOrigins.preflightSeconds),
    ]
    for field in fields { body(field.name.cString, field.value.cString) }
    for header in headers where header.name.description == "Allow" {
      header.value.withCString { body(("Access-Control-Allow-Methods" as StaticString).cString, $0) }
    }
  }
}

extension StaticString {
  // A static string ends with a zero byte and lives as long as the program; `CChar` is one byte.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
