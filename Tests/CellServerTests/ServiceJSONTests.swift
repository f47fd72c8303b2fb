import CellServer
import Testing

/// A body that is not JSON: the leftmost error is reported, with line and column.
@Suite struct ServiceJSONTests {
  static func nested(_ depth: Int, _ inside: String = "") -> String {
    String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth)
  }

  static let faults: [ServiceCase] = [
    fault("nothing behind a bracket", "[", 1, 2),
    fault("nothing behind a value", "[1", 1, 3),
    fault("nothing behind a comma", "[1,\n", 2, 1),
    fault("a comma too many", "[1,]", 1, 4),
    fault("a comma for a brace", #"{"a":1,}"#, 1, 8),
    fault("the wrong bracket", "[1}", 1, 3),
    fault("no colon", #"{"a" 1}"#, 1, 6),
    fault("a key that is no string", "{a:1}", 1, 2),
    fault("two values", "[] []", 1, 4),
    fault("two values on two lines", "{}\n{}", 2, 1),
    fault("a comment", "[1, /* a */ 2]", 1, 5),
    fault("single quotes", "['a']", 1, 2),
    fault("lines and bytes are counted", "[\"é\",\r\n \"😀\", x]", 2, 10),
    fault("the first of two", "[1,\n,2,\n,3]", 2, 1),
    fault("a fault before an open end", "[,", 1, 2),
    fault("a raw line end in a string", "[\"a\nb\"]", 1, 4),
    fault("NUL in a string", "[\"a\u{0}b\"]", 1, 4),
    fault("NUL between values", "[1,\u{0}2]", 1, 4),
    fault("NUL behind the value", "[]\u{0}", 1, 3),
    fault("a BOM", "\u{FEFF}[]", 1, 1),
    fault("a scalar and more", "1 2", 1, 3),
  ]

  static func fault(
    _ name: String, _ body: String, _ line: Int, _ column: Int, _ location: SourceLocation = #_sourceLocation
  )
    -> ServiceCase
  {
    ServiceCase(
      name, .post("/cells/dot", body), .problem("invalid-json", line: line, column: column),
      location: location)
  }

  static let depth: [ServiceCase] = [
    ServiceCase("512 arrays", .post("/cells/place", nested(512)), .html("<i>0 last</i>")),
    ServiceCase(
      "512 arrays, twice", .post("/cells/place", "[\(nested(511)),\(nested(511))]"),
      .html("<i>0</i><i>1 last</i>")),
    ServiceCase("513 arrays", .post("/cells/plain", nested(513)), .problem("too-deep", line: 1, column: 513)),
    ServiceCase(
      "513 arrays that never end", .post("/cells/plain", String(repeating: "[", count: 100_000)),
      .problem("too-deep", line: 1, column: 513)),
    ServiceCase(
      "an object within 512 arrays", .post("/cells/plain", "\n" + nested(512, "{}")),
      .problem("too-deep", line: 2, column: 513)),
    ServiceCase(
      "512 objects",
      .post(
        "/cells/plain", String(repeating: #"{"a":"#, count: 511) + "{}" + String(repeating: "}", count: 511)),
      .html("<p></p>")),
    ServiceCase(
      "513 objects",
      .post(
        "/cells/plain", String(repeating: #"{"a":"#, count: 512) + "{}" + String(repeating: "}", count: 512)),
      .problem("too-deep", line: 1, column: 2561)),
    ServiceCase(
      "a fault before the depth", .post("/cells/plain", "[," + nested(513)),
      .problem("invalid-json", line: 1, column: 2)),
    ServiceCase(
      "the depth before a fault", .post("/cells/plain", nested(513, ",")),
      .problem("too-deep", line: 1, column: 513)),
    ServiceCase(
      "an envelope counts", .post("/cells", #"{"rows":[{"kind":"place","data":\#(nested(509))}]}"#),
      .html("<i>0 last</i>")),
    ServiceCase(
      "an envelope counts, one more", .post("/cells", #"{"rows":[{"kind":"plain","data":\#(nested(510))}]}"#),
      .problem("too-deep", line: 1, column: 542)),
    ServiceCase(
      "a line counts by itself", .ndjson("/cells/place", nested(512) + "\n" + nested(512)),
      .html("<i>0</i><i>1 last</i>")),
    ServiceCase(
      "a line that is too deep", .ndjson("/cells/plain", "{}\n" + nested(513)),
      .problem("too-deep", errors: ["/1: too-deep 2:513"])),
    ServiceCase(
      "a line that is too deep is skipped",
      .ndjson("/cells/plain?on_error=skip", "{}\n" + nested(513) + "\n{}"), .html("<p></p><p></p>"),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "lines of both kinds", .ndjson("/cells/plain", "x\n" + nested(513)),
      .problem("invalid-row", errors: ["/0: invalid-json 1:1", "/1: too-deep 2:513"])),
  ]

  @Test(arguments: Way.allCases) func faults(way: Way) async throws {
    try await way.target().check(Self.faults)
  }

  @Test(arguments: Way.allCases) func depth(way: Way) async throws {
    try await way.target().check(Self.depth)
  }

  @Test(arguments: Way.allCases) func aDepthOfOnesOwn(way: Way) async throws {
    try await way.target { $0.service.jsonDepth = 2 }.check([
      ServiceCase("two", .post("/cells/dot", "[[1]]"), .html("<b>[1]</b>")),
      ServiceCase("three", .post("/cells/dot", "[[[1]]]"), .problem("too-deep", line: 1, column: 3)),
      ServiceCase(
        "fields", .get("/cells/dot?a.b=1"), .html("<b>{&quot;a&quot;:{&quot;b&quot;:&quot;1&quot;}}</b>")),
      ServiceCase("fields too deep", .get("/cells/dot?a.b.c=1"), .problem("too-deep")),
      ServiceCase("a list among fields too deep", .form("/cells/dot", "a.b=1&a.b=2"), .problem("too-deep")),
    ])
  }

  /// The contract leaves the exact position of an error in a string open: on its line, between its quotes.
  @Test(arguments: Way.allCases) func badStrings(way: Way) async throws {
    let target = try way.target()
    let contents: [[UInt8]] = [
      Array(#"\ud800"#.utf8), Array(#"\udc00"#.utf8), Array(#"\ud800\ud800"#.utf8),
      Array(#"\udc00\ud800"#.utf8), Array(#"\ud800x"#.utf8),
      Array(#"\x"#.utf8), Array(#"\u12"#.utf8), Array(#"\u12g4"#.utf8), Array(#"\u+123"#.utf8),
      [0xFF], [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98],
      [0x1F], [0x0D], [0x09],
    ]
    for content in contents {
      for asKey in [false, true] {
        var body = Array((asKey ? "\n[{\"" : "\n[\"").utf8)
        let first = body.count
        body += content + Array((asKey ? "\":1}]" : "\"]").utf8)
        let answer = try await target.ask(.post("/cells/dot", bytes: body))
        let problem = answer.problem()
        #expect(answer.status == 400 && problem?.code == "invalid-json" && problem?.line == 2, "\(content)")
        #expect(
          (first...first + content.count).contains(problem?.column ?? 0), "\(content) \(problem?.column ?? 0)"
        )
        // As NDJSON, the valid rows are rendered.
        let lines = Array("1\n".utf8) + body.dropFirst() + Array("\n3".utf8)
        let skipped = try await target.ask(
          .post("/cells/dot?on_error=skip", bytes: lines, type: "application/x-ndjson"))
        #expect(skipped.text == "<b>1</b><b>3</b>" && skipped["CellFactory-Errors"] == "1", "\(content)")
      }
    }
    for content in [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      for (before, after) in [("[1,", "]"), ("", ""), ("[]", "")] {
        let body = Array(before.utf8) + content + Array(after.utf8)
        let problem = try await target.ask(.post("/cells/dot", bytes: body)).problem()
        #expect(problem?.code == "invalid-json" && problem?.column == before.utf8.count + 1, "\(before)")
      }
    }
    #expect(await target.heldBytes() == 0)
  }
}
