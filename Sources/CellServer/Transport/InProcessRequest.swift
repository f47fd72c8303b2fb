/// A request for `InProcessServer`, as it would be received.
package struct InProcessRequest: Sendable {
  package typealias Header = (name: String, value: String)

  package var method: String
  package var target: String
  package var version: String
  package var headers: [Header]
  /// The body in the pieces in which it arrives.
  package var pieces: [[UInt8]]

  /// A request with exactly these headers.
  package init(
    exactly method: String, _ target: String, version: String = "HTTP/1.1", headers: [Header] = [],
    pieces: [[UInt8]] = []
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
    self.pieces = pieces
  }

  /// A request with the required headers, Host and Content-Length, added.
  package init(_ method: String, _ target: String, headers: [Header] = [], body: some Sequence<UInt8> = []) {
    let body = Array(body)
    self.init(
      exactly: method, target, headers: [("Host", "localhost")] + headers, pieces: body.isEmpty ? [] : [body])
    if method == "POST" || !body.isEmpty { self.headers.append(("Content-Length", String(body.count))) }
  }
}
