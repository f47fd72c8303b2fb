import Glibc
import Testing

@Suite struct CommandServeTests {
  /// Addresses to listen on, with one that clients use. An IPv6 address is printed in brackets.
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("127.0.0.3", "127.0.0.3"), ("::1", "::1"),
    ("::", "::1"), ("::", "127.0.0.1"),
  ])
  func standardOutputHoldsOneLineAndNothingElse(host: String, client: String) throws {
    let server = try ServeProcess("--host", host)
    #expect((1...65535).contains(server.port))
    for _ in 0..<3 {
      let connection = try #require(HTTPConnection(port: server.port, host: client))
      connection.send(ServeProcess.request("/cells/news", "[{\"title\":\"a\"}]"))
      guard case .answer(let answer) = connection.read() else { throw ServeProcess.NoAnswer(request: "") }
      #expect(answer.status == 200)
    }
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
    let printed = host.contains(":") ? "[\(host)]" : host
    #expect(server.process.outputText == "listening on http://\(printed):\(server.port)\n")
  }

  @Test func moreConnectionsThanFilesMayBeOpenAreWarnedOf() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // The server raises its limit to the hard limit, which a test cannot know.
    let connections = min(Int(clamping: limit.rlim_max), 1_000_000)
    let server = try ServeProcess("--connections", "\(connections)")
    server.awaitLog("serving")
    if connections < 1_000_000 { server.awaitLog("files=\(connections) ") }
    #expect(try server.get("/readyz").status == 200)
  }

  /// Such bodies would be accepted and then refused for lack of memory, even by an idle server.
  @Test func bodiesThatCannotBeReadCauseAWarning() throws {
    let limit = ["--in-flight-limit-bytes", "\(128 << 20)"]
    let server = try ServeProcess(limit[0], limit[1])
    server.awaitLog("cannot be read within --in-flight-limit-bytes")
    server.awaitLog("body_limit_bytes=16777216")
    let fitting = try ServeProcess(limit[0], limit[1], "--body-limit-bytes", "\(8 << 20)")
    fitting.awaitLog("serving")
    #expect(try fitting.get("/readyz").status == 200)
    #expect(!fitting.process.errorText.contains("cannot be read"))
  }

  @Test func withoutTheAccessLogNoRequestIsLogged() throws {
    let server = try ServeProcess("--log-level", "debug")
    server.awaitLog("serving")
    let before = server.process.errorText
    #expect(before.contains(" info ") && before.split(separator: "\n").count == 1)
    for _ in 0..<10 {
      #expect(try server.post("/cells/news", "[{}]").status == 200)
      #expect(try server.get("/nothing").status == 404)
      #expect(try server.post("/cells/news", "[").status == 400)
    }
    #expect(server.process.errorText == before)
  }

  @Test func withTheAccessLogEachRequestIsOneLine() throws {
    let server = try ServeProcess("--access-log")
    let rows: [(request: String, method: String, path: String, status: Int)] = [
      (ServeProcess.request("/cells/news?format=json", "[{}]"), "POST", "/cells/news", 200),
      (ServeProcess.request("/cells/news", "["), "POST", "/cells/news", 400),
      ("GET /kinds HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/kinds", 200),
      ("GET /a%0Ab HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/a%0Ab", 404),
      ("OPTIONS /cells HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "/cells", 204),
      ("POST /cells HTTP/1.1\r\nHost: a\r\n\r\n", "POST", "/cells", 411),
      ("BREW /cells HTTP/1.1\r\nHost: a\r\n\r\n", "BREW", "/cells", 405),
    ]
    for (number, row) in rows.enumerated() {
      #expect(try server.ask(row.request).status == row.status)
      server.awaitLogLines(number + 1, " info request ")
      let lines = server.process.errorText.split(separator: "\n").filter { $0.contains(" info request ") }
      try #require(lines.count == number + 1)
      let line = lines[number]
      #expect(line.contains("method=\(row.method) "), "\(line)")
      #expect(line.contains("path=\(row.path) "), "\(line)")
      #expect(line.contains("status=\(row.status) "), "\(line)")
    }
    #expect(server.process.outputText.split(separator: "\n").count == 1)
  }

  @Test func unknownKindsAreLoggedButNotEachOfMany() throws {
    let server = try ServeProcess()
    let start = Clock.seconds
    for _ in 0..<30 { #expect(try server.post("/cells/no%0Asuch", "{}").status == 404) }
    server.awaitLog("unknown kind")
    let lines = server.process.errorText.split(separator: "\n").filter { $0.contains("unknown kind") }
    // One line per second.
    #expect((1...2 + Int(Clock.seconds - start)).contains(lines.count))
    #expect(
      lines.allSatisfy {
        $0.contains(" warning ") && ($0.contains(#"no\nsuch"#) || $0.contains(" suppressed="))
      })
  }

  @Test func optionsReachTheServer() throws {
    let folder = try TemporaryFolder(["deep.mustache": "{{>deep}}", "name.mustache": "[{{name}}]"])
    let server = try ServeProcess(
      "--templates", folder.path, "--json-depth", "3", "--partial-depth", "5", "--body-limit-bytes", "60",
      "--output-limit-bytes", "40", "--missing", "error", "--reuse", "off", "--head-limit-bytes", "2048",
      "--workers", "1")
    #expect(try server.post("/cells/name", "[{\"name\":\"a\"}]").text == "[a]")
    #expect(try server.post("/cells/name", "[{}]").status == 422)
    #expect(try server.post("/cells/name?missing=keep", "[{}]").text == "[]")
    #expect(try server.post("/cells/deep", "{}").text.contains("deeper than 5"))
    #expect(try server.post("/cells/name", "[[[[]]]]").text.contains("too-deep"))
    #expect(try server.post("/cells/name", String(repeating: " ", count: 61)).status == 413)
    #expect(
      try server.post("/cells/name", "{\"name\":\"\(String(repeating: "<", count: 40))\"}").text
        .contains("output-too-large"))
    #expect(try server.get("/livez?" + String(repeating: "a", count: 2100)).status == 431)
  }
}
