import CellServer
import Testing

/// A request and its expected status.
struct GuardRow: Sendable, CustomTestStringConvertible {
  var name: String
  var status: Int
  var request: InProcessRequest
  /// Whether libmicrohttpd passes the request on unchanged, so that the live server gives the same answer.
  var isLive: Bool

  init(
    _ status: Int, _ name: String, _ method: String = "GET", _ target: String = "/x",
    version: String = "HTTP/1.1",
    headers: [InProcessRequest.Header] = [("Host", "a")], body: String? = nil, isLive: Bool = true
  ) {
    self.status = status
    self.name = name
    self.isLive = isLive
    request = InProcessRequest(
      exactly: method, target, version: version, headers: headers, pieces: body.map { [Array($0.utf8)] } ?? []
    )
  }

  var testDescription: String { name }

  /// The bytes on the wire.
  var wire: String {
    var text = "\(request.method) \(request.target) \(request.version)\r\n"
    for header in request.headers { text += "\(header.name): \(header.value)\r\n" }
    text += "\r\n"
    for piece in request.pieces { text += String(decoding: piece, as: UTF8.self) }
    return text
  }
}

@Suite struct TransportGuardTests {
  static let host: InProcessRequest.Header = ("Host", "a")

  static let rows: [GuardRow] = [
    // Valid requests.
    GuardRow(200, "the plainest request"),
    GuardRow(200, "HTTP/1.0 without Host", version: "HTTP/1.0", headers: []),
    GuardRow(200, "an empty Host", headers: [("Host", "")], isLive: false),
    GuardRow(200, "an unknown method is the service's to refuse", "PUT"),
    GuardRow(200, "a method in small letters is an unknown one", "get"),
    GuardRow(200, "absolute form", "GET", "http://other/x?y"),
    GuardRow(200, "absolute form without a path", "GET", "http://other"),
    GuardRow(200, "OPTIONS *", "OPTIONS", "*"),
    GuardRow(200, "opaque bytes in a value", headers: [host, ("X-A", "h\u{E9}llo")]),
    GuardRow(200, "a tab in a value", headers: [host, ("X-A", "a\tb")]),
    GuardRow(
      200, "a body with a length", "POST", "/x", headers: [host, ("Content-Length", "2")], body: "ab"),
    GuardRow(200, "an empty body with a length", "POST", "/x", headers: [host, ("Content-Length", "0")]),
    GuardRow(
      200, "a chunked body", "POST", "/x", headers: [host, ("Transfer-Encoding", "Chunked")],
      body: "2\r\nab\r\n0\r\n\r\n"),
    GuardRow(
      200, "a body that is expected", "POST", "/x",
      headers: [host, ("Content-Length", "2"), ("Expect", "100-continue")], body: "ab", isLive: false),
    GuardRow(200, "HTTP/1.0 does not expect", version: "HTTP/1.0", headers: [("Expect", "100-continue")]),
    GuardRow(
      200, "HTTP/1.0 does not expect with a body", "POST", version: "HTTP/1.0",
      headers: [("Content-Length", "2"), ("Expect", "100-continue")], body: "ab"),
    GuardRow(
      400, "white space behind an expectation", "POST", "/x",
      headers: [host, ("Content-Length", "2"), ("Expect", "100-continue ")], body: "ab"),
    GuardRow(
      400, "an expectation behind another", "POST", "/x",
      headers: [host, ("Content-Length", "2"), ("Expect", "x"), ("Expect", "100-continue")], body: "ab"),
    GuardRow(200, "another expectation", "GET", "/x", headers: [host, ("Expect", "100-continuing")]),
    GuardRow(400, "GET with a body", "GET", "/x", headers: [host, ("Content-Length", "2")], body: "ab"),
    // Request line.
    GuardRow(
      400, "a body that is expected and not sent", "GET", "/x", headers: [host, ("expect", "100-Continue")]),
    GuardRow(
      400, "an empty body that is expected", "POST", "/x",
      headers: [host, ("Content-Length", "0"), ("Expect", "100-continue")]),
    GuardRow(400, "a method that is no token", "G@T"),
    GuardRow(400, "* for GET", "GET", "*"),
    GuardRow(400, "authority form", "CONNECT", "a:80"),
    GuardRow(400, "a target without a slash", "GET", "x"),
    GuardRow(400, "another scheme", "GET", "ftp://a/x"),
    GuardRow(400, "absolute form without a host", "GET", "http:///x"),
    GuardRow(400, "a space in the target", "GET", "/a b"),
    GuardRow(400, "two spaces before the target", "GET "),
    GuardRow(400, "two spaces before the version", "GET", "/x "),
    GuardRow(400, "a NUL in the target", "GET", "/a\u{0}b"),
    GuardRow(400, "a NUL in the query", "GET", "/a?b\u{0}c"),
    GuardRow(400, "a control in the target", "GET", "/a\u{1}b"),
    GuardRow(400, "a tab in the target", "GET", "/a\tb"),
    GuardRow(400, "DEL in the target", "GET", "/a\u{7F}b"),
    GuardRow(400, "a target beyond ASCII", "GET", "/h\u{E9}"),
    GuardRow(400, "a control in the query", "GET", "/a?\u{1}"),
    GuardRow(400, "HTTP/1.2", version: "HTTP/1.2"),
    GuardRow(400, "HTTP/1.10", version: "HTTP/1.10", isLive: false),
    GuardRow(400, "HTTP/2.0", version: "HTTP/2.0", isLive: false),
    GuardRow(400, "http/1.1", version: "http/1.1", isLive: false),
    GuardRow(400, "no version", version: "", isLive: false),
    // Host.
    GuardRow(400, "HTTP/1.1 without Host", headers: []),
    GuardRow(400, "two Hosts", headers: [host, ("host", "a")]),
    GuardRow(400, "two Hosts in HTTP/1.0", version: "HTTP/1.0", headers: [host, host]),
    GuardRow(400, "a list as Host", headers: [("Host", "a, b")]),
    GuardRow(400, "a path in Host", headers: [("Host", "a/b")]),
    GuardRow(400, "a port that is none", headers: [("Host", "a:b")]),
    GuardRow(400, "an address that does not end", headers: [("Host", "[::1")]),
    GuardRow(400, "markup as Host", headers: [("Host", "<script>")]),
    GuardRow(400, "white space behind Host", headers: [("Host", "a ")]),
    GuardRow(200, "an address as Host", headers: [("Host", "[::1]:80")]),
    GuardRow(400, "an absolute form with markup as its host", "GET", "http://<script>/x"),
    GuardRow(400, "an absolute form with a user", "GET", "http://a@b/x"),
    GuardRow(400, "an absolute form with a port that is none", "GET", "http://a:b/x"),
    // Header fields.
    GuardRow(400, "a header name that is no token", headers: [host, ("X@A", "1")]),
    GuardRow(400, "a space in a header name", headers: [host, ("X A", "1")]),
    GuardRow(400, "a space before the colon", headers: [host, ("X-A ", "1")]),
    GuardRow(400, "an empty header name", headers: [host, ("", "1")], isLive: false),
    GuardRow(400, "a control in a value", headers: [host, ("X-A", "a\u{1}b")]),
    GuardRow(400, "DEL in a value", headers: [host, ("X-A", "a\u{7F}b")]),
    GuardRow(400, "a bare CR in a value", headers: [host, ("X-A", "a\rb")]),
    GuardRow(400, "two types", headers: [host, ("Content-Type", "a/b"), ("Content-Type", "a/b")]),
    // Framing.
    GuardRow(411, "POST with neither", "POST"),
    GuardRow(411, "POST with neither in HTTP/1.0", "POST", version: "HTTP/1.0", headers: []),
    GuardRow(
      400, "Transfer-Encoding in HTTP/1.0", "POST", version: "HTTP/1.0",
      headers: [("Transfer-Encoding", "chunked")],
      body: "0\r\n\r\n"),
    GuardRow(
      400, "two Transfer-Encodings", "POST", "/x",
      headers: [host, ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")], body: "0\r\n\r\n"),
    GuardRow(
      400, "Transfer-Encoding and Content-Length", "POST", "/x",
      headers: [host, ("Transfer-Encoding", "chunked"), ("Content-Length", "5")], body: "0\r\n\r\n"),
    GuardRow(
      400, "Content-Length and Transfer-Encoding", "POST", "/x",
      headers: [host, ("Content-Length", "5"), ("Transfer-Encoding", "chunked")], body: "0\r\n\r\n"),
    GuardRow(
      400, "gzip, chunked", "POST", "/x", headers: [host, ("Transfer-Encoding", "gzip, chunked")],
      body: "0\r\n\r\n"),
    GuardRow(
      400, "a space behind chunked", "POST", "/x", headers: [host, ("Transfer-Encoding", "chunked ")],
      body: "2\r\nab\r\n0\r\n\r\n"),
    GuardRow(
      400, "a tab behind chunked", "POST", "/x", headers: [host, ("Transfer-Encoding", "chunked\t")],
      body: "0\r\n\r\n"),
    GuardRow(
      400, "a space behind Content-Length", "POST", "/x", headers: [host, ("Content-Length", "3 ")],
      body: "abc"),
    GuardRow(400, "a tab behind Content-Length", "GET", "/x", headers: [host, ("Content-Length", "0\t")]),
    GuardRow(400, "identity", "POST", "/x", headers: [host, ("Transfer-Encoding", "identity")], body: "ab"),
    GuardRow(400, "xchunked", "GET", "/x", headers: [host, ("Transfer-Encoding", "xchunked")]),
    GuardRow(400, "quoted chunked", "POST", "/x", headers: [host, ("Transfer-Encoding", "\"chunked\"")]),
    GuardRow(
      400, "two Content-Lengths", "POST", "/x",
      headers: [host, ("Content-Length", "0"), ("Content-Length", "0")]),
    GuardRow(400, "Content-Length-X", headers: [host, ("Content-Length-X", "1")]),
    GuardRow(400, "Transfer-EncodingX", headers: [host, ("Transfer-Encodingx", "chunked")]),
    GuardRow(400, "Content-Length +3", "POST", "/x", headers: [host, ("Content-Length", "+3")], body: "abc"),
    GuardRow(400, "Content-Length -1", "POST", "/x", headers: [host, ("Content-Length", "-1")]),
    GuardRow(
      400, "Content-Length 3, 3", "POST", "/x", headers: [host, ("Content-Length", "3, 3")], body: "abc"),
    GuardRow(
      400, "an empty Content-Length", "POST", "/x", headers: [host, ("Content-Length", "")]),
    // Sizes: these tests limit the head to 4096 bytes and the body to 1000.
    GuardRow(413, "a length over the limit", "POST", "/x", headers: [host, ("Content-Length", "1001")]),
    GuardRow(
      413, "a length over the limit of GET", "GET", "/x", headers: [host, ("Content-Length", "1001")]),
    GuardRow(
      413, "a length beyond all numbers", "POST", "/x", headers: [host, ("Content-Length", longNumber)]),
    GuardRow(431, "a long header", headers: [host, ("X-A", String(repeating: "a", count: 4096))]),
    GuardRow(431, "a long target", "GET", "/" + String(repeating: "a", count: 4096)),
    GuardRow(200, "a head of 4096 bytes", headers: [host, ("X-A", String(repeating: "a", count: 4061))]),
    GuardRow(431, "a head of 4097 bytes", headers: [host, ("X-A", String(repeating: "a", count: 4062))]),
    GuardRow(
      411, "without a length and over the head limit", "POST", "/x",
      headers: [host, ("X-A", String(repeating: "a", count: 4096))]),
  ]

  static let longNumber = String(repeating: "9", count: 40)

  static func limits(_ settings: inout ServerSettings) {
    settings.headLimitBytes = 4096
    settings.bodyLimitBytes = 1000
  }

  @Test(arguments: rows) func inProcess(row: GuardRow) async throws {
    let answer = try await inProcessServer(Self.limits).respond(to: row.request)
    #expect(answer.status == row.status, "\(answer.text)")
    #expect(answer["X-Request-Id"]?.isEmpty == false)
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    #expect(answer["CellFactory-Archive"] == TransportTestFactory.archiveHash)
    if row.status != 200 {
      #expect(answer["Content-Type"] == "application/problem+json")
      #expect(answer["Connection"] == "close")
    }
  }

  @Test func live() throws {
    let server = try TransportTestServer(handler: TransportTestHandler(), Self.limits)
    for row in Self.rows where row.isLive {
      let client = server.client
      client.send(row.wire)
      let answer = client.readAnswer()
      #expect(answer?.status == row.status, "\(row.name): \(answer?.text ?? "no answer")")
      if row.status == 200 { continue }
      #expect(answer?["Connection"] == "close", "\(row.name)")
      #expect(client.readToEnd() == [], "\(row.name): an answer, and no more")
    }
    #expect(server.eventually(\.isIdle))
  }

  @Test func handlersSeeTheRequest() async throws {
    let rows: [(InProcessRequest, String)] = [
      (InProcessRequest("GET", "/a%2Fb?x=+%00&y"), "method=GET\npath=/a%2Fb\nquery=x=+%00&y\nbytes=0\n"),
      (InProcessRequest("GET", "/a?"), "method=GET\npath=/a\nquery=\nbytes=0\n"),
      (InProcessRequest("GET", "/a?b?c"), "method=GET\npath=/a\nquery=b?c\nbytes=0\n"),
      (InProcessRequest("GET", "HTTP://h:1/a?b"), "method=GET\npath=/a\nquery=b\nbytes=0\n"),
      (InProcessRequest("GET", "https://h?b"), "method=GET\npath=/\nquery=b\nbytes=0\n"),
      (InProcessRequest("OPTIONS", "*"), "method=OPTIONS\npath=*\nbytes=0\n"),
      (InProcessRequest("BREW", "/a"), "method=BREW\npath=/a\nbytes=0\n"),
      (InProcessRequest("BREW", "/a", body: "abc".utf8), "method=BREW\npath=/a\nbytes=0\n"),
      (InProcessRequest("POST", "/a", body: "abc".utf8), "method=POST\npath=/a\nbytes=3\n"),
      (
        InProcessRequest(
          "POST", "/a",
          headers: [
            ("accept", "a/b"), ("ACCEPT", "c/d"), ("If-None-Match", "\"1\""), ("if-none-match", "\"2\""),
            ("content-TYPE", "text/x"), ("Content-Encoding", "gzip"),
          ]),
        "method=POST\npath=/a\naccept=a/b, c/d\ntype=text/x\nencoding=gzip\nmatch=\"1\", \"2\"\nbytes=0\n"
      ),
    ]
    let inside = try inProcessServer()
    let live = try TransportTestServer()
    for (request, expected) in rows {
      #expect(await inside.respond(to: request).text == expected)
      var text = "\(request.method) \(request.target) HTTP/1.1\r\n"
      for header in request.headers { text += "\(header.name): \(header.value)\r\n" }
      let client = live.client
      client.send(text + "\r\n" + String(decoding: request.pieces.joined(), as: UTF8.self))
      #expect(client.readAnswer()?.text == expected)
    }
  }

  @Test(
    arguments: [
      ("abc", true), (String(repeating: "~", count: 128), true), ("", false), ("a b", false),
      ("h\u{E9}", false),
      (String(repeating: "a", count: 129), false),
    ]) func requestIDIsEchoedOrMade(id: String, isEchoed: Bool) async throws
  {
    let server = try inProcessServer()
    let first = await server.respond(to: InProcessRequest("GET", "/", headers: [("X-Request-Id", id)]))
    let second = await server.respond(to: InProcessRequest("GET", "/", headers: [("X-Request-Id", id)]))
    let ids = (first["X-Request-Id"] ?? "", second["X-Request-Id"] ?? "")
    #expect((ids.0 == id) == isEchoed)
    #expect((ids.0 == ids.1) == isEchoed, "made ids differ")
    #expect((1...128).contains(ids.0.utf8.count))
  }
}
