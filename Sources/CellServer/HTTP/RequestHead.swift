/// The part of a request that decides its answer, as received: nothing is decoded yet.
///
/// Noncopyable and passed by borrowing, because a copy would retain every string in it.
package struct RequestHead: ~Copyable, Sendable {
  /// A request method (RFC 9110, section 9). Names are case-sensitive: `get` is `.other("get")`.
  package enum Method: Sendable, Equatable {
    case get, head, post, options
    case other(String)

    package init(_ name: String) {
      switch name {
      case "GET": self = .get
      case "HEAD": self = .head
      case "POST": self = .post
      case "OPTIONS": self = .options
      default: self = .other(name)
      }
    }

    package var name: String {
      switch self {
      case .get: "GET"
      case .head: "HEAD"
      case .post: "POST"
      case .options: "OPTIONS"
      case .other(let name): name
      }
    }
  }

  package var method: Method
  /// Kept between the requests of a connection, which usually have the same target.
  var target: RequestTarget
  /// Several field lines joined by `, `.
  package var accept: String?
  /// Several field lines joined by `, `.
  package var acceptLanguage: String?
  package var contentType: String?
  package var contentEncoding: String?
  /// Several field lines are joined by `, `.
  package var ifNoneMatch: String?
  /// Read only if compression is enabled.
  package var codings = AcceptedCodings()
  /// The index of `Origin` in the allowed origins; nil if it is not allowed, not sent, or CORS is off.
  package var allowedOrigin: Int?
  /// Whether this is a CORS preflight request. Set only if CORS is on.
  package var isPreflight = false
  /// `Sec-Fetch-Site`; several field lines joined by `, `. Read only if a setting enables it.
  package var fetchSite: String?
  /// `Host`, with its port. Read only if a setting enables it.
  package var host: String?
  /// Sent by the client, or generated.
  package var requestID: String

  /// A head with some fields, by their names; for requests that no socket has received.
  package init(
    method: Method, path: String, query: String? = nil, accept: String? = nil,
    acceptLanguage: String? = nil, contentType: String? = nil, contentEncoding: String? = nil,
    ifNoneMatch: String? = nil, requestID: String = ""
  ) {
    self.method = method
    target = RequestTarget(path: path, query: query)
    self.accept = accept
    self.acceptLanguage = acceptLanguage
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.ifNoneMatch = ifNoneMatch
    self.requestID = requestID
  }

  /// The head of a request of which only the target is known.
  init(target: consuming RequestTarget) {
    method = .get
    self.target = target
    requestID = ""
  }

  /// Resets everything except the target, which the connection's next request usually shares.
  mutating func forget() {
    method = .get
    // Checked first: assigning nil over nil costs as much as releasing a string.
    if accept != nil { accept = nil }
    if acceptLanguage != nil { acceptLanguage = nil }
    if contentType != nil { contentType = nil }
    if contentEncoding != nil { contentEncoding = nil }
    if ifNoneMatch != nil { ifNoneMatch = nil }
    codings = AcceptedCodings()
    allowedOrigin = nil
    isPreflight = false
    if fetchSite != nil { fetchSite = nil }
    if host != nil { host = nil }
    requestID = ""
  }

  /// The bytes of its texts.
  var keptBytes: Int {
    [path, query, accept, acceptLanguage, contentType, contentEncoding, ifNoneMatch, fetchSite, host]
      .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// As sent: percent-encoded, without the query. An absolute form is already reduced to its path.
  package var path: String { target.path }

  /// As sent, without the `?`; `nil` if there was none.
  package var query: String? { target.query }
}
