import CellTemplates
import Testing

@testable import Cells

/// A look-up that walks over many members or elements pauses, and finds the same.
@Suite struct LookupPauseTests {
  /// More members than are looked through at once: a pause each 4096.
  private static func members(_ name: String) -> String { String(repeating: "\"\(name)\":1,", count: 10_000) }

  /// More nested objects than are indexed at once, each with many members.
  private static let deepRow =
    (0..<12).map { "{\(members("z\($0)"))\"c\":" }.joined() + "{\"x\":5}" + String(repeating: "}", count: 12)

  private static let templates = [
    "other.mustache": "{{a}}",
    "row.mustache": "<p>{{a}}{{b}}</p>",
    "object.mustache": "<p>{{#o}}text {{a}}{{none}}{{/o}} text {{o.b}}</p>",
    "contexts.mustache":
      "\(String(repeating: "{{#c}}", count: 11))<i>{{none}}</i>{{x}}{{c.x}}\(String(repeating: "{{/c}}", count: 11))",
    "path.mustache": "<p>{{#c}}text {{c.c.c.c.c.c.c.c.c.c.c.x}}{{/c}}</p>",
    "index.mustache": "<p>{{l.9000.a}}{{#o}}{{l.9500.a}}{{/o}}{{^l.9999.none}}none{{/l.9999.none}}</p>",
    "item.mustache": "<p>{{9000.a}}</p>",
    "call.mustache": "<p>text {{>*o.k}}</p>",
    "parent.mustache": "<p>{{<*o.k}}{{$x}}{{/x}}{{/*o.k}}</p>",
    "nib.html": """
    <div data-cell="nib"><a data-outlet="o" data-bind="href">text <b data-outlet="p.a">x</b></a>\
    <i data-outlet="l.9000.a">y</i></div>
    """,
    "words.mustache": "<p>{{l | list}}</p>",
    "cut.mustache": "<p>{{a | truncate 60000}}</p>",
    "elements.html": "<p data-cell=\"elements\"><b data-outlet=\"l\" data-format=\"list\">x</b></p>",
  ]

  private static let wideRow = """
    {\(members("z"))"a":1,"l":[\((0..<10_000).map { "{\"a\":\($0)}" }.joined(separator: ","))],\
    "o":{\(members("y"))"a":2,"b":3,"k":"other","href":"/u","p":{\(members("w"))"a":4}}}
    """

  private static let sparseRow = "{\"l\":[\(String(repeating: "null,", count: 10_000))\"c\",\"d\"]}"

  /// Letters with accents of their own: three bytes each.
  private static func marked(_ count: Int) -> String { String(repeating: "a\u{301}", count: count) }

  /// - Returns: the kind, the row, the output, and the least number of pauses.
  private static let cases: [(kind: String, row: String, output: String, pauses: Int)] = [
    ("row", wideRow, "<p>1</p>", 2), ("object", wideRow, "<p>text 2 text 3</p>", 4),
    ("contexts", deepRow, "<i></i>5", 24), ("path", deepRow, "<p>text 5</p>", 24),
    ("index", wideRow, "<p>90009500none</p>", 4),
    ("item", "[\((0..<10_000).map { "{\"a\":\($0)}" }.joined(separator: ","))]", "<p>9000</p>", 2),
    ("call", wideRow, "<p>text 1</p>", 4), ("parent", wideRow, "<p>1</p>", 4),
    ("words", sparseRow, "<p>c and d</p>", 2), ("elements", sparseRow, "<p><b>c</b> and <b>d</b></p>", 2),
    ("cut", "{\"a\":\"\(marked(70_000))\"}", "<p>\(marked(60_000))…</p>", 2),
    ("nib", wideRow, "<div><a href=\"/u\">text <b>4</b></a><i>9000</i></div>", 6),
  ]

  @Test(arguments: cases.indices, [false, true]) func pausesDoNotChangeWhatIsFound(
    _ number: Int, inPieces: Bool
  ) throws {
    let (kind, row, output, pauses) = Self.cases[number]
    let archive = try RenderHarness.archive(Self.templates)
    #expect(try RenderHarness(archive: archive).outcomes(kind, row) == [.rendered(output)])
    let paused = try RenderHarness(archive: archive).renderPausing(
      kind, row, inPieces: inPieces, beside: ("other", "{\"a\":\"x\"}"))
    #expect(paused.outcome == .rendered(output))
    #expect(paused.pauses >= pauses, "\(kind): \(paused.pauses)")
  }

  /// A step that is done again after a pause counts as much as one that does not pause.
  @Test func whatIsDoneAgainCountsOnce() throws {
    let harness = try RenderHarness([
      "k.mustache":
        "\(String(repeating: "{{l.9000 | list}}{{l.9001 | truncate 60000}}", count: 5))<p>{{#l.9000}}{{/l.9000}}</p>",
      "nib.html": "<p data-cell=\"n\"><b data-outlet=\"l.9000\">x</b></p>", "other.mustache": "{{a}}",
    ])
    let ones = String(repeating: "1,", count: 9000)
    let nulls = String(repeating: "null,", count: 20_000)
    let row = "{\"l\":[\(ones)[\(nulls)1],\"\(Self.marked(70_000))\"]}"
    for kind in ["k", "n"] {
      func isWithin(_ iterations: Int, pausing: Bool) throws -> Bool {
        var limits = RenderLimits()
        limits.iterations = iterations
        let outcome =
          pausing
          ? try harness.renderPausing(kind, row, limits: limits, beside: ("other", "{}")).outcome
          : try harness.outcomes(kind, row, limits: limits)[0]
        if case .rendered = outcome { return true }
        return false
      }
      var (low, high) = (1, 1 << 24)
      while low < high {
        let middle = (low + high) / 2
        if try isWithin(middle, pausing: false) { high = middle } else { low = middle + 1 }
      }
      #expect(low > 1000)
      #expect(try isWithin(low, pausing: true) && !isWithin(low - 1, pausing: true), "\(kind): \(low)")
    }
  }

  /// What is missing in the owner is told as the owner's, also if its look-up has paused.
  @Test func aPausedNameIsStillTheOwners() throws {
    let harness = try RenderHarness([
      "o.mustache": "{{owner.a.b}}{{#owner.a}}{{c}}{{/owner.a}}{{owner.a.d.e}}{{x}}",
      "other.mustache": "{{owner.a}}",
    ])
    var limits = RenderLimits()
    limits.missing = .error
    let owner = "{\"a\":{\(Self.members("z"))\"y\":1}}"
    let (outcome, pauses) = try harness.renderPausing(
      "o", "{\"z\":1}", owner: owner, limits: limits, beside: ("other", "{\"owner\":{\"a\":1}}"))
    #expect(outcome == .missing(["the owner's owner.a.b", "c", "the owner's owner.a.d.e", "x"]))
    #expect(pauses >= 2, "\(pauses)")
  }

  /// A cell that calls itself in sections has thousands of contexts, in all of which its names are looked up.
  @Test func lookupsThroughManyContextsPause() throws {
    let (start, end) = (String(repeating: "{{#b}}", count: 20), String(repeating: "{{/b}}", count: 20))
    let archive = try RenderHarness.archive(["deep.mustache": "\(start){{none}}{{@index}}{{>deep}}\(end)"])
    let row = "{\"b\":{\"x\":1}}"
    let whole = try RenderHarness(archive: archive).outcomes("deep", row)
    let paused = try RenderHarness(archive: archive).renderPausing("deep", row, beside: ("deep", "{}"))
    #expect(whole == [paused.outcome])
    if case .rendered = paused.outcome { Issue.record("it ends") }
    // Each walk through more than a thousand contexts, and the work of all.
    #expect(paused.pauses > 500, "\(paused.pauses)")
    var limits = RenderLimits()
    limits.iterations = 10_000
    let bounded = try RenderHarness(archive: archive).outcomes("deep", row, limits: limits)
    #expect(bounded == [.tooMuchWork(limit: 10_000)])
  }

  @Test func valuesOfOutletsPause() throws {
    let harness = try RenderHarness(Self.templates)
    let kind = try #require(harness.factory.assumeIsolated { $0.archive.kindNumber("nib") })
    let whole = harness.outlets(of: kind, Self.wideRow)
    let paused = harness.outlets(of: kind, Self.wideRow, pauses: true)
    #expect(whole.json == paused.json && !whole.json.isEmpty)
    #expect(paused.parts >= 6, "\(paused.parts)")
  }

  /// A row that is given up within a look-up leaves nothing for the next one.
  @Test func anAbandonedLookupIsForgotten() throws {
    let harness = try RenderHarness(Self.templates)
    try harness.factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: Self.wideRow)
      let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      for kind in ["row", "object", "index"] {
        let cell = factory.dequeueReusableCell(ofKind: try #require(factory.archive.kindNumber(kind)))
        factory.rowPause = RowPause(atMicroseconds: 0)
        let context = RowContext(row: root, index: 0, count: 1)
        #expect(throws: RenderFault.self) {
          try factory.render(cell, context, on: tape, limits: RenderLimits(), into: &cell.buffer)
        }
        _ = factory.takePausedRow()
        factory.rowPause = .never
        for (other, _, output, _) in Self.cases where other == "object" || other == "index" {
          let number = try #require(factory.archive.kindNumber(other))
          let next = factory.dequeueReusableCell(ofKind: number)
          try factory.render(next, context, on: tape, limits: RenderLimits(), into: &next.buffer)
          #expect(Array(next.buffer.bytes) == Array(output.utf8))
        }
      }
    }
  }
}
