import Testing

@testable import CellTemplates
@testable import Cells

/// Values that formats show: where they are, what does not fit, what is escaped, and that plans print the same.
@Suite struct FormatTests {
  // MARK: The examples of the contract

  private static let nbsp = "\u{A0}"
  private static let mark = "\u{200F}"

  @Test(arguments: [
    (
      "{{n | number}}", #"{"n": 1234567.50}"#,
      ["1,234,567.50", "1.234.567,50", "١٬٢٣٤٬٥٦٧٫٥٠", "1,234,567.50"]
    ),
    (
      #"<b data-outlet="p" data-format="currency EUR">€1</b>"#, #"{"p": "1234.5"}"#,
      [
        "<b>€1,234.50</b>", "<b>1.234,50\(nbsp)€</b>", "<b>\(mark)١٬٢٣٤٫٥٠\(nbsp)€</b>", "<b>€1,234.50</b>",
      ]
    ),
    (
      #"<time data-outlet="d" data-format="date long">x</time>"#, #"{"d": "2025-10-09T22:30:00Z"}"#,
      ["10 October 2025", "10. Oktober 2025", "١٠ أكتوبر ٢٠٢٥", "2025年10月10日"].map {
        "<time datetime=\"2025-10-09T22:30:00Z\">\($0)</time>"
      }
    ),
    (
      "{{d | relative}}", #"{"d": "2025-10-06T09:00:00Z"}"#,
      ["3 days ago", "vor 3 Tagen", "قبل ٣ أيام", "3 日前"]
    ),
    (
      "{{a | list}}", #"{"a": ["Ada", "Grace", "Edsger"]}"#,
      ["Ada, Grace and Edsger", "Ada, Grace und Edsger", "Ada وGrace وEdsger", "Ada、Grace、Edsger"]
    ),
  ])
  func examples(template: String, row: String, outputs: [String]) throws {
    let isNib = template.contains("data-outlet")
    let harness = try FormatHarness(
      isNib ? ["n.html": "<template data-cell=\"a\">\(template)</template>"] : ["a.mustache": template])
    for (locale, output) in zip(["en-GB", "de-DE", "ar-EG", "ja-JP"], outputs) {
      #expect(try harness.render("a", row, locale: locale, timeZone: "Europe/Berlin") == output, "\(locale)")
    }
  }

  // MARK: Places

  @Test func placesOfNibs() throws {
    let harness = try FormatHarness([
      "n.html": """
      <html lang="de"><div data-cell="a"><p title="x" data-bind="title:n | number">y</p>\
      <p data-bind="title:'{n | number} of {m | integer}'">y</p><b data-outlet="o" data-format="number">1</b>\
      <i data-outlet="l" data-format="integer">1</i><u data-tag="7" data-format="percent">1</u></div></html>
      """
    ])
    #expect(
      try harness.render(
        "a", #"{"n": 1234.5, "m": "2.5", "o": {"text": 1000}, "l": [1000, null, "x"], "7": 0.5}"#)
        == "<div><p title=\"1.234,5\">y</p><p title=\"1.234,5 of 3\">y</p><b>1.000</b><i>1.000</i><i>x</i>"
        + "<u>50\(Self.nbsp)%</u></div>")
  }

  @Test func currenciesOfTheData() throws {
    let harness = try FormatHarness([
      "a.mustache": "{{#items}}{{p | currency c.code}} {{/items}}",
      "n.html": #"<p data-cell="b"><b data-outlet="p" data-format="currency cur">1</b></p>"#,
    ])
    #expect(
      try harness.render(
        "a", #"{"c": {"code": "USD"}, "items": [{"p": 1}, {"p": 2, "c": {"code": "EUR"}}, {"p": 3, "c": 1}]}"#
      )
        == "$1.00 €2.00 3 ")
    let rows = [
      #"{"p": 1, "cur": "USD"}"#, #"{"p": 2, "cur": "EUR"}"#, #"{"p": 3, "cur": "Euro"}"#, #"{"p": 4}"#,
    ]
    let (texts, misfits) = try harness.outputs("b", rows)
    #expect(texts == ["$1.00", "€2.00", "3", "4"].map { "<p><b>\($0)</b></p>" })
    #expect(misfits == 2)
  }

  @Test func currenciesOfTheWholeRow() throws {
    let harness = try FormatHarness([
      "a.mustache": "{{#items}}{{p | currency @row.cur}} {{/items}}",
      "n.html": """
      <template data-cell="b"><p data-outlet="items"><b data-outlet="p" data-format="currency @row.cur">1</b>\
      <i data-bind="title:p | currency @row.cur">x</i></p></template>
      """,
      "c.mustache": "{{p | currency owner.cur}}",
    ])
    let row = #"{"cur": "JPY", "items": [{"p": 1, "cur": "EUR"}, {"p": 2}]}"#
    #expect(try harness.render("a", row) == "¥1 ¥2 ")
    #expect(
      try harness.render("b", row)
        == #"<p><b>¥1</b><i title="¥1">x</i></p><p><b>¥2</b><i title="¥2">x</i></p>"#)
    let (texts, misfits) = try harness.outputs("a", [#"{"items": [{"p": 1, "cur": "EUR"}]}"#])
    #expect(texts == ["1 "] && misfits == 1)
    for name in ["@index", "@row", "@locale", "."] {
      #expect(throws: TemplateErrors.self) { try FormatHarness(["a.mustache": "{{p | currency \(name)}}"]) }
    }
  }

  @Test func textCells() throws {
    let harness = try FormatHarness(["a.txt.mustache": "{{n | number}} {{{n | number}}} {{&s | truncate 3}}"])
    #expect(try harness.render("a", #"{"n": 1000, "s": "a<bcd"}"#, locale: "de-CH") == "1’000 1’000 a<b…")
  }

  /// A bar without white space before it is part of a name.
  @Test func barsInNames() throws {
    #expect(throws: TemplateErrors.self) { try RenderHarness(["a.mustache": "{{a| b}}"]) }
    #expect(try RenderHarness(["a.mustache": "{{a|b}}"]).render("a", #"{"a|b": 1, "a": 2}"#) == "1")
    #expect(
      try FormatHarness(["a.mustache": "{{a |number}}{{a\t|\nnumber}}"]).render("a", #"{"a": 1000}"#)
        == "1,0001,000")
  }

  /// Attributes that people read have formats, in Mustache and in `data-bind`; the format itself is never printed.
  @Test(
    arguments: [
      ("p", "title"), ("img", "alt"), ("option", "label"), ("input", "placeholder"), ("th", "abbr"),
      ("meta", "content"),
      ("p", "aria-label"), ("p", "aria-description"), ("p", "aria-valuetext"), ("p", "aria-roledescription"),
      ("p", "data-x"),
    ])
  func attributesThatPeopleRead(element: String, attribute: String) throws {
    let end = ["img", "input", "meta"].contains(element) ? "" : "</\(element)>"
    let harness = try FormatHarness([
      "m.mustache": "<\(element) \(attribute)=\"{{n | number}}\">\(end)",
      "n.html": "<template data-cell=n><\(element) data-bind=\"\(attribute):n | number\">\(end)</template>",
    ])
    for kind in ["m", "n"] {
      #expect(try harness.render(kind, #"{"n": 1000}"#) == "<\(element) \(attribute)=\"1,000\">\(end)")
    }
  }

  /// Formats that stand where none can, or say what there is not.
  @Test(
    arguments: [
      ("<p data-cell=a data-raw=allow>{{{n | number}}}</p>", "1:37 invalid-format"),
      ("<p data-cell=a data-raw=allow>{{&n | number}}</p>", "1:37 invalid-format"),
      ("<p data-cell=a>{{n | number | integer}}</p>", "1:29 invalid-format"),
      ("<p data-cell=a>{{#n | number}}x{{/n}}</p>", "1:23 invalid-format"),
      ("<p data-cell=a>{{n | plural one}}</p>", "1:22 invalid-format"),
      ("<p data-cell=a data-format=number>x</p>", "1:16 invalid-format"),
      ("<p data-cell=a data-outlet=n data-format='number digits=2 digits=3'>x</p>", "1:59 invalid-format"),
      ("<p data-cell=a data-outlet=n data-format=currency>x</p>", "1:42 invalid-format"),
      ("<p data-cell=a data-outlet=n data-format=truncate>x</p>", "1:42 invalid-format"),
      ("<p data-cell=a data-outlet=n data-format=''>x</p>", "1:43 invalid-format"),
      ("<p data-cell=a data-outlet=n data-format=dat>x</p>", "1:42 unknown-format"),
      ("<p data-cell=a><img data-outlet=n data-format=number src=x></p>", "1:35 format-in-machine-place"),
      ("<p data-cell=a><input data-outlet=n data-format=number></p>", "1:37 format-in-machine-place"),
      ("<p data-cell=a data-bind='id:n | number'>x</p>", "1:16 format-in-machine-place"),
      ("<p data-cell=a data-outlet=n data-format='price digits=1'>x</p>", "1:49 invalid-format"),
    ])
  func formatsThatAreRefused(nib: String, fault: String) throws {
    let names = try FormatsFile.read(
      Array(#"{"price": "currency EUR"}"#.utf8), file: "formats.json", budget: LoadBudget())
    do throws(TemplateErrors) {
      _ = try TemplateCompiler.compile(
        [], nibs: [TemplateSource(file: "n.html", kind: "n", mode: .html, bytes: Array(nib.utf8))],
        with: TemplateSettings(formats: names))
      Issue.record("\(nib) is accepted")
    } catch {
      #expect(error.diagnostics.map { "\($0.line):\($0.column) \($0.code.rawValue)" } == [fault])
    }
  }

  /// What formats.json may not say: a name of a format that there is, a variant without its name, options, chains.
  @Test(
    arguments: [
      #"{"number": "integer"}"#, #"{"plural": "integer"}"#, #"{"day@ja": "date"}"#,
      #"{"a": "number", "b": "a digits=1"}"#,
      #"{"a": "number", "b": "a"}"#, #"{"a": "plural one"}"#, #"{"a b": "number"}"#, #"{"a": 1}"#, "[]",
    ])
  func namesThatAreRefused(formats: String) {
    #expect(throws: TemplateErrors.self) {
      try FormatsFile.read(Array(formats.utf8), file: "formats.json", budget: LoadBudget())
    }
  }

  /// Values at the ends of what there is.
  @Test(
    arguments: [
      ("number", "-0", "-0"), ("number digits=1", "-0.04", "-0.0"), ("number digits=0", "0.5", "1"),
      ("number digits=0", "-2.5", "-3"),
      ("number", "12e2", "1,200"), ("number", "1.50", "1.50"), ("percent", "0.1250", "12.50%"),
      ("percent", "1", "100%"),
      ("integer", "\"1.5\"", "2"), ("currency XQX", "1", "XQX\u{A0}1.00"), ("currency JPY", "1.5", "¥2"),
      ("currency KWD", "1", "KWD\u{A0}1.000"), ("currency EUR digits=auto", "1", "€1.00"),
      ("time medium", "\"2025-12-31T23:59:60Z\"", "11:59:59\u{202F}PM"), ("date year", "\"0001-01-01\"", "1"),
      ("date short", "\"9999-12-31\"", "12/31/99"), ("datetime long", "\"2025-10-09\"", "October 9, 2025"),
      ("time", "\"2025-10-09\"", "2025-10-09"), ("date", "1760000000", "1760000000"),
      ("date epoch=s", "\"2025-10-09\"", "2025-10-09"), ("date epoch=s", "\"-1.9\"", "Dec 31, 1969"),
      ("date epoch=ms", "86400000", "Jan 2, 1970"), ("relative", "\"2025-10-09\"", "today"),
      ("relative", "\"2025-10-08\"", "1 day ago"),
      ("relative", "\"2025-10-09T12:00:00.9Z\"", "now"),
      ("relative", "\"2025-10-16T12:00:00Z\"", "in 1 week"),
      ("relative", "\"2025-10-09T11:59:59Z\"", "1 second ago"),
      ("list", #"["a", {"b": 1}]"#, #"[&quot;a&quot;,{&quot;b&quot;:1}]"#),
      ("list", #"["a", null, false, true, 1]"#, "a, true, and 1"), ("list", "[]", ""),
      ("truncate 3", "12345", "123…"),
    ])
  func valuesAtTheEnds(format: String, value: String, output: String) throws {
    let harness = try FormatHarness(["a.mustache": "{{v | \(format)}}"])
    #expect(try harness.render("a", "{\"v\": \(value)}") == output)
  }

  /// `datetime` and `value` that are written, or bound, stay.
  @Test func attributesForProgramsThatAreWritten() throws {
    let harness = try FormatHarness([
      "n.html": """
      <time data-cell="a" datetime="2020" data-outlet="d" data-format="date">x</time>
      <time data-cell="b" data-bind="datetime:e" data-outlet="d" data-format="date">x</time>
      <time data-cell="c" data-outlet="d" data-format="number">x</time>
      <time data-cell="d" data-outlet="d" data-format="datetime">x</time>
      <u data-cell="g" data-outlet="l"><data data-outlet="@index" data-format="number">x</data></u>
      <time data-cell="e" data-outlet="d" data-format="time">x</time>
      <data data-cell="f" data-outlet="n" data-format="currency cur">x</data>
      """
    ])
    let rows = [
      "a": #"{"d": "2025-10-09"}"#, "b": #"{"d": "2025-10-09", "e": "2021"}"#, "c": #"{"d": 1}"#,
      "d": #"{"d": "2025-10-09 22:30"}"#,
    ]
    let outputs = [
      "a": #"<time datetime="2020">Oct 9, 2025</time>"#, "b": #"<time datetime="2021">Oct 9, 2025</time>"#,
      "c": "<time>1</time>",
      "d": "<time datetime=\"2025-10-09T22:30:00\">Oct 9, 2025, 10:30\u{202F}PM</time>",
    ]
    for (kind, row) in rows { #expect(try harness.render(kind, row) == outputs[kind]) }
    // A place in a list is a number, too.
    #expect(try harness.render("g", #"{"l": [{"a": 1}]}"#) == #"<u><data value="0">0</data></u>"#)
    // What does not fit sets nothing.
    #expect(
      try harness.outputs("e", [#"{"d": "2025-10-09T22:30"}"#, #"{"d": "2025-10-09"}"#]).texts == [
        "<time datetime=\"2025-10-09T22:30:00\">10:30\u{202F}PM</time>", "<time>2025-10-09</time>",
      ])
    #expect(
      try harness.outputs("f", [#"{"n": 1, "cur": "EUR"}"#, #"{"n": 1, "cur": "euro"}"#, #"{"n": 1}"#]).texts
        == [
          "<data value=\"1\">€1.00</data>", "<data>1</data>", "<data>1</data>",
        ])
  }

  // MARK: What does not fit

  @Test func valuesThatDoNotFitAreCounted() throws {
    let harness = try FormatHarness([
      "a.mustache": "{{n | number}}|{{d | date}}|{{s | truncate 2}}|{{l | list}}"
    ])
    let rows = [
      #"{"n": 1, "d": "2025-01-02", "s": "abc", "l": ["a"]}"#,
      #"{"n": "n/a", "d": "2025-02-30", "s": "abc", "l": ["a"]}"#,
      #"{"n": true, "d": {"a": 1}, "s": false, "l": "a"}"#, #"{"n": null, "l": [["a"]]}"#, "{}",
    ]
    let (texts, misfits) = try harness.outputs("a", rows)
    #expect(
      texts == [
        "1|Jan 2, 2025|ab…|a", "n/a|2025-02-30|ab…|a", "true|{&quot;a&quot;:1}|false|a",
        "|||[[&quot;a&quot;]]", "|||",
      ])
    #expect(misfits == 7)
  }

  @Test func aMisfitIsABadRowWhereMissingNamesAre() throws {
    let harness = try FormatHarness([
      "n.html": """
      <p data-cell="a"><b data-outlet="n" data-format="number" data-missing="error">1</b></p>
      """,
      "b.mustache": "{{n | currency EUR}}",
    ])
    var limits = RenderLimits()
    #expect(throws: RenderFault.self) { try harness.outputs("a", [#"{"n": "x"}"#]) }
    #expect(try harness.render("b", #"{"n": "x"}"#) == "x")
    limits.missing = .error
    #expect(throws: RenderFault.self) {
      try harness.outputs("b", [#"{"n": 1}"#, #"{"n": "x"}"#], limits: limits)
    }
  }

  // MARK: Escaping

  /// Locales whose data has characters that are escaped.
  @Test(arguments: ["de-CH", "en", "fr", "uz", "ar-EG", "gsw"])
  func everythingIsEscapedByItsPlace(locale: String) throws {
    let harness = try FormatHarness([
      "a.mustache":
        "<p title=\"{{n | number}} {{l | list}}\">{{n | number}} {{l | list}} {{s | truncate 5}}</p>",
      "b.txt.mustache": "{{{n | number}}} {{{l | list}}} {{{s | truncate 5}}}",
    ])
    let row = #"{"n": "1234567.5", "l": ["<a>", "'b'", "&c"], "s": "<i>'&\"x"}"#
    let plain = try harness.render("b", row, locale: locale)
    let escaped = plain.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;"
    )
    .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    let parts = escaped.split(separator: " &lt;i", maxSplits: 1)
    let output = try harness.render("a", row, locale: locale)
    #expect(output == "<p title=\"\(parts[0])\">\(escaped)</p>")
  }

  /// Plans cannot pause: the program prints what takes long.
  @Test func aPlannedRowPausesInATextThatIsCut() throws {
    let harness = try FormatHarness(["a.mustache": "<p>{{a | truncate 60000}}</p>"])
    _ = try harness.outputs("a", (0..<20).map { "{\"a\":\"\($0)\"}" })
    let long = String(repeating: "a\u{301}", count: 70_000)
    try harness.factory.assumeIsolated { factory throws in
      #expect(factory.planStatistics.rows > 0)
      let number = factory.archive.kindNumber("a")!
      var text = ByteBuffer()
      text.append(text: "{\"a\":\"\(long)\"}")
      let root = try factory.parser.parse(&text, in: 0..<text.count, names: factory.names, depthLimit: 512)
      let tape = factory.parser.tape(over: text)
      factory.rowPause = RowPause(atMicroseconds: 0)
      let cell = factory.dequeueReusableCell(ofKind: number)
      defer { factory.enqueue(cell) }
      var run = RowRun(from: RowContext(row: root, index: 0, count: 1), limit: 1)
      var paused: PausedRow?
      var pauses = 0
      while true {
        do throws(RenderFault) {
          if let row = paused.take() {
            try factory.resume(row, cell, run.next, on: tape, limits: RenderLimits(), into: &cell.buffer)
          } else {
            try factory.render(cell, &run, on: tape, limits: RenderLimits(), into: &cell.buffer)
          }
          break
        } catch {
          guard case .paused = error else { throw error }
          paused = factory.takePausedRow()
          pauses += 1
        }
      }
      #expect(pauses > 1)
      let kept = String(repeating: "a\u{301}", count: 60_000)
      #expect(cell.buffer.bytes.elementsEqual("<p>\(kept)…</p>".utf8))
    }
  }

  // MARK: Plurals

  @Test func numbersOfCasesAreTheSameHoweverTheyAreWritten() throws {
    let harness = try FormatHarness([
      "n.html": """
      <p data-cell="a" data-plural="n"><i data-case="=1">1</i><i data-case="=1.0 =20e-1">2</i><i data-case="=2 =0.03E+2 =0">3</i>\
      <i data-case="=-0 =1e2">4</i><i data-case="other">o</i></p>
      """
    ])
    let (texts, _) = try harness.outputs(
      "a", ["1", "1.0", "2", "3", "0", "-0", "100", "4"].map { "{\"n\": \($0)}" })
    #expect(texts == ["1", "1", "2", "3", "3", "3", "4", "o"].map { "<p><i>\($0)</i></p>" })
  }

  @Test func pluralsOfManyRowsArePlanned() throws {
    let harness = try FormatHarness([
      "n.html": """
      <p data-cell="a" data-plural="n"><i data-case="=0 one">few</i><i data-case="=7">seven</i>\
      <b data-case="other"><u data-outlet="n" data-format="number">1</u></b></p>
      """
    ])
    let rows = ["0", "1", "\"1\"", "1.0", "7", "2", "\"x\"", "1000", "[1,null]", "[]", "true"].map {
      "{\"n\": \($0)}"
    }
    let (texts, _) = try harness.outputs("a", rows)
    #expect(
      texts
        == [
          "<i>few</i>", "<i>few</i>", "<i>few</i>", "<b><u>1.0</u></b>", "<i>seven</i>", "<b><u>2</u></b>",
          "<b><u>x</u></b>",
          "<b><u>1,000</u></b>", "<b><u>1</u></b>", "<i>few</i>", "<b><u>1</u></b>",
        ].map { "<p>\($0)</p>" })
    #expect(harness.factory.assumeIsolated { $0.planStatistics.rows } > 10)
  }

  /// Each case compares with the numbers of all.
  @Test(arguments: [(63, 1, true), (64, 1, false), (4, 16, true), (5, 16, false)])
  func aPluralHasABoundedNumberOfCases(cases: Int, numbers: Int, isTaken: Bool) throws {
    let text = (0..<cases).map { number in
      "<i data-case=\"\((0..<numbers).map { "=\(number * numbers + $0)" }.joined(separator: " "))\">a</i>"
    }
    let nib = "<p data-cell=\"a\" data-plural=\"n\">\(text.joined())<i data-case=\"other\">b</i></p>"
    if isTaken {
      #expect(try FormatHarness(["n.html": nib]).render("a", #"{"n": 3}"#) == "<p><i>a</i></p>")
    } else {
      #expect(throws: TemplateErrors.self) { try FormatHarness(["n.html": nib]) }
    }
  }

  @Test func aNumberOfManyDigitsIsOther() throws {
    let harness = try FormatHarness([
      "n.html":
        #"<p data-cell="a" data-plural="n"><i data-case="=0 =1 one">1</i><i data-case="other">2</i></p>"#
    ])
    for (number, text) in [
      ("1", 1), ("0.\(String(repeating: "0", count: 1000))", 2),
      ("1\(String(repeating: "0", count: 1_000_000))", 2),
    ] {
      #expect(try harness.render("a", "{\"n\": \(number)}") == "<p><i>\(text)</i></p>")
    }
  }

  @Test func aMissingCountFollowsTheMode() throws {
    let harness = try FormatHarness([
      "n.html":
        #"<p data-cell="a">x<b data-plural="n"><i data-case="one">1</i><i data-case="other">2</i></b></p>"#,
      "b.mustache": "{{#n | plural other}}a{{/n}}{{^n | plural other}}b{{/n}}",
    ])
    var limits = RenderLimits()
    for row in ["{}", #"{"n": null}"#] {
      #expect(try harness.outputs("a", [row], limits: limits).texts == ["<p>x</p>"])
    }
    limits.missing = .keep
    #expect(try harness.outputs("a", ["{}"], limits: limits).texts == ["<p>x<b><i>2</i></b></p>"])
    limits.missing = .error
    #expect(throws: RenderFault.self) { try harness.outputs("a", ["{}"], limits: limits) }
    #expect(try harness.render("b", "{}") == "")
    #expect(try harness.render("b", #"{"n": 1}"#) == "b")
  }

  @Test func arabicHasSixCategories() throws {
    let words = ["zero", "one", "two", "few", "many", "other"]
    let sections = words.map { "{{#n | plural \($0)}}\($0){{/n}}" }.joined()
    let harness = try FormatHarness(["a.mustache": sections])
    let numbers = [0, 1, 2, 3, 11, 100]
    #expect(try harness.outputs("a", numbers.map { "{\"n\": \($0)}" }, locale: "ar").texts == words)
  }

  // MARK: Lists of elements

  @Test func wordsStandBetweenElements() throws {
    let harness = try FormatHarness([
      "n.html":
        #"<p data-cell="a">by <a data-outlet="l" data-bind="href" data-format="list" href="x">A</a>.</p>"#
    ])
    let rows = [
      #"{"l": [{"text": "A", "href": "/a"}, {"text": "B"}]}"#, #"{"l": ["A", null, ["B", false, "C"]]}"#,
      #"{"l": []}"#,
      #"{"l": "A"}"#, #"{"l": ["x", "Inés"]}"#,
    ]
    #expect(
      try harness.outputs("a", rows, locale: "es").texts == [
        #"<p>by <a href="/a">A</a> y <a>B</a>.</p>"#, "<p>by <a>A</a>, <a>B</a> y <a>C</a>.</p>",
        "<p>by .</p>",
        "<p>by <a>A</a>.</p>", "<p>by <a>x</a> e <a>Inés</a>.</p>",
      ])
  }

  @Test(
    arguments: [
      (#"<tr data-cell="a"><td data-outlet="l" data-format="list">x</td></tr>"#, 39),
      (#"<tr data-cell="a"><th data-outlet="l" data-format="list or">x</th></tr>"#, 39),
      (#"<select data-cell="a"><option data-outlet="l" data-format="list">x</option></select>"#, 47),
    ])
  func noWordsStandWhereThereIsNoText(nib: String, column: Int) {
    do throws(TemplateErrors) {
      _ = try TemplateCompiler.compile(
        [], nibs: [TemplateSource(file: "n.html", kind: "n", mode: .html, bytes: Array(nib.utf8))])
      Issue.record("the words would leave the table")
    } catch {
      #expect(error.diagnostics.map(\.code) == [.invalidFormat])
      #expect(error.diagnostics.map(\.column) == [column])
    }
  }

  @Test func longListsAndTextsArePrintedInParts() throws {
    let harness = try FormatHarness(["a.mustache": "{{l | list}}.{{s | truncate 100000}}"])
    let items = (1...500).map { "\"i\($0)\"" }.joined(separator: ",")
    let long = String(repeating: "e\u{301}", count: 100_001)
    let output = try harness.render("a", "{\"l\": [\(items)], \"s\": \"\(long)\"}")
    #expect(output.hasPrefix("i1, i2, i3") && output.contains("i499, and i500."))
    #expect(output.utf8.count > 300_000 && output.hasSuffix("…"))
  }

  // MARK: Locales

  @Test func theRegionThatIsAskedForCounts() throws {
    let harness = try FormatHarness(
      ["a.mustache": "{{@locale}} {{n | number}}"], standard: "en", others: "de,ar")
    let row = #"{"n": 1234567.5}"#
    #expect(try harness.render("a", row, locale: "de-AT") == "de-AT 1\(Self.nbsp)234\(Self.nbsp)567,5")
    #expect(try harness.render("a", row, locale: "de-XX") == "de 1.234.567,5")
    #expect(try harness.render("a", row, locale: "fr") == "en 1,234,567.5")
    #expect(try harness.render("a", row) == "en 1,234,567.5")
    #expect(try harness.render("a", row, locale: "ar-EG-u-nu-latn") == "ar-EG 1,234,567.5")
  }

  @Test func aLocaleIsATextInJSON() throws {
    let harness = try FormatHarness(
      [
        "a.mustache": #"<script type="application/ld+json">{"a": {{@locale}}, "b": [{{@dir}}]}</script>"#,
        "b.mustache":
          #"<script type="application/json">[{{#l}}[{{@locale}}, {{@number}}, {{@last}}]{{^@last}}, {{/@last}}{{/l}}]</script>"#,
      ],
      others: "ar,de")
    #expect(
      try harness.render("a", "{}", locale: "ar-EG")
        == #"<script type="application/ld+json">{"a": "ar-EG", "b": ["rtl"]}</script>"#)
    #expect(
      try harness.render("b", #"{"l": ["x"]}"#, locale: "de")
        == #"<script type="application/json">[["de", 1, true]]</script>"#)
  }

  @Test func namesOfOnesOwnHaveVariants() throws {
    let harness = try FormatHarness(
      ["a.mustache": "{{d | day}}"],
      formats: #"{"day": "date long", "day@ja": "date weekday", "day@de": "date year"}"#)
    let row = #"{"d": "2025-10-09"}"#
    let outputs = try ["ja-JP", "de-AT", "en"].map { try harness.render("a", row, locale: $0) }
    #expect(outputs == ["木曜日", "2025", "October 9, 2025"])
  }

  /// What programs read goes by the variant, too.
  @Test(
    arguments: [
      ("t", #"{"v": "2025-10-09"}"#, "en", "<time>"),
      ("t", #"{"v": "2025-10-09"}"#, "de-AT", #"<time datetime="2025-10-09">"#),
      ("t", #"{"v": "2025-10-09T22:30:00"}"#, "en", #"<time datetime="2025-10-09T22:30:00">"#),
      ("t", #"{"v": "2025-10-09"}"#, "ja", "<time>"), ("t", #"{"v": 5}"#, "ja", "<time>"),
      ("t", #"{"v": 1760000000}"#, "de", "<time>"),
      ("t", #"{"v": 1760000000}"#, "fr", #"<time datetime="2025-10-09T08:53:20Z">"#),
      ("u", #"{"v": "2025-10-09"}"#, "en", "<time>"),
      ("u", #"{"v": "2025-10-09"}"#, "de", #"<time datetime="2025-10-09">"#),
      ("n", #"{"v": 1}"#, "en", #"<data value="1">"#), ("n", #"{"v": 1}"#, "de", "<data>"),
      ("n", #"{"v": 1, "code": "USD"}"#, "de", #"<data value="1">"#), ("n", #"{"v": 1}"#, "ja", "<data>"),
      ("m", #"{"v": 1}"#, "en", "<data>"), ("m", #"{"v": 1}"#, "de", #"<data value="1">"#),
    ])
  func variantsOfWhatProgramsRead(kind: String, row: String, locale: String, tag: String) throws {
    let harness = try FormatHarness(
      [
        "t.html": "<time data-cell=t data-outlet=v data-format=w>x</time>",
        "u.html": "<time data-cell=u data-outlet=v data-format=q>x</time>",
        "n.html": "<data data-cell=n data-outlet=v data-format=p>x</data>",
        "m.html": "<data data-cell=m data-outlet=v data-format=r>x</data>",
      ],
      formats:
        #"{"w": "time", "w@de": "date", "w@ja": "number", "w@fr": "date epoch=s", "q": "number", "q@de": "date", "#
        + #""p": "currency EUR", "p@de": "currency code", "p@ja": "date", "r": "currency code", "r@de": "currency EUR"}"#
    )
    #expect(try harness.render(kind, row, locale: locale).hasPrefix(tag))
  }

  /// The formats of the kind `a` for a locale.
  private static func formats(of harness: FormatHarness, _ tag: String) -> LocaleFormats {
    // Nothing else uses the factory while a test runs.
    nonisolated(unsafe) var formats: LocaleFormats?
    harness.factory.assumeIsolated { factory in
      let kind = factory.archive.kindNumber("a")!
      let locale = factory.archive.locale(of: kind, for: ReaderLocales([LocaleTag(tag)!]))
      formats = factory.edition.formats.formats(for: locale)
    }
    return formats!
  }

  @Test func formatsAreMadeReadyWhenTheyAreUsed() throws {
    let harness = try FormatHarness(["a.mustache": "{{n | number}}", "b.mustache": "{{n | percent}}"])
    #expect(try harness.render("a", #"{"n": 0.5}"#, locale: "de") == "0,5")
    #expect(
      (0..<harness.archive.tables.$formats.count).filter { Self.formats(of: harness, "de").ready[$0] != nil }
        .count
        == 1)
    #expect(try harness.render("b", #"{"n": 0.5}"#, locale: "de") == "50\(Self.nbsp)%")
  }

  /// Formats of many locales take more memory than is kept, so those of the first are made again, also for its plans.
  @Test func formatsThatWereDroppedAreMadeAgain() throws {
    let formats = (0..<150).map { "{{n | currency c\($0)}}" }.joined(separator: " ")
    let harness = try FormatHarness(["a.mustache": formats])
    let row = "{\"n\": 1.5," + (0..<150).map { "\"c\($0)\": \"EUR\"" }.joined(separator: ",") + "}"
    let first = try harness.render("a", row, locale: "de")
    #expect(first == Array(repeating: "1,50\(Self.nbsp)€", count: 150).joined(separator: " "))
    let made = Self.formats(of: harness, "de")
    for locale in harness.archive.localeTags(of: 0).suffix(60) {
      _ = try harness.render("a", row, locale: locale)
    }
    #expect(Self.formats(of: harness, "de") !== made)
    #expect(try harness.render("a", row, locale: "de") == first)
  }

  @Test func cellsWithoutFormatsBakeNoLocales() throws {
    let harness = try FormatHarness(["a.mustache": "{{n}}"])
    #expect(harness.archive.pack == nil && harness.archive.encoded().count < 2000)
  }
}
