import CellTemplates
import Testing

@testable import Cells

/// Behaviour that Mustache leaves open; each row in an HTML cell and in a text cell.
@Suite struct MustacheValueTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let template: String
    let json: String
    /// The output of the HTML cell, and of the text cell unless `text` is given.
    let html: String
    let text: String

    init(_ template: String, _ json: String, _ html: String, text: String? = nil) {
      self.template = template
      self.json = json
      self.html = html
      self.text = text ?? html
    }

    var testDescription: String { "\(template) over \(json)" }
  }

  /// A row cannot choose a nonce, not even with an owner of its own.
  @Test func aNonceIsTheRequestOwners() throws {
    let harness = try RenderHarness(["h.mustache": "<script nonce=\"{{owner.nonce}}\">1</script>"])
    let row = #"{"owner":{"nonce":"x"}}"#
    let expected = "<script nonce=\"y&quot;\">1</script>"
    #expect(try harness.outcomes("h", row, owner: #"{"nonce":"y\""}"#) == [.rendered(expected)])
    #expect(try harness.outcomes("h", row) == [.rendered("<script nonce=\"\">1</script>")])
  }

  private func check(_ row: Case) throws {
    let harness = try RenderHarness([
      "h.mustache": "{{! raw: allow }}" + row.template, "t.txt.mustache": "{{! raw: allow }}" + row.template,
    ])
    #expect(try harness.outcomes("h", row.json) == [.rendered(row.html)])
    #expect(try harness.outcomes("t", row.json) == [.rendered(row.text)])
  }

  @Test(arguments: [
    "0", "-0", "0.00", "-0.0", "0e5", "0E-0", "0.0e+99", "\"\"", "[]", "null", "false", "",
  ])
  func isFalsy(_ value: String) throws {
    let json = value.isEmpty ? "{}" : "{\"a\":\(value)}"
    try check(Case("{{#a}}T{{/a}}{{^a}}F{{/a}}", json, "F"))
    try check(Case("{{#b.a}}T{{/b.a}}{{^b.a}}F{{/b.a}}", "{\"b\":\(json)}", "F"))
  }

  @Test(arguments: [
    "1", "-1", "0.01", "1e-999", "0e0 ,\"a\":1", "\"0\"", "\" \"", "\"false\"", "\"\\u0000\"", "{}", "[0]",
    "[[]]", "[null]",
    "true",
  ])
  func isTruthy(_ value: String) throws {
    try check(Case("{{#a}}T{{/a}}{{^a}}F{{/a}}", "{\"a\":\(value)}", "T"))
    try check(Case("{{#b.a}}T{{/b.a}}{{^b.a}}F{{/b.a}}", "{\"b\":{\"a\":\(value)}}", "T"))
  }

  @Test(arguments: [
    "0", "-0", "19.90", "1e3", "1E+3", "1e400", "-1.50e-7", "0.10", "12345678901234567890123",
    "1e99999999999",
    "3.14159265358979323846264338327950288",
  ])
  func aNumberKeepsTheDigitsThatWereSent(_ digits: String) throws {
    try check(
      Case(
        "{{a}}|{{{a}}}|{{&a}}|{{b}}", "{\"a\":\(digits),\"b\":[\(digits)]}",
        "\(digits)|\(digits)|\(digits)|[\(digits)]"))
  }

  @Test(arguments: [
    Case("{{a}}{{b}}{{c}}{{d}}", #"{"a":true,"b":false,"c":null}"#, "truefalse"),
    Case("{{a}}", #"{"a":"& < > \" '"}"#, "&amp; &lt; &gt; &quot; &#39;"),
    Case("{{{a}}}{{&a}}", #"{"a":"& < > \" '"}"#, "& < > \" '& < > \" '"),
    Case("{{a}}", #"{"a":"a/b=c`d\u00e9\ud83d\ude00\n"}"#, "a/b=c`dé😀\n"),
    Case(
      "{{a}}", #"{"a":"0123456789abcdef<0123456789abcdef&<"}"#,
      "0123456789abcdef&lt;0123456789abcdef&amp;&lt;"),

    // Objects and lists as compact JSON: a repeated key appears once, at its first position, with its last
    // value.
    Case(
      "{{{a}}}", #"{"a": [ 1 , {"b" : "c\/d\u0041é" , "e": [ ] } , null ] }"#,
      #"[1,{"b":"c/dAé","e":[]},null]"#),
    Case("{{{.}}}", #"{"x":1, "y":2, "x":{"z":3,"z":4.0}}"#, #"{"x":{"z":4.0},"y":2}"#),
    Case("{{a}}", #"{"a":{"<b>":"\"'\u001f"}}"#, #"{&quot;&lt;b&gt;&quot;:&quot;\&quot;&#39;\u001f&quot;}"#),

    // NUL is not a valid character in HTML.
    Case(
      "{{a}}{{{a}}}", #"{"a":"x\u0000y\u0000"}"#, "x\u{FFFD}y\u{FFFD}x\u{FFFD}y\u{FFFD}", text: "x\0y\0x\0y\0"
    ),
    Case(
      "{{a}}", #"{"a":"0123456789abcdef\u0000<\u0000"}"#, "0123456789abcdef\u{FFFD}&lt;\u{FFFD}",
      text: "0123456789abcdef\0&lt;\0"),
    Case("{{{a}}}", #"{"a":["\u0000"]}"#, #"["\u0000"]"#),

    // Lists by index.
    Case("{{a.0}}{{a.1.b}}{{a.2}}{{a.00}}{{a.-1}}{{a.1.0}}", #"{"a":["x",{"b":"y"}]}"#, "xy"),
    Case("{{#a}}{{0}}{{1}};{{/a}}", #"{"a":[["x","y"],["z"]]}"#, "xy;z;"),
    Case("{{#a.1}}{{b}}{{/a.1}}", #"{"a":[{"b":"x"},{"b":"y"}]}"#, "y"),
    Case("{{0}}{{1.a}}{{.}}", #"["x",{"a":"y"}]"#, "xy[&quot;x&quot;,{&quot;a&quot;:&quot;y&quot;}]"),
    Case("{{a.4294967295}}{{a.2147483648}}{{a.99999999999999999999}}", #"{"a":[1]}"#, ""),
    Case("{{a.0}}", #"{"a":{"0":"key"}}"#, "key"),

    // A truthy section pushes its value, of any type.
    Case("{{#a}}{{.}}{{b}}{{/a}}", #"{"a":true,"b":"x"}"#, "truex"),
    Case("{{#a}}{{.}}{{/a}}", #"{"a":"s"}"#, "s"),
    Case("{{#a}}{{.}}{{/a}}", #"{"a":-1.50}"#, "-1.50"),
    Case("{{#a}}{{#b}}{{a}}{{.}}{{/b}}{{/a}}", #"{"a":true,"b":[1,2]}"#, "true1true2"),
    Case("{{#.}}{{.}},{{/.}}", "[1,[2],\"x\"]", "1,[2],x,"),
    Case("{{#.}}{{#.}}{{.}},{{/.}};{{/.}}", "[[1,2],[],[3]]", "1,2,;;3,;"),
    Case("{{.}}", "\"row\"", "row"),
    Case("{{.}}|{{a}}|{{#.}}T{{/.}}{{^.}}F{{/.}}", "null", "||F"),
    Case("{{.}}", "7", "7"),

    // Names: only the first part is looked up outward; the last of repeated keys counts.
    Case("{{a}}", #"{"a":1,"b":{"a":3},"a":2}"#, "2"),
    Case("{{#o}}{{a}}{{a.b}}{{/o}}", #"{"a":{"b":1},"o":{"a":{}}}"#, "{}"),
    Case("{{#o}}{{a.b}}{{/o}}", #"{"a":{"b":1},"o":{"c":1}}"#, "1"),
    Case("{{#o}}[{{a}}]{{/o}}", #"{"a":1,"o":{"a":null}}"#, "[]"),
    Case("{{a.b}}{{a.b.c.d}}", #"{"a.b":1,"a":{"x":2}}"#, ""),
    Case("{{a.b}}", #"{"a":"string"}"#, ""),
    Case("{{\u{E9}}}{{e\u{301}}}", "{\"\u{E9}\":\"one\",\"e\u{301}\":\"two\"}", "onetwo"),
    Case("{{x.\u{301}y}}", "{\"x\":{\"\u{301}y\":1}}", "1"),
  ])
  func isRendered(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case("{{#a}}{{@index}}{{/a}}", #"{"a":["x","y","z"]}"#, "012"),
    Case(
      "{{#a}}{{#@first}}({{/@first}}{{.}}{{^@last}},{{/@last}}{{#@last}}){{/@last}}{{/a}}", #"{"a":[1,2,3]}"#,
      "(1,2,3)"),
    Case("{{#a}}{{@first}}{{@last}} {{/a}}", #"{"a":[0,0]}"#, "truefalse falsetrue "),
    Case("{{#a}}{{#@odd}}o{{/@odd}}{{#@even}}e{{/@even}}{{/a}}", #"{"a":[9,9,9]}"#, "eoe"),
    Case("{{#a}}{{#@index}}{{@index}}{{.}};{{/@index}}{{/a}}", #"{"a":["x","y"]}"#, "11;"),
    Case("{{#a}}{{@index}}{{#.}}{{@index}}{{/.}}{{@index}} {{/a}}", #"{"a":[[5,5],[5]]}"#, "0010 101 "),
    // A section over a value that is not a list has no index; that of the list around it applies.
    Case(
      "{{#a}}{{#b}}{{#c}}{{@index}}{{@last}}{{/c}}{{/b}}{{/a}}", #"{"a":[1,1],"b":true,"c":{"d":1}}"#,
      "0false1true"),
    Case("{{#a}}{{>p}}{{/a}}", #"{"a":[1,1]}"#, "[0][1]"),
    // They hide data with that name, except in dotted names.
    Case(
      "{{@index}}{{#a}}{{@index}}{{@first}}{{/a}}",
      #"{"@index":"data","@first":"data","a":[{"@index":"data"}]}"#, "30true"),
    Case("{{a.@index}}{{@index.a}}{{@other}}", #"{"a":{"@index":"data"},"@other":"other"}"#, "dataother"),
    // At the top level: the position of the row in the request.
    Case("{{@index}}{{@first}}{{@last}}{{@odd}}{{@even}}", "{}", "3falsefalsetruefalse"),
    Case("{{#a}}{{@index}}{{@odd}}{{/a}}", #"{"a":{"b":1}}"#, "3true"),
    Case("{{>p}}", "{}", "[3]"),
    Case("{{^a}}{{@index}}{{/a}}", "{}", "3"),
  ])
  func placesInListsAreCounted(_ row: Case) throws {
    for ending in [".mustache", ".txt.mustache"] {
      let harness = try RenderHarness(["c" + ending: row.template, "p" + ending: "[{{@index}}]"])
      #expect(try harness.outcomes("c", row.json, position: 3, count: 5) == [.rendered(row.html)])
    }
  }

  @Test func theRowsOfARequestAreCounted() throws {
    let harness = try RenderHarness(["c.mustache": "{{@index}}{{#@first}}F{{/@first}}{{#@last}}L{{/@last}} "])
    #expect(try harness.render("c", "[{},[],null]") == "0F 1 2L ")
    #expect(try harness.render("c", "{}") == "0FL ")
  }

  @Test(arguments: [
    Case("{{owner.name}}", "{}", "O"),
    Case("{{owner}}", #"{"owner":"row's"}"#, "row&#39;s"),
    Case("{{owner.name}}", #"{"owner":{}}"#, ""),
    Case("{{#a}}{{owner.name}}{{/a}}", #"{"a":[{},{"owner":{"name":"item"}}]}"#, "Oitem"),
    Case("{{#owner}}{{name}}{{#list}}{{.}}{{x}}{{/list}}{{/owner}}", #"{"x":"-"}"#, "O1-2-"),
    Case("{{owner.list.1}}{{@index}}", "7", "20"),
    Case("{{^owner}}none{{/owner}}{{>*owner.kind}}", "{}", "partial O"),
  ])
  func theOwnerLiesBelowTheRow(_ row: Case) throws {
    for ending in [".mustache", ".txt.mustache"] {
      let harness = try RenderHarness(["c" + ending: row.template, "p" + ending: "partial {{owner.name}}"])
      let owner = #"{"name":"O","list":[1,2],"kind":"p"}"#
      #expect(try harness.outcomes("c", row.json, owner: owner) == [.rendered(row.html)])
    }
  }

  @Test func withoutAnOwnerTheNameIsLikeAnyOther() throws {
    let harness = try RenderHarness(["c.mustache": "[{{owner}}{{owner.name}}]{{^owner}}none{{/owner}}"])
    #expect(
      try harness.outcomes("c", "{}", #"{"owner":{"name":1}}"#) == [
        .rendered("[]none"), .rendered("[{&quot;name&quot;:1}1]"),
      ])
  }

  @Test(arguments: [
    (MissingPolicy.keep, RenderHarness.Outcome.rendered("[]")), (.blank, .rendered("[]")),
    (.error, .missing(["a", "b.c", "b.d.e"])),
  ])
  func namesThatFindNothingAreKeptOrReported(_ row: (MissingPolicy, RenderHarness.Outcome)) throws {
    var limits = RenderLimits()
    limits.missing = row.0
    let harness = try RenderHarness([
      "c.mustache": "[{{a}}{{b.c}}{{#s}}{{t}}{{/s}}{{b.d.e}}{{n}}{{^u}}{{/u}}{{>*k}}]"
    ])
    #expect(try harness.outcomes("c", #"{"b":{"d":null},"n":null}"#, limits: limits) == [row.1])
  }

  @Test func missingNamesAreListedUpToAHundredAndCountedAll() throws {
    var limits = RenderLimits()
    limits.missing = .error
    let harness = try RenderHarness(["c.mustache": "{{#a}}{{b}}{{/a}}"])
    let json = "{\"a\":[" + Array(repeating: "1", count: 250).joined(separator: ",") + "]}"
    let outcomes = try harness.outcomes("c", json, limits: limits)
    #expect(outcomes == [.missing(Array(repeating: "b", count: 100))])
    #expect(try harness.outcomes("c", "{}", limits: limits) == [.rendered("")])
  }
}
