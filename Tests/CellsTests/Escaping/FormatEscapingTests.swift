import Testing

@testable import CellTemplates
@testable import Cells

/// What formats print is escaped by its place, whatever a locale's separators, symbols, names and words are.
@Suite struct FormatEscapingTests {
  /// What the locales of these tests print before everything of their own.
  static let hostile = [
    "'", "\"", "&", "`", "<", ">", "</", "-->", "<!--", "<script>", "</title></textarea>", "&lt;", "&#39",
    "\\", "{{x}}", "=",
  ]

  struct Format: Sendable, CustomTestStringConvertible {
    let format: String
    let value: String
    var testDescription: String { format }

    init(_ format: String, _ value: String) { (self.format, self.value) = (format, value) }
  }

  /// Each kind of what a locale has, and each way in which it is drawn.
  static let formats = [
    Format("number", "1234567.5"), Format("number digits=1 sign=always", "-0.05"), Format("integer", "-1234"),
    Format("percent", "0.125"), Format("currency EUR", "-1234.5"), Format("currency c", "\"1234.5\""),
    Format("currency USD symbol=narrow", "1"), Format("currency XQX", "1"), Format("date", "\"2025-10-09\""),
    Format("date full", "\"2025-10-09\""), Format("date weekday", "\"2025-10-09\""),
    Format("time", "\"2025-10-09T22:30:00\""),
    Format("datetime long", "\"2025-10-09T22:30:00Z\""), Format("relative", "\"2025-10-06T09:00:00Z\""),
    Format("relative short", "\"2025-10-09T12:00:00Z\""), Format("list", #"["<a>", "'b'", "&c"]"#),
    Format("list or", "[\(Array(repeating: "\"\\\"\"", count: 100).joined(separator: ","))]"),
  ]

  /// Places that people read, with the value where the format is, and whether they are attributes.
  private static let positions: [(template: String, isAttribute: Bool)] = [
    ("<p>%</p>", false), ("<title>%</title>", false), ("<textarea>\n%</textarea>", false),
    ("<option>%</option>", false),
    ("<svg><text>%</text><title>%</title></svg>", false), ("<pre>\n%</pre>", false),
    (#"<p title="%"></p>"#, true), ("<p title='%'></p>", true), (#"<p title="a % b"></p>"#, true),
    (#"<p aria-label='%' data-x="%"></p>"#, true), (#"<meta name="description" content="%">"#, true),
    (#"<img alt="%">"#, true), (#"<input placeholder="%">"#, true),
  ]

  private static func row(_ format: Format) -> String { "{\"v\": \(format.value), \"c\": \"EUR\"}" }

  private static func escaped(_ text: String, _ escaper: Escaper) -> String {
    String(decoding: EscaperReference.escape(Array(text.utf8), escaper), as: UTF8.self)
  }

  @Test(arguments: formats, hostile)
  func everyPlaceThatPeopleRead(format: Format, hostile: String) throws {
    let mustache = "{{v | \(format.format)}}"
    var templates = ["plain.txt.mustache": "{{{v | \(format.format)}}}"]
    for (number, position) in Self.positions.enumerated() {
      templates["p\(number).mustache"] = position.template.replacing("%", with: mustache)
    }
    templates["nib.html"] = """
      <b data-cell="outlet" data-outlet="v" data-format="\(format.format)">x</b>
      <b data-cell="bound" data-bind="title:v | \(format.format); aria-label:'a {v | \(format.format)}'">x</b>
      """
    let harness = try FormatHarness(templates, others: "de", madeUp: hostile)
    func output(_ kind: String) throws -> String {
      try harness.outputs(kind, [Self.row(format), Self.row(format)], locale: "de").texts[1]
    }
    let plain = try output("plain")
    #expect(plain.contains(hostile), "the made-up locale prints nothing of its own")
    for (number, position) in Self.positions.enumerated() {
      let value = Self.escaped(plain, position.isAttribute ? .attribute : .html)
      #expect(
        try output("p\(number)") == position.template.replacing("%", with: value), "\(position.template)")
    }
    let attribute = Self.escaped(plain, .attribute)
    #expect(try output("bound") == "<b title=\"\(attribute)\" aria-label=\"a \(attribute)\">x</b>")
    if !format.format.hasPrefix("list") {
      #expect(try output("outlet") == "<b>\(Self.escaped(plain, .html))</b>")
    }
  }

  /// The words between elements are text.
  @Test(arguments: hostile)
  func wordsBetweenElements(hostile: String) throws {
    let harness = try FormatHarness(
      [
        "n.html":
          #"<p data-cell="a"><a data-outlet="l" data-format="list" href="/x" data-bind="title:.">A</a></p>"#,
        "plain.txt.mustache": "{{{l | list}}}",
      ], others: "de", madeUp: hostile)
    let row = #"{"l": ["α", "β", "γ"]}"#
    let words = Self.escaped(try harness.render("plain", row, locale: "de"), .html)
    var expected = words
    for item in ["α", "β", "γ"] {
      expected = expected.replacing(item, with: "<a href=\"/x\" title=\"\(item)\">\(item)</a>")
    }
    let drawn = try harness.render("a", row, locale: "de")
    #expect(drawn == "<p>\(expected)</p>")
  }

  /// What programs read is not as a locale has it.
  @Test(arguments: hostile)
  func attributesThatProgramsRead(hostile: String) throws {
    let harness = try FormatHarness(
      [
        "n.html": """
        <time data-cell="t" data-outlet="d" data-format="relative">x</time>
        <data data-cell="d" data-outlet="n" data-format="currency EUR">x</data>
        """
      ], others: "de", madeUp: hostile)
    let time = try harness.render("t", #"{"d": "2025-10-09 22:30:00+02:00"}"#, locale: "de")
    #expect(time.hasPrefix("<time datetime=\"2025-10-09T22:30:00+02:00\">"))
    let data = try harness.render("d", #"{"n": "-1234.50"}"#, locale: "de")
    #expect(data.hasPrefix("<data value=\"-1234.50\">"))
  }

  /// Exactly, for a locale that groups by the apostrophe.
  @Test func anApostrophe() throws {
    let harness = try FormatHarness(
      [
        "a.mustache":
          "<b title='{{n | number}}'>{{n | currency EUR}}</b>{{d | date long}} {{l | list}} {{d | relative}}"
      ], others: "de", madeUp: "'")
    let drawn = try harness.render("a", #"{"n": -1234.5, "d": "2025-10-08", "l": ["A", "B"]}"#, locale: "de")
    #expect(
      drawn
        == "<b title='&#39;-1&#39;.234&#39;,5&#39;'>&#39;-1&#39;.234&#39;,50&#39;\u{A0}&#39;€</b>"
        + "&#39;8. &#39;Oktober 2025 A&#39; und B&#39; &#39;vor 1 Tag")
  }

  /// No format stands where programs read, and no value in a comment or in text that is a program.
  @Test(
    arguments: [
      (#"<a href="%">x</a>"#, DiagnosticCode.formatInMachinePlace),
      (#"<a href="/%">x</a>"#, .formatInMachinePlace),
      (#"<a href="/?q=%">x</a>"#, .formatInMachinePlace), (#"<img src="%">"#, .formatInMachinePlace),
      (#"<img srcset="% 2x">"#, .formatInMachinePlace), (#"<img srcset="/a %x">"#, .formatInMachinePlace),
      (#"<p style="width:%">x</p>"#, .formatInMachinePlace),
      ("<style>a{width:%}</style>", .refusedPlace),
      (#"<script type="application/json">%</script>"#, .formatInMachinePlace),
      (#"<script type="application/json">{"a": %}</script>"#, .formatInMachinePlace),
      (#"<p data-url="%">x</p>"#, .formatInMachinePlace),
      (#"<p data-url="/a/%">x</p>"#, .formatInMachinePlace),
      (#"<p data-src="/?q=%">x</p>"#, .formatInMachinePlace),
      (#"<p data-hx-get="%">x</p>"#, .formatInMachinePlace),
      (#"<p data-style="width: %">x</p>"#, .formatInMachinePlace),
      (#"<p data-srcset="%">x</p>"#, .formatInMachinePlace),
      (#"<p data-ping="%">x</p>"#, .formatInMachinePlace),
      (##"<p data-target="#%">x</p>"##, .formatInMachinePlace),
      (##"<p data-hx-swap-oob="#a-%">x</p>"##, .formatInMachinePlace),
      ("<script>%</script>", .refusedPlace), (#"<p onclick="%">x</p>"#, .refusedAttribute),
      (#"<p id="%">x</p>"#, .formatInMachinePlace), (#"<p class="%">x</p>"#, .formatInMachinePlace),
      (#"<input value="%">"#, .formatInMachinePlace),
      (#"<time datetime="%">x</time>"#, .formatInMachinePlace),
      ("<p title=%>x</p>", .unquotedValue), ("<p %>x</p>", .dynamicName),
      ("<p title%=\"\">x</p>", .dynamicName),
      ("<%>x</p>", .joinedMarkup), ("&%", .unfinishedReference),
    ])
  func placesThatAreRefused(template: String, code: DiagnosticCode) {
    let source = RenderHarness.source("a.mustache", template.replacing("%", with: "{{n | number}}"))
    do throws(TemplateErrors) {
      _ = try TemplateCompiler.compile([source])
      Issue.record("\(template) is accepted")
    } catch {
      #expect(error.diagnostics.map(\.code).contains(code), "\(error.diagnostics)")
    }
  }

  @Test(arguments: hostile)
  func commentsPrintNothing(hostile: String) throws {
    let harness = try FormatHarness(
      ["a.mustache": "a<!-- {{n | number}} -->b{{d | date}}"], others: "de", madeUp: hostile)
    #expect(try harness.render("a", #"{"n": 1.5}"#, locale: "de") == "ab")
  }
}
