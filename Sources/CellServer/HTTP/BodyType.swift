/// How a request body is parsed.
package enum BodyType: Sendable, Equatable {
  case json, ndjson, form

  /// The type that the request head declares.
  package enum Declared: Sendable, Equatable {
    case json, ndjson
    /// No type, the form type that curl sends with every `-d`, or plain text, which a page may send anywhere without
    /// asking first. The body's first byte decides.
    case undeclared
  }

  /// Reads `Content-Type` and `Content-Encoding`. Throws `.unsupportedMediaType` with a hint.
  package static func declared(
    contentType: String?, contentEncoding: String?
  ) throws(Problem) -> Declared {
    try checkEncoding(contentEncoding)
    guard let contentType else { return .undeclared }
    if contentType == "application/json" { return .json }
    var scanner = HeaderScanner(contentType)
    scanner.skipSpace()
    if scanner.isAtEnd { return .undeclared }
    guard let type = MediaType(&scanner), scanner.isAtEnd else {
      throw unsupported("the Content-Type \(Excerpt.quoted(contentType)) is malformed")
    }
    for parameter in type.parameters
    where parameter.name == "charset" && !MediaType.isUTF8(charset: parameter.value) {
      throw Problem(
        .unsupportedMediaType,
        detail: "the charset \(Excerpt.quoted(parameter.value)) is not supported; send the body as UTF-8")
    }
    switch (type.type, type.subtype) {
    case ("application", "json"): return .json
    case ("application", let subtype) where subtype.hasSuffix("+json") && subtype != "+json": return .json
    case ("application", "x-ndjson"), ("application", "jsonl"): return .ndjson
    case ("application", "x-www-form-urlencoded"), ("text", "plain"): return .undeclared
    default: throw unsupported("the type \(Excerpt.quoted("\(type.type)/\(type.subtype)")) is not read")
    }
  }

  /// Resolves an undeclared type: a body whose first byte after JSON white space is `[` or `{` is JSON.
  /// Anything else is form fields, including an empty body, which is one row without fields.
  package init(_ declared: Declared, body: UnsafeRawBufferPointer) {
    switch declared {
    case .json: self = .json
    case .ndjson: self = .ndjson
    case .undeclared:
      let first = Self.firstByte(of: body)
      self = first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? .json : .form
    }
  }

  /// The first byte that is no white space of JSON. A body may be nothing else, so 8 bytes are compared at once.
  private static func firstByte(of body: UnsafeRawBufferPointer) -> UInt8? {
    let sevenBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    /// The highest bit of each byte of the word that equals those of `bytes`.
    func matches(_ word: UInt64, _ bytes: UInt64) -> UInt64 {
      let other = word ^ bytes
      return ~(((other & sevenBits) &+ sevenBits) | other | sevenBits)
    }
    var at = 0
    while at + 8 <= body.count {
      let word = body.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let spaces =
        matches(word, 0x2020_2020_2020_2020) | matches(word, 0x0909_0909_0909_0909)
        | matches(word, 0x0A0A_0A0A_0A0A_0A0A) | matches(word, 0x0D0D_0D0D_0D0D_0D0D)
      if spaces != ~sevenBits { break }
      at += 8
    }
    return body[at...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  /// The problem for form fields sent to a path that does not accept them.
  package static var formProblem: Problem {
    unsupported("only /cells/KIND accepts form fields")
  }

  private static func unsupported(_ what: String) -> Problem {
    Problem(
      .unsupportedMediaType,
      detail: "\(what); send application/json, application/x-ndjson, or form fields to /cells/KIND")
  }

  private static func checkEncoding(_ value: String?) throws(Problem) {
    guard let value else { return }
    var scanner = HeaderScanner(value)
    repeat {
      scanner.skipSpace()
      let coding = scanner.token()
      scanner.skipSpace()
      guard coding == nil || coding == "identity", scanner.isAtEnd || scanner.current == UInt8(ascii: ",")
      else {
        throw Problem(
          .unsupportedMediaType,
          detail: "the Content-Encoding \(Excerpt.quoted(value)) is not supported; send the body uncompressed"
        )
      }
    } while scanner.take(UInt8(ascii: ","))
  }
}
