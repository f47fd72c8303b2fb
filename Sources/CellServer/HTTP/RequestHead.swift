/// The part of a request that decides its answer, as it came off the wire: nothing is decoded yet.
///
/// Lent, never copied: a copy would count a reference for every text in it.
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
  /// Kept from one request of a connection to the next, which mostly has the same.
  var target: RequestTarget
  /// Several field lines joined by `, `.
  package var accept: String?
  package var contentType: String?
  package var contentEncoding: String?
  /// Several field lines joined by `, `.
  package var ifNoneMatch: String?
  /// Read only where answers may be compressed.
  package var codings = AcceptedCodings()
  /// The place of `Origin` among those allowed; nil: it is none of them, is not there, or nobody asks for it.
  package var allowedOrigin: Int?
  /// OPTIONS that asks for a page whether it may ask; told only where origins are allowed.
  package var isPreflight = false
  /// The client's own, or one made for it.
  package var requestID: String

  package init(
    method: Method, path: String, query: String? = nil, accept: String? = nil, contentType: String? = nil,
    contentEncoding: String? = nil, ifNoneMatch: String? = nil, requestID: String = ""
  ) {
    self.method = method
    target = RequestTarget(path: path, query: query)
    self.accept = accept
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.ifNoneMatch = ifNoneMatch
    self.requestID = requestID
  }

  /// That of a request of which only the target is known.
  init(target: consuming RequestTarget) {
    method = .get
    self.target = target
    requestID = ""
  }

  /// Forgets all but the target, which the next request of the connection mostly has as well.
  mutating func forget() {
    method = .get
    // Looked at first: to let go of nothing costs as much as to let go of a text.
    if accept != nil { accept = nil }
    if contentType != nil { contentType = nil }
    if contentEncoding != nil { contentEncoding = nil }
    if ifNoneMatch != nil { ifNoneMatch = nil }
    codings = AcceptedCodings()
    allowedOrigin = nil
    isPreflight = false
    requestID = ""
  }

  /// As sent, percent-encoded, without the query; an absolute form is already reduced to its path.
  package var path: String { target.path }

  /// As sent, without the `?`; `nil` if there was none.
  package var query: String? { target.query }
}
