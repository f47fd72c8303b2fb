import CellTemplates
import Testing

@testable import Cells

/// `data-bind`: attributes that values set.
@Suite struct BindingTests {
  @Test(arguments: [
    NibCase("<a data-bind=href:u href='#'>d</a>", #"{"u":"/a?b&c"}"#, "<a href=\"/a?b&amp;c\">d</a>"),
    NibCase("<a data-bind=href:u>d</a>", #"{"u":7}"#, "<a href=\"7\">d</a>"),
    NibCase(
      "<a data-bind='href:u.v; title:t' title=x>d</a>", #"{"u":{"v":"/a"},"t":"\"q\""}"#,
      "<a title=\"&quot;q&quot;\" href=\"/a\">d</a>"),
    NibCase("<a data-bind='href:u;' href='#'>d</a>", #"{"u":null}"#, "<a>d</a>"),
    NibCase("<a data-bind=href:u href='#'>d</a>", #"{"u":false}"#, "<a>d</a>"),
    NibCase("<a data-bind=href:u href='#'>d</a>", #"{"u":true}"#, "<a href='#'>d</a>"),
    NibCase("<a data-bind=title:u>d</a>", #"{"u":true}"#, "<a title=\"\">d</a>"),
    NibCase("<a data-bind=href:u href='#'>d</a>", "{}", "<a>d</a>", tally: (1, 0)),
    NibCase("<a data-bind=href:u href='#'>d</a>", "{}", "<a href='#'>d</a>", missing: .keep, tally: (1, 1)),
    NibCase("<a data-bind=href:u href='#'>d</a>", "{}", "<a href='#'>d</a>", missing: .blank, tally: (1, 1)),
    NibCase("<a data-bind=title:u>d</a>", "{}", "<a>d</a>", missing: .keep, tally: (1, 0)),
    NibCase("<a data-bind=href:u.v href='#'>d</a>", "{}", lacks: ["u.v"]),
    NibCase("<a data-missing=error data-bind=href:u href='#'>d</a>", "{}", lacks: ["u"], missing: .drop),
    // Inside of an outlet without a value, names beside an outlet that goes find nothing either.
    NibCase(
      "<p data-outlet=x><input data-outlet=y data-missing=drop data-bind='class+:c; title:t; class.k:c'></p>",
      #"{"c": ["a"], "t": "t"}"#, "<p><input></p>", missing: .blank, tally: (4, 0)),
    NibCase("<a data-missing=keep data-bind=href:u href='#'>d</a>", "{}", "<a href='#'>d</a>", tally: (1, 1)),
    NibCase(
      "<a data-bind=href:u>d</a>", #"{"u":"javascript:alert(1)"}"#, "<a href=\"about:invalid#cell\">d</a>"),
    NibCase(
      "<p data-bind=title:u>d</p>", #"{"u":[1,"a",{"b":null}]}"#,
      "<p title=\"[1,&quot;a&quot;,{&quot;b&quot;:null}]\">d</p>"),
    NibCase(
      "<p data-bind=class:u class=x>d</p>", #"{"u":["a",null,"","b",false,[3]]}"#, "<p class=\"a b 3\">d</p>"),
    NibCase("<b data-bind=aria-expanded:u>d</b>", #"{"u":false}"#, "<b aria-expanded=\"false\">d</b>"),
    NibCase("<b data-bind=draggable:u draggable=true>d</b>", #"{"u":false}"#, "<b draggable=\"false\">d</b>"),
    NibCase("<b data-bind=aria-label:u aria-label=x>d</b>", #"{"u":false}"#, "<b>d</b>"),
    NibCase(
      "<svg><use data-bind='xlink:href:u' xlink:href='#a'/></svg>", ##"{"u":"#b"}"##,
      "<svg><use xlink:href=\"#b\" /></svg>"),
    // The white space before an element with a condition goes with it, if only its file is missing.
    NibCase("<p>, <img data-when=!b data-bind=src:u></p>", "{}", "<p>,</p>", tally: (1, 0)),
    NibCase(
      "<p>, <img data-when=!b data-bind=src:u></p>", #"{"u":"a.png"}"#, "<p>, <img src=\"a.png\"></p>"),
    NibCase("<p>, <img data-bind=src:u></p>", "{}", "<p>, </p>", tally: (1, 0)),
    NibCase("<p data-bind=title:.>d</p>", "5", "<p title=\"5\">d</p>"),
    NibCase("<p data-bind=title:owner.n>d</p>", "{}", "<p title=\"o\">d</p>", owner: #"{"n":"o"}"#),
    NibCase(
      "{{#l}}<p data-bind=title:@number>d</p>{{/l}}", #"{"l":[1,2]}"#,
      "<p title=\"1\">d</p><p title=\"2\">d</p>"),
  ])
  func values(_ row: NibCase) throws { try row.check() }

  @Test(arguments: [
    NibCase(
      "<a data-bind=\"href:'/u/{id}?q={q}'\">d</a>", #"{"id":"a/b","q":"x&y"}"#,
      "<a href=\"/u/a/b?q=x%26y\">d</a>"),
    NibCase(
      "<a data-bind=\"title:'{a} ''and'' {b}&amp;<'\" title=x>d</a>", #"{"a":1}"#,
      "<a title=\"1 'and' &amp;&lt;\">d</a>", tally: (0, 0)),
    NibCase("<a data-bind=\"title:'{a} {b}'\">d</a>", #"{"a":1}"#, lacks: ["b"]),
    NibCase("<a data-bind=\"href:'/{a}/b'\">d</a>", #"{"a":""}"#, "<a href=\"/./b\">d</a>"),
    NibCase("<a data-bind=\"title:''\" title=x>d</a>", "{}", "<a title=\"\">d</a>"),
    NibCase(
      "<img data-bind=\"srcset:'{a} 1x, {b} 2x'\">", #"{"a":"/a","b":"/b"}"#, "<img srcset=\"/a 1x, /b 2x\">"),
    // References are decoded before they are escaped anew.
    NibCase(
      "<p data-bind=\"title:'{p}&nbsp;&euro; f&uuml;r &amp; {n}'\">d</p>", #"{"p":5,"n":"Ada"}"#,
      "<p title=\"5\u{A0}\u{20AC} f\u{FC}r &amp; Ada\">d</p>"),
    NibCase(
      "<p class=\"caf&eacute; low\" data-bind=\"class.low:x\">d</p>", #"{"x":true}"#,
      "<p class=\"caf\u{E9} low\">d</p>"),
    NibCase(
      "<p style=\"font-family: Caf&eacute;; width: 1%\" data-bind=\"style.width:'{p}%'\">d</p>", #"{"p":40}"#,
      "<p style=\"font-family: Caf\u{E9};width:40%\">d</p>"),
    NibCase(
      "<p data-when=\"s='verf&uuml;gbar'\">a</p><b data-outlet=\"gr&ouml;&szlig;e\">b</b>",
      "{\"s\":\"verf\u{FC}gbar\",\"gr\u{F6}\u{DF}e\":1}", "<p>a</p><b>1</b>"),
  ])
  func composed(_ row: NibCase) throws { try row.check() }

  @Test(arguments: [
    NibCase("<input data-bind=disabled:x disabled>", "{}", "<input>", tally: (0, 0)),
    NibCase("<input data-bind=disabled:x>", #"{"x":1}"#, "<input disabled>"),
    NibCase("<input data-bind='disabled:!x; required:n>3'>", #"{"n":4}"#, "<input disabled required>"),
    NibCase("<input data-bind=disabled>", #"{"disabled":true}"#, "<input disabled>"),
    NibCase("<input data-bind=disabled:x>", "{}", "<input>", missing: .error),
    NibCase("<b class='a low b' data-bind='class.low:n<5'>d</b>", #"{"n":4}"#, "<b class=\"a low b\">d</b>"),
    NibCase("<b class='a low b' data-bind='class.low:n<5'>d</b>", #"{"n":5}"#, "<b class=\"a b\">d</b>"),
    NibCase("<b data-bind='class.low:n<5'>d</b>", #"{"n":5}"#, "<b>d</b>"),
    NibCase(
      "<b data-bind='class.low:n<5; class.flex:f'>d</b>", #"{"n":1,"f":1}"#,
      "<b class=\"low flex\">d</b>", missing: .drop),
    NibCase(
      "<b data-bind='class.a:x; class.b:y; class.c:z'>d</b>", #"{"x":0,"y":1,"z":1}"#,
      "<b class=\"b c\">d</b>"),
    NibCase(
      "<b class=x data-bind='class+:t; class.b:y'>d</b>", #"{"t":["u",null,"v"],"y":1}"#,
      "<b class=\"x u v b\">d</b>"),
    NibCase("<b class=x data-bind=class+:t>d</b>", "{}", "<b class=\"x\">d</b>", tally: (1, 0)),
    NibCase("<b data-bind=class+:t>d</b>", #"{"t":[null,""]}"#, "<b>d</b>"),
    NibCase("<b data-bind=class+:t>d</b>", #"{"t":true}"#, "<b>d</b>"),
    NibCase("<b data-bind=class+:t>d</b>", "{}", lacks: ["t"]),
    NibCase("<b class=x data-bind=\"class+:'is-{s}'\">d</b>", #"{"s":"on"}"#, "<b class=\"x is-on\">d</b>"),
    NibCase(
      "<b aria-describedby=x data-bind=aria-describedby+:t>d</b>", #"{"t":"y"}"#,
      "<b aria-describedby=\"x y\">d</b>"),
  ])
  func choices(_ row: NibCase) throws { try row.check() }

  /// What takes tokens, and what is there or not, whatever its value.
  @Test(arguments: [
    "class", "part", "headers", "itemprop", "itemtype", "aria-controls", "aria-describedby",
    "aria-labelledby",
    "aria-owns",
  ])
  func listsOfTokens(_ name: String) throws {
    let row = #"{"t":["b",null,["c",""],false,1]}"#
    let cell = { (entry: String) in "<table><tr><td \(name)=a data-bind='\(entry)'>d</td></tr></table>" }
    let drawn = { (tokens: String) in "<table><tr><td \(name)=\"\(tokens)\">d</td></tr></table>" }
    try NibCase(cell("\(name)+:t"), row, drawn("a b c 1")).check()
    try NibCase(cell("\(name):t"), row, drawn("b c 1")).check()
    try NibCase("<a \(name)=a data-bind='\(name)+:t'>d</a>", #"{"t":[null,""]}"#, "<a \(name)=\"a\">d</a>")
      .check()
  }

  /// A text adds its words. One of values alone is nothing if they print nothing.
  @Test(arguments: [
    ("'{u}'", "{}", ""), ("'{u}'", #"{"u":null}"#, ""), ("'{u}'", #"{"u":""}"#, ""),
    ("'{u}'", #"{"u":"U"}"#, "U"),
    ("'{u}'", #"{"u":false}"#, "false"), ("'{u}'", #"{"u":0}"#, "0"), ("'{u}'", #"{"u":[]}"#, "[]"),
    ("'is-{u}'", "{}", "is-"), ("'{u} {v}'", #"{"v":"V"}"#, "V"), ("'{u} {v}'", #"{"u":"U","v":"V"}"#, "U V"),
    ("'{u}{v}'", "{}", ""), ("'{u}{v}'", #"{"u":"U"}"#, "U"), ("'{u}{v}'", #"{"v":"V"}"#, "V"),
    ("'{u}{v} {u}{v}'", #"{"u":"U","v":"V"}"#, "UV UV"), ("'{u}{v} {u}{v}'", #"{"v":"V"}"#, "V V"),
    ("''", "{}", ""), ("' '", "{}", ""), ("' a  {u}b '", #"{"u":"U"}"#, "a Ub"),
  ])
  func textsOfTokens(_ text: String, _ row: String, _ expected: String) throws {
    let added = { (first: String) in
      [first, expected].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let attribute = { (tokens: String) in tokens.isEmpty ? "" : " class=\"\(tokens)\"" }
    try NibCase("<b data-bind=\"class+:\(text)\">d</b>", row, "<b\(attribute(expected))>d</b>").check()
    try NibCase("<b class=a data-bind=\"class+:\(text)\">d</b>", row, "<b class=\"\(added("a"))\">d</b>")
      .check()
    try NibCase(
      "<i data-outlet=o data-bind=\"class+:\(text)\"><b>d</b></i>", "{\"o\":\(row)}",
      "<i\(attribute(expected))><b>d</b></i>"
    ).check()
    try NibCase(
      "<b class=a data-bind=\"class+:\(text); class.k:!no\">d</b>", row, "<b class=\"\(added("a")) k\">d</b>"
    ).check()
  }

  @Test func textsOfTokensLackNames() throws {
    try NibCase("<b class=a data-bind=\"class+:'{u}{v}'\">d</b>", #"{"v":1}"#, lacks: ["u"]).check()
  }

  @Test func pingTakesAddresses() throws {
    let row = #"{"t":["/b",null,"javascript:c"]}"#
    try NibCase("<a ping=/a data-bind='ping+:t'>d</a>", row, "<a ping=\"/a /b about:invalid#cell\">d</a>")
      .check()
  }

  @Test(arguments: [
    "hidden", "checked", "selected", "disabled", "readonly", "required", "multiple", "open", "reversed",
    "itemscope",
    "autofocus", "controls", "inert", "loop", "muted", "novalidate",
  ])
  func booleanAttributes(_ name: String) throws {
    for (value, isThere) in [
      ("1", true), ("\"a\"", true), ("0", false), ("null", false), ("[]", false), ("{}", true),
    ] {
      let row = "{\"x\":\(value)}"
      try NibCase("<b data-bind='\(name):x'>d</b>", row, isThere ? "<b \(name)>d</b>" : "<b>d</b>").check()
    }
    try NibCase("<b \(name) data-bind='\(name):x=1'>d</b>", "{}", "<b>d</b>", missing: .error).check()
  }

  @Test(arguments: [
    NibCase(
      "<b style='color: red; width:1px' data-bind=\"style.width:'{p}%'\">d</b>", #"{"p":40}"#,
      "<b style=\"color: red;width:40%\">d</b>"),
    NibCase("<b data-bind=style.width:w>d</b>", #"{"w":"3px"}"#, "<b style=\"width:3px\">d</b>"),
    NibCase(
      "<b data-bind='style.width:w; style.--size:s'>d</b>", #"{"w":"url(x)","s":2}"#,
      "<b style=\"width:invalid;--size:2\">d</b>"),
    NibCase(
      "<b style='width:1px;color:red' data-bind=style.width:w>d</b>", "{}", "<b style=\"color:red\">d</b>",
      tally: (1, 0)),
    NibCase(
      "<b style='width:1px;color:red' data-bind=style.width:w>d</b>", "{}",
      "<b style=\"width:1px;color:red\">d</b>", missing: .keep, tally: (1, 1)),
    NibCase("<b style='width:1px' data-bind=style.width:w>d</b>", #"{"w":null}"#, "<b>d</b>"),
    NibCase(
      "<b style='width:1px' data-bind=style.width:w>d</b>", #"{"w":true}"#, "<b style=\"width:1px\">d</b>"),
    NibCase(
      "<b style='content:\";\";width:1px' data-bind=style.width:w>d</b>", #"{"w":2}"#,
      "<b style=\"content:&quot;;&quot;;width:2\">d</b>"),
  ])
  func styles(_ row: NibCase) throws { try row.check() }

  /// Paths start in the outlet's value if that is an object.
  @Test(arguments: [
    NibCase(
      "<a data-outlet=x data-bind=href:u href='#'>d</a>", #"{"x":{"u":"/a","text":"t"},"u":"/b"}"#,
      "<a href=\"/a\">t</a>"),
    NibCase(
      "<a data-outlet=x data-bind=href:u href='#'>d</a>", #"{"x":"t","u":"/b"}"#, "<a href=\"/b\">t</a>"),
    NibCase(
      "<a data-outlet=x data-bind=href:u href='#'>d</a>", #"{"x":true,"u":"/b"}"#, "<a href=\"/b\">d</a>"),
    NibCase("<td data-outlet=x data-bind=title:u>d</td>", #"{"x":null,"u":"/b"}"#, "<td title=\"/b\"></td>"),
    NibCase("<a data-outlet=x data-bind=title:.>d</a>", #"{"x":"t"}"#, "<a title=\"t\">t</a>"),
    NibCase("<td data-outlet=x data-bind=title:.>d</td>", #"{"x":null}"#, "<td></td>"),
    NibCase(
      "<a data-outlet=x data-bind=title:@index>d</a>", #"{"x":["a","b"]}"#,
      "<a title=\"0\">a</a><a title=\"1\">b</a>"),
    NibCase(
      "<a data-outlet=x data-bind=href:u>d</a>", #"{"x":["a",{"u":"/c","text":"c"}],"u":"/b"}"#,
      "<a>a</a><a href=\"/c\">c</a>", tally: (1, 0)),
    NibCase(
      "<a data-outlet=x data-bind=href:u href='#'>d</a>", "{}", "<a href='#'>d</a>", missing: .keep,
      tally: (1, 1)),
    NibCase(
      "<a data-outlet=x data-bind='class.b:u' class=b>d</a>", "{}", "<a class=b>d</a>", missing: .keep,
      tally: (1, 1)),
    NibCase(
      "<a data-outlet=x data-bind='class.b:u=1' class=b>d</a>", #"{"x":[{"u":1,"text":"e"},{"text":"f"}]}"#,
      "<a class=\"b\">e</a><a>f</a>"),
    NibCase(
      "<a data-outlet=x data-bind=\"title:'{.}!'\">d</a>", #"{"x":["a","b"]}"#,
      "<a title=\"a!\">a</a><a title=\"b!\">b</a>"),
    NibCase(
      "<input type=checkbox data-outlet=x data-bind='checked:c; value:v' value=d>", #"{"x":{"c":0,"v":1}}"#,
      "<input type=checkbox value=\"1\">"),
    NibCase(
      "<input type=checkbox data-outlet=x data-bind='value:v' value=d checked>", #"{"x":false,"v":3}"#,
      "<input type=checkbox value=\"3\">"),
    NibCase(
      "<img data-outlet=x data-bind='alt:a' src=d alt=''>", #"{"x":"/e","a":"A"}"#,
      "<img src=\"/e\" alt=\"A\">"),
    NibCase(
      "<img data-outlet=x data-bind=\"src:'/i/{id}'\" src=d>", #"{"x":{"id":1}}"#, "<img src=\"/i/1\">"),
    NibCase("<img data-outlet=x data-bind=\"src:'/i/{id}'\" src=d>", #"{"x":"/f"}"#, "<img src=\"/f\">"),
    NibCase(
      "<ul><li data-outlet=x><a data-bind=href:u data-outlet=t>d</a></li></ul>",
      #"{"x":[{"u":"/1","t":"a"},{"u":"/2","t":"b"}]}"#,
      "<ul><li><a href=\"/1\">a</a></li><li><a href=\"/2\">b</a></li></ul>"),
  ])
  func besideOutlets(_ row: NibCase) throws { try row.check() }

  /// An element that shows a file goes with its attribute.
  @Test(arguments: [
    NibCase(
      "<p>a <img data-bind='src:u; alt:a' src=d alt=d> b</p>", #"{"u":"/u","a":"A"}"#,
      "<p>a <img src=\"/u\" alt=\"A\"> b</p>"),
    NibCase(
      "<p>a <img data-bind='src:u; alt:a' src=d alt=d> b</p>", #"{"a":"A"}"#, "<p>a  b</p>", tally: (1, 0)),
    NibCase("<p><img data-bind=src:u src=d></p>", #"{"u":null}"#, "<p></p>", tally: (0, 0)),
    NibCase("<p><img data-bind=src:u src=d></p>", #"{"u":true}"#, "<p><img src=d></p>"),
    NibCase("<p><img data-bind=src:u src=d></p>", "{}", "<p><img src=d></p>", missing: .keep, tally: (1, 1)),
    NibCase("<p><img data-bind=src:u src=d></p>", "{}", lacks: ["u"]),
    NibCase(
      "<p>a <img data-outlet=x data-bind='src alt' src=d alt=d></p>", #"{"x":{"alt":"A"}}"#, "<p>a</p>",
      tally: (1, 0)),
    NibCase(
      "<p>a <img data-outlet=x data-bind='src alt' src=d alt=d></p>",
      #"{"x":[{"src":"/a"},{"alt":"A"},"/b"]}"#, "<p>a <img src=\"/a\"> <img src=\"/b\"></p>"),
    NibCase("<svg><use data-bind=href:u href='#a'><title>t</title></use></svg>", "{}", "<svg></svg>"),
    NibCase("<svg><use data-bind='xlink:href:u' xlink:href='#a'/></svg>", #"{"u":null}"#, "<svg></svg>"),
    NibCase("<svg><image data-bind=href:u href='a.png'/></svg>", #"{"u":false}"#, "<svg></svg>"),
    NibCase(
      "<video><source data-bind=src:u src=a><track data-bind=src:v src=b></video>", #"{"u":"/u"}"#,
      "<video><source src=\"/u\"></video>"),
    NibCase("<picture><source data-bind=srcset:u srcset=a></picture>", "{}", "<picture></picture>"),
    // Others stay without it.
    NibCase(
      "<video data-bind=src:u src=a></video><input type=image data-bind=src:u src=a>", "{}",
      "<video></video><input type=image>"),
    NibCase("<svg><a data-bind=href:u href='#a'></a></svg>", "{}", "<svg><a></a></svg>"),
  ])
  func presence(_ row: NibCase) throws { try row.check() }

  @Test(
    arguments: [
      ("", 1), (" ; ", 2), ("href:", 6), ("href:u title:v", 8), ("title:u; class.a:x==1", 19),
    ])
  func faultsHaveColumns(_ entries: String, _ column: Int) throws {
    try Self.expect("a", entries, [.invalidBinding], column: column)
  }

  @Test(arguments: [
    ("a", "href:u title:v", DiagnosticCode.invalidBinding), ("a", "href:'u", .invalidBinding),
    ("a", "href:u |", .invalidFormat),
    ("a", "title:'{'", .invalidBinding), ("a", "title:'}'", .invalidBinding),
    ("a", "title:'{a..b}'", .invalidBinding),
    ("a", "title:u;;", .invalidBinding), ("a", "class.low", .invalidBinding),
    ("a", "class+", .invalidBinding),
    ("a", "style.1x:u", .invalidBinding), ("a", "title+:u", .invalidBinding),
    ("input", "disabled:'x'", .invalidBinding),
    ("a", "href:u; href:v", .duplicateAttribute), ("a", "class:u; class.low:v", .duplicateAttribute),
    ("a", "class.low:u; class.low:v", .duplicateAttribute), ("a", "class+:u; class+:v", .duplicateAttribute),
    ("a", "onclick:u", .refusedAttribute), ("a", "target:u", .refusedAttribute),
    ("a", "data-outlet:u", .refusedAttribute),
    ("a", "style:u", .unsafeStyle), ("a", "style.x:'url({u'", .invalidBinding),
    ("a", "style.x:'\"{u}'", .unsafeStyle),
    ("a", "href:'javascript:{u}'", .unsafeURLStart),
    ("iframe", "src:u", .unsafeURLStart),
    ("meta", "http-equiv:u", .refusedAttribute), ("script", "src:u", .refusedAttribute),
    ("link", "href:u", .refusedAttribute),
  ])
  func refused(_ element: String, _ entries: String, _ code: DiagnosticCode) throws {
    try Self.expect(element, entries, [code], column: nil)
  }

  private static func expect(
    _ element: String, _ entries: String, _ codes: [DiagnosticCode], column: Int?
  ) throws {
    let nib =
      "<div data-cell=a><\(element) data-bind=\"\(entries.replacing("\"", with: "&quot;"))\"></\(element)></div>"
    let source = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(nib.utf8))
    let errors = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [source]) }
    let diagnostics = (errors?.diagnostics ?? []).filter { $0.code != .unexpectedEndTag }
    #expect(diagnostics.map(\.code) == codes, "\(entries): \(diagnostics)")
    if let column { #expect(diagnostics.first?.column == 31 + column, "\(entries): \(diagnostics)") }
  }

  /// What Mustache or an image fills already takes no entry.
  @Test(arguments: [
    "<a data-bind=href:u href='/{{n}}'>z</a>", "<a data-bind=href:u {{#t}}href='q'{{/t}}>z</a>",
    "<b data-bind='class.x:u' class='a {{b}}'>z</b>",
  ])
  func filledTwice(_ html: String) throws {
    let nib = "<div data-cell=a>\(html)</div>"
    let source = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(nib.utf8))
    let errors = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [source]) }
    #expect(errors?.diagnostics.first?.code == .duplicateAttribute)
  }

  /// Rows of one shape are rendered by a plan.
  @Test func bindingsKeepPlans() throws {
    let harness = try RenderHarness([
      "nib.html": """
      <tr data-cell=r class=row data-bind="class.low:n<5; title:t; style.width:'{n}%'"><td data-outlet=n>1</td></tr>
      """
    ])
    var rows: [String] = []
    var expected = ""
    for number in 0..<300 {
      let n = number % 9
      rows.append("{\"n\":\(n),\"t\":\"t\(number)\"}")
      expected +=
        "<tr class=\"row\(n < 5 ? " low" : "")\" title=\"t\(number)\" style=\"width:\(n)%\"><td>\(n)</td></tr>"
    }
    #expect(try harness.render("r", "[" + rows.joined(separator: ",") + "]") == expected)
    let planned = harness.factory.assumeIsolated { $0.planStatistics }
    #expect(planned.rows > 200, "\(planned)")
  }

  /// Long values and lists of tokens are printed in parts.
  @Test func longValuesPause() throws {
    let words = (0..<20_000).map { "\"w\($0)\"" }.joined(separator: ",")
    let empty = Array(repeating: "null", count: 30_000).joined(separator: ",")
    let text = String(repeating: "<&", count: 100_000)
    let row = "{\"w\":[\(empty),\(words),\(empty)],\"t\":\"\(text)\"}"
    let tokens = (0..<20_000).map { "w\($0)" }.joined(separator: " ")
    let escaped = String(repeating: "&lt;&amp;", count: 100_000)
    let nib = "<b class=a data-bind=\"class+:w; title:'{t}!'; lang:t\">d</b>"
    try NibCase(nib, row, "<b class=\"a \(tokens)\" title=\"\(escaped)!\" lang=\"\(escaped)\">d</b>").check(
      leastPauses: 2)
  }
}
