import Foundation
import Glibc
import Testing

/// The log of `serve` in both formats.
@Suite struct CommandLogTests {
  static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  private static func get(_ target: String, _ headers: String...) -> String {
    (["GET \(target) HTTP/1.1", "Host: a"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "no object: \(line)")
    }
  }

  private static func objects(_ server: ServeProcess, _ message: String) throws -> [[String: Any]] {
    try objects(server.process.errorText).filter { $0["message"] as? String == message }
  }

  /// Startup errors are logged at every log level, otherwise nobody would know why there is no server. In a
  /// text log, they look like the errors of other commands, which `CommandStatusTests` checks.
  @Test(arguments: ["info", "critical"]) func startupErrorsAreLinesOfAJSONLog(level: String) throws {
    let folder = try TemporaryFolder([
      "good/a.mustache": "a", "bad/x.mustache": "<p>{{", "bad/y.mustache": "{{#x}}",
      "no.cells": "a text file",
    ])
    let taken = try ServeProcess()
    let rows: [(arguments: [String], messages: [String])] = [
      (["--templates", "bad"], ["bad/x.mustache:1:4: error:", "bad/y.mustache:1:1: error:"]),
      (["--archive", "no.cells"], ["no.cells: this is not a cell archive"]),
      (
        ["--templates", "good", "--port", "\(taken.port)"],
        ["cannot listen on 127.0.0.1, port \(taken.port): the address is already in use"]
      ),
    ]
    for (arguments, messages) in rows {
      let outcome = try run(
        ["serve", "--log-format", "json", "--log-level", level] + arguments, folder: folder.path)
      #expect(outcome.status == 1 && outcome.output == [], "\(arguments)")
      let lines = try Self.objects(outcome.errors)
      #expect(lines.count == messages.count, "\(outcome.errors)")
      for (line, message) in zip(lines, messages) {
        #expect((line["message"] as? String)?.hasPrefix(message) == true, "\(outcome.errors)")
        #expect(line["level"] as? String == "error" && (line["hint"] != nil) == (arguments[1] == "bad"))
      }
    }
  }

  @Test func aRequestIsAnObjectOfAJSONLog() throws {
    let server = try ServeProcess("--access-log", "--log-format", "json")
    let rows: [(request: String, members: [String: String])] = [
      (
        ServeProcess.request("/cells/news?format=json", "[{\"title\":\"hidden\"}]"),
        ["method": "POST", "path": "/cells/news", "status": "200", "level": "info"]
      ),
      (Self.get("/cells/no%0Asuch?title=hidden"), ["path": "/cells/no%0Asuch", "status": "404"]),
      (Self.get("/kinds", "X-Request-Id: a\"b\\c"), ["request_id": "a\"b\\c", "status": "200"]),
      (
        Self.get("/kinds", "X-Request-Id: \(String(repeating: "\"", count: 128))"),
        ["request_id": String(repeating: "\"", count: 128)]
      ),
      (
        Self.get("/\"\\" + String(repeating: "\"", count: 1000)),
        ["path": "/\"\\" + String(repeating: "\"", count: 197) + "…", "status": "404"]
      ),
      (
        Self.get("/kinds", "Traceparent: \(Self.trace)"),
        ["trace_id": "0af7651916cd43dd8448eb211c80319c", "parent_id": "b7ad6b7169203331"]
      ),
      (
        Self.get("/kinds", "traceparent: \(Self.trace)", "traceparent: \(Self.trace)"),
        ["trace_id": "", "parent_id": ""]
      ),
      (Self.get("/kinds", "traceparent: hidden"), ["trace_id": "", "parent_id": ""]),
      (Self.get("/kinds"), ["trace_id": "", "parent_id": ""]),
      (
        "\(String(repeating: "M", count: 200)) /kinds HTTP/1.1\r\nHost: a\r\n\r\n",
        ["method": String(repeating: "M", count: 32) + "…", "status": "405"]
      ),
      ("GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", ["path": "", "status": "400"]),
    ]
    for (number, row) in rows.enumerated() {
      let answer = try server.ask(row.request)
      server.awaitLogLines(number + 1, "\"request\"")
      let lines = try Self.objects(server, "request")
      let line = try #require(lines.last)
      for (name, value) in row.members {
        #expect("\(line[name] ?? "")" == value, "\(name) of \(line)")
      }
      #expect(line["status"] as? Int == answer.status)
      #expect(line["bytes"] as? Int == answer.body.count)
      #expect(line["request_id"] as? String == answer["X-Request-Id"])
      #expect((line["duration_us"] as? Int).map { $0 >= 0 && $0 < 60_000_000 } == true)
      let time = try #require(line["time"] as? String)
      #expect(time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
    }
    #expect(try Self.objects(server, "serving").first?["workers"] as? Int == 2)
    #expect(try Self.objects(server, "unknown kind").count == 1)
    #expect(!server.process.errorText.contains("hidden"))
  }

  @Test func noDataOfARowAndNoQueryIsEverLogged() throws {
    let server = try ServeProcess("--access-log", "--log-level", "trace")
    let secret = "s3cret"
    for body in ["[{\"title\":\"\(secret)\"}]", "[\(secret)", "{\"\(secret)\":1}"] {
      for target in ["/cells/news", "/cells", "/cells/news?missing=error", "/cells/none", "/kinds", "/\(1)"] {
        _ = try server.post("\(target)\(target.contains("?") ? "&" : "?")x=\(secret)", body)
        _ = try server.post(target, body)
      }
    }
    _ = try server.get("/cells/news?title=\(secret)")
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
    #expect(server.process.errorText.contains("status=422"))
    #expect(!server.process.errorText.contains(secret))
  }

  @Test func theLastLinesAreWrittenBeforeTheEnd() throws {
    for _ in 0..<5 {
      let server = try ServeProcess("--access-log")
      for _ in 0..<50 { #expect(try server.get("/livez").status == 200) }
      server.process.send(SIGTERM)
      #expect(server.process.wait() == 0)
      let lines = server.process.errorText.split(separator: "\n")
      #expect(lines.count { $0.contains(" info request ") } == 50)
      #expect(lines.last?.contains(" info stopping signal=SIGTERM") == true)
    }
  }

  @Test func aLevelAboveInfoHidesRequestsAndSaysSo() throws {
    let server = try ServeProcess("--access-log", "--log-level", "warning")
    #expect(try server.get("/livez").status == 200)
    server.awaitLog("requests are not logged")
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
    #expect(server.process.errorText.split(separator: "\n").count == 1)
  }

  @Test func unknownVariablesAreWarnedOf() throws {
    let server = try ServeProcess(
      environment: [
        "CELLFACTORY_PROT": "1\n2", "CELLFACTORY_SERVICE_HOST": "10.0.0.1",
        "CELLFACTORY_PORT_80_TCP_ADDR": "10.0.0.1",
      ])
    server.awaitLog("serving")
    let warnings = server.process.errorText.split(separator: "\n").filter { $0.contains(" warning ") }
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.hasSuffix(
        " warning unknown variable nearest=CELLFACTORY_PORT variable=CELLFACTORY_PROT") == true)
  }

  @Test func refusalsForOverloadAreLoggedButNotEachOfMany() throws {
    let server = try ServeProcess("--in-flight-limit-bytes", "\(1 << 20)", "--workers", "1")
    // Most of the memory is held by bodies that never arrive. The rest is too little to read another one.
    let holders = try (0..<30).map { _ in
      let holder = try server.connect()
      #expect(holder.send("POST /cells/news HTTP/1.1\r\nHost: a\r\nContent-Length: 32000\r\n\r\n["))
      return holder
    }
    defer { withExtendedLifetime(holders) {} }
    let full = Clock.seconds + CommandProcess.patience
    while try server.sum(of: "cellfactory_in_flight_bytes{") < 960_000, Clock.seconds < full { usleep(1000) }
    let body = "[" + String(repeating: " ", count: 20_000) + "]"
    for _ in 0..<5 { #expect(try server.post("/cells/news", body).status == 503) }
    func told() -> Int {
      let lines = server.process.errorText.split(separator: "\n").filter {
        $0.contains(" warning overloaded: ")
      }
      return lines.reduce(0) { sum, line in
        let suppressed = line.firstMatch(of: #/suppressed=(\d+)$/#).flatMap { Int($0.1) } ?? 0
        return sum + suppressed + (line.contains(", and more like it") ? 0 : 1)
      }
    }
    let end = Clock.seconds + CommandProcess.patience
    while told() < 5, Clock.seconds < end { usleep(1000) }
    #expect(told() == 5)
  }

  /// A stalled log collector delays neither requests nor the shutdown.
  @Test func anUnreadLogStopsNothing() throws {
    let server = try ServeProcess("--access-log", "--workers", "1", errors: .unread)
    let connection = try server.connect()
    // More than the pipe's capacity, so that the writer blocks.
    let path = "/" + String(repeating: "p", count: 199)
    let request = Self.get(
      path, "X-Request-Id: \(String(repeating: "i", count: 128))", "traceparent: \(Self.trace)")
    for _ in 0..<30 {
      connection.send(String(repeating: request, count: 50))
      for _ in 0..<50 {
        guard case .answer(let answer) = connection.read() else { throw ServeProcess.NoAnswer(request: path) }
        #expect(answer.status == 404)
      }
    }
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
    let text = server.process.readUnread(silenceMilliseconds: 10)
    #expect(text.contains(" info serving ") && !text.contains(" info stopping "))
  }
}
