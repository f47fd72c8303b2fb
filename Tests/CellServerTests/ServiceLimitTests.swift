import CellServer
import Cells
import Scaling
import Testing

/// Limits of the body, the output, partials and bytes in flight; and that all memory is released.
@Suite struct ServiceLimitTests {
  static func quoted(_ count: Int) -> String { "\"" + String(repeating: "x", count: count) + "\"" }

  @Test(arguments: Way.allCases) func bodies(way: Way) async throws {
    // `"xxx"` with its quotes is five bytes shorter than `<b>xxx</b>`.
    let exact = ServiceCase(
      "exact", .post("/cells/dot", Self.quoted(98)), .html("<b>" + String(repeating: "x", count: 98) + "</b>")
    )
    let over = ServiceCase("over", .post("/cells/dot", Self.quoted(99)), .problem("body-too-large"))
    var cases = [
      exact, over, ServiceCase("empty", .ndjson("/cells/dot", ""), .html("")),
      ServiceCase("far over", .post("/cells/dot", Self.quoted(300_000)), .problem("body-too-large")),
    ]
    for row in cases {
      for size in [1, 99, 100, 101] {
        var row = row
        row.request = row.request.chunked(size)
        cases.append(row)
      }
    }
    try await way.target { $0.server.bodyLimitBytes = 100 }.check(cases)
  }

  @Test(arguments: Way.allCases) func outputs(way: Way) async throws {
    let target = try way.target {
      $0.templates["tail.mustache"] = "<p>" + String(repeating: "x", count: 150) + "{{title}}</p>"
      $0.templates["end.mustache"] = "{{title}}"
      $0.service.render.outputBytes = 200
    }
    func fits(_ request: TestRequest, _ bytes: Int, _ location: SourceLocation = #_sourceLocation)
      async throws
    {
      let answer = try await target.ask(request, location)
      #expect(
        answer.status == 200 && answer.body.count == bytes, "\(answer.body.count)", sourceLocation: location)
    }
    func fails(_ request: TestRequest, _ location: SourceLocation = #_sourceLocation) async throws {
      let answer = try await target.ask(request, location)
      let problem = answer.problem(location)
      #expect(
        answer.status == 422 && problem?.code == "output-too-large", "\(answer.text)",
        sourceLocation: location)
    }
    try await fits(.post("/cells/dot", Self.quoted(193)), 200)
    try await fails(.post("/cells/dot", Self.quoted(194)))
    // Escaped text counts with its escaped length.
    try await fits(.post("/cells/dot", "\"" + String(repeating: "&", count: 38) + "\""), 197)
    try await fails(.post("/cells/dot", "\"" + String(repeating: "&", count: 39) + "\""))
    // The same for the last value of the last row when its plan is known.
    func titles(_ counts: [Int]) -> String {
      "[" + counts.map { "{\"title\":\"" + String(repeating: "&", count: $0) + "\"}" }.joined(separator: ",")
        + "]"
    }
    for _ in 0..<3 { try await fits(.post("/cells/end", titles([1, 1, 1])), 15) }
    try await fits(.post("/cells/end", titles([40])), 200)
    try await fails(.post("/cells/end", titles([41])))
    try await fails(.post("/cells/end", titles([200])))
    try await fits(.post("/cells/end", titles([1, 39])), 200)
    try await fails(.post("/cells/end", titles([1, 40])))
    try await fails(.post("/cells/end", titles([41, 0])))
    // The limit is for all rows together.
    try await fits(.post("/cells/dot", "[\(Self.quoted(93)),\(Self.quoted(93))]"), 200)
    try await fails(.post("/cells/dot", "[\(Self.quoted(93)),\(Self.quoted(94))]"))
    try await fails(.post("/cells/dot?on_error=skip", "[\(Self.quoted(93)),\(Self.quoted(94))]"))
    // Rows after a bad one are only validated, and their output does not add up: every bad row is listed.
    let good = Array(repeating: #"{"title":"123456789"}"#, count: 50).joined(separator: ",")
    try await target.check([
      ServiceCase(
        "behind a bad row", .post("/cells/plain?missing=error", "[{},\(good),{}]"),
        .problem("invalid-row", errors: ["/0/title: invalid-row", "/51/title: invalid-row"]))
    ])
    // Bad rows are skipped and need no room.
    let deep = String(repeating: #"{"kid":"#, count: 66) + "0" + String(repeating: "}", count: 66)
    let rendered = "<p>" + String(repeating: "x", count: 150) + "a</p>"
    try await target.check([
      ServiceCase(
        "too deep, behind another", .post("/cells/tree?on_error=skip", "[{},\(deep),{}]"),
        .html("<i></i><i></i>"), headers: ["CellFactory-Errors": "1"]),
      ServiceCase(
        "without a name, behind another",
        .post("/cells/tail?on_error=skip&missing=error", #"[{"title":"a"},{}]"#),
        .html(rendered), headers: ["CellFactory-Errors": "1"]),
      ServiceCase(
        "without a name, one by one",
        .post(
          "/cells?on_error=skip&missing=error",
          #"[{"kind":"tail","data":{"title":"a"}},{"kind":"tail"}]"#),
        .html(rendered), headers: ["CellFactory-Errors": "1"]),
      ServiceCase(
        "without a name, refused",
        .post("/cells/tail?missing=error", #"[{"title":"a"},{}]"#),
        .problem("invalid-row", errors: ["/1/title: invalid-row"])),
    ])
    // The limit includes the JSON around the cells.
    let around = #"{"rows":[{"index":0,"kind":"dot","html":"<b></b>"}],"errors":0}"#.utf8.count
    try await fits(.post("/cells/dot?format=json&fields=html", Self.quoted(200 - around)), 200)
    try await fails(.post("/cells/dot?format=json&fields=html", Self.quoted(201 - around)))
    let line = #"{"index":0,"kind":"dot","html":"<b></b>"}"#.utf8.count + 1
    try await fits(.post("/cells/dot?format=ndjson&fields=html", Self.quoted(200 - line)), 200)
    try await fails(.post("/cells/dot?format=ndjson&fields=html", Self.quoted(201 - line)))
    try await fails(.get("/cells/wide"))
    try await fits(.get("/cells/plain?title=a"), 8)
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func partials(way: Way) async throws {
    func tree(_ level: Int) -> String {
      String(repeating: #"{"kid":"#, count: level) + #"{"kid":false}"# + String(repeating: "}", count: level)
    }
    func rendered(_ level: Int) -> String {
      String(repeating: "<i>", count: level + 1) + String(repeating: "</i>", count: level + 1)
    }
    let deep = ServiceBatchTests.error("too-deep", 422, "/1")
    try await way.target().check([
      ServiceCase("level 0", .post("/cells/tree", tree(0)), .html(rendered(0))),
      ServiceCase("level 64", .post("/cells/tree", tree(64)), .html(rendered(64))),
      ServiceCase("level 65", .post("/cells/tree", tree(65)), .problem("too-deep", errors: [": too-deep"])),
      ServiceCase(
        "among others", .post("/cells/tree", "[\(tree(1)),\(tree(65)),\(tree(64))]"),
        .problem("too-deep", errors: ["/1: too-deep"])),
      ServiceCase(
        "skipped", .post("/cells/tree?on_error=skip", "[\(tree(1)),\(tree(65)),\(tree(64))]"),
        .html(rendered(1) + rendered(64)),
        headers: ["CellFactory-Errors": "1"]),
      ServiceCase(
        "skipped in JSON",
        .post("/cells/tree?on_error=skip&format=json&fields=html", "[\(tree(0)),\(tree(65))]"),
        .json(
          #"{"rows":[{"index":0,"kind":"tree","html":"<i></i>"},{"index":1,"kind":"tree",\#(deep)}],"errors":1}"#
        ),
        headers: ["CellFactory-Errors": "1"]),
      ServiceCase("without end", .get("/cells/loop"), .problem("too-deep", errors: [": too-deep"])),
      ServiceCase(
        "without end, many", .post("/cells/loop", "[0,0]"),
        .problem("too-deep", errors: ["/0: too-deep", "/1: too-deep"])),
      ServiceCase(
        "by a name", .post("/cells/any", #"{"name":"any"}"#), .problem("too-deep", errors: [": too-deep"])),
      ServiceCase(
        "with other bad rows", .post("/cells", #"[{"kind":"loop"},{"kind":"none"}]"#),
        .problem("invalid-row", errors: ["/0: too-deep", "/1/kind: unknown-kind"])),
    ])
    try await way.target { $0.service.render.partialDepth = 1 }.check([
      ServiceCase("level 1", .post("/cells/tree", tree(1)), .html(rendered(1))),
      ServiceCase("level 2", .post("/cells/tree", tree(2)), .problem("too-deep", errors: [": too-deep"])),
    ])
  }

  /// A worker that may hold 400 kB: what never fits is refused with the limit's name, and afterwards nothing
  /// is held.
  @Test(arguments: Way.allCases) func bytesInFlight(way: Way) async throws {
    let target = try way.target {
      $0.server.inFlightLimitBytes = 400_000
      $0.service.fields = 100_000
    }
    let small = ServiceCase("small", .post("/cells/dot", "[1]"), .html("<b>1</b>"))
    let numbers = "[" + String(repeating: "0,", count: 50_000) + "0]"
    let rows: [ServiceCase] = [
      ServiceCase("a body", .post("/cells/dot", Self.quoted(400_000)), .problem("body-too-large")),
      ServiceCase(
        "a body in chunks", .post("/cells/dot", Self.quoted(400_000)).chunked(10_000),
        .problem("body-too-large")),
      ServiceCase("what the parser needs", .post("/cells/dot", numbers), .problem("body-too-large")),
      ServiceCase(
        "lines", .ndjson("/cells/dot", String(repeating: "0\n", count: 50_000)), .problem("body-too-large")),
      ServiceCase(
        "fields", .form("/cells/dot", String(repeating: "a=1&", count: 30_000)), .problem("body-too-large")),
      ServiceCase(
        "output", .post("/cells/wide", "[" + String(repeating: "0,", count: 500) + "0]"),
        .problem("output-too-large")),
      ServiceCase(
        "output as JSON", .post("/cells/wide?format=json", "[" + String(repeating: "0,", count: 500) + "0]"),
        .problem("output-too-large")),
    ]
    for row in rows {
      try await target.check([row, small])
      let problem = try await target.ask(row.request).problem()
      #expect(problem?.detail.contains("--in-flight-limit-bytes (400000)") == true, "\(row.name)")
    }
    #expect(await target.heldBytes() == 0)
  }

  /// With the limit of the shipped manifests. A retry would never succeed.
  @Test func aBodyThatCanNeverBeReadIsRefusedForGood() async throws {
    let target = try Way.inProcess.target { $0.server.inFlightLimitBytes = 128 << 20 }
    func rows(_ bytes: Int) -> String { "[" + Self.quoted(bytes - 4) + "]" }
    let answer = try await target.ask(.post("/cells/plain", rows(12 << 20)))
    #expect(answer.status == 413 && answer["Retry-After"] == nil)
    #expect(answer.problem()?.detail.contains("--in-flight-limit-bytes (134217728)") == true)
    #expect(try await target.ask(.post("/cells/place", rows(8 << 20))).status == 200)
    #expect(
      RowSettings.bytesToRead(bodyOf: 8 << 20, depth: 512) <= MemoryBudget.largestBytes(within: 128 << 20))
    #expect(
      RowSettings.bytesToRead(bodyOf: 12 << 20, depth: 512) > MemoryBudget.largestBytes(within: 128 << 20))
    #expect(await target.heldBytes() == 0)
  }

  /// On an idle server, an answer of any size is either sent or refused for good, so that a retry is never needed.
  @Test func nothingIsRefusedForNowByAnIdleServer() async throws {
    let limitBytes = 1 << 20
    let target = try Way.inProcess.target {
      $0.templates["list.mustache"] = "{{#l}}<p>{{.}}{{.}}</p>{{/l}}"
      $0.server.inFlightLimitBytes = limitBytes
    }
    func list(_ item: String, _ bytes: Int) -> String {
      Array(repeating: item, count: bytes / (item.utf8.count + 1)).joined(separator: ",")
    }
    let shapes: [(String, (Int) -> TestRequest)] = [
      ("a list of numbers", { .post("/cells/list", #"{"l":[\#(list("1", $0))]}"#) }),
      ("as JSON", { .post("/cells/list?format=json", #"{"l":[\#(list(#""xxxxxx""#, $0))]}"#) }),
      ("what is escaped", { .post("/cells/dot", "\"" + String(repeating: "&", count: $0) + "\"") }),
      ("rows", { .post("/cells/plain", "[\(list(#"{"title":"xxxxxxxxxx"}"#, $0))]") }),
      ("lines", { .ndjson("/cells/dot", String(repeating: "\"xxxxxx\"\n", count: $0 / 9)) }),
      ("a form", { .form("/cells/dot", "a=" + String(repeating: "x", count: $0)) }),
      ("in chunks", { .post("/cells/dot", "\"" + String(repeating: "&", count: $0) + "\"").chunked(10_000) }),
    ]
    // Bodies that fit without their head.
    let accepted = ["Accept": "*/*" + String(repeating: ",text/html", count: 500)] as KeyValuePairs
    for missing in [0, 1, 1000, 5000] {
      let body = "\"" + String(repeating: "&", count: limitBytes / 16 * 15 - 2 - missing) + "\""
      for request in [
        TestRequest.post("/cells/dot", body, accepted), .post("/cells/dot", body, accepted).chunked(9000),
      ] {
        let answer = try await target.ask(request)
        #expect(answer.status == 413 && answer["Retry-After"] == nil, "\(answer.text)")
      }
    }
    for (name, request) in shapes {
      var statuses: Set<Int> = []
      for step in 1...40 {
        let answer = try await target.ask(request(limitBytes * step / 480))
        statuses.insert(answer.status)
        if answer.status == 200 { continue }
        #expect([413, 422].contains(answer.status), "\(name), step \(step): \(answer.text)")
        #expect(answer["Retry-After"] == nil)
        #expect(answer.problem()?.detail.contains("--in-flight-limit-bytes (\(limitBytes))") == true)
      }
      #expect(statuses.contains(200) && statuses.count > 1, "\(name): \(statuses)")
    }
    #expect(await target.heldBytes() == 0)
  }

  /// Where there is no room for what follows the rows, it is appended once all the same.
  @Test func answersAreClosedOnce() async throws {
    let target = try Way.inProcess.target {
      $0.templates["list.mustache"] = "{{#l}}\(String(repeating: "A", count: 1024)){{/l}}{{t}}"
      $0.server.inFlightLimitBytes = 1 << 20
    }
    func rows(_ items: Int, _ text: Int) -> String {
      let list = Array(repeating: "1", count: items).joined(separator: ",")
      return #"[{"l":[\#(list)],"t":"\#(String(repeating: "x", count: text))"}]"#
    }
    let frame = try await target.ask(.post("/cells/list?format=json&fields=html", rows(0, 0))).text.utf8.count
    // The answer ends just beyond a step of its buffer.
    for wanted in [128 << 10, 512 << 10] {
      let (items, text) = (wanted + 6 - frame).quotientAndRemainder(dividingBy: 1024)
      for pad in stride(from: 0, to: 60_000, by: 300) {
        let body = rows(items, text) + String(repeating: " ", count: pad)
        let answer = try await target.ask(.post("/cells/list?format=json&fields=html", body))
        if answer.status == 422 { continue }
        #expect(answer.status == 200 && answer.text.utf8.count == wanted + 6, "\(wanted), \(pad)")
      }
    }
  }

  /// Whether an answer fits does not depend on the buffers that its worker has kept from others. It does depend on where slices
  /// end, so here they do not.
  @Test(.timeLimit(.minutes(3))) func whatFitsDoesNotDependOnEarlierRequests() async throws {
    let limitBytes = 1 << 20
    let target = try StreamLiveTests.target {
      $0.templates["four.mustache"] = "<p>{{x}}{{x}}{{x}}{{x}}</p>"
      $0.templates["one.mustache"] = "<p>{{x}}</p>"
      $0.service.sliceMicroseconds = 60_000_000
      $0.server.inFlightLimitBytes = limitBytes
    }
    let shapes: [(Int) -> String] = [
      { #"[{"x":\#(String(repeating: "9", count: $0))}]"# },
      { #"[{"x":"\#(String(repeating: "<", count: $0))"}]"# },
      { #"[{"x":[\#(String(repeating: "1,", count: $0 / 2))1]}]"# },
      { "[" + Array(repeating: #"{"x":1}"#, count: $0 / 8).joined(separator: ",") + "]" },
    ]
    var requests: [TestRequest] = []
    for shape in shapes {
      for kind in ["four", "one"] {
        for query in ["", "?format=json", "?missing=error"] {
          for step in 9..<30 {
            requests.append(.post("/cells/\(kind)\(query)", shape(limitBytes * step / 400)))
          }
        }
      }
    }
    var random = SeededNumbers(state: 14)
    var order = Array(requests.indices)
    var statuses = requests.map { _ in Set<Int>() }
    for _ in 0..<3 {
      order.shuffle(using: &random)
      for index in order {
        // Until the connection of the last one is closed, it is in flight.
        try #require(await target.isIdle())
        statuses[index].insert(try await target.ask(requests[index]).status)
      }
    }
    let odd = zip(requests, statuses).filter { $1.count > 1 || !$1.isSubset(of: [200, 413, 422]) }
    let examples = odd.prefix(5).map { "\($0.target) \($0.body?.count ?? 0) \($1)" }
    #expect(odd.count == 0, "such as \(examples)")
    #expect(Set(statuses.joined()).count > 1)
    #expect(await target.heldBytes() == 0)
  }

  /// Rows that are longer than plans print are tried by a plan first, which grows the answer. Near the limit, each ends all the same.
  @Test(.timeLimit(.minutes(3))) func rowsThatGrowTheAnswerEnd() async throws {
    let row = "{\"title\":\"" + String(repeating: "&", count: 50_000) + "\"}"
    for limitBytes in stride(from: 1_000_000, through: 9_000_000, by: 500_000) {
      let target = try Way.inProcess.target { $0.server.inFlightLimitBytes = limitBytes }
      for count in [1, 4, 8, 9] {
        let rows = Array(repeating: row, count: count).joined(separator: ",")
        let answer = try await target.ask(.post("/cells/plain", "[\(rows)]"))
        #expect([200, 413, 422].contains(answer.status), "\(limitBytes), \(count): \(answer.text)")
      }
      #expect(await target.heldBytes() == 0)
    }
  }

  /// The buffer of a chunked body is charged by doubling, up to 1,280,000 bytes here; a complete body by its
  /// length.
  @Test func aChunkedBodyNeedsNoMoreMemory() async throws {
    let list = "[" + String(repeating: " ", count: 999_997) + "1]"
    let needed = RowSettings.bytesToRead(bodyOf: list.utf8.count, depth: 512) + 150_000
    let target = try Way.inProcess.target { $0.server.inFlightLimitBytes = needed * 16 / 15 }
    #expect(try await target.ask(.post("/cells/dot", list).chunked(40_000)).text == "<b>1</b>")
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func nothingIsHeldAfterwards(way: Way) async throws {
    let target = try way.target()
    let big = "[" + (0..<20_000).map { "{\"title\":\"\($0)\"}" }.joined(separator: ",") + "]"
    let requests: [TestRequest] = [
      .post("/cells/plain", big), .post("/cells/plain?format=json", big),
      .ndjson("/cells/plain?format=ndjson", big),
      .post("/cells/plain", String(big.dropLast())), .post("/cells/none", big), .post("/cells", big),
      .post("/cells?on_error=skip&format=json", big),
      .form("/cells/dot", String(repeating: "a=1&", count: 100_000)),
      .form("/cells/dot", String(repeating: "a=1&", count: 100_000) + "a.b=1"),
      .post("/cells/plain", big, type: "image/png"), .post("/cells/plain", big).chunked(1000),
    ]
    for request in requests {
      let answer = try await target.ask(request)
      #expect(await target.heldBytes() == 0, "\(answer.status)")
    }
  }
}
