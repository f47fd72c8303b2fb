import CellServer
import Testing

/// Requests of pages of other origins (the CORS protocol of the Fetch standard).
@Suite struct ServiceOriginTests {
  static let listed = "https://app.example.org"
  static let names = [
    "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers", "Access-Control-Max-Age", "Access-Control-Allow-Credentials",
  ]

  static func target(_ way: Way) throws -> any HTTPTarget {
    var origins = AllowedOrigins()
    try origins.add("http://localhost:3000")
    try origins.add(listed)
    return try way.target { $0.server.origins = origins }
  }

  /// Answers of every type, including those made by the guard.
  static let requests: [(request: TestRequest, status: Int, varies: String)] = [
    (.post("/cells/plain", "{}"), 200, "Accept, Origin"), (.get("/cells/plain"), 200, "Accept, Origin"),
    (.get("/cells/plain", ["If-None-Match": "*"]), 304, "Accept, Origin"),
    (TestRequest("HEAD", "/kinds"), 200, "Origin"), (.get("/livez"), 200, "Origin"),
    (.get("/cells/none"), 404, "Origin"), (.get("/cells/plain?format=text"), 406, "Accept, Origin"),
    (.post("/cells/plain", "["), 400, "Origin"), (TestRequest("DELETE", "/cells"), 405, "Origin"),
    (TestRequest("OPTIONS", "/cells"), 204, "Origin"), (.get("/%zz"), 400, "Origin"),
    (TestRequest("POST", "/cells"), 411, "Origin"),
    (TestRequest("POST", "/cells", ["Content-Length": "99999999"]), 413, "Origin"),
    (.get("/livez", ["Content-Length": "1", "Transfer-Encoding": "chunked"]), 400, "Origin"),
  ]

  func ask(_ target: any HTTPTarget, _ request: TestRequest, origin: String?) async throws -> TestResponse {
    var request = request
    if let origin { request.headers.append(("Origin", origin)) }
    return try await target.send(request)
  }

  @Test(arguments: Way.allCases) func aListedOriginMayRead(way: Way) async throws {
    let target = try Self.target(way)
    for row in Self.requests {
      for origin in [Self.listed, "http://localhost:3000"] {
        let answer = try await ask(target, row.request, origin: origin)
        #expect(answer.status == row.status && answer["Vary"] == row.varies, "\(row.request.target)")
        #expect(answer["Access-Control-Allow-Origin"] == origin, "\(row.request.target)")
        let exposed = answer["Access-Control-Expose-Headers"] ?? ""
        for name in ["CellFactory-Archive", "CellFactory-Errors", "ETag", "X-Request-Id", "Retry-After"] {
          #expect(exposed.contains(name), "\(row.request.target)")
        }
        #expect(
          answer["Access-Control-Allow-Methods"] == nil && answer["Access-Control-Allow-Credentials"] == nil)
      }
    }
  }

  @Test(arguments: Way.allCases) func othersMayNot(way: Way) async throws {
    let target = try Self.target(way)
    let others: [String?] = [
      nil, "null", "", "*", "https://app.example.org.evil.example", "https://app.example.or",
      "http://app.example.org",
      "https://app.example.org:443", "https://APP.example.org",
      "https://app.example.org, http://localhost:3000",
    ]
    for row in Self.requests {
      for origin in others {
        let answer = try await ask(target, row.request, origin: origin)
        #expect(answer.status == row.status && answer["Vary"] == row.varies, "\(row.request.target)")
        #expect(Self.names.allSatisfy { answer[$0] == nil }, "\(row.request.target) \(origin ?? "-")")
      }
    }
    let twice = TestRequest("GET", "/livez", ["Origin": Self.listed, "origin": Self.listed])
    #expect(try await target.send(twice)["Access-Control-Allow-Origin"] == nil)
  }

  /// What htmx and Turbo send, and what is read.
  private static let headers: Set = [
    "Content-Type", "If-None-Match", "X-Request-Id", "HX-Boosted", "HX-Current-URL",
    "HX-History-Restore-Request",
    "HX-Prompt", "HX-Request", "HX-Target", "HX-Trigger", "HX-Trigger-Name", "Turbo-Frame",
    "X-Turbo-Request-Id",
    "X-Sec-Purpose",
  ]

  @Test(arguments: Way.allCases) func preflights(way: Way) async throws {
    let target = try Self.target(way)
    for (path, methods) in [
      ("/cells", "POST, OPTIONS"), ("/cells/plain", "GET, HEAD, POST, OPTIONS"),
      ("/kinds", "GET, HEAD, OPTIONS"),
    ] {
      let headers: KeyValuePairs = [
        "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type",
      ]
      let answer = try await ask(target, TestRequest("OPTIONS", path, headers), origin: Self.listed)
      #expect(answer.status == 204 && answer["Access-Control-Allow-Origin"] == Self.listed)
      #expect(answer["Access-Control-Allow-Methods"] == methods && answer["Allow"] == methods)
      let allowed = (answer["Access-Control-Allow-Headers"] ?? "").split(separator: ", ").map(String.init)
      #expect(Set(allowed).isSuperset(of: Self.headers), "\(allowed)")
      #expect(answer["Access-Control-Max-Age"] == "7200" && answer["Vary"] == "Origin")
      let other = try await ask(target, TestRequest("OPTIONS", path, headers), origin: "https://evil.example")
      #expect(other.status == 204 && Self.names.allSatisfy { other[$0] == nil })
    }
  }

  @Test(arguments: Way.allCases) func nothingIsLoggedIfSwitchedOff(way: Way) async throws {
    let target = try way.target()
    for row in Self.requests {
      let answer = try await ask(target, row.request, origin: Self.listed)
      #expect(answer.status == row.status && Self.names.allSatisfy { answer[$0] == nil })
      #expect(answer["Vary"] == (row.varies.hasPrefix("Accept") ? "Accept" : nil), "\(row.request.target)")
    }
  }
}
