import CellTemplates
import Testing

@testable import Cells

/// How much is done between two looks at the clock: steps count over all rows, items and calls, and what takes longer than
/// a step counts as iterations.
@Suite struct ClockLookTests {
  private static func repeated(_ count: Int, _ part: (Int) -> String) -> String {
    (0..<count).map(part).joined()
  }

  private static func list(_ count: Int, _ item: (Int) -> String = { _ in "null" }) -> String {
    "[" + (0..<count).map(item).joined(separator: ",") + "]"
  }

  private struct Shape {
    let templates: [String: String]
    let row: String
    /// Fewer pauses are too few if each look at the clock pauses.
    let leastPauses: Int
    var limits = RenderLimits()

    init(_ template: String, with others: [String: String] = [:], _ row: String, leastPauses: Int) {
      templates = others.merging(["k.mustache": template, "page.mustache": "x"]) { $1 }
      (self.row, self.leastPauses) = (row, leastPauses)
    }

    init(nib: String, _ row: String, leastPauses: Int) {
      (self.row, self.leastPauses) = (row, leastPauses)
      templates = ["nib.html": "<div data-cell=\"k\">\(nib)</div>", "page.mustache": "x"]
    }
  }

  private static let numbers = (0..<32).map { "\($0).5e0" }.joined(separator: ",")

  private static let shapes: [String: Shape] = {
    var shapes = [
      "steps in a loop": Shape(
        "{{#m}}\(repeated(500) { "{{n\($0)}}" }){{/m}}", "{\"m\":\(list(64) { _ in "1" })}", leastPauses: 50),
      "steps in calls": Shape(
        "{{#m}}\(repeated(4) { _ in "{{>part}}" }){{/m}}",
        with: ["part.mustache": repeated(500) { "{{n\($0)}}" }], "{\"m\":\(list(16) { _ in "1" })}",
        leastPauses: 50),
      "indented lines": Shape(
        repeated(20_000) { _ in " " } + "{{>part}}\n", with: ["part.mustache": repeated(300) { _ in "x\n" }],
        "{}", leastPauses: 60),
      "names of many parts": Shape(
        repeated(1000) { _ in "{{a.\((0..<200).map { _ in "a" }.joined(separator: "."))}}" },
        "\(repeated(202) { _ in "{\"a\":" })1\(repeated(202) { _ in "}" })", leastPauses: 10),
      "lists of nothing": Shape(
        repeated(50) { _ in "{{l | list}}" }, "{\"l\":\(list(2000))}", leastPauses: 40),
      "lists of short URLs": Shape(
        repeated(40) { _ in "<a ping=\"{{a}}\">x</a>" }, "{\"a\":\"\(repeated(8_000) { _ in "a " })\"}",
        leastPauses: 40),
      "refused URLs": Shape(
        repeated(40) { _ in "<a href=\"{{a}}\">x</a>" }, "{\"a\":\"\(repeated(60_000) { _ in "a" }):\"}",
        leastPauses: 15),
      "no words": Shape(
        nib: repeated(60) { _ in "<p data-bind=\"class+:l\">x</p>" }, "{\"l\":\(list(1000))}", leastPauses: 25
      ),
      "objects that repeat a name": Shape(
        repeated(100) { _ in "{{o}}" }, "{\"o\":{\(repeated(199) { _ in "\"z\":1," })\"z\":1}}",
        leastPauses: 45),
      "many literals": Shape(
        nib: repeated(1000) { _ in "<p data-when=\"a=\(numbers)\">x</p>" }, "{\"a\":7.23e5}", leastPauses: 20),
      "many literals beside a long number": Shape(
        nib: "<p data-when=\"a=\(numbers)\">x</p>", "{\"a\":\(repeated(100_000) { _ in "1" })}",
        leastPauses: 32),
      "many paths beside a long number": Shape(
        nib: "<p data-when=\"a=\((0..<32).map { _ in "{b}" }.joined(separator: ","))\">x</p>",
        "{\"a\":\(repeated(100_000) { _ in "1" }),\"b\":1}", leastPauses: 32),
      "the order of long numbers": Shape(
        nib: repeated(20) { _ in "<p data-when=\"a<{b}\">x</p>" },
        "{\"a\":\"\(repeated(100_000) { _ in "1" })\",\"b\":\"\(repeated(100_000) { _ in "1" })2\"}",
        leastPauses: 20),
      "many names": Shape(
        nib: repeated(1000) { _ in
          "<p data-when=\"a=\((0..<32).map { _ in "{b}" }.joined(separator: ","))\">x</p>"
        },
        "{\"a\":\"x\",\"b\":\"y\"}", leastPauses: 20),
      "plurals of many numbers": Shape(
        repeated(1000) { _ in "{{#a | plural \((0..<16).map { "=\($0).5" }.joined(separator: " "))}}x{{/a}}"
        },
        "{\"a\":7}", leastPauses: 10),
      "names around lists": Shape(
        nib: "\(repeated(150) { _ in "{{#@row.l}}" })\(repeated(100) { "<b data-outlet=\"x\($0)\">d</b>" })"
          + "{{>k}}\(repeated(150) { _ in "{{/@row.l}}" })", "{\"l\":[[1]]}", leastPauses: 5_000),
      "a currency around objects": Shape(
        "\(repeated(150) { "{{#@row.o\($0 % 12)}}" }){{p | currency c}}{{>k}}"
          + repeated(150) { "{{/@row.o\((149 - $0) % 12)}}" },
        "{\"p\":1,\(repeated(12) { "\"o\($0)\":{\(repeated(99) { "\"m\($0)\":1," })\"m\":1}," })\"x\":1}",
        leastPauses: 500),
    ]
    var names = Shape(
      nib: repeated(20) { "<div data-outlet=\"o\($0)\">" }
        + repeated(90) { "<b data-bind=\"title:t\($0)\">x</b>" }
        + repeated(20) { _ in "</div>" }, "{}", leastPauses: 8)
    names.limits.missing = .error
    shapes["missing names"] = names
    // A condition about a missing value is decided at once, whatever its paths would find in large objects.
    let inObjects = (0..<3).map { "{o\($0).q}" }.joined(separator: ",")
    shapes["conditions where nothing is found"] = Shape(
      nib:
        "<div data-outlet=\"none\" data-missing=\"keep\">\(repeated(3) { "<p data-when=\"x!=\(inObjects)\">\($0)</p>" })</div>"
        + "<b data-when=\"y=1\">y</b>",
      "{\"y\":1,\(repeated(3) { object in "\"o\(object)\":{\(repeated(20_000) { "\"m\($0)\":1," })\"m\":1}," })\"z\":1}",
      leastPauses: 0)
    var parents: [String: String] = [:]
    for number in 0..<60 {
      let parent = number < 59 ? "a\(number + 1)" : "base"
      let blocks = repeated(16) { "{{$u\(number)_\($0)}}x{{/u\(number)_\($0)}}" }
      parents["a\(number).mustache"] = "{{<\(parent)}}\(blocks){{/\(parent)}}"
    }
    parents["base.mustache"] = repeated(500) { "{{$n\($0)}}{{v}}{{/n\($0)}}" }
    shapes["blocks of parents"] = Shape("{{>a0}}", with: parents, "{}", leastPauses: 15)
    return shapes
  }()

  @Test(arguments: shapes.keys.sorted())
  func whatTakesLongPauses(_ name: String) throws {
    let shape = try #require(Self.shapes[name])
    let archive = try RenderHarness.archive(shape.templates)
    let whole = try RenderHarness(archive: archive).outcomes("k", shape.row, limits: shape.limits)
    let paused = try RenderHarness(archive: archive).renderPausing("k", shape.row, limits: shape.limits)
    #expect(paused.pauses >= shape.leastPauses, "\(paused)")
    #expect(whole == [paused.outcome], "\(paused.outcome)")
  }

  /// Rows of fewer steps than there are between two looks pause, too, also if they are bad.
  @Test(arguments: ["k", "bad"]) func stepsCountOverRows(_ kind: String) throws {
    let names = Self.repeated(400) { "{{n\($0)}}" }
    let harness = try RenderHarness([
      "k.mustache": "\(names){{owner.none}}",
      "nib.html": """
      <div data-cell="bad">\(names)<p data-outlet="x" data-include="inner">y</p></div>
      <b data-cell="inner"><i data-outlet="a">x</i></b>
      """,
    ])
    let rows = (0..<64).map { "{\"a\($0)\":1,\"x\":1}" }
    let pauses = try Self.pauses(kind, rows, in: harness)
    #expect(pauses >= 64 * 400 / 513 - 1, "\(pauses)")
  }

  /// Each prints a few bytes of all that it reads.
  @Test func whatPlannedRowsReadCounts() throws {
    let object = "{\((0..<200).map { _ in "\"z\":1" }.joined(separator: ","))}"
    let harness = try RenderHarness(["k.mustache": Self.repeated(5) { _ in "{{o}}" }])
    let rows = (0..<64).map { _ in "{\"o\":\(object)}" }
    // Plans are recorded of rows that do not pause.
    #expect(try Self.pauses("k", rows, in: harness, pause: .never) == 0)
    let pauses = try Self.pauses("k", rows, in: harness)
    #expect(pauses >= 60, "\(pauses)")
  }

  /// A format may take as long as a short row, and the rows of a plan have up to 512.
  @Test func plannedRowsOfManyPiecesPause() throws {
    let harness = try RenderHarness(["k.mustache": Self.repeated(400) { _ in "{{d}}" }])
    let rows = (0..<64).map { "{\"d\":\($0 + 1)}" }
    #expect(try Self.pauses("k", rows, in: harness, pause: .never) == 0)
    let pauses = try Self.pauses("k", rows, in: harness)
    #expect(pauses >= 6, "\(pauses)")
  }

  /// How often rows of one run pause. Rows with a value that cannot be included are left out.
  private static func pauses(
    _ kind: String, _ rows: [String], in harness: RenderHarness,
    pause: RowPause = RowPause(atMicroseconds: 0)
  ) throws -> Int {
    try harness.factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: "[\(rows.joined(separator: ","))]")
      factory.forgetRows()
      let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      let cell = factory.dequeueReusableCell(ofKind: try #require(factory.archive.kindNumber(kind)))
      defer { factory.enqueue(cell) }
      var run = RowRun(of: root, on: tape, owner: nil)
      var output = ByteBuffer()
      var paused: PausedRow?
      var pauses = 0
      factory.rowPause = pause
      while !run.isAtStop {
        do throws(RenderFault) {
          if let row = paused.take() {
            try factory.resume(row, cell, run.next, on: tape, limits: RenderLimits(), into: &output)
            run.advance(on: tape)
          } else {
            try factory.render(cell, &run, on: tape, limits: RenderLimits(), into: &output)
          }
        } catch {
          switch error {
          case .paused:
            pauses += 1
            paused = factory.takePausedRow()
          case .notIncluded: run.advance(on: tape)
          default: throw error
          }
        }
      }
      return pauses
    }
  }

  /// Of 100 outlets, each prints a few bytes of all that it reads.
  @Test func whatOutletsReadCounts() throws {
    let outlets = Self.repeated(100) { "<b data-outlet=\"o\($0)\">d</b>" }
    let harness = try RenderHarness(["nib.html": "<p data-cell=\"k\">\(outlets)</p>"])
    let kind = try #require(harness.factory.assumeIsolated { $0.archive.kindNumber("k") })
    let object = "{\((0..<200).map { _ in "\"z\":1" }.joined(separator: ","))}"
    let row = "{\((0..<100).map { "\"o\($0)\":\(object)" }.joined(separator: ","))}"
    let (whole, paused) = (harness.outlets(of: kind, row), harness.outlets(of: kind, row, pauses: true))
    #expect(paused.json == whole.json && whole.parts == 1)
    #expect(paused.parts >= 50, "\(paused.parts)")
  }

  /// Where the outlets of many kinds do not fit together, they are collected for each row.
  @Test func collectingOutletsCounts() throws {
    let harness = try RenderHarness(["a.mustache": "{{#q}}\(Self.repeated(2000) { _ in "{{z}}" }){{/q}}{{a}}"]
    )
    let (first, again) = (
      harness.outlets(of: 0, "{}", pauses: true), harness.outlets(of: 0, "{}", pauses: true)
    )
    #expect(String(decoding: first.json, as: UTF8.self) == "{}" && first.json == again.json)
    // 2,000 parts, each looked at three times, 1,024 between two looks at the clock.
    #expect(first.parts >= 3 * 2000 / 1024 && again.parts == 1)
  }

  /// Entering the sections around outlets is work, and so is finding them.
  @Test func outletsInManySectionsPause() throws {
    let (start, end) = (Self.repeated(100) { _ in "{{#a}}" }, Self.repeated(100) { _ in "{{/a}}" })
    let outlets = Self.repeated(1000) { "<b data-outlet=\"x\($0)\">d</b>" }
    let harness = try RenderHarness(["nib.html": "<p data-cell=\"k\">\(start)\(outlets)\(end)</p>"])
    let kind = try #require(harness.factory.assumeIsolated { $0.archive.kindNumber("k") })
    let paused = harness.outlets(of: kind, "{\"x1\":1}", pauses: true)
    #expect(String(decoding: paused.json, as: UTF8.self) == "{}")
    #expect(paused.parts >= 20, "\(paused.parts)")
  }
}
