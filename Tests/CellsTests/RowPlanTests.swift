import CellTemplates
import Scaling
import Testing

@testable import Cells

/// The output of a plan is the same as without one, for any earlier rows, and a plan holds none of their
/// data.
@Suite struct RowPlanTests {
  /// Everything that a plan may contain: sections, lists, outlets, bound attributes, partials with their
  /// lines, every escaper, values that are not text.
  private static let templates = [
    "text.txt.mustache": "{{a}}|{{{b}}}|{{#c}}[{{.}}{{b}}]{{/c}}{{^c}}none{{/c}}|{{d.e}}",
    "lines.mustache": "<ul>\n  {{>line}}\n  {{#c}}\n    {{>line}}\n  {{/c}}\n</ul>\n",
    "line.mustache": "<li>{{a}}\n<b>{{b}}</b></li>\n",
    "place.mustache":
      "<p id=\"{{a}}\" title=\"{{b}}\"><a href=\"{{b}}\">{{c}}</a><a href=\"/x?{{a}}={{d.e}}#{{b}}\">y</a>"
      + "<img srcset=\"{{b}}\" alt=\"{{d.e}}\" style=\"color: {{a}}\"></p>"
      + "<script type=\"application/json\">{{d}}</script>",
    "loops.mustache": "{{#c}}<i>{{@index}}{{#@first}}first{{/@first}}{{^@last}},{{/@last}}{{.}}</i>{{/c}}",
    "parent.mustache": "{{<frame}}{{$body}}<b>{{a}}</b>{{#c}}{{b}}{{/c}}{{/body}}{{/frame}}",
    "frame.mustache": "<div>{{$body}}empty{{/body}}\n{{$foot}}<i>{{d.e}}</i>{{/foot}}</div>",
    "nib.html": """
    <article data-cell="outlets" data-bind="title" data-outlet="."><h2 data-outlet="a">A</h2>
    <a href="#" data-outlet="d" data-bind="href class">D <b data-outlet="e">E</b></a>
    <ul><li data-outlet="c">C</li></ul><input type="checkbox" data-outlet="b">
    <img src="x.png" alt="" data-outlet="e" data-bind="src alt"></article>
    """,
  ]

  /// Compares texts of a row with one another and with the numbers of loops, of which plans know nothing.
  private static let conditions = #"""
    <p data-cell="conditions"><i data-when="a={b}">1</i><i data-when="a=x,{d.e}">2</i><i data-when="b!={d.e}">3</i>
    {{#c}}<b data-when="@row.a={@number}">4</b><b data-when="@row.b!={@index}">5</b><b data-when="@index={@row.b}">6</b>
    <b data-when="@row.a<{@number}">7</b><b data-when="@number={@row.a},{@row.b}">9</b><u data-bind="hidden:@row.b={@index}; class.x:@row.a=x,{@number}">8</u>{{/c}}</p>
    """#

  private static let kinds = ["text", "lines", "place", "loops", "parent", "outlets"]
  /// Texts by the class that a shape distinguishes; a row's shape names them by these letters.
  private static let texts: [Character: [String]] = [
    "S": [
      "\"x\"", "\"a & b\"", "\"<script>alert('1')</script>\"", "\"https://a.example/?b=c&d=e\"",
      "\"javascript:alert(1)\"", "\"привет, мир\"", "\"a text that is longer than a vector or two \\u0000\"",
    ],
    "N": ["1", "2", "7", "-1.50", "1e400", "123456789012345678901234567890"],
    "X": ["\"\"", "\"y\"", "0", "8", "-0.0", "null", "true", "false"],
  ]

  private static func value(_ depth: Int, using numbers: inout SeededNumbers) -> String {
    switch Int.random(in: 0..<(depth > 2 ? 7 : 10), using: &numbers) {
    case 0...3: return "S"
    case 4: return "N"
    case 5...6: return "X"
    case 7:
      let count = Int.random(in: 0...3, using: &numbers)
      return "[" + (0..<count).map { _ in value(depth + 1, using: &numbers) }.joined(separator: ",") + "]"
    default: return object(depth + 1, using: &numbers)
    }
  }

  private static func object(_ depth: Int, using numbers: inout SeededNumbers) -> String {
    let names = ["a", "b", "c", "d", "e", "href", "class", "src", "title", "unknown"]
    let members = (0..<Int.random(in: 0...6, using: &numbers)).map { _ in
      "\"\(names.randomElement(using: &numbers)!)\":\(value(depth, using: &numbers))"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// A row with texts in the places of their letters. No name contains one of these letters.
  private static func row(_ shape: String, using numbers: inout SeededNumbers) -> String {
    shape.map { texts[$0]?.randomElement(using: &numbers) ?? String($0) }.joined()
  }

  @Test(arguments: kinds + ["conditions"], [ReusePolicy(), .off])
  func rowsThatCameBeforeChangeNothing(_ kind: String, _ reuse: ReusePolicy) throws {
    let archive = try RenderHarness.archive(
      Self.templates.merging(["conditions.html": Self.conditions]) { $1 })
    var numbers = SeededNumbers(state: 11)
    for turn in 0..<40 {
      let harness = RenderHarness(archive: archive, reuse: reuse)
      var limits = RenderLimits()
      limits.missing = MissingPolicy.allCases[turn % 3]
      if turn % 5 == 4 { limits.outputBytes = Int.random(in: 0...400, using: &numbers) }
      if turn % 5 == 3 { limits.iterations = Int.random(in: 0...12, using: &numbers) }
      let shapes = (0..<4).map { _ in Self.object(0, using: &numbers) }
      for position in 0..<30 {
        let row = Self.row(shapes.randomElement(using: &numbers)!, using: &numbers)
        let rendered = try harness.outcomes(kind, row, position: position, count: 30, limits: limits)
        let alone = try RenderHarness(archive: archive).outcomes(
          kind, row, position: position, count: 30, limits: limits)
        #expect(rendered == alone, "\(kind): \(row)")
      }
    }
  }

  @Test func aTextComparedWithTheNumberOfALoopIsComparedAnew() throws {
    let harness = try RenderHarness([
      "pages.html":
        #"<nav data-cell="pages">{{#l}}<a data-when="@row.page={@number}">on</a><b data-when="@row.page!={@number}">off</b>{{/l}}</nav>"#
    ])
    for page in [9, 2, 1, 2] {
      let texts = (1...2).map { $0 == page ? "<a>on</a>" : "<b>off</b>" }.joined()
      let row = #"{"page":\#(page),"l":["a","b"]}"#
      #expect(try harness.outcomes("pages", row) == [.rendered("<nav>\(texts)</nav>")])
    }
  }

  private func planCount(_ harness: RenderHarness, _ kind: String) throws -> Int {
    try harness.factory.assumeIsolated { factory in
      let number = try #require(factory.archive.kindNumber(kind))
      return factory.shelf.plans(ofKind: number).pointee.count
    }
  }

  @Test(arguments: kinds)
  func rowsOfAShapeHaveAPlan(_ kind: String) throws {
    let harness = try RenderHarness(Self.templates)
    let rows = ["one", "two & three", ""].map { #"{"a":"\#($0)","b":1,"c":["x",2],"d":{"e":"\#($0)"}}"# }
    for row in rows + rows { _ = try harness.outcomes(kind, row) }
    // An empty text has a different shape.
    #expect(try planCount(harness, kind) == 2)
  }

  /// Output that depends on more than the row has no plan, and the other inputs may change.
  @Test func valuesOutsideTheShapeAreLookedUpEachTime() throws {
    let harness = try RenderHarness([
      "place.mustache": "{{@index}}{{#@last}}!{{/@last}}",
      "owner.mustache": "{{owner.name}}{{^owner}}nobody{{/owner}}",
      "dynamic.mustache": "{{>*name}}", "a.mustache": "A", "b.mustache": "B",
      "nib.html": #"<p data-cell="outlet" data-missing="keep"><b data-outlet="owner.name">x</b></p>"#,
    ])
    for position in 0..<3 {
      let rendered = try harness.outcomes("place", "{}", position: position, count: 3)
      #expect(rendered == [.rendered("\(position)" + (position == 2 ? "!" : ""))])
    }
    for name in ["Ada", "Mei"] {
      let owner = #"{"name":"\#(name)"}"#
      #expect(try harness.outcomes("owner", "{}", owner: owner) == [.rendered(name)])
      #expect(try harness.outcomes("outlet", "{}", owner: owner) == [.rendered("<p><b>\(name)</b></p>")])
    }
    #expect(try harness.outcomes("owner", "{}") == [.rendered("nobody")])
    #expect(try harness.outcomes("outlet", "{}") == [.rendered("<p><b>x</b></p>")])
    for (name, text) in [("a", "A"), ("b", "B"), ("c", "")] {
      #expect(try harness.outcomes("dynamic", #"{"name":"\#(name)"}"#) == [.rendered(text)])
    }
    for kind in ["place", "owner", "outlet", "dynamic"] { #expect(try planCount(harness, kind) == 0) }
  }

  @Test func termsAreAPlansOwn() throws {
    let harness = try RenderHarness([
      "nib.html": #"<p data-cell="c"><b data-outlet="a">kept</b></p>"#, "deep.mustache": "{{>inner}}",
      "inner.mustache": "in",
    ])
    var blank = RenderLimits()
    blank.missing = .blank
    var keep = RenderLimits()
    keep.missing = .keep
    var error = RenderLimits()
    error.missing = .error
    for _ in 0..<3 {
      #expect(try harness.outcomes("c", "{}") == [.rendered("<p></p>")])
      #expect(try harness.outcomes("c", "{}", limits: keep) == [.rendered("<p><b>kept</b></p>")])
      #expect(try harness.outcomes("c", "{}", limits: blank) == [.rendered("<p><b></b></p>")])
      #expect(try harness.outcomes("c", "{}", limits: error) == [.missing(["a"])])
    }
    var shallow = RenderLimits()
    shallow.partialDepth = 0
    for _ in 0..<2 {
      #expect(try harness.outcomes("deep", "{}") == [.rendered("in")])
      #expect(try harness.outcomes("deep", "{}", limits: shallow) == [.tooDeep(kind: "inner", limit: 0)])
    }
  }

  /// If no two rows are alike, no more plans are recorded; when rows of one shape repeat, recording resumes.
  @Test func plansAreBounded() throws {
    let harness = try RenderHarness(["c.mustache": "{{#l}}{{.}},{{/l}}"])
    func row(_ length: Int) -> String {
      "{\"l\":[" + Array(repeating: "1", count: length).joined(separator: ",") + "]}"
    }
    for length in 0..<40 { _ = try harness.outcomes("c", row(length)) }
    #expect(try planCount(harness, "c") == 8)
    let tries = harness.factory.assumeIsolated { $0.shelf.plans(ofKind: 0).pointee.mayLearn }
    #expect(!tries)
    // Every 16 rows with a plan allow another attempt, and eventually new plans replace old ones.
    for length in 100..<120 {
      for _ in 0..<16 { _ = try harness.outcomes("c", row(3)) }
      #expect(try harness.outcomes("c", row(length)) == [.rendered(String(repeating: "1,", count: length))])
    }
    #expect(try planCount(harness, "c") == 16)
    for length in [119, 118, 119, 100, 3, 2, 30] {
      #expect(try harness.outcomes("c", row(length)) == [.rendered(String(repeating: "1,", count: length))])
    }
  }

  /// Renders rows as a batch, in runs.
  private func renderRuns(_ harness: RenderHarness, _ kind: String, _ rows: [String]) throws -> String {
    try harness.render(kind, "[" + rows.joined(separator: ",") + "]")
  }

  private func rowsWithPlan(_ harness: RenderHarness) -> Int {
    harness.factory.assumeIsolated { $0.planStatistics.rows }
  }

  @Test(arguments: [
    #"<p>{{a}}</p>{{#special}}{{@index}}{{/special}}"#,
    // More values than a plan may contain.
    "<p>{{a}}</p>{{#special}}" + String(repeating: "{{.}}", count: 600) + "{{/special}}",
    // More static output than a plan may contain.
    "<p>{{a}}</p>{{#special}}" + String(repeating: "x", count: 70_000) + "{{/special}}",
  ])
  func anOddRowLeavesTheOthersTheirPlans(_ template: String) throws {
    let harness = try RenderHarness(["c.mustache": template])
    for _ in 0..<20 { _ = try harness.outcomes("c", #"{"a":1,"special":"s"}"#) }
    #expect(try planCount(harness, "c") == 0)
    for _ in 0..<40 { #expect(try harness.outcomes("c", #"{"a":2}"#) == [.rendered("<p>2</p>")]) }
    #expect(try planCount(harness, "c") == 1)
    #expect(rowsWithPlan(harness) == 39)
  }

  /// Many shapes without a plan, each of which costs an attempt. Rows of a plannable shape after them still
  /// get a plan.
  @Test func manyOddRowsLeaveTheOthersTheirPlans() throws {
    let harness = try RenderHarness([
      "c.mustache": "{{a}}{{#l}}{{@index}}{{/l}}{{#special}}{{@index}}{{/special}}"
    ])
    for length in 0..<30 {
      let list = Array(repeating: "1", count: length).joined(separator: ",")
      _ = try harness.outcomes("c", #"{"a":1,"special":"s","l":[\#(list)]}"#)
    }
    for _ in 0..<400 { #expect(try harness.outcomes("c", #"{"a":2}"#) == [.rendered("2")]) }
    #expect(try planCount(harness, "c") == 1)
    #expect(rowsWithPlan(harness) > 100)
  }

  /// A value may exceed the output limit when it is escaped: nothing is printed after it.
  @Test func nothingIsRenderedBeyondTheLimit() throws {
    let harness = try RenderHarness(["c.mustache": "{{a}}" + String(repeating: "{{b}}", count: 300)])
    var limits = RenderLimits()
    limits.outputBytes = 100_000
    let rows = ["x", String(repeating: "&", count: 99_000)].map {
      "{\"a\":\"\($0)\",\"b\":\"\(String(repeating: "y", count: 900))\"}"
    }
    #expect(try harness.outcomes("c", rows[0], rows[0]).count == 2)
    #expect(try planCount(harness, "c") == 1)
    #expect(try harness.outcomes("c", rows[1], limits: limits) == [.outputTooLarge(limit: 100_000)])
  }

  /// The length of a text is not part of the shape: a long text is printed in parts without the plan, and
  /// other rows keep the plan.
  @Test(arguments: ["<p>{{a}}</p>", "<p title=\"{{a}}\">{{a}}</p>", "<p>{{a}}{{b}}</p>{{b}}"])
  func longTextsDoNotPreventPlans(_ template: String) throws {
    let harness = try RenderHarness(["c.mustache": template])
    for count in [100_000, 10, 100_000, 200_000, 70_000, 10, 130_000] {
      let (text, other) = (String(repeating: "x", count: count), String(repeating: "y", count: 65_000))
      let row = #"{"a":"\#(text)","b":"\#(other)"}"#
      let rendered = template.replacing("{{a}}", with: text).replacing("{{b}}", with: other)
      #expect(try harness.outcomes("c", row) == [.rendered(rendered)])
      if count == 10 { #expect(try planCount(harness, "c") == 1) }
    }
  }

  /// If plans would take too much memory, all of them are removed and recorded again.
  @Test func plansOfAllKindsAreBoundedInBytes() throws {
    let literal = String(repeating: "x", count: 60_000)
    func kind(_ number: Int) -> String { "k\(number)" }
    var templates: [String: String] = [:]
    for number in 0..<20 { templates[kind(number) + ".mustache"] = literal + "{{#l}}{{.}}{{/l}}" }
    let harness = try RenderHarness(templates)
    for number in 0..<20 {
      for length in 1...8 {
        let row = "{\"l\":[" + Array(repeating: "1", count: length).joined(separator: ",") + "]}"
        let rendered = literal + String(repeating: "1", count: length)
        #expect(try harness.outcomes(kind(number), row) == [.rendered(rendered)])
        #expect(harness.factory.assumeIsolated { $0.planStatistics.heldBytes } <= 8 << 20)
      }
    }
    #expect(try planCount(harness, kind(0)) == 0)
    #expect(try planCount(harness, kind(19)) == 8)
    #expect(try harness.outcomes(kind(0), "{\"l\":[2]}") == [.rendered(literal + "2")])
  }
}
