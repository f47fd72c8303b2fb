import CellServer
import Foundation
import Testing

/// The exact values of `/metrics` after known requests.
@Suite struct MetricsLiveTests {
  static func target(_ change: (inout TargetSetup) -> Void = { _ in }) throws -> LiveTarget {
    var setup = TargetSetup()
    change(&setup)
    return try LiveTarget(setup)
  }

  static func scrape(_ target: LiveTarget) async throws -> MetricsScrape {
    MetricsScrape(try await target.ask(.get("/metrics")).text)
  }

  static func requests(_ route: String, _ kind: String, _ status: Int) -> String {
    "{route=\"\(route)\",kind=\"\(kind)\",status=\"\(status)\"}"
  }

  @Test func theAnswerIsPrometheusText() async throws {
    let target = try Self.target()
    let answer = try await target.ask(.get("/metrics", ["Accept": "application/json"]))
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    let head = try await target.ask(TestRequest("HEAD", "/metrics"))
    #expect(head.status == 200 && head.body.isEmpty && (Int(head["Content-Length"] ?? "") ?? 0) > 5000)
    #expect(try await target.ask(.get("/metrics?name=x")).status == 400)
    #expect(try await target.ask(.post("/metrics", "{}")).status == 405)
    #expect(try await target.ask(TestRequest("OPTIONS", "/metrics"))["Allow"] == "GET, HEAD, OPTIONS")
  }

  /// A scrape of many kinds is made as the client takes it, so that one that does not read holds a piece, and no more.
  @Test(arguments: [1, 2]) func aLargeScrapeIsStreamed(workers: Int) async throws {
    let long = String(repeating: "x", count: 200)
    let kinds = (1000..<1400).map { "\($0)\(long)" }
    let target = try Self.target {
      $0.templates = Dictionary(uniqueKeysWithValues: kinds.map { ("\($0).mustache", "{{a}}") })
      $0.server.metrics = Metrics(version: "1.2.3", kindLimit: 1000)
      $0.server.workers = workers
    }
    for kind in kinds.suffix(3) { _ = try await target.ask(.post("/cells/\(kind)", "[{},{}]")) }
    for _ in 0..<3 {
      let answer = try await target.ask(.get("/metrics"))
      #expect(answer.isStreamed && answer.body.count > 100_000)
      let scrape = MetricsScrape(answer.text)
      for (number, kind) in kinds.enumerated() {
        let rows = scrape["cellfactory_rows_rendered_total{kind=\"\(kind)\"}"]
        #expect(rows == (number < kinds.count - 3 ? 0 : 2))
      }
      #expect(
        scrape["cellfactory_requests_total" + Self.requests("/cells/{kind}", kinds.last ?? "", 200)] == 1)
      #expect(scrape["process_start_time_seconds"] != nil, "it ends with what is last")
    }
    #expect(await target.heldBytes() == 0)
  }

  /// Requests, how each is counted, and the number of rows it renders by kind.
  static let traffic: [(TestRequest, times: Int, subject: String)] = [
    (.post("/cells/plain", #"[{"title":"a"},{"title":"b"}]"#), 3, requests("/cells/{kind}", "plain", 200)),
    (.get("/cells/plain?title=a"), 2, requests("/cells/{kind}", "plain", 200)),
    (.get("/cells/plain?title=a", ["If-None-Match": "*"]), 1, requests("/cells/{kind}", "plain", 304)),
    (TestRequest("HEAD", "/cells/plain?title=a"), 1, requests("/cells/{kind}", "plain", 200)),
    (.post("/cells/shop%2Fprice", "{}"), 2, requests("/cells/{kind}", "shop/price", 200)),
    (.post("/cells/dot", "[1,"), 2, requests("/cells/{kind}", "dot", 400)),
    (.post("/cells/dot?missing=no", "[1]"), 1, requests("/cells/{kind}", "dot", 400)),
    (.post("/cells/none", "{}"), 4, requests("/cells/{kind}", "unknown", 404)),
    (.get(#"/cells/a%22b%0A"#), 1, requests("/cells/{kind}", "unknown", 404)),
    (TestRequest("DELETE", "/cells/dot"), 1, requests("/cells/{kind}", "dot", 405)),
    (.get("/cells/dot", ["Accept": "image/png"]), 1, requests("/cells/{kind}", "dot", 406)),
    (.post("/cells/dot", "1", type: "text/csv"), 1, requests("/cells/{kind}", "dot", 415)),
    (
      .post("/cells", #"[{"kind":"plain"},{"kind":"dot","data":1},{"kind":"none"}]"#), 2,
      requests("/cells", "", 422)
    ),
    (
      .post("/cells?on_error=skip", #"[{"kind":"plain"},{"kind":"dot","data":1},{"kind":"none"},3]"#), 1,
      requests("/cells", "", 200)
    ),
    (.ndjson("/cells/dot?on_error=skip&format=json", "1\n2\n{\n"), 1, requests("/cells/{kind}", "dot", 200)),
    (.post("/cells/loop", "{}"), 1, requests("/cells/{kind}", "loop", 422)),
    (.get("/kinds"), 1, requests("/kinds", "", 200)),
    (.get("/kinds/dot"), 1, requests("/kinds/{kind}", "dot", 200)),
    (.get("/kinds/none"), 1, requests("/kinds/{kind}", "unknown", 404)),
    (.get("/schemas/dot"), 1, requests("/schemas/{kind}", "dot", 200)),
    (.get("/livez"), 1, requests("/livez", "", 200)),
    (.get("/readyz"), 1, requests("/readyz", "", 200)),
    (TestRequest("OPTIONS", "*"), 1, requests("*", "", 204)),
    (.get("/nothing/here"), 2, requests("other", "", 404)),
    (.get("/cells/%zz"), 1, requests("other", "", 400)),
    (TestRequest("POST", "/cells/dot"), 1, requests("none", "", 411)),
    (TestRequest("GET", "/livez", ["Host": "b"]), 1, requests("none", "", 400)),
  ]

  /// A sample for every reason, most of them 0.
  private static func refused(_ counts: [String: Double]) -> [String: Double] {
    let reasons = ["guard", "head_too_large", "body_too_large", "memory", "queue", "in_flight"]
    let none = Dictionary(uniqueKeysWithValues: reasons.map { ($0, 0.0) })
    let all = none.merging(counts) { $1 }
    return Dictionary(uniqueKeysWithValues: all.map { ("{reason=\"\($0.key)\"}", $0.value) })
  }

  @Test(arguments: [1, 3]) func everyRequestIsCountedByRouteKindAndStatus(workers: Int) async throws {
    let target = try Self.target { $0.server.workers = workers }
    var expected: [String: Double] = [:]
    var received = 0
    var bodies = 0
    for (request, times, subject) in Self.traffic {
      for _ in 0..<times {
        let answer = try await target.send(request)
        #expect(subject.hasSuffix("status=\"\(answer.status)\"}"), "\(request.target)")
        received += answer.body.count
        bodies += request.body?.count ?? 0
      }
      expected[subject, default: 0] += Double(times)
    }
    #expect(await target.eventually { $0.inFlight == 0 })
    let scrape = try await Self.scrape(target)
    #expect(scrape.samples(of: "cellfactory_requests_total") == expected)

    // One latency for each request, by route.
    var byRoute: [String: Double] = [:]
    for (subject, count) in expected { byRoute[subject.prefix { $0 != "," } + "}", default: 0] += count }
    #expect(scrape.samples(of: "cellfactory_request_duration_seconds_count") == byRoute)

    #expect(scrape["cellfactory_response_body_bytes_total"] == Double(received))
    #expect(scrape["cellfactory_request_body_bytes_total"] == Double(bodies))
    let rows = scrape.samples(of: "cellfactory_rows_rendered_total")
    #expect(
      rows.filter { $0.value > 0 } == [
        // Twice 3, 2 + 1 + 1 by GET and HEAD, 2 + 1 items; 2 + 1 items and 2 lines.
        "{kind=\"plain\"}": 13, "{kind=\"shop/price\"}": 2, "{kind=\"dot\"}": 5,
      ])
    #expect(rows.count == ServiceTemplates.kinds.count + 1)
    // 2 + 2 items, a line, and the row that is too deep.
    #expect(scrape["cellfactory_rows_bad_total"] == 6)
    // Everything that was parsed was rendered: 3 + 2 + 1 + 1, 2, the batches' 3, NDJSON, and the row that is
    // too deep.
    #expect(scrape["cellfactory_parse_duration_seconds_count"] == 14)
    #expect(scrape["cellfactory_render_duration_seconds_count"] == 14)
    #expect(scrape.samples(of: "cellfactory_requests_refused_total") == Self.refused(["guard": 2]))
    #expect(scrape["cellfactory_requests_aborted_total"] == 0)
  }

  @Test func timesAddUp() async throws {
    let target = try Self.target()
    let rows = "[" + String(repeating: "{\"title\":\"a\"},", count: 2000) + "{}]"
    for _ in 0..<5 { _ = try await target.ask(.post("/cells/plain", rows)) }
    let scrape = try await Self.scrape(target)
    let whole = try #require(scrape["cellfactory_request_duration_seconds_sum{route=\"/cells/{kind}\"}"])
    let parse = try #require(scrape["cellfactory_parse_duration_seconds_sum"])
    let render = try #require(scrape["cellfactory_render_duration_seconds_sum"])
    #expect(parse > 0 && render > 0 && parse + render <= whole)
    let busy = try #require(scrape["cellfactory_loop_turn_duration_seconds_sum{worker=\"0\"}"])
    // A body may arrive in several turns, and the request waits between them.
    #expect(busy >= parse + render)
    #expect(scrape["cellfactory_loop_turn_duration_seconds_count{worker=\"0\"}"] ?? 0 >= 5)
  }

  @Test func aStreamedAnswerIsCountedOnceAtItsEnd() async throws {
    let target = try Self.target {
      $0.service.completeBytes = 1000
      $0.service.sliceMicroseconds = 0
      $0.service.sliceBodyBytes = 1000
    }
    let rows = (0..<3000).map { #"{"title":"\#($0)"}"# }
    var bytes = 0
    for query in ["", "?missing=error", "?format=json"] {
      let answer = try await target.ask(.post("/cells/plain\(query)", "[\(rows.joined(separator: ","))]"))
      #expect(answer.isStreamed)
      bytes += answer.body.count
    }
    let lines = rows.joined(separator: "\n") + "\n{\n"
    let skipped = try await target.ask(.ndjson("/cells/plain?on_error=skip", lines))
    #expect(skipped.isStreamed && skipped["CellFactory-Errors"] == "1")
    let refused = try await target.ask(.ndjson("/cells/plain", lines))
    #expect(refused.status == 422)
    #expect(await target.isIdle())
    let scrape = try await Self.scrape(target)
    #expect(
      scrape.samples(of: "cellfactory_requests_total") == [
        Self.requests("/cells/{kind}", "plain", 200): 4, Self.requests("/cells/{kind}", "plain", 422): 1,
      ])
    #expect(
      scrape["cellfactory_response_body_bytes_total"]
        == Double(bytes + skipped.body.count + refused.body.count))
    #expect(scrape["cellfactory_parse_duration_seconds_count"] == 5)
    #expect(scrape["cellfactory_render_duration_seconds_count"] == 5)
    #expect(scrape["cellfactory_rows_bad_total"] == 2)
    // Rows rendered only for validation do not count; of the refused request, only the beginning was
    // rendered.
    let rendered = try #require(scrape["cellfactory_rows_rendered_total{kind=\"plain\"}"])
    #expect((12_000..<15_000).contains(rendered))
    #expect(scrape["cellfactory_requests_aborted_total"] == 0)
  }

  @Test func disconnectsAreAborts() async throws {
    let target = try Self.target()
    do {
      let (reader, sender) = (StreamLiveTests.begun(target), target.client)
      sender.send("POST /cells/dot HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n[1")
      #expect(Patience.awaits { target.server.statistics[0].inFlight == 2 })
      withExtendedLifetime((reader, sender)) {}
    }
    #expect(await target.isIdle())
    let scrape = try await Self.scrape(target)
    #expect(scrape["cellfactory_requests_aborted_total"] == 2)
    #expect(
      scrape["cellfactory_request_body_bytes_total"] == Double((StreamLiveTests.request.body?.count ?? 0) + 2)
    )
  }

  @Test func thePoolAndThePlansAreShown() async throws {
    let target = try Self.target()
    for _ in 0..<4 { _ = try await target.ask(.post("/cells/plain", #"[{"title":"a"},{"title":"b"}]"#)) }
    let scrape = try await Self.scrape(target)
    #expect(scrape["cellfactory_reuse_misses_total"] == 1)
    #expect(scrape["cellfactory_reuse_hits_total"] == 3)
    #expect(scrape["cellfactory_reuse_evictions_total"] == 0)
    #expect(scrape["cellfactory_reuse_held_cells"] == 1)
    #expect(scrape["cellfactory_plans_learnt_total"] == 1)
    #expect(scrape["cellfactory_plan_rows_total"] == 7)
    #expect(scrape["cellfactory_plan_held_bytes"] ?? 0 > 0)
  }

  /// Rows whose values need more than copying, or whose names are missing, are rows of plans, too.
  @Test func rowsThatStopWithinTheirPlanAreCounted() async throws {
    let target = try Self.target {
      $0.templates["stop.mustache"] = "<script type=\"application/json\">{{a}}</script>{{b}}"
    }
    let row = #"{"a":"x","b":"s"}"#
    let rows = Array(repeating: row, count: 5).joined(separator: ",")
    _ = try await target.ask(.post("/cells/stop", "[\(rows)]"))
    let scrape = try await Self.scrape(target)
    #expect(scrape["cellfactory_plans_learnt_total"] == 1)
    #expect(scrape["cellfactory_plan_rows_total"] == 4)
  }

  @Test func refusalsAreCountedByReason() async throws {
    let target = try Self.target {
      $0.server.bodyLimitBytes = 5000
      $0.server.headLimitBytes = 2000
      $0.server.inFlightLimitBytes = 4000
    }
    let long = String(repeating: " ", count: 6000)
    let requests: [(TestRequest, Int)] = [
      (.post("/cells/dot", long), 413),
      (.get("/livez", ["X-Long": String(repeating: "x", count: 2000)]), 431),
      (TestRequest("GET", "/livez", ["Host": "b"]), 400),
      // Refused by the announced length, and by the memory for parsing: neither can ever fit.
      (.post("/cells/dot", String(long.prefix(4000))), 413), (.post("/cells/dot", "[1]"), 413),
    ]
    for (request, status) in requests { #expect(try await target.send(request).status == status) }
    let holder = target.client
    holder.send("POST /cells/dot HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n")
    #expect(Patience.awaits { target.server.statistics[0].heldBytes == 2000 })
    #expect(try await target.send(.post("/cells/dot", String(long.prefix(2000)))).status == 503)
    let scrape = try await Self.scrape(target)
    #expect(
      scrape.samples(of: "cellfactory_requests_refused_total")
        == Self.refused(["guard": 1, "head_too_large": 1, "body_too_large": 3, "memory": 1]))
    #expect(scrape["cellfactory_in_flight_limit_bytes"] == 4000)
  }

  @Test func cutsAreCountedByDeadline() async throws {
    let target = try Self.target {
      ($0.server.headSeconds, $0.server.bodySeconds, $0.server.idleSeconds) = (0.5, 0.5, 0.5)
    }
    let silent = target.client
    let head = target.client
    head.send("GET /livez HTTP/1.1\r\nHo")
    let body = target.client
    body.send("POST /cells/dot HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n[")
    let idle = target.client
    idle.send(TestRequest.get("/livez").wire)
    #expect(idle.readAnswer()?.status == 200)
    #expect(await target.isIdle())
    _ = (silent, head, body, idle)
    let scrape = try await Self.scrape(target)
    #expect(
      scrape.samples(of: "cellfactory_connections_cut_total") == [
        "{deadline=\"head\"}": 2, "{deadline=\"body\"}": 1, "{deadline=\"idle\"}": 1,
        "{deadline=\"write\"}": 0, "{deadline=\"room\"}": 0, "{deadline=\"archive\"}": 0,
      ])
    #expect(scrape["cellfactory_requests_aborted_total"] == 2)
    #expect(scrape["cellfactory_connections_opened_total"] == 5)
  }

  @Test func theStateOfTheServerIsShown() async throws {
    let target = try Self.target {
      $0.server.workers = 2
      $0.server.connections = 77
      $0.server.metrics = Metrics(version: "1.2.3", kindLimit: 2)
    }
    let waiting = target.client
    waiting.send("POST /cells/dot HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n[")
    let holds = Patience.awaits { target.server.statistics.map(\.heldBytes).reduce(0, +) == 5000 }
    #expect(holds)
    target.setReady(false)
    let scrape = try await Self.scrape(target)
    #expect(scrape.samples(of: "cellfactory_in_flight_bytes").values.reduce(0, +) == 5000)
    #expect(scrape.samples(of: "cellfactory_connections").values.reduce(0, +) == 2)
    // The scrape is one of them.
    #expect(scrape.samples(of: "cellfactory_requests_in_flight").values.reduce(0, +) == 2)
    #expect(scrape.samples(of: "cellfactory_requests_in_flight").count == 2)
    #expect(scrape["cellfactory_connections_limit"] == 77)
    #expect(scrape["cellfactory_ready"] == 0)
    #expect(scrape.samples(of: "cellfactory_archive_info") == ["{hash=\"\(target.archiveHash)\"}": 1])
    #expect(scrape["cellfactory_archive_kinds"] == Double(ServiceTemplates.kinds.count))
    #expect(scrape.samples(of: "cellfactory_rows_rendered_total").count == 3)
    let build = scrape.samples(of: "cellfactory_build_info").keys.first ?? ""
    #expect(
      build.contains(#/version="1.2.3",swift="6\.\d",libmicrohttpd="\d+\.[\d.]+",simdjson="\d+\.[\d.]+"/#),
      "\(build)")
  }

  @Test func reloadsAreShown() async throws {
    var setup = TargetSetup()
    let metrics = Metrics()
    setup.server.metrics = metrics
    let target = try LiveTarget(setup)
    let before = try await Self.scrape(target)
    #expect(before["cellfactory_reload_last_successful"] == 1)
    let loaded = try #require(before["cellfactory_reload_timestamp_seconds"])
    #expect(abs(loaded - Date().timeIntervalSince1970) < 60)
    metrics.reloads.noteSuccess(seconds: 0.5)
    metrics.reloads.noteFailure(seconds: 0.125)
    let after = try await Self.scrape(target)
    #expect(
      after.samples(of: "cellfactory_reloads_total") == [
        "{result=\"success\"}": 1, "{result=\"failure\"}": 1,
      ])
    #expect(after["cellfactory_reload_last_successful"] == 0)
    #expect(after["cellfactory_reload_duration_seconds"] == 0.125)
    #expect(after["cellfactory_reload_timestamp_seconds"] ?? 0 > loaded)
  }

  @Test func theProcessIsShown() async throws {
    let target = try Self.target()
    let scrape = try await Self.scrape(target)
    let resident = try #require(scrape["process_resident_memory_bytes"])
    let virtual = try #require(scrape["process_virtual_memory_bytes"])
    #expect(resident > 1_000_000 && virtual >= resident)
    #expect(try #require(scrape["process_cpu_seconds_total"]) > 0)
    let files = try #require(scrape["process_open_fds"])
    let counted = Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
    #expect(files > 5 && abs(files - counted) < 10)
    #expect(try #require(scrape["process_max_fds"]) >= files)
    let start = try #require(scrape["process_start_time_seconds"])
    // The process is this test run.
    #expect((0..<3600).contains(Date().timeIntervalSince1970 - start))
  }
}
