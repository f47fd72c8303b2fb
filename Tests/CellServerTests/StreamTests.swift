import CellServer
import Cells
import Foundation
import Testing

/// Large batches in slices: the answer is the same as without slices, or tells where it was cut off.
@Suite struct StreamTests {
  /// Thresholds for streaming, with slices of 64 rows: at once, within the first slice, after it.
  static let sizes = [0, 1500, 9000]

  static func setup(_ setup: inout TargetSetup, completeBytes: Int?) {
    if let completeBytes {
      setup.service.completeBytes = completeBytes
      setup.service.sliceMicroseconds = 0
      setup.service.sliceBodyBytes = completeBytes
    } else {
      setup.service.makeWhole()
    }
    // Objects large enough for the positions of their members to be remembered.
    setup.templates["big.mustache"] = "<p>{{k7}}{{k33}}{{nothing}}{{#kids}}{{name}}{{/kids}}</p>"
  }

  static func list(_ row: (Int) -> String, count: Int = 300) -> String {
    "[" + (0..<count).map(row).joined(separator: ",") + "]"
  }

  static func tree(_ level: Int) -> String {
    String(repeating: #"{"kid":"#, count: level) + #"{"kid":false}"# + String(repeating: "}", count: level)
  }

  static func big(_ row: Int) -> String {
    let members = (0..<40).map { "\"k\(($0 + row) % 40)\":\"\(row).\($0)\"" }
    return "{\(members.joined(separator: ",")),\"kids\":[{\"name\":\"\(row)\"},{\"name\":\"<\"}]}"
  }

  static let titles = list { #"{"title":"row & \#($0)"}"# }
  static let lines = (0..<300).map { #"{"title":"line \#($0)"}"# }.joined(separator: "\n")
  static let badLines = (0..<300).map { $0 % 70 == 69 ? #"{"title":"# : #"{"title":"line \#($0)"}"# }
    .joined(separator: "\n\n")
  static let items = list {
    switch $0 % 4 {
    case 0: #"{"kind":"plain","id":\#($0),"data":{"title":"a"}}"#
    case 1: #"{"kind":"place","id":"\#($0)"}"#
    case 2: #"{"kind":"dot","data":[1,{"a":"\#($0)"}],"etag":"x"}"#
    default: #"{"kind":"shop/price","data":{"amount":\#($0).50}}"#
    }
  }
  /// Every kind of error in an item, far into the batch.
  static let badItems = list {
    switch $0 {
    case 150: #"{"kind":"none"}"#
    case 200: #"{"kind":"tree","data":\#(tree(65))}"#
    case 201: #"{"kind":"plain","more":1}"#
    case 250: #"{"kind":"line","data":{"title":"a"}}"#
    case 299: "3"
    default: #"{"kind":"plain","data":{"title":"\#($0)"}}"#
    }
  }
  static let trees = list { tree($0 == 280 || $0 == 20 ? 65 : $0 % 3) }
  static let nameless = list { $0 == 290 || $0 == 3 ? "{}" : #"{"title":"\#($0)"}"# }
  static let envelope =
    #"{"owner":{"name":"Ada"},"kind":"who","rows":"# + list { #"{"data":{"title":"\#($0)"}}"# } + "}"

  static let requests: [TestRequest] =
    [
      "", "?format=json", "?format=ndjson", "?on_error=skip",
      "?format=json&fields=html,outlets,nib,class,actions",
    ]
    .flatMap { query -> [TestRequest] in
      [
        .post("/cells/plain" + query, titles), .ndjson("/cells/plain" + query, lines),
        .post("/cells" + query, items), .post("/cells" + query, envelope),
        .post("/cells/big" + query, list(big)), .post("/cells/place" + query, titles),
        .post("/cells/plain" + query, titles).chunked(5000),
      ]
    }
    + ["format=html", "format=json", "format=ndjson", "format=json&missing=blank"].flatMap {
      query -> [TestRequest] in
      [
        .ndjson("/cells/plain?on_error=skip&" + query, badLines), .ndjson("/cells/plain?" + query, badLines),
        .post("/cells?on_error=skip&" + query, badItems), .post("/cells?" + query, badItems),
        .post("/cells/tree?on_error=skip&" + query, trees),
      ]
    }
    + ["format=html", "format=json", "format=ndjson"].flatMap { query -> [TestRequest] in
      [
        .post("/cells/plain?missing=error&" + query, titles),
        .post("/cells/plain?missing=error&" + query, nameless),
        .post("/cells/plain?missing=error&on_error=skip&" + query, nameless),
        .post("/cells/many?missing=error&on_error=skip&" + query, list { _ in "{}" }),
        .post("/cells/tree?missing=error&" + query, trees),
        .post("/cells?missing=error&on_error=skip&" + query, badItems),
      ]
    }
    + [
      .post("/cells/plain", String(titles.dropLast())), .ndjson("/cells/plain", "\n\n"),
      .post("/cells/plain", list { #"{"title":"\u00e9\n\"\#($0)","ti\u0074le":"last \ud83d\ude00"}"# }),
      .get("/cells/plain?title=a"), .form("/cells/plain", "title=a"),
      .post("/cells/line", titles), .post("/cells/line?format=json", titles),
      .post("/cells?format=text", list { #"{"kind":"line","data":{"title":"\#($0)"}}"# }),
    ]

  /// The first too-deep row of `trees` is in the first slice, so the request is refused for every threshold.
  /// The same holds for answers that are validated completely before their heads.
  @Test(arguments: Way.allCases) func streamedAnswersEqualWholeOnes(way: Way) async throws {
    let whole = try way.target { Self.setup(&$0, completeBytes: nil) }
    var expected: [TestResponse] = []
    for request in Self.requests { expected.append(try await whole.ask(request)) }
    #expect(expected.allSatisfy { !$0.isStreamed })
    #expect(
      expected.count { $0.status == 422 } > 10 && expected.count { $0["CellFactory-Errors"] != nil } > 10)
    for size in Self.sizes {
      let target = try way.target { Self.setup(&$0, completeBytes: size) }
      var streamed = 0
      for (request, expected) in zip(Self.requests, expected) {
        let answer = try await target.ask(request)
        let comment: Comment = "\(size): \(request.target)"
        #expect(answer.status == expected.status && answer.isComplete, comment)
        #expect(answer.body == expected.body, comment)
        #expect(answer["CellFactory-Errors"] == expected["CellFactory-Errors"], comment)
        #expect(answer["Content-Type"] == expected["Content-Type"], comment)
        if expected.status == 200, size == 0, expected.body.count > 100 {
          #expect(answer.isStreamed, comment)
        }
        streamed += answer.isStreamed ? 1 : 0
      }
      #expect(streamed > 10)
      #expect(await target.heldBytes() == 0)
    }
  }

  /// The largest answer that is sent whole, and one byte more; rows without output change nothing.
  @Test(arguments: Way.allCases) func theFirstMebibyteIsSentWhole(way: Way) async throws {
    let target = try way.target()
    let row = "\"" + String(repeating: "x", count: 1024 - 7) + "\""
    let full = Array(repeating: row, count: 1024).joined(separator: ",")
    let exact = try await target.ask(.post("/cells/dot", "[\(full)]"))
    #expect(exact.body.count == 1 << 20 && !exact.isStreamed)
    let more = try await target.ask(.post("/cells/dot", "[\(full),1,2]"))
    #expect(more.body.count == 1 << 20 + 16 && more.isStreamed)
    #expect(more.body.starts(with: exact.body) && more.text.hasSuffix("<b>1</b><b>2</b>"))
    // The last row may exceed the limit, because then nothing is left to stream.
    let last = try await target.ask(.post("/cells/dot", "[\(full),1]"))
    #expect(last.body.count == 1 << 20 + 8 && !last.isStreamed)
    let text = try await target.ask(.post("/cells/bytes", "[" + full + ",\"\",\"\"]"))
    #expect(text.body.count == 1024 * 1017 && !text.isStreamed)
    #expect(await target.heldBytes() == 0)
  }

  // MARK: Errors after the head

  /// The rows before the error are sent.
  static let faults: [(target: String, body: String, code: String, errors: Int, entries: [String])] = [
    ("/cells/plain", titles, "output-too-large", 0, []),
    ("/cells/tree", list { tree($0 == 280 ? 65 : $0 % 3) }, "too-deep", 1, ["/280: too-deep"]),
  ]

  static func failing(_ setup: inout TargetSetup, _ code: String) {
    Self.setup(&setup, completeBytes: 1000)
    if code == "output-too-large" { setup.service.render.outputBytes = 4000 }
  }

  @Test(arguments: Way.allCases) func aFaultAfterTheHeadEndsJSON(way: Way) async throws {
    for row in Self.faults {
      let answer = try await way.target { Self.failing(&$0, row.code) }.ask(
        .post(row.target + "?format=json", row.body))
      #expect(answer.status == 200 && answer.isStreamed && answer.isComplete)
      let object = answer.json() as? [String: Any]
      let problem = ProblemReader(object?["error"], #_sourceLocation)
      #expect(problem?.code == row.code && problem?.errors == row.entries)
      #expect(object?["errors"] as? Int == row.errors)
      let rows = object?["rows"] as? [[String: Any]] ?? []
      #expect(rows.count > 10 && rows.count < 300)
      #expect(rows.enumerated().allSatisfy { $1["index"] as? Int == $0 && $1["html"] is String })
    }
  }

  @Test(arguments: Way.allCases) func aFaultAfterTheHeadEndsNDJSONWithALine(way: Way) async throws {
    for row in Self.faults {
      let target = try way.target { Self.failing(&$0, row.code) }
      let answer = try await target.ask(.post(row.target + "?format=ndjson", row.body))
      #expect(answer.status == 200 && answer.isStreamed && answer.isComplete && answer.text.hasSuffix("}\n"))
      let lines = try answer.text.split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      #expect(lines.count > 10 && lines.count < 300)
      #expect(
        lines.dropLast().enumerated().allSatisfy { $1?["index"] as? Int == $0 && $1?["html"] is String })
      #expect(lines.last??.keys.sorted() == ["error"])
      #expect(ProblemReader(lines.last??["error"], #_sourceLocation)?.code == row.code)
      #expect(await target.heldBytes() == 0)
    }
  }

  @Test(arguments: Way.allCases) func aFaultAfterTheHeadCutsOffHTML(way: Way) async throws {
    for row in Self.faults {
      let whole = try await way.target { Self.setup(&$0, completeBytes: nil) }
        .ask(.post(row.target + "?on_error=skip", row.body))
      let target = try way.target { Self.failing(&$0, row.code) }
      let answer = try await target.ask(.post(row.target, row.body))
      #expect(answer.status == 200 && answer.isStreamed && !answer.isComplete)
      #expect(answer.body.count > 900 && whole.body.starts(with: answer.body))
      #expect(await target.heldBytes() == 0)
    }
  }

  /// If rows are validated by rendering them, the size is also known before the head.
  @Test(arguments: Way.allCases) func sizeIsCheckedWithTheRest(way: Way) async throws {
    let target = try way.target { Self.failing(&$0, "output-too-large") }
    for query in [
      "on_error=skip", "missing=error", "on_error=skip&format=json", "missing=error&format=ndjson",
    ] {
      let answer = try await target.ask(.post("/cells/plain?" + query, Self.titles))
      #expect(answer.problem()?.code == "output-too-large", "\(query)")
    }
    #expect(await target.heldBytes() == 0)
  }

  /// The work of validation is not counted twice; the work of rendering is limited.
  @Test func turnsAreCountedOnce() async throws {
    let rows = Self.list { _ in #"{"people":[1,2,3,4,5,6,7,8,9,10]}"# }
    for (turns, isRight) in [(3000, true), (2500, false)] {
      let target = try Way.inProcess.target {
        Self.setup(&$0, completeBytes: 1000)
        $0.service.render.iterations = turns
      }
      let judged = try await target.ask(.post("/cells/people?on_error=skip", rows))
      #expect(judged.status == (isRight ? 200 : 422))
      let streamed = try await target.ask(.post("/cells/people", rows))
      #expect(streamed.isStreamed && streamed.isComplete == isRight)
    }
  }

  /// A service that streams what has more than 1,000 bytes, and the factory for it.
  private static func streamingService() throws -> (CellFactory, CellService) {
    var setup = TargetSetup()
    Self.setup(&setup, completeBytes: 1000)
    let factory = CellFactory(archive: try setup.archive(), reuse: ReusePolicy(), executor: InlineExecutor())
    return (factory, CellService(settings: setup.service, readiness: Readiness()))
  }

  /// Between slices the factory holds nothing; ending the work at any point releases everything.
  @Test(arguments: [
    ("", 0), ("", 1), ("", 3), ("on_error=skip", 0), ("on_error=skip", 2), ("on_error=skip", 6),
  ])
  func aWorkThatIsEndedGivesAllBack(query: String, slices: Int) throws {
    let (factory, service) = try Self.streamingService()
    let budget = MemoryBudget(limitBytes: 100 << 20)
    try factory.assumeIsolated { factory in
      var body = ByteBuffer()
      body.append(text: Self.titles)
      let head = RequestHead(
        method: .post, path: "/cells/plain", query: query, contentType: "application/json")
      var answer = service.answer(head, body: &body, output: ByteBuffer(), budget: budget, factory: factory)
      var done = 0
      var work: (any AnswerWork)?
      while done < slices || work == nil {
        switch answer.rest {
        case .nothing: throw ServiceStreamFailure()
        case .unmade(let unmade):
          work = unmade
          if let next = unmade.advance(over: &body, sharers: 1, factory: factory) {
            answer = next
            // One that reads the body is replaced by one that renders.
            if case .unmade(let next) = answer.rest { work = next }
          }
        case .streamed(let streamed), .events(let streamed):
          work = streamed
          var piece = ByteBuffer()
          _ = streamed.write(into: &piece, bytes: 100, over: &body, sharers: 1, factory: factory)
        }
        done += 1
        // Every cell that was created is idle.
        #expect(factory.reuseStatistics.held == factory.reuseStatistics.misses)
      }
      #expect(budget.heldBytes > 0)
      work?.end()
      #expect(budget.heldBytes == 0)
      factory.forgetRows()
    }
  }

  /// It may take six times as much as the form, and is held as long as the answer is streamed.
  @Test func theJSONOfAFormIsCounted() throws {
    let (factory, service) = try Self.streamingService()
    let budget = MemoryBudget(limitBytes: 100 << 20)
    try factory.assumeIsolated { factory in
      var body = ByteBuffer()
      let rows = Self.list { #"{"title":"\#($0)"}"# }
      body.append(text: "rows:=\(rows)&owner.x=" + String(repeating: "\u{1}", count: 100_000))
      let formBytes = body.count
      let head = RequestHead(
        method: .post, path: "/cells/plain", query: nil, contentType: "application/x-www-form-urlencoded")
      var answer = service.answer(head, body: &body, output: ByteBuffer(), budget: budget, factory: factory)
      while case .unmade(let work) = answer.rest {
        if let next = work.advance(over: &body, sharers: 1, factory: factory) { answer = next }
      }
      guard case .streamed(let work) = answer.rest else { throw ServiceStreamFailure() }
      #expect(body.count > 6 * 100_000)
      // The form itself is charged by those who received it.
      #expect((body.count..<body.count + 100_000).contains(budget.heldBytes + formBytes))
      work.end()
      #expect(budget.heldBytes == 0)
      factory.forgetRows()
    }
  }
}

private struct ServiceStreamFailure: Error {}
