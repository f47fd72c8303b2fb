/// A request as written by a client; the target adds `Host` and the framing.
struct TestRequest: Sendable {
  typealias Header = (name: String, value: String)

  var method: String
  var target: String
  var headers: [Header]
  /// nil: no body and no length.
  var body: [UInt8]?
  /// The body is sent in chunks of this many bytes, without a length; nil: whole, with a length.
  var chunkBytes: Int?

  init(
    _ method: String, _ target: String, _ headers: KeyValuePairs<String, String> = [:], body: [UInt8]? = nil,
    chunkBytes: Int? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers.map { (name: $0.key, value: $0.value) }
    self.body = body
    self.chunkBytes = chunkBytes
  }

  static func get(_ target: String, _ headers: KeyValuePairs<String, String> = [:]) -> TestRequest {
    TestRequest("GET", target, headers)
  }

  /// - Parameter type: the `Content-Type`; nil: none.
  static func post(
    _ target: String, _ body: String, type: String? = "application/json",
    _ headers: KeyValuePairs<String, String> = [:]
  ) -> TestRequest {
    post(target, bytes: Array(body.utf8), type: type, headers)
  }

  static func post(
    _ target: String, bytes: [UInt8], type: String? = "application/json",
    _ headers: KeyValuePairs<String, String> = [:]
  ) -> TestRequest {
    var request = TestRequest("POST", target, headers, body: bytes)
    if let type { request.headers.append((name: "Content-Type", value: type)) }
    return request
  }

  static func ndjson(_ target: String, _ body: String) -> TestRequest {
    post(target, body, type: "application/x-ndjson")
  }

  /// As `curl -d` sends it.
  static func form(_ target: String, _ body: String) -> TestRequest {
    post(target, body, type: "application/x-www-form-urlencoded")
  }

  func chunked(_ bytes: Int) -> TestRequest {
    var copy = self
    copy.chunkBytes = bytes
    return copy
  }

  /// The headers that frame the body.
  var framing: [Header] {
    guard let body else { return [] }
    if chunkBytes != nil { return [("Transfer-Encoding", "chunked")] }
    return [("Content-Length", String(body.count))]
  }

  /// The body, split into the pieces that are sent.
  var pieces: [[UInt8]] {
    guard let body, !body.isEmpty else { return [] }
    let size = chunkBytes ?? body.count
    return stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
  }

  /// The bytes on the wire.
  var wire: [UInt8] {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for header in headers + framing { text += "\(header.name): \(header.value)\r\n" }
    var bytes = Array((text + "\r\n").utf8)
    for piece in pieces {
      if chunkBytes != nil { bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) }
      bytes += piece
      if chunkBytes != nil { bytes += Array("\r\n".utf8) }
    }
    if chunkBytes != nil { bytes += Array("0\r\n\r\n".utf8) }
    return bytes
  }
}

/// An answer as a client reads it.
struct TestResponse: Sendable {
  var status: Int
  var headers: [TestRequest.Header]
  var body: [UInt8]
  /// False if the body was cut off.
  var isComplete = true

  var text: String { String(decoding: body, as: UTF8.self) }
  /// Whether the answer was streamed.
  var isStreamed: Bool { self["Transfer-Encoding"] == "chunked" }

  /// The first header with that name, ignoring case.
  subscript(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
