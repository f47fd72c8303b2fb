/// The list of origins whose pages may send requests and read the answers (CORS protocol, Fetch standard).
/// Origins match exactly.
package struct AllowedOrigins: Sendable, Equatable {
  /// How long a browser may cache a preflight answer, in seconds. This is the longest any browser allows.
  static let preflightSeconds: StaticString = "7200"
  /// Request headers that a page may send in addition to the CORS-safelisted ones. htmx and Turbo add theirs to every
  /// request.
  static let requestHeaders: StaticString = """
    Content-Type, If-None-Match, X-Request-Id, traceparent, tracestate, HX-Boosted, HX-Current-URL, \
    HX-History-Restore-Request, HX-Prompt, HX-Request, HX-Target, HX-Trigger, HX-Trigger-Name, Turbo-Frame, \
    X-Turbo-Request-Id, X-Sec-Purpose
    """

  /// In the form that browsers send, without duplicates.
  package private(set) var list: [String] = []

  package init() {}

  /// Adds an origin such as `https://example.org` or `http://localhost:3000`, normalized to the form that
  /// browsers send.
  /// - Throws: `OriginError` with the reason if `text` is not an origin.
  package mutating func add(_ text: String) throws(OriginError) {
    let origin = try Self.normalized(text)
    if !list.contains(origin) { list.append(origin) }
  }

  /// The index of the origin in `list`. The comparison is exact, because browsers send origins normalized.
  func position(of origin: UnsafeRawBufferPointer) -> Int? {
    list.firstIndex { $0.utf8.elementsEqual(origin) }
  }

  /// Lowercases scheme and host and drops the scheme's default port.
  static func normalized(_ text: String) throws(OriginError) -> String {
    if text == "*" || text == "null" { throw OriginError("list each origin by itself") }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw OriginError("it contains a character that is not allowed; write a non-ASCII name as xn--…")
    }
    let text = text.lowercased()
    guard let mark = text.firstRange(of: "://") else { throw OriginError("it has no scheme://") }
    let scheme = text[..<mark.lowerBound]
    guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
    else { throw OriginError("the scheme is invalid") }
    let authority = text[mark.upperBound...]
    if authority.contains(where: { "/?#".contains($0) }) {
      throw OriginError("an origin has no path, not even /")
    }
    if authority.contains("@") { throw OriginError("an origin has no user name") }
    var host = authority
    var port: Substring?
    if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
      (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
    }
    let isLiteral = host.hasPrefix("[") && host.hasSuffix("]")
    let inner = isLiteral ? host.dropFirst().dropLast() : host
    guard !inner.isEmpty,
      inner.allSatisfy({
        isLiteral ? $0.isHexDigit || ":.".contains($0) : $0.isLetter || $0.isNumber || "-._".contains($0)
      })
    else { throw OriginError("the host is missing or invalid") }
    guard let port else { return "\(scheme)://\(host)" }
    guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else {
      throw OriginError("the port is invalid")
    }
    let isOwn = (scheme == "http" && number == 80) || (scheme == "https" && number == 443)
    return isOwn ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(number)"
  }
}

/// Why a text is not an origin.
package struct OriginError: Error, Equatable {
  package let description: String

  init(_ reason: String) { description = "use one such as https://example.org; \(reason)" }
}
