import CRowPlan
import CellTemplates
import Testing

@testable import Cells

/// `data-when`: when an element is there.
@Suite struct ConditionTests {
  private static func when(_ condition: String, _ row: String, _ isThere: Bool) -> NibCase {
    NibCase("a <b data-when=\"\(condition)\">b</b>.", row, isThere ? "a <b>b</b>." : "a.")
  }

  @Test(arguments: [
    when("x", "{}", false), when("x", #"{"x":1}"#, true), when("x", #"{"x":0.0}"#, false),
    when("x", #"{"x":""}"#, false), when("x", #"{"x":"0"}"#, true), when("x", #"{"x":[]}"#, false),
    when("x", #"{"x":{}}"#, true), when("!x", "{}", true), when("! x", #"{"x":1}"#, false),
    when("x y", #"{"x":1,"y":1}"#, true), when("x y", #"{"x":1}"#, false), when(" x  !y ", #"{"x":1}"#, true),
    when("x.y", #"{"x":{"y":true}}"#, true), when("x.1", #"{"x":[0,1]}"#, true), when(".", "7", true),
    when("@first", "{}", true), when("@number=1", "{}", true), when("@row.x", #"{"x":1}"#, true),
  ])
  func truth(_ row: NibCase) throws { try row.check() }

  @Test(arguments: [
    when("x=out", #"{"x":"out"}"#, true), when("x=out", #"{"x":"outer"}"#, false), when("x=out", "{}", false),
    when("x=out,low", #"{"x":"low"}"#, true), when("x = out , low", #"{"x":"low"}"#, true),
    when("x=out, low y", #"{"x":"low","y":1}"#, true),
    when("x!=out", #"{"x":"in"}"#, true), when("x!=out,in", #"{"x":"in"}"#, false),
    when("x!=out", "{}", true),
    when("x='a b'", #"{"x":"a b"}"#, true), when("x='it''s'", #"{"x":"it's"}"#, true),
    when("x=''", #"{"x":""}"#, true),
    when("x=5", #"{"x":5}"#, true), when("x=5", #"{"x":5.00}"#, true), when("x=5", #"{"x":0.5e1}"#, true),
    when("x=5", #"{"x":"5"}"#, true), when("x=5", #"{"x":"5.0"}"#, false), when("x='5'", #"{"x":5}"#, false),
    when("x='5'", #"{"x":"5"}"#, true), when("x=0", #"{"x":-0.0}"#, true),
    when("x=true", #"{"x":true}"#, true), when("x=true", #"{"x":"true"}"#, true),
    when("x='true'", #"{"x":true}"#, false),
    when("x=null", #"{"x":null}"#, true), when("x=null", "{}", false), when("x!=null", "{}", true),
    when("x=false", #"{"x":false}"#, true), when("x=a", #"{"x":["a"]}"#, false),
    when("x!=a", #"{"x":{}}"#, true),
    when("x=größer", #"{"x":"größer"}"#, true), when("x=verylongword", #"{"x":"verylongword"}"#, true),
    when("x={y}", #"{"x":"a","y":"a"}"#, true), when("x={y}", #"{"x":"a","y":"b"}"#, false),
    when("x={y}", #"{"x":1,"y":1.0}"#, true), when("x={y}", #"{"x":"1","y":1}"#, false),
    when("x={y}", #"{"x":null,"y":null}"#, true), when("x={y}", #"{"x":1}"#, false),
    when("x!={y}", #"{"x":1}"#, true),
    when("x={y},c", #"{"x":"c","y":"b"}"#, true), when("x={y},{z}", #"{"x":"c","y":"b","z":"c"}"#, true),
    when("x={ y }", #"{"x":[],"y":[]}"#, false), when("@index={x}", #"{"x":0}"#, true),
  ])
  func equality(_ row: NibCase) throws { try row.check() }

  @Test(arguments: [
    ("@locale=de", true), ("@locale='de'", true), ("@locale={lang}", true), ("lang={@locale}", true),
    ("lang!={@locale}", false), ("@locale={@locale}", true), ("@dir='ltr'", true), ("@dir={lang}", false),
    ("@locale={n}", false), ("n={@locale}", false), ("@locale=en", false), ("lang=en,{@locale}", true),
  ])
  func theLocaleIsAString(_ condition: String, _ holds: Bool) throws {
    let harness = try FormatHarness(
      ["n.html": "<p data-cell=\"a\"><b data-when=\"\(condition)\">b</b></p>"], standard: "de", others: "en")
    for _ in 0..<2 {
      let (texts, _) = try harness.outputs("a", [#"{"lang":"de","n":1}"#])
      #expect(texts == [holds ? "<p><b>b</b></p>" : "<p></p>"])
    }
    let (texts, _) = try harness.outputs("a", [#"{"lang":"xx","n":1}"#])
    #expect(
      condition.contains("lang") == false || texts == ["<p>\(condition.contains("!=") ? "<b>b</b>" : "")</p>"]
    )
  }

  @Test(arguments: [
    when("x<5", #"{"x":4}"#, true), when("x<5", #"{"x":5}"#, false), when("x&lt;=5", #"{"x":5.0}"#, true),
    when("x>5", #"{"x":"5.1"}"#, true), when("x>5", #"{"x":"5,1"}"#, false),
    when("x>=-1.5e2", #"{"x":-150}"#, true),
    when("x<5", "{}", false), when("x<5", #"{"x":null}"#, false), when("x<5", #"{"x":true}"#, false),
    when("x<5", #"{"x":""}"#, false), when("x<5", #"{"x":"abc"}"#, false), when("x<5", #"{"x":" 4"}"#, false),
    when("x<{y}", #"{"x":1,"y":2}"#, true), when("x<{y}", #"{"x":"1","y":"1e1"}"#, true),
    when("x<{y}", #"{"x":1}"#, false),
    when("x<{y}", #"{"x":1,"y":"a"}"#, false), when("@number<{x}", #"{"x":2}"#, true),
    when("x>1e400", #"{"x":1e401}"#, true),
    when("x<1e99999999999999999999", #"{"x":1e99999999999999999998}"#, true),
    when("x>0.1", #"{"x":0.1000000000000000000000000000000001}"#, true),
    when("x>9007199254740992", #"{"x":9007199254740993}"#, true),
  ])
  func order(_ row: NibCase) throws { try row.check() }

  /// It is judged before the outlet, in the context around the element.
  @Test(arguments: [
    NibCase("<p data-when=x data-outlet=x>d</p>", #"{"x":"a"}"#, "<p>a</p>"),
    NibCase(
      "<ul><li data-outlet=x><b data-outlet=y>d</b><i data-outlet=@number>d</i></li></ul>",
      #"{"x":[{"y":"a"},{"y":"b"}]}"#,
      "<ul><li><b>a</b><i>1</i></li><li><b>b</b><i>2</i></li></ul>"),
    NibCase("<p data-outlet=x><b data-outlet=@row.y>d</b></p>", #"{"x":{"y":1},"y":2}"#, "<p><b>2</b></p>"),
    NibCase(
      "<p data-when='y=1' data-outlet=x><b data-outlet=z>d</b></p>", #"{"x":{"z":2},"y":1}"#,
      "<p><b>2</b></p>"),
    NibCase("<p data-when='z=2' data-outlet=x><b data-outlet=z>d</b></p>", #"{"x":{"z":2},"y":1}"#, ""),
    NibCase(
      "<p data-outlet=x><b data-when=z>d</b></p>", #"{"x":[{"z":1},{"z":0}],"z":1}"#, "<p><b>d</b></p><p></p>"
    ),
    NibCase(
      "<ul><li data-outlet=x><b data-outlet=.>d</b><i data-when=!@last>,</i></li></ul>", #"{"x":["a","b"]}"#,
      "<ul><li>a</li><li>b</li></ul>"),
    NibCase(
      "<table><tr><td data-when=x data-outlet=y>d</td></tr></table>", #"{"y":null}"#,
      "<table><tr></tr></table>"),
    // Where an outlet finds nothing, neither do conditions.
    NibCase(
      "<p data-outlet=x><b data-when=y>d</b><i data-when=!y>d</i></p>", #"{"y":1}"#, "<p><i>d</i></p>",
      missing: .keep),
    NibCase("<p data-outlet=x><b data-when=y>d</b></p>", "{}", lacks: ["x"]),
    NibCase("<p data-when=x>{{y}}</p>", "{}", "", missing: .error),
    NibCase("<p data-outlet=x>a<b data-when=y>d</b></p>", "{}", "<p>a</p>", missing: .blank),
    NibCase("<p data-outlet=x>a<b data-when=y>d</b></p>", #"{"x":"t"}"#, "<p>t</p>"),
    NibCase("<p data-outlet=x>a<b data-when=y>d</b></p>", #"{"x":{"text":"t"}}"#, "<p>a</p>"),
    NibCase("<p data-when=owner.x>d</p>", "{}", "<p>d</p>", owner: #"{"x":1}"#),
    NibCase(
      "{{#s}}<b data-when='k=a'>A</b><b data-when='k!=a'>B</b>{{/s}}", #"{"s":[{"k":"a"},{"k":"b"},{}]}"#,
      "<b>A</b><b>B</b><b>B</b>"),
  ])
  func positions(_ row: NibCase) throws { try row.check() }

  @Test func aRootThatFailsIsAnEmptyRow() throws {
    let harness = try RenderHarness(["nib.html": "<p data-cell=a data-when=x>d</p>"])
    #expect(try harness.render("a", #"[{},{"x":1},{"x":0}]"#) == "<p>d</p>")
  }

  /// The values of the paths in a condition are in large objects, whose look-ups pause, and long texts are compared.
  @Test func conditionsPauseBetweenTheirLookUps() throws {
    let members = (0..<60_000).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    let text = String(repeating: "t", count: 400_000)
    let row = """
      {"a":{\(members),"x":"\(text)"},"b":{\(members),"x":"\(text)s"},"c":{\(members),"x":"\(text)"},\
      "d":{\(members),"x":1e2},"e":{\(members),"x":100}}
      """
    for (condition, isThere) in [
      ("a.x={b.x},{c.x}", true), ("a.x!={b.x},{c.x}", false), ("a.x={b.x},{d.x},{e.x}", false),
      ("d.x={e.x}", true),
      ("d.x>={e.x}", true), ("@row.d.x<{@row.e.x}", false), ("a.x={c.x} d.x={e.x} b.x!={a.x},{c.x}", true),
    ] {
      try NibCase("<p data-when='\(condition)'>d</p>", row, isThere ? "<p>d</p>" : "").check(leastPauses: 2)
    }
  }

  /// Rows of one shape whose conditions differ have plans of their own.
  @Test func outcomesArePartOfAPlan() throws {
    let harness = try RenderHarness([
      "nib.html": """
      <p data-cell=a><b data-when="s=out">out</b><i data-when="n<5">few</i><u data-when="s={t}">same</u>\
      <s data-when="s!='a longer text'">other</s>{{s}}</p>
      """
    ])
    let texts = ["out", "in", "a longer text", "", "outer"]
    var rows: [String] = []
    var expected = ""
    for number in 0..<400 {
      let (s, n, t) = (texts[number % 5], number % 7, texts[number % 3])
      rows.append("{\"s\":\"\(s)\",\"n\":\(n + 1).0,\"t\":\"\(t)\"}")
      expected += "<p>" + (s == "out" ? "<b>out</b>" : "") + (n + 1 < 5 ? "<i>few</i>" : "")
      expected += (s == t ? "<u>same</u>" : "") + (s != "a longer text" ? "<s>other</s>" : "") + "\(s)</p>"
    }
    #expect(try harness.render("a", "[" + rows.joined(separator: ",") + "]") == expected)
    let planned = harness.factory.assumeIsolated { $0.planStatistics }
    #expect(planned.learnt > 1 && planned.rows > 200, "\(planned)")
  }

  /// Guards of plans decide as the renderer does, for every form of a number, and for texts that are too long for them.
  @Test(arguments: [
    "v<5", "v<=4.50", "v>-1.25", "v>=1e1", "v=5", "v!=5", "v=5.0,x", "v<{w}", "v='5'", "v!='12345678'",
  ])
  func guardsDecideAsTheRenderer(_ condition: String) throws {
    let values = [
      "5", "4.5", "4.50", "-1.25", "-1.2", "0", "-0", "1e1", "5.0", "05", "\"5\"", "\"05\"", "\"4.\"",
      "\".5\"", "\"-\"",
      "\"12345678\"", "\"123456789\"", "123456789012345678", "1234567890123456789", "\"\"",
      "4.99999999999999999",
      "\"\(String(repeating: "9", count: 70))\"", "true", "null", "[5]",
    ].filter { $0 != "05" }
    let nib = ["nib.html": "<template data-cell=a><b data-when=\"\(condition)\">b</b>{{t}}.</template>"]
    let planned = try RenderHarness(nib)
    let single = try RenderHarness(nib, reuse: .off)
    var rows: [String] = []
    var expected = ""
    for number in 0..<600 {
      let row = "{\"v\":\(values[number % values.count]),\"w\":\(number % 7).5,\"t\":\"t\"}"
      rows.append(row)
      expected += try single.render("a", row)
    }
    #expect(try planned.render("a", "[\(rows.joined(separator: ","))]") == expected)
  }

  /// The comparison of numbers against that of decimal texts.
  @Test func numbersCompareExactly() {
    let ascending = [
      "-1e400", "-12e1", "-100", "-99.5", "-1", "-0.1", "-1e-400", "0", "1e-400", "0.0001", "0.1",
      "0.10000000000000001",
      "1", "1.5", "2", "9", "10", "99999999", "100000001", "123456789012345678", "123456789012345679", "1e20",
      "1e400",
    ]
    for (left, text) in ascending.enumerated() {
      for (right, other) in ascending.enumerated() {
        let order = cf_compare_numbers(Array(text.utf8), text.utf8.count, Array(other.utf8), other.utf8.count)
        #expect(order.signum() == (left - right).signum(), "\(text) \(other)")
      }
    }
    let equal = [
      "12", "12.0", "1.2e1", "0.12E+2", "120e-1", "12.000000000000000000", "0.000000000000000012e18",
    ]
    for text in equal {
      for other in equal {
        #expect(
          cf_compare_numbers(Array(text.utf8), text.utf8.count, Array(other.utf8), other.utf8.count) == 0,
          "\(text) \(other)")
      }
    }
    for text in ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", " 1", "1 ", "NaN", "1.2.3", "--1"] {
      #expect(!cf_is_number(Array(text.utf8), text.utf8.count), "\(text)")
    }
    for text in ascending + equal { #expect(cf_is_number(Array(text.utf8), text.utf8.count), "\(text)") }
  }

  @Test(arguments: [
    ("", 1), ("  ", 1), ("x==1", 2), ("x=", 3), ("=1", 1), ("x=a b=", 7), ("x<a", 3), ("x<1,2", 4),
    ("x='a", 3),
    ("x={y", 3), ("x={}", 4), ("x={y}z", 6), ("x>'5'", 3), ("!", 2), ("x=a,", 5), ("a..b", 1), ("x=a'b", 4),
    ("x y!", 5), ("x;", 2), ("!x=5", 3), ("! x < 5", 5), ("!x!=5", 3),
  ])
  func malformed(_ condition: String, _ column: Int) throws {
    let nib = "<p data-cell=a data-when=\"\(condition)\">d</p>"
    let source = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(nib.utf8))
    let errors = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [source]) }
    let diagnostics = errors?.diagnostics ?? []
    #expect(diagnostics.map(\.code) == [.invalidCondition], "\(condition): \(diagnostics)")
    #expect(diagnostics.first?.column == 26 + column, "\(condition): \(diagnostics)")
  }
}
