import CellTemplates
import Testing

@testable import Cells

/// Rendering ends in bounded space for any templates and rows.
@Suite struct RenderLimitTests {
  private func limits(
    outputBytes: Int = 64 << 20, partialDepth: Int = 64, turns: Int = 64 << 20
  ) -> RenderLimits {
    var limits = RenderLimits()
    limits.outputBytes = outputBytes
    limits.partialDepth = partialDepth
    limits.iterations = turns
    return limits
  }

  /// `{"c":{"c":…null}}` with this many nested objects.
  private func nested(_ depth: Int) -> String {
    String(repeating: "{\"c\":", count: depth) + "null" + String(repeating: "}", count: depth)
  }

  @Test(arguments: ["{{#c}}({{>r}}){{/c}}", "{{#c}}({{<r}}{{/r}}){{/c}}"])
  func partialsNestSixtyFourDeepAndNoDeeper(_ template: String) throws {
    let harness = try RenderHarness(["r.mustache": template])
    let deepest = String(repeating: "(", count: 64) + String(repeating: ")", count: 64)
    #expect(try harness.outcomes("r", nested(65)) == [.rendered(deepest)])
    #expect(try harness.outcomes("r", nested(66)) == [.tooDeep(kind: "r", limit: 64)])
    #expect(
      try harness.outcomes("r", nested(66), limits: limits(partialDepth: 65)) == [
        .rendered("(" + deepest + ")")
      ])
  }

  @Test func siblingPartialsDoNotCountAsDepth() throws {
    let harness = try RenderHarness([
      "a.mustache": "{{#l}}{{>b}}{{<b}}{{/b}}{{/l}}", "b.mustache": "{{>c}}", "c.mustache": ".",
    ])
    let list = "{\"l\":[" + Array(repeating: "1", count: 500).joined(separator: ",") + "]}"
    #expect(try harness.outcomes("a", list) == [.rendered(String(repeating: ".", count: 1000))])
  }

  @Test(
    arguments: [
      (["c.mustache": "{{>c}}"], "c", 64), (["c.mustache": "{{>d}}", "d.mustache": "{{>c}}"], "d", 64),
      (["c.mustache": "{{>*k}}"], "c", 64), (["c.mustache": "  {{>*k}}\n"], "c", 64),
      (["c.mustache": "{{<c}}{{$a}}{{/a}}{{/c}}"], "c", 64),
      (["c.mustache": "{{<*k}}{{$a}}x{{/a}}{{/*k}}"], "c", 64),
      (["c.mustache": "{{$a}}{{>c}}{{/a}}"], "c", 64), (["c.mustache": "{{>c}}{{>c}}"], "c", 64),
      (["c.mustache": "{{<p}}{{$a}}{{>c}}{{/a}}{{/p}}", "p.mustache": "{{$a}}{{/a}}"], "p", 64),
      (["c.mustache": "{{<p}}{{$a}}{{<c}}{{/c}}{{/a}}{{/p}}", "p.mustache": "{{$a}}{{/a}}"], "p", 64),
    ] as [([String: String], String, Int)])
  func recursionWithoutEndIsTooDeep(_ row: ([String: String], String, Int)) throws {
    let harness = try RenderHarness(row.0)
    #expect(try harness.outcomes("c", #"{"k":"c"}"#) == [.tooDeep(kind: row.1, limit: row.2)])
    // A name that the data give may be that of no kind.
    let isByData = row.0.values.contains { $0.contains("*k") }
    let expected: RenderHarness.Outcome = isByData ? .rendered("") : .tooDeep(kind: row.1, limit: row.2)
    #expect(try harness.outcomes("c", #"{"k":"none"}"#) == [expected])
  }

  @Test func aTooDeepRowDoesNotAffectTheNext() throws {
    let harness = try RenderHarness([
      "r.mustache": "  {{>p}}\n{{#c}}\n {{>r}}\n{{/c}}\n", "p.mustache": "x\n",
    ])
    #expect(
      try harness.outcomes("r", nested(66), "{}", nested(2)) == [
        .tooDeep(kind: "p", limit: 64), .rendered("  x\n"), .rendered("  x\n   x\n"),
      ])
  }

  @Test func partialsThatFanOutWithoutOutputAreStopped() throws {
    var templates = ["p60.mustache": ""]
    for level in 0..<60 { templates["p\(level).mustache"] = "{{>p\(level + 1)}}{{>p\(level + 1)}}" }
    let harness = try RenderHarness(templates)
    #expect(
      try harness.outcomes("p0", "{}", limits: limits(turns: 100_000)) == [.tooMuchWork(limit: 100_000)])
  }

  /// Rows with an object of 40 members each, in which 300 missing names are looked up.
  private func largeObjects(_ rows: Int) -> String {
    let members = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")
    return "[" + Array(repeating: "{\"o\":{\(members)}}", count: rows).joined(separator: ",") + "]"
  }

  @Test func indexesOfLargeObjectsAreBounded() throws {
    let names = (0..<300).map { "{{m\($0)}}" }.joined()
    let harness = try RenderHarness(["c.mustache": "{{@index}}{{#o}}\(names){{/o}}"])
    for rows in [1, 8, 2000] { _ = try harness.render("c", largeObjects(rows)) }
    let bytes = harness.factory.assumeIsolated { $0.memo.lookups.indexBytes }
    #expect(bytes > 0 && bytes <= 9 * 8 * 320)
  }

  /// Nine objects are used in turn but only eight are indexed, so each look-up scans one of them, and this
  /// counts as work.
  @Test func goingThroughLargeObjectsCounts() throws {
    let names = (0..<9).map { "{{o\($0).x}}" }.joined()
    let harness = try RenderHarness(["c.mustache": "{{#l}}\(names){{/l}}"])
    let members = (0..<320).map { "\"k\($0)\":0" }.joined(separator: ",")
    let objects = (0..<9).map { "\"o\($0)\":{\(members)}" }.joined(separator: ",")
    func row(_ items: Int) -> String {
      "{\(objects),\"l\":[\(Array(repeating: "1", count: items).joined(separator: ","))]}"
    }
    #expect(try harness.outcomes("c", row(100), limits: limits(turns: 18_200)) == [.rendered("")])
    #expect(
      try harness.outcomes("c", row(100), limits: limits(turns: 17_000)) == [.tooMuchWork(limit: 17_000)])
  }

  @Test func overridesThatFanOutWithoutOutputAreStopped() throws {
    var overrides = "{{$b60}}{{/b60}}"
    for level in 0..<60 {
      overrides +=
        "{{$b\(level)}}{{$b\(level + 1)}}{{/b\(level + 1)}}{{$b\(level + 1)}}{{/b\(level + 1)}}{{/b\(level)}}"
    }
    let harness = try RenderHarness([
      "c.mustache": "{{<p}}\(overrides){{/p}}", "p.mustache": "{{$b0}}{{/b0}}",
    ])
    #expect(try harness.outcomes("c", "{}", limits: limits(turns: 100_000)) == [.tooMuchWork(limit: 100_000)])
  }

  @Test func overridesNestAThousandDeepAndNotMuchDeeper() throws {
    func harness(_ depth: Int) throws -> RenderHarness {
      var overrides = "{{$b\(depth)}}end{{/b\(depth)}}"
      for level in 0..<depth {
        overrides += "{{$b\(level)}}{{$b\(level + 1)}}{{/b\(level + 1)}}{{/b\(level)}}"
      }
      return try RenderHarness(["c.mustache": "{{<p}}\(overrides){{/p}}", "p.mustache": "{{$b0}}{{/b0}}"])
    }
    #expect(try harness(1000).outcomes("c", "{}") == [.rendered("end")])
    #expect(
      try harness(1100).outcomes("c", "{}", limits: limits(partialDepth: 1)) == [
        .tooDeep(kind: "b1024", limit: 1024)
      ])
  }

  @Test func loopsThatTurnWithoutOutputAreStopped() throws {
    let harness = try RenderHarness([
      "c.mustache": "{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}"
    ])
    let list = "{\"l\":[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]}"
    #expect(try harness.outcomes("c", list, limits: limits(turns: 100_000)) == [.tooMuchWork(limit: 100_000)])
  }

  /// A value of 1600 bytes or more that a hundred items scan while printing almost nothing of it.
  @Test(arguments: [
    (#"<a href="{{v}}">x</a>"#, #""\#(String(repeating: "a", count: 1600)):""#),
    (#"<img srcset="{{v}}" alt="">"#, #""\#(String(repeating: "a", count: 1600)):""#),
    (#"<i style="color:{{v}}">x</i>"#, #""\#(String(repeating: "a", count: 1600))!""#),
    (#"<i style="color:{{v}}">x</i>"#, #"["\#(String(repeating: "a", count: 1600))"]"#),
    ("<i>{{v}}</i>", "{\(Array(repeating: "\"a\":1", count: 1600).joined(separator: ","))}"),
    ("{{v.1600}}", "[\(Array(repeating: "0", count: 1601).joined(separator: ","))]"),
  ])
  func readingWithoutOutputIsBounded(_ row: (template: String, value: String)) throws {
    let harness = try RenderHarness(["c.mustache": "{{#l}}\(row.template){{/l}}"])
    let items = Array(repeating: "1", count: 100).joined(separator: ",")
    let json = "{\"l\":[\(items)],\"v\":\(row.value)}"
    #expect(try harness.outcomes("c", json, limits: limits(turns: 5000)) == [.tooMuchWork(limit: 5000)])
    guard case .rendered? = try harness.outcomes("c", json, limits: limits(turns: 50_000)).first else {
      Issue.record("not drawn")
      return
    }
  }

  @Test func readingWithoutOutputIsBoundedWithoutLoops() throws {
    let harness = try RenderHarness(["c.mustache": "{{l.1600}}", "d.mustache": "x"])
    let row = "{\"l\":[\(Array(repeating: "0", count: 1601).joined(separator: ","))]}"
    let outcomes = try harness.outcomes(
      [("c", row), ("c", row), ("c", row), ("d", row)], limits: limits(turns: 200))
    #expect(outcomes == [.rendered("0"), .rendered("0"), .tooMuchWork(limit: 200), .rendered("x")])
  }

  @Test func turnsAreCountedForAllRowsOfARequestTogether() throws {
    let harness = try RenderHarness(["c.mustache": "{{#l}}.{{/l}}", "d.mustache": "x"])
    let row = #"{"l":[1,2,3,4,5,6,7,8,9,10]}"#
    let dots = String(repeating: ".", count: 10)
    for _ in 0..<3 {
      let outcomes = try harness.outcomes(
        [("c", row), ("c", row), ("c", row), ("d", row)], limits: limits(turns: 20))
      #expect(outcomes == [.rendered(dots), .rendered(dots), .tooMuchWork(limit: 20), .rendered("x")])
    }
  }

  /// Output of this many bytes, produced in different ways; it is accepted at the limit and refused one byte
  /// below.
  @Test(arguments: [
    ("0123456789", "{}", 10),
    ("{{#l}}x{{/l}}", "{\"l\":[1,2,3,4,5,6,7,8,9,10]}", 10),
    ("{{#l}}{{.}}{{/l}}", "{\"l\":[1,2,3,\"&\"]}", 8),
    ("{{a}}", "{\"a\":\"&&&&\"}", 20),
    ("{{a}}", "{\"a\":[1,\"\\\"\"]}", 23),
    ("{{{a}}}", "{\"a\":\"0123456789\"}", 10),
    ("{{>p}}{{>p}}", "{}", 6),
    ("  {{>p}}\n  {{>p}}\n", "{}", 10),
    ("", "{}", 0),
  ])
  func theOutputLimitIsExact(_ row: (template: String, json: String, count: Int)) throws {
    let harness = try RenderHarness(["c.mustache": "{{! raw: allow }}\n" + row.template, "p.mustache": "abc"])
    let rendered = try harness.outcomes("c", row.json, limits: limits(outputBytes: row.count))
    guard case .rendered(let bytes)? = rendered.first else {
      Issue.record("\(rendered)")
      return
    }
    #expect(bytes.count == row.count)
    if row.count > 0 {
      let limit = row.count - 1
      #expect(
        try harness.outcomes("c", row.json, limits: limits(outputBytes: limit)) == [
          .outputTooLarge(limit: limit)
        ]
      )
    }
  }

  /// Partials that indent each other by 64 KiB each and print no line.
  @Test func unprintedIndentationIsBounded() throws {
    let spaces = String(repeating: " ", count: 64 << 10)
    let harness = try RenderHarness(["r.mustache": "{{#c}}\n" + spaces + "{{>r}}\n{{/c}}\n"])
    #expect(
      try harness.outcomes("r", nested(17), nested(18), "{}") == [
        .rendered(""), .tooFarIndented(kind: "r", limit: 1 << 20), .rendered(""),
      ])
  }

  @Test func indentationCountsAsOutput() throws {
    let spaces = String(repeating: " ", count: 1000)
    let lines = String(repeating: "x\n", count: 1000)
    let harness = try RenderHarness(["c.mustache": spaces + "{{>p}}\n", "p.mustache": lines])
    #expect(
      try harness.outcomes("c", "{}", limits: limits(outputBytes: 50_000)) == [.outputTooLarge(limit: 50_000)]
    )
    #expect(try harness.outcomes("c", "{}") == [.rendered(String(repeating: spaces + "x\n", count: 1000))])
  }
}
