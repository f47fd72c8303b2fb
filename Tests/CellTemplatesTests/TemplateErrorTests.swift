import CellTemplates
import Testing

@Suite struct TemplateErrorTests {
  /// A template of an HTML cell, and all its errors.
  struct Case: CustomTestStringConvertible, Sendable {
    let template: String
    let expected: [String]

    init(_ template: String, _ expected: String...) {
      self.template = template
      self.expected = expected
    }

    var testDescription: String { template.count > 60 ? template.prefix(60) + "…" : template }
  }

  private static let long = String(repeating: "n", count: 1025)

  @Test(arguments: [
    // Valid templates.
    Case(""),
    Case("<p>plain { text } with }} and }</p>"),
    Case("{{ title }} {{&#x20;}} {{! any {{ thing }}", "1:13 raw-not-allowed"),
    Case("{{#a}}{{^b}}{{.}}{{/b}}{{/a}}{{a.b.c}}{{a.0.b}}"),
    Case("{{! raw: allow }}{{{a}}}{{&b}}"),
    Case("{{!   raw:\tallow}}\n{{{a}}}"),
    Case("{{=<% %>=}}<%a%> {{b}} <%={{ }}=%>{{c}}"),
    Case("{{<*a}}{{$b}}{{/b}}{{/*a}}{{>*a}}{{> * a}}"),

    // Tags that are not closed.
    Case("{{title", "1:1 unclosed-tag"),
    Case("{{title}", "1:1 unclosed-tag"),
    Case("a {{", "1:3 unclosed-tag"),
    Case("{{! never", "1:1 unclosed-tag"),
    Case("<p>{{title</p><p>{{text}}</p>", "1:4 unclosed-tag"),
    Case("{{a {{b {{c", "1:1 unclosed-tag", "1:5 unclosed-tag", "1:9 unclosed-tag"),
    Case("{{! raw: allow }}{{{a}} {{{b}}}", "1:18 unclosed-tag"),
    Case("{{! raw: allow }}{{{a}}", "1:18 unclosed-tag"),

    // Names.
    Case("{{}}", "1:1 empty-name"),
    Case(
      "{{ }}{{#}}{{/}}{{>}}{{&}}", "1:1 empty-name", "1:6 empty-name", "1:16 empty-name", "1:21 empty-name"),
    Case("{{$}}{{/}}{{<}}{{/}}{{>*}}", "1:1 empty-name", "1:11 empty-name", "1:21 empty-name"),
    Case("{{first name}}", "1:1 invalid-name"),
    Case(
      "{{a..b}}{{.a}}{{a.}}{{..}}", "1:1 invalid-name", "1:9 invalid-name", "1:15 invalid-name",
      "1:21 invalid-name"),
    Case("{{#a b}}x{{/a b}}{{^a..b}}x{{/a..b}}", "1:1 invalid-name", "1:18 invalid-name"),
    Case("{{<*a b}}{{/*a b}}{{>*a..b}}", "1:1 invalid-name", "1:19 invalid-name"),
    // Tags of other languages, each closed as there.
    Case("{{#if a}}x{{/if}}{{#if a}}y{{/a}}", "1:1 foreign-tag", "1:18 foreign-tag"),
    Case("{{#unless a.b}}x{{/unless}}{{#with a}}x{{/with}}", "1:1 foreign-tag", "1:28 foreign-tag"),
    Case("{{#each a}}x{{/each}}{{#for a in b}}x{{/for}}", "1:1 foreign-tag", "1:22 foreign-tag"),
    Case("{{#a}}x{{else}}y{{/a}}{{else if b}}", "1:8 foreign-tag", "1:23 foreign-tag"),
    Case("{{#a == \"b\"}}x{{/a}}{{^a!=b}}x{{/a}}", "1:1 foreign-tag", "1:21 foreign-tag"),
    Case("{{#a && b}}x{{/a && b}}{{if a}}", "1:1 foreign-tag", "1:24 foreign-tag"),
    Case(
      "{{#a > 5}}x{{/a}}{{^a < b}}x{{/a}}{{#a = b}}x{{/a}}", "1:1 foreign-tag", "1:18 foreign-tag",
      "1:35 foreign-tag"),
    Case("{{#a}}x{{^}}y{{/a}}{{^}}z{{/}}{{#}}", "1:8 foreign-tag", "1:20 empty-name", "1:31 empty-name"),
    Case("{{#a b}}x{{/a}}", "1:1 invalid-name"),
    Case("{{a || b}}", "1:6 invalid-format"),
    // Names that are hardly meant as names.
    Case("{{this.a}}{{#this}}{{.}}{{/this}}{{thisOne}}{{a.this}}", "1:1 foreign-text", "1:11 foreign-text"),
    Case(
      "{{a[0]}}{{#a[0]['b']}}x{{/a[0]['b']}}{{a?.b}}{{@key}}{{@root.a}}{{a||b}}{{a??b}}", "1:1 foreign-text",
      "1:9 foreign-text", "1:38 foreign-text", "1:46 foreign-text", "1:54 foreign-text", "1:65 foreign-text",
      "1:73 foreign-text"),
    Case("{{tags[]}}{{[a]}}{{a?}}{{a.b?}}{{@id}}{{@type}}{{a[}}{{a[].b}}"),
    Case("{{../a}}{{a ?? b}}", "1:1 invalid-name", "1:9 invalid-name"),
    Case(
      "{{a|number}}{{#a.b|plural}}x{{/a.b|plural}}{{a|b}}{{|number}}", "1:1 foreign-text", "1:13 foreign-text"
    ),
    Case("{{#if}}{{each}}{{#else}}x{{/else}}{{/if}}{{#a=b}}x{{/a=b}}"),
    // Their text: the first of each, where a browser shows it.
    Case("<p>{% if a %}{% endif %}</p>\n{%- for a in b -%}", "1:4 foreign-text"),
    Case("<p title=\"${a}\">${b.c}</p>", "1:11 foreign-text"),
    Case("<p>{% 5 %} {%if} $ {a} ${{a}} ${} ${1} ${a b}</p>", "1:12 foreign-text"),
    Case("<script>f(`${a}`, '{% if a %}')</script><b x-data=\"`${a}`\">`${a}`</b>"),
    Case("<script></script>${a}", "1:18 foreign-text"),
    // Control characters, in names of every sort.
    Case(
      "{{a\u{0}}}{{#\u{1}}}{{/\u{1}}}{{^a\tb}}{{/a\tb}}", "1:1 invalid-name", "1:7 invalid-name",
      "1:19 invalid-name"),
    Case("{{$\u{0}0 x}}{{/\u{0}0 x}}{{$a\nb}}{{/a\nb}}", "1:1 invalid-name", "1:19 invalid-name"),
    Case(
      "{{>a\u{7F}}}{{>*\u{80}}}{{<\u{9F}}}{{/\u{9F}}}", "1:1 unknown-partial", "1:1 invalid-name",
      "1:8 invalid-name",
      "1:16 unknown-partial", "1:16 invalid-name"),
    Case("{{\u{A0}}}{{é}}{{$a b}}{{/a b}}"),
    Case(
      "<p\u{1B}></p\u{1B}><p a\u{1B}=x></p>", "1:1 invalid-markup", "1:5 invalid-markup",
      "1:13 invalid-markup"),
    // Longer than any handwritten name.
    Case("{{\(long)}}{{/\(long)}}", "1:1030 unexpected-end"),
    Case("<\(long)></\(long)>", "1:1 invalid-markup", "1:1028 invalid-markup"),
    Case("{{$\(long)}}{{x y}}{{/\(long)}}", "1:1 invalid-name", "1:1031 invalid-name"),
    Case("{{<*a}}{{$\(long)}}x{{/\(long)}}{{/*a}}", "1:8 invalid-name"),
    Case("{{$\(long.dropLast())}}x{{/\(long.dropLast())}}"),

    // Sections, parents and blocks.
    Case("{{#items}}…", "1:1 unclosed-section"),
    Case(
      "{{#a}}{{^b}}{{$c}}{{<*d}}",
      "1:1 unclosed-section", "1:7 unclosed-section", "1:13 unclosed-section", "1:19 unclosed-section"),
    Case("…{{/items}}", "1:4 unexpected-end"),
    Case("{{#a}}{{/b}}{{/a}}", "1:7 mismatched-end"),
    Case("{{#a}}{{#b}}{{/a}}", "1:7 unclosed-section"),
    Case("{{#a}}{{#b}}{{/a}}{{/b}}", "1:7 unclosed-section", "1:19 unexpected-end"),
    Case("{{<*a}}{{/a}}{{/*a}}", "1:8 mismatched-end"),
    Case("{{#a}}{{/A}}", "1:7 mismatched-end"),
    Case("{{#a}}{{#b}}{{/c}}{{/a}}{{#d}}", "1:13 mismatched-end", "1:25 unclosed-section"),
    Case("{{#e\u{301}}}{{/\u{E9}}}{{/e\u{301}}}", "1:9 mismatched-end"),

    // Delimiters.
    Case("{{=<% %>}} {{a}}", "1:1 invalid-delimiters"),
    Case("{{=<%%>=}}", "1:1 invalid-delimiters"),
    Case("{{==}}", "1:1 invalid-delimiters"),
    Case("{{=a b c=}}", "1:1 invalid-delimiters"),
    Case("{{=<= =>=}}", "1:1 invalid-delimiters"),
    Case("{{=<% %>", "1:1 invalid-delimiters"),
    Case("{{=<% %>=}}<%a%><%#b%>{{/b}}", "1:17 unclosed-section"),
    Case("{{=| |=}}|a||b\n|c|", "2:3 unclosed-tag"),

    // Raw values.
    Case("{{{html}}}", "1:1 raw-not-allowed"),
    Case("{{& html }}", "1:1 raw-not-allowed"),
    Case("\n{{! raw: allow }}{{{html}}}", "2:18 raw-not-allowed"),
    Case("{{! raw: deny }}{{{html}}}", "1:17 raw-not-allowed"),
    Case(
      "{{#a}}{{{b}}}{{/a}}{{$c}}{{{d}}}{{/c}}{{<*e}}{{$f}}{{{g}}}{{/f}}{{/*e}}",
      "1:7 raw-not-allowed", "1:26 raw-not-allowed", "1:52 raw-not-allowed"),

    // Calls: an unknown name is a warning.
    Case("{{>nothing}}\n  {{<nowhere}}{{/nowhere}}", "1:1 unknown-partial", "2:3 unknown-partial"),
    Case("{{>\u{212A}}}", "1:1 unknown-partial"),

    // All errors are reported, because the parser continues after each.
    Case(
      "{{a b}}{{{c}}}{{/d}}{{=e=}}\n{{#f}}{{}}{{{g}}}{{#h i}}{{{j}}}{{/h i}}",
      "1:1 invalid-name", "1:8 raw-not-allowed", "1:15 unexpected-end", "1:21 invalid-delimiters",
      "2:1 unclosed-section", "2:7 empty-name", "2:11 raw-not-allowed", "2:18 invalid-name",
      "2:26 raw-not-allowed"),
  ])
  func allThatIsWrongIsReportedWithItsPlace(_ row: Case) {
    #expect(Templates.diagnostics(Templates.sources(["cell.mustache": row.template])) == row.expected)
  }

  /// Lines end with `\n`, columns count bytes, and a byte order mark does not count.
  @Test(arguments: [
    Case("é€😀{{}}", "1:10 empty-name"),
    Case("\n\n😀\n  {{}}", "4:3 empty-name"),
    Case("a\r\nb\r\n{{}}\r\n{{#c}}\r\n", "3:1 empty-name", "4:1 unclosed-section"),
    Case("\r\r{{}}", "1:3 empty-name"),
    Case("\u{FEFF}{{}}\n{{}}", "1:1 empty-name", "2:1 empty-name"),
    Case("\u{FEFF}é{{}}", "1:3 empty-name"),
    Case("{{=é €=}}é€\n xéa b€", "1:13 empty-name", "2:3 invalid-name"),
    Case("{{!\n\n}}{{}}", "3:3 empty-name"),
    Case("{{#a}}\n  {{! closed\n nowhere }}\n\n", "1:1 unclosed-section"),
  ])
  func placesCountLinesFromOneAndColumnsInBytes(_ row: Case) {
    #expect(Templates.diagnostics(Templates.sources(["cell.mustache": row.template])) == row.expected)
  }

  @Test func aByteOrderMarkIsRemoved() throws {
    let plain = try Templates.archive(["cell.mustache": "{{! raw: allow }}{{{a}}}"])
    let marked = try Templates.archive(["cell.mustache": "\u{FEFF}{{! raw: allow }}{{{a}}}"])
    #expect(marked.tables.$ops.array == plain.tables.$ops.array)
  }

  @Test func errorsOfAllFilesAreReportedSortedByFileAndPlace() {
    let sources = Templates.sources(
      [
        "b.mustache": "{{}}\n{{}}", "a.mustache": "{{/x}}", "c.txt.mustache": "{{#y}}",
        "d.mustache": "{{>b}}{{>e}}",
      ])
    let expected = [
      "a.mustache:1:1 unexpected-end", "b.mustache:1:1 empty-name", "b.mustache:2:1 empty-name",
      "c.txt.mustache:1:1 unclosed-section", "d.mustache:1:7 unknown-partial",
    ]
    #expect(Templates.diagnostics(sources) == expected)
    #expect(Templates.diagnostics(sources.reversed()) == expected)
  }

  @Test func aTextCellInAnHTMLCellIsAnErrorTheOtherWayRoundItIsNot() {
    let sources = Templates.sources([
      "digest.txt.mustache": "{{>news}}{{{raw}}}",
      "news.mustache": "x\n {{>digest}}{{<digest}}{{/digest}}{{>*digest}}",
    ])
    #expect(
      Templates.diagnostics(sources) == ["news.mustache:2:2 text-in-html", "news.mustache:2:13 text-in-html"])
  }

  @Test func aKindThatIsDefinedTwiceNamesBothPlaces() throws {
    let sources = Templates.sources(
      ["a/b.txt.mustache": "x", "a/b.mustache": "y", "c.mustache": ""], folder: "dir/")
    for order in [sources, sources.reversed()] {
      let error = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile(order) }
      let diagnostic = try #require(error?.diagnostics.first)
      #expect(error?.diagnostics.count == 1)
      #expect(diagnostic.code == .duplicateKind)
      #expect(diagnostic.description.hasPrefix("dir/a/b.txt.mustache:1:1: error: "))
      #expect(diagnostic.message.contains("\"a/b\""))
      #expect(diagnostic.message.contains("dir/a/b.mustache:1:1"))
    }
  }

  @Test(arguments: ["my cell", "a//b", "/a", "a/", "..", "a/../b", ".", "a/./b", "é", "a%2Fb", "", "a\u{0}"])
  func aFileNameThatIsNotAKindIsAnError(_ kind: String) {
    #expect(!KindName.isValid(kind))
    let sources = [TemplateSource(file: "f", kind: kind, mode: .html, bytes: Array("{{/x}}".utf8))]
    #expect(Templates.diagnostics(sources) == ["1:1 invalid-kind"])
  }

  @Test(arguments: ["a", "A-Z_0.9", "shop/price", "...", "a/.../b", "-", "a.b/c.d", ".hidden", "..a"])
  func namesOfSegmentsAreKinds(_ kind: String) {
    #expect(KindName.isValid(kind))
  }

  @Test(
    arguments: [
      ([0xFF], "1:1"), ([0x61, 0x0A, 0x62, 0xC3], "2:2"), ([0xC0, 0x80], "1:1"), ([0xED, 0xA0, 0x80], "1:1"),
      ([0xC3, 0xA9, 0xF4, 0x90, 0x80, 0x80], "1:3"), ([0xEF, 0xBB, 0xBF, 0x80], "1:1"),
      ([0xE2, 0x82], "1:1"),
    ] as [([UInt8], String)])
  func whatIsNotUTF8IsReportedAtItsFirstWrongByte(_ row: ([UInt8], String)) {
    let found = Templates.diagnostics([Templates.source("cell.mustache", row.0 + Array("{{/x}}".utf8))])
    #expect(found == [row.1 + " invalid-encoding"])
  }

  @Test func sectionsNestTwoHundredDeepAndNoDeeper() throws {
    let open = String(repeating: "{{#a}}", count: 200)
    let close = String(repeating: "{{/a}}", count: 200)
    #expect(Templates.diagnostics(Templates.sources(["cell.mustache": open + close])) == [])
    #expect(
      Templates.diagnostics(Templates.sources(["cell.mustache": "{{}}\n" + open + "{{^b}}{{/b}}" + close]))
        == ["1:1 empty-name", "2:1201 nested-too-deep"])
  }

  /// Deep, wide and invalid templates: the cost is linear, and the stack does not grow.
  @Test(arguments: [
    "{{#a}}", "{{<*a}}{{$b}}", "{{a b}}\n", "{{/a}}\n", "{{a {{", "{{=a}} {{=", "{{{a}} ", "{{#a}}{{/a}}",
  ])
  func hugeTemplatesAreCheckedWithoutHarm(_ piece: String) {
    let text = String(repeating: piece, count: 10_000)
    let found = Templates.diagnostics(Templates.sources(["cell.txt.mustache": text]))
    #expect(found.isEmpty == (piece == "{{#a}}{{/a}}"))
  }

  @Test func errorsPrintAsCompilersDoWithAHintEach() throws {
    let sources = Templates.sources(
      ["feed.mustache": "\n  {{#items}}", "z.mustache": "{{>none}}"], folder: "templates/")
    let error = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile(sources) }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[0]
        == "templates/feed.mustache:2:3: error: the section \"items\" is never closed [unclosed-section]")
    #expect(lines[1] == "  hint: close it with {{/items}}")
    #expect(lines[2].hasPrefix("templates/z.mustache:1:1: warning: "))
    #expect(lines[2].hasSuffix(" [unknown-partial]"))
    #expect(lines[3].hasPrefix("  hint: "))
  }

  @Test func diagnosticsOfAWholeFileHaveNoPosition() {
    let diagnostic = Diagnostic(.unreadable, file: "a/b", message: "cannot be read", hint: "mend it")
    #expect(diagnostic.description == "a/b: error: cannot be read [unreadable]\n  hint: mend it")
  }

  /// Names of files, which messages hold too, may have control characters.
  @Test func noControlCharacterReachesATerminal() {
    let diagnostic = Diagnostic(
      .duplicateKind, file: "a\u{1B}[2J\n.html", line: 1, column: 2, message: "as in b\u{9B}2J",
      hint: "rename c\u{7F}")
    #expect(
      diagnostic.description
        == "a\u{FFFD}[2J\u{FFFD}.html:1:2: error: as in b\u{FFFD}2J [duplicate-kind]\n  hint: rename c\u{FFFD}"
    )
  }

  @Test func warningsDoNotRefuseTheTemplates() throws {
    let result = try TemplateCompiler.compile(Templates.sources(["a.mustache": "{{>b}}"]))
    #expect(result.warnings.map(\.code) == [.unknownPartial])
    #expect(result.archive.kindNames == ["a"])
  }
}
