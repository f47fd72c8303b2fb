import CellTemplates
import Testing

@testable import Cells

/// A row that takes long pauses and continues with the same result.
@Suite struct RowPauseTests {
  private static let templates = [
    "list.mustache": "<ul>{{#l}}<li>{{@index}} {{.}} {{a}}{{^@last}},{{/@last}}</li>{{/l}}</ul>{{a}}",
    "nested.mustache": "{{#l}}({{#l}}{{#m}}{{.}}{{a}}{{/m}}{{/l}}){{/l}}",
    "silent.txt.mustache": "{{#l}}{{#none}}{{/none}}{{/l}}end",
    "parts.mustache": "<div>\n  {{#l}}\n    {{>part}}\n  {{/l}}\n</div>\n",
    "part.mustache": "<i>\n{{a}}\n</i>\n{{#m}}\n  {{>leaf}}\n{{/m}}\n",
    "leaf.mustache": "<b>{{.}}</b>\n",
    "fan.mustache": "{{>fan1}}{{>fan1}}", "fan1.mustache": "{{>fan2}}{{>fan2}}{{>fan2}}{{>fan2}}",
    "fan2.mustache": "{{>fan3}}{{>fan3}}{{>fan3}}{{>fan3}}{{>fan3}}{{>fan3}}{{>fan3}}{{>fan3}}",
    "fan3.mustache": "{{>leaf}}{{>leaf}}{{>leaf}}{{>leaf}}{{>leaf}}{{>leaf}}{{>leaf}}{{>leaf}}",
    "page.mustache": "{{<frame}}{{$body}}\n  {{#l}}\n  {{a}} {{.}}\n  {{/l}}\n{{/body}}{{/frame}}",
    "frame.mustache": "<main>\n  {{$body}}none{{/body}}\n  {{#m}}{{$body}}x{{/body}}{{/m}}\n</main>",
    "nib.html": """
    <ul data-cell="outlets"><li data-outlet="l"><b data-outlet=".">x</b></li>
    <li data-outlet="m">y</li><li data-outlet="a">z</li></ul>
    <p data-cell="objects"><i data-outlet="o"><b data-outlet="t">x</b><b data-outlet="none">as designed</b></i></p>
    """,
  ]

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    "[" + (0..<count).map(item).joined(separator: ",") + "]"
  }

  private static let rows: [(kind: String, json: String)] = [
    ("list", "{\"a\":\"x\",\"l\":\(list(3000, String.init))}"),
    ("nested", "{\"a\":\"&\",\"l\":\(list(40, String.init)),\"m\":\(list(3, String.init))}"),
    ("silent", "{\"l\":\(list(5000, String.init))}"),
    ("parts", "{\"a\":\"x\",\"l\":\(list(300) { "{\"a\":\($0)}" }),\"m\":[1,2,3,4]}"),
    ("fan", "{\"x\":1}"),
    ("page", "{\"a\":\"x\",\"l\":\(list(2000, String.init)),\"m\":[1,2]}"),
    (
      "outlets",
      "{\"a\":1,\"l\":\(list(2000) { $0 % 3 == 0 ? "null" : "[\($0),[]]" }),\"m\":\(list(5000) { _ in "null" })}"
    ),
    (
      "outlets",
      "{\"a\":null,\"l\":\(list(5000) { _ in "false" }),\"m\":\(list(3000) { $0 < 2999 ? "null" : "7" })}"
    ),
    ("outlets", "{\"l\":\(list(900) { _ in "[[[]],[]]" }),\"m\":[[],[[7]],\(list(5000) { _ in "[]" })]}"),
    (
      "outlets", "{\"l\":[1,\(list(5000) { $0 == 4000 ? "2" : "[]" })],\"m\":[\(list(3000) { _ in "[]" }),8]}"
    ),
    ("objects", "{\"o\":\(list(1500) { $0 % 5 == 0 ? "null" : "{\"t\":\($0)}" })}"),
  ]

  @Test(arguments: 0..<rows.count, [false, true])
  func pausesDoNotChangeTheOutput(_ number: Int, inPieces: Bool) throws {
    let (kind, json) = Self.rows[number]
    let archive = try RenderHarness.archive(Self.templates)
    let whole = try RenderHarness(archive: archive).outcomes(kind, json)
    let paused = try RenderHarness(archive: archive).renderPausing(kind, json, inPieces: inPieces)
    #expect(whole == [paused.outcome])
    #expect(paused.pauses > 1)
  }

  /// Between two pauses there are only a few more turns than between two checks of the clock.
  @Test func noRowRunsForLong() throws {
    let harness = try RenderHarness(Self.templates)
    for kind in ["list", "silent"] {
      let row = "{\"l\":\(Self.list(50_000, String.init))}"
      let pauses = try harness.renderPausing(kind, row).pauses
      #expect(pauses >= 50_000 / (RowPause.iterationsPerLook + 1))
    }
  }

  /// Steps that print nothing and count no turn take time, too: names that are looked up, sections and outlets that are left
  /// out.
  @Test func stepsWithoutTurnsPause() throws {
    let numbers = 0..<3000
    let harness = try RenderHarness([
      "names.mustache": numbers.map { "{{n\($0)}}" }.joined(),
      "sections.mustache": numbers.map { "{{#n\($0)}}x{{/n\($0)}}" }.joined(),
      "inverted.mustache": numbers.map { "{{^a}}{{n\($0)}}{{/a}}" }.joined(),
      "nib.html": "<p data-cell=\"outlets\"><i data-outlet=\"o\">"
        + numbers.map { "<b data-outlet=\"n\($0)\">x</b>" }.joined() + "</i></p>",
      "page.mustache": "x",
    ])
    for kind in ["names", "sections", "inverted", "outlets"] {
      let row = #"{"a":1,"o":{"x":1},"n2999":"end"}"#
      let paused = try harness.renderPausing(kind, row)
      #expect(paused.pauses >= 3000 / 513, "\(kind)")
      #expect([paused.outcome] == (try harness.outcomes(kind, row)), "\(kind)")
    }
  }

  /// A step that has printed the start of an attribute before it pauses begins anew, also where the output has just been moved
  /// to grow.
  @Test(arguments: ["a", "u", "t", "l"])
  func whatWasPrintedBeforeAPauseIsTakenBack(_ kind: String) throws {
    let harness = try RenderHarness([
      "nib.html": """
      <p data-cell="a"><i data-outlet="a">x</i><b data-bind="title:p | currency c.x">x</b></p>
      <p data-cell="u"><i data-outlet="a">x</i><textarea data-outlet="p" data-format="currency c.x">
       y</textarea></p>
      <p data-cell="t"><i data-outlet="a">x</i><b data-bind="title:l | truncate 60000">x</b></p>
      <p data-cell="l"><i data-outlet="a">x</i><b data-bind="title:l | list">x</b></p>
      """, "page.mustache": "x",
    ])
    let members = (0..<5000).map { "\"m\($0)\":1" }.joined(separator: ",")
    let value =
      switch kind {
      case "t": "\"l\":\"e\(String(repeating: "\u{301}", count: 100_000))\""
      case "l": "\"l\":\(Self.list(5000) { $0 < 60 ? "\"a\"" : "null" })"
      default: "\"p\":12.5,\"c\":{\(members),\"x\":\"EUR\"}"
      }
    for padding in 65_500...65_540 {
      let row = "{\"a\":\"\(String(repeating: "x", count: padding))\",\(value)}"
      let paused = try harness.renderPausing(kind, row)
      #expect(paused.pauses > 0)
      #expect(try [paused.outcome] == harness.outcomes(kind, row), "\(padding)")
    }
  }

  /// Copying static text takes as long as its bytes.
  @Test func longTextsOfTemplatesPause() throws {
    // Characters of three bytes, none of which a pause divides.
    let text = String(repeating: "€", count: 1 << 20)
    let harness = try RenderHarness([
      "text.mustache": "\(text){{a}}",
      "branches.mustache": "{{#l}}<i>\(text)</i>{{^@last}}\(text){{/@last}}{{/l}}",
      "nib.html": """
      <p data-cell="nib" title="\(text)"><b data-outlet="a" title="\(text)">x</b>\(text)</p>
      """,
      "page.mustache": "x",
    ])
    for (kind, texts) in [("text", 1), ("branches", 3), ("nib", 3)] {
      let row = #"{"a":1,"l":[1,2]}"#
      let paused = try harness.renderPausing(kind, row)
      #expect(paused.pauses >= texts * text.utf8.count / (512 << 10), "\(kind)")
      #expect([paused.outcome] == (try harness.outcomes(kind, row)), "\(kind)")
    }
  }

  /// Looking up an element of a long list, or a name of a large object that is not the last one, takes long by itself.
  @Test func longLookUpsPause() throws {
    let numbers = 0..<40
    let harness = try RenderHarness([
      "elements.mustache": numbers.map { _ in "{{l.2999.a}}{{l.0.a}}" }.joined(),
      "names.mustache": numbers.map { "{{o\($0 % 20).n}}" }.joined(), "page.mustache": "x",
    ])
    let object = "{" + (0..<2000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
    let rows = [
      "elements": "{\"l\":\(Self.list(3000) { "{\"a\":\($0)}" })}",
      "names": "{" + (0..<20).map { "\"o\($0)\":\(object)" }.joined(separator: ",") + "}",
    ]
    for (kind, row) in rows {
      let paused = try harness.renderPausing(kind, row)
      #expect(paused.pauses >= 40, "\(kind)")
      #expect([paused.outcome] == (try harness.outcomes(kind, row)), "\(kind)")
    }
  }

  @Test func aFaultAfterAPauseLeavesNothing() throws {
    let archive = try RenderHarness.archive(Self.templates)
    let (kind, json) = Self.rows[0]
    for bytes in [100, 20_000, 60_000] {
      var limits = RenderLimits()
      limits.outputBytes = bytes
      let outcome = try RenderHarness(archive: archive).renderPausing(kind, json, limits: limits).outcome
      #expect(outcome == .outputTooLarge(limit: bytes))
    }
    var limits = RenderLimits()
    limits.iterations = 2000
    let outcome = try RenderHarness(archive: archive).renderPausing(kind, json, limits: limits).outcome
    #expect(outcome == .tooMuchWork(limit: 2000))
    limits = RenderLimits()
    limits.missing = .error
    let missing = try RenderHarness(archive: archive).renderPausing(
      kind, "{\"l\":\(Self.list(3000, String.init))}", limits: limits)
    let whole = try RenderHarness(archive: archive).outcomes(
      kind, "{\"l\":\(Self.list(3000, String.init))}", limits: limits)
    #expect(whole == [missing.outcome])
  }

  /// A paused row is charged for what it holds, as is a request in slices.
  @Test func aPausedRowTellsItsMemory() throws {
    let harness = try RenderHarness([
      "k.mustache": String(repeating: " ", count: 100_000) + "{{>part}}\n",
      "part.mustache": String(repeating: "x\n", count: 100),
      "names.mustache": String(repeating: "{{z.a}}", count: 10_000),
    ])
    let (held, kept) = try harness.factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: "{}")
      let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      let cell = factory.dequeueReusableCell(ofKind: try #require(factory.archive.kindNumber("k")))
      defer { factory.enqueue(cell) }
      factory.rowPause = RowPause(atMicroseconds: 0)
      #expect(throws: RenderFault.self) {
        let context = RowContext(row: root, index: 0, count: 1)
        try factory.render(cell, context, on: tape, limits: RenderLimits(), into: &cell.buffer)
      }
      return (factory.takePausedRow().heldBytes, factory.keepRows().indexBytes)
    }
    #expect(held > 100_000 && kept > 4 * 10_000)
  }

  /// Values of outlets are printed in parts, whatever looking them up counts.
  @Test(arguments: ["a", "a.1", "a.16", "a.33"]) func outletsPause(_ path: String) throws {
    let harness = try RenderHarness([
      "c.html": "<ul data-cell=\"c\">{{#l}}<li data-outlet=\"\(path)\">x</li>{{/l}}</ul>"
    ])
    let list = Self.list(40, String.init)
    let row = "{\"l\":\(Self.list(900) { "{\"a\":\(path == "a" ? String($0) : list)}" })}"
    let (whole, paused) = (harness.outlets(of: 0, row), harness.outlets(of: 0, row, pauses: true))
    #expect(whole.json == paused.json && whole.parts == 1)
    #expect(whole.json.count > 900)
    #expect(paused.parts >= 900 / 256)
  }

  /// The outlets of a large cell are collected in parts, by all rows that ask for them meanwhile.
  @Test func collectingOutletsPauses() throws {
    let own = (0..<1500).map { "<i data-outlet=\"n\($0)\">x</i>" }.joined()
    let listed = (0..<1500).map { "{{#l}}<i data-outlet=\"n\($0)\">x</i>{{/l}}" }.joined()
    let nib = "<div data-cell=\"c\">\(listed)\(own)</div>"
    let row = #"{"n7":1,"n1498":"b","l":[{"n3":[2],"n7":5},{"n3":4}]}"#
    let whole = try RenderHarness(["c.html": nib]).outlets(of: 0, row)
    #expect(String(decoding: whole.json, as: UTF8.self) == #"{"n3":[[2],4],"n7":1,"n1498":"b"}"#)
    #expect(whole.parts == 1)
    let harness = try RenderHarness(["c.html": nib])
    let paused = harness.outlets(of: 0, row, pauses: true)
    #expect(paused.json == whole.json)
    // 4,500 parts, each looked at three times, 1,024 between two looks at the clock; and the values.
    #expect(paused.parts >= 3 * 4500 / 1024)
    let again = harness.outlets(of: 0, row, pauses: true)
    #expect(again.json == whole.json && again.parts <= paused.parts - 3 * 4500 / 1024)
  }
}
