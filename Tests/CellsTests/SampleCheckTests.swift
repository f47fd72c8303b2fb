import CellTemplates
import Testing

@testable import Cells

/// The diagnostics of `check` for sample rows.
@Suite struct SampleCheckTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let template: String
    let sample: String
    let found: [String]
    var file = "a.mustache"
    var others: [String: String] = [:]

    init(_ template: String, _ sample: String, _ found: String...) {
      self.template = template
      self.sample = sample
      self.found = found
    }

    func with(_ others: [String: String], file: String = "a.mustache") -> Case {
      var row = self
      (row.others, row.file) = (others, file)
      return row
    }

    var testDescription: String { template + " " + sample }
  }

  /// `LINE:COLUMN CODE "NAME"`: the first quoted name.
  private static func found(_ row: Case) throws -> [String] {
    let folder = try TemporaryFolder(
      row.others.merging([row.file: row.template, "a.sample.json": row.sample]) { $1 })
    return FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.map { diagnostic in
      let name =
        diagnostic.message.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first ?? ""
      return "\(diagnostic.line):\(diagnostic.column) \(diagnostic.code.rawValue) \(name)"
    }
  }

  /// The bound on loops is for one request.
  @Test func rowsAreBoundedOneByOne() throws {
    // To compare long texts counts as much as many loops.
    let text = String(repeating: "x", count: 1 << 20)
    let row =
      "{\"a\":\"\(text)\",\"b\":\"\(text)\",\"l\":[\(Array(repeating: "true", count: 200).joined(separator: ","))]}"
    let nib = "<p data-cell=\"a\"><i data-outlet=\"l\"><b data-when=\"@row.a={@row.b}\">x</b></i></p>"
    func found(_ rows: Int) throws -> [String] {
      try Self.found(
        Case(nib, "[\(Array(repeating: row, count: rows).joined(separator: ","))]").with([:], file: "n.html"))
    }
    #expect(try found(4).isEmpty)
    let many = row.replacing("true", with: "true,true,true,true")
    #expect(
      try Self.found(Case(nib, "[\(many)]").with([:], file: "n.html")) == ["1:2 bad-sample-row "],
      "one that is bad")
  }

  @Test(arguments: [
    Case("<p>{{a}}{{b.c}}</p>", #"[{"a": 1, "b": {"c": 2}}]"#),
    Case("<p>{{a}}</p>", "[]"),
    // What is no row is reported once.
    Case("<p>{{a}}</p>", #"[{"a": 1}, 2]"#, "1:12 sample-mismatch "),
    Case(
      "<p>{{a}}</p>", #"[{"a": 1}, {"data": {}}]"#, "1:12 sample-mismatch ", "1:13 unused-sample-name data"),
    Case("<p>{{.}}</p>", #"[1, {"any": {"thing": 1}}, [2]]"#),
    // One row is enough.
    Case("<p>{{a}}{{b}}</p>", #"[{"a": 1}, {"b": 2}]"#),
    Case("<p>{{a}}{{b}}</p>", #"[{"a": 1}, {"a": 2}]"#, "1:2 sample-lacks-name b"),
    Case("<p>{{b.c}}</p>", #"[{"b": {"d": 1}}]"#, "1:8 sample-lacks-name c", "1:9 unused-sample-name d"),
    Case("<p>{{b.c}}</p>", #"[{}]"#, "1:2 sample-lacks-name c"),
    // Names are found in outer objects, and when a section tests them.
    Case("<p>{{#l}}{{a}}{{b}}{{/l}}</p>", #"[{"b": 0, "l": [{"a": 1}]}]"#),
    Case("<p>{{#a}}{{a}}{{/a}}</p>", #"[{"a": 1}]"#),
    Case("<p>{{#a.b}}{{a.c}}{{/a.b}}</p>", #"[{"a": {"b": 1, "c": 2}}]"#),
    // The value of a section may have a key of the section's name.
    Case("<p>{{#a}}{{a.c}}{{/a}}</p>", #"[{"a": {"a": {"c": 1}}}]"#),
    Case("<p>{{#a}}{{a.c}}{{/a}}</p>", #"[{"a": [{"a": {"c": 1}}]}]"#),
    Case(
      "<p>{{#a}}{{a.c}}{{/a}}</p>", #"[{"a": {"a": {"d": 1}}}]"#, "1:8 sample-lacks-name c",
      "1:15 unused-sample-name d"),
    Case("<p>{{#a}}{{#a}}{{x}}{{/a}}{{/a}}</p>", #"[{"a": {"a": {"x": 1}}}]"#),
    Case("<p>{{#a}}{{a}}{{b}}{{/a}}</p>", #"[{"a": {"a": {"x": 1}, "b": 1}}, {"a": {"a": "x"}}]"#),
    Case("<p data-cell=\"a\">{{#a}}<s data-outlet=\"a\">s</s>{{/a}}</p>", #"[{"a": {"a": "x"}}]"#)
      .with([:], file: "n.html"),
    Case(
      "<p data-cell=\"a\">{{#a}}<s data-outlet=\"a\">s</s>{{/a}}</p>", #"[{"a": {"b": "x"}}]"#,
      "1:9 unused-sample-name b"
    )
    .with([:], file: "n.html"),
    Case("<p>{{#a}}{{b}}{{/a}}</p>", #"[{"a": true, "b": 1}]"#),
    Case(
      "<p>{{#l}}{{a}}{{/l}}</p>", #"[{"l": [{"b": 1}]}]"#, "1:9 sample-lacks-name a",
      "1:10 unused-sample-name b"),
    // A section that is not reached requires no names, but its names count as used.
    Case("<p>{{#x}}{{a}}{{b}}{{/x}}</p>", #"[{"a": 1}]"#, "1:2 sample-lacks-name x"),
    Case("<p>{{#x}}{{a}}{{/x}}</p>", #"[{"x": false, "a": 1}]"#),
    // A dotted name is asked for once, wherever it is found.
    Case(
      "{{#order}}{{user.name}}{{/order}} {{user.id}}",
      #"[{"user": {"id": 1}, "order": {"user": {"name": "Ada"}}}]"#),
    Case("{{^e}}{{#a}}{{e.c}}{{/a}}{{/e}}", #"[{"a": {"e": {"c": 1}}}]"#),
    Case(
      "{{#order}}{{user.name}}{{/order}} {{user.id}}", #"[{"user": {"id": 1}, "order": {"user": {"x": 1}}}]"#,
      "1:40 sample-lacks-name name", "1:41 unused-sample-name x"),
    // What is around an item depends on where the template looks up its list.
    Case("{{#p}}{{#l}}<i>{{b}}</i>{{/l}}{{/p}}", #"[{"l": [1, 2], "p": {"b": "x"}}]"#),
    Case(
      "{{#l}}<i>{{b}}</i>{{/l}}{{#p}}{{#l}}<i>{{c}}</i>{{/l}}{{/p}}",
      #"[{"l": [1, 2], "p": {"b": "x", "c": 1}}]"#, "1:9 sample-lacks-name b", "1:22 unused-sample-name b"),
    Case("<p data-cell=\"a\"><s data-bind=\"title:.\">s</s></p>", #"[{"any": {"thing": 1}}]"#)
      .with([:], file: "n.html"),
    Case("<p>{{^x}}{{a}}{{/x}}</p>", #"[{"x": 1, "a": 1}]"#),
    // Printing a whole value uses all of it.
    Case("<p>{{a}}</p>", #"[{"a": {"b": {"c": 1}}}]"#),
    Case("<p>{{#l}}{{.}}{{/l}}</p>", #"[{"l": [{"b": 1}, 2]}]"#),
    Case("<p>{{#l}}x{{/l}}</p>", #"[{"l": [{"b": 1}, {"b": 2}]}]"#, "1:10 unused-sample-name b"),
    Case(
      "<p>{{t}}{{#l}}{{.}}{{/l}}</p>", #"[{"t": 1, "l": [{"b": 1}]}, {"tt": 1}, {"tt": 2, "l": []}]"#,
      "1:30 unused-sample-name tt"),
    Case(
      "<p>{{t}}{{#l}}{{>b}}{{/l}}</p>", #"[{"t": 1, "l": [{"b": 1}]}, {"tt": 1}]"#,
      "1:30 unused-sample-name tt"
    )
    .with(["b.mustache": "{{.}}"]),
    // Mustache finds an owner in the row first, and an outlet that of the request alone.
    Case(
      "<p>{{owner.name}}{{#l}}{{#owner}}{{name}}{{/owner}}{{/l}}{{#o}}x{{/o}}</p>",
      #"[{"owner": {"name": 1, "id": 2}, "l": [{"owner": {"name": 3}}], "o": {"owner": 4}}]"#,
      "1:71 unused-sample-name owner"),
    Case(
      "<p data-cell=a><b data-outlet=owner.name>d</b></p>", #"[{"owner": {"name": 1}}]"#,
      "1:3 unused-sample-name owner"
    )
    .with([:], file: "n.html"),
    // So it does for a cell that is called in a section, and for an override, which is where the block is.
    Case(
      "{{#l}}{{>b}}{{/l}}{{#o}}x{{/o}}",
      #"[{"owner": {"name": 1}, "l": [{"owner": {"name": 3}}], "o": {"owner": 4}}]"#,
      "1:62 unused-sample-name owner"
    )
    .with(["b.mustache": "{{>c}}", "c.mustache": "{{owner.name}}"]),
    Case(
      "{{<b}}{{$t}}{{>d}}{{/t}}{{/b}}",
      #"[{"owner": {"name": 1}, "l": [{"owner": {"name": 3}}], "o": {"owner": 4}}]"#,
      "1:62 unused-sample-name owner"
    )
    .with([
      "b.mustache": "{{<c}}{{/c}}", "c.mustache": "{{#l}}{{$t}}{{/t}}{{/l}}{{#o}}x{{/o}}",
      "d.mustache": "{{owner.name}}",
    ]),
    // Those of other kinds do not count.
    Case("{{#l}}{{$t}}{{/t}}{{/l}}", #"[{"l": {"owner": 1}}]"#, "1:9 unused-sample-name owner")
      .with(["b.mustache": "{{<a}}{{$t}}{{owner}}{{/t}}{{/a}}"]),
    // An included cell sees nothing around its row.
    Case(
      "<p data-cell=a><b data-outlet=l data-include=b>d</b></p>",
      #"[{"l": {"owner": {"name": 1}}, "owner": {"name": 2}}]"#, "1:32 unused-sample-name owner"
    )
    .with(["b.mustache": "{{owner.name}}"], file: "n.html"),
    // So does printing the row, wherever the cell is called that does so.
    Case("<p>{{@row}}</p>", #"[{"x": 1}]"#),
    Case("<p>{{#l}}{{>b}}{{/l}}</p>", #"[{"l": {"y": 1}, "x": {"z": 1}}]"#)
      .with(["b.mustache": "{{>c}}", "c.mustache": "{{@row}}"]),
    Case(
      "<p data-cell=a><b data-outlet=l data-include=b>d</b></p>", #"[{"l": {"y": 1}, "x": 1}]"#,
      "1:18 unused-sample-name x"
    )
    .with(["b.mustache": "{{@row}}"], file: "n.html"),
    // Each name is reported once.
    Case(
      "<p>{{a}}</p>", #"[{"a": 1, "x": 1}, {"a": 1, "x": 1, "y": 2}]"#, "1:11 unused-sample-name x",
      "1:37 unused-sample-name y"),
    Case("<p>{{a.0.b}}{{l.1}}</p>", #"[{"a": [{"b": 1}], "l": [1, 2]}]"#),
    // Names that called cells look up.
    Case("<p>{{>b}}</p>", #"[{"x": 1}]"#).with(["b.mustache": "{{x}}"]),
    Case("<p>{{>b}}</p>", #"[{"y": 1}]"#, "1:2 sample-lacks-name x", "1:3 unused-sample-name y")
      .with(["b.mustache": "{{x}}"]),
    Case("<i>{{#k}}{{>a}}{{/k}}{{n}}</i>", #"[{"n": 1, "k": {"n": 2, "k": {"n": 3, "k": false}}}]"#),
    Case(
      "<i>{{#k}}{{>a}}{{/k}}{{n}}</i>", #"[{"n": 1, "k": {"n": 2, "m": 3, "k": false}}]"#,
      "1:25 unused-sample-name m"),
    Case("<p>{{>*b}}</p>", #"[{"b": "c", "any": 1}]"#),
    Case("{{<b}}{{$t}}{{x}}{{/t}}{{/b}}", #"[{"x": 1, "z": 2}]"#).with([
      "b.mustache": "{{$t}}{{y}}{{/t}}{{z}}"
    ]),
    Case("<p>{{owner.name}}</p>", "[{}]"),
    // Outlets.
    Case(
      "<p data-cell=a><b data-outlet=t>d</b><i data-outlet=o><b data-outlet=n>d</b></i></p>",
      #"[{"t": {"text": 1}, "o": {"n": 1}}]"#
    ).with([:], file: "n.html"),
    Case(
      "<p data-cell=a><b data-outlet=o data-bind='title class'>d</b></p>",
      #"[{"o": {"title": 1, "class": 2, "id": 3}}]"#, "1:33 unused-sample-name id"
    ).with([:], file: "n.html"),
    Case(
      "<p data-cell=a><b data-outlet=t>d</b><u data-tag=7>d</u></p>", #"[{"t": 1}]"#,
      "1:2 sample-lacks-name 7"
    )
    .with([:], file: "n.html"),
    // An outlet looks only in its own object.
    Case(
      "<p data-cell=a><i data-outlet=o>{{t}}<b data-outlet=t>d</b></i></p>", #"[{"t": 1, "o": {"u": 1}}]"#,
      "1:17 unused-sample-name u"
    ).with([:], file: "n.html"),
    Case(
      "<p data-cell=a><i data-outlet=o><b data-outlet=t>d</b></i></p>", #"[{"t": 1, "o": {}}]"#,
      "1:3 unused-sample-name t", "1:16 sample-lacks-name t"
    ).with([:], file: "n.html"),
    Case(
      "<p data-cell=a>{{#o.s}}<img data-outlet=o data-bind='src alt'>{{/o.s}}</p>",
      #"[{"o": {"s": 1, "src": 1, "alt": 2}}]"#
    ).with([:], file: "n.html"),
    Case("<p data-cell=a><script type=application/json data-outlet=o></script></p>", #"[{"o": {"any": 1}}]"#)
      .with([:], file: "n.html"),
    // The schema.
    Case("<p>{{a.b}}</p>", #"[{"a": null}, {"a": false}, {"a": {"b": 1}}]"#),
    Case(
      "<p>{{a.b}}</p>", #"[{"a": "x"}, {"a": 1}, {"a": []}, {"a": {"b": 1}}]"#,
      "1:8 sample-mismatch ", "1:20 sample-mismatch ", "1:30 sample-mismatch "),
    Case("<p>{{#l}}{{a.b}}{{/l}}</p>", #"[{"l": [{"a": {"b": 1}}, {"a": ""}]}]"#, "1:32 sample-mismatch "),
    // Formats: each value once, whatever locale it is rendered in.
    Case("<p>{{a | number}}</p>", #"[{"a": 1}, {"a": "1.5"}, {"a": null}]"#),
    Case(
      "<p>{{a | number}}{{a | date}}{{a | number}}</p>", #"[{"a": "2025-02-30"}, {"a": "2025-02-28"}]"#,
      "1:8 sample-misfit date", "1:8 sample-misfit number", "1:29 sample-misfit number"),
    Case(
      "<p>{{a | currency b}}</p>", #"[{"a": 1, "b": "EUR"}, {"a": 1, "b": "eu"}]"#,
      "1:30 sample-misfit currency b"),
    Case("<p>{{a | truncate 3}}</p>", #"[{"a": {"b": 1}}]"#, "1:8 sample-misfit truncate 3"),
    Case(
      "<p>{{#a}}{{b | number}}{{/a}}</p>", #"[{"a": [{"b": 1}, {"b": "-"}]}]"#, "1:25 sample-misfit number"),
    Case(
      "<p data-cell=a><b data-outlet=x data-format=integer>1</b><i data-bind='title:y | date'>d</i></p>",
      #"[{"x": ["1", "one"], "y": true}, {"x": 1, "y": "soon"}]"#, "1:14 sample-misfit integer",
      "1:48 sample-misfit date"
    ).with([:], file: "n.html"),
    // What is not rendered is not judged.
    Case("<p>{{#a}}{{b | date}}{{/a}}</p>", #"[{"a": true, "b": "2025-01-01"}, {"a": false, "b": ""}]"#),
    // Text.
    Case("{{a}}", #"[{"a": "x < y"}]"#, "1:1 escaped-text a").with([:], file: "a.txt.mustache"),
    Case("{{{a}}}{{a}}", #"[{"a": "x < y"}]"#, "1:8 escaped-text a").with([:], file: "a.txt.mustache"),
    Case("{{{a}}}{{&a}}", #"[{"a": "x < y"}]"#).with([:], file: "a.txt.mustache"),
    Case("{{a}}", #"[{"a": "plain"}, {"a": 1}]"#).with([:], file: "a.txt.mustache"),
    Case("<title>{{a}}</title>", #"[{"a": "x < y"}]"#).with([:], file: "a.txt.mustache"),
  ])
  func findings(_ row: Case) throws {
    #expect(try Self.found(row) == row.found)
  }

  /// Names that are controls of queries, once in each cell.
  @Test(
    arguments: [
      (
        "<p>{{locale}}{{locale}}{{#now}}{{x}}{{/now}}{{time_zone.name}}</p>",
        ["1:4 locale", "1:24 now", "1:45 time_zone"]
      ),
      ("<p>{{@row.locale}}{{a.locale}}{{Locale}}{{timeZone}}{{owner.now}}{{@locale}}</p>", ["1:4 locale"]),
      ("<p>{{#a}}{{now}}{{/a}}{{^locale}}{{/locale}}</p>", ["1:10 now", "1:23 locale"]),
    ] as [(String, [String])])
  func namesOfControls(_ template: String, _ positions: [String]) throws {
    let source = TemplateSource(file: "a", kind: "a", mode: .html, bytes: Array(template.utf8))
    let warnings = try TemplateCompiler.compile([source]).warnings
    #expect(
      warnings.map { "\($0.line):\($0.column) \($0.message.split(separator: "\"")[0])" } == positions)
    #expect(warnings.allSatisfy { $0.code == .reservedField && $0.severity == .warning })
  }

  @Test func namesOfControlsInNibs() throws {
    let row = Case(
      "<p data-cell=a><b data-outlet=now>n</b><i data-outlet=o><b data-outlet=locale>l</b></i></p>", "[]",
      "1:16 reserved-field now"
    ).with([:], file: "n.html")
    #expect(try Self.found(row) == row.found)
  }

  /// Arabic has a plural for two: only there, the cell calls itself.
  @Test(
    arguments: [
      ("", []), ("de,ar", ["1:2 row 0 cannot be rendered in ar", "1:16 the value does not fit the format "]),
    ] as [(String, [String])])
  func rowsAreRenderedInEveryLocale(locales: String, found: [String]) throws {
    let folder = try TemporaryFolder([
      "a.mustache": "<i>{{#n | plural two}}{{x | date}}{{>a}}{{/n}}{{n | number}}</i>",
      "a.sample.json": #"[{"n": 2, "x": "today"}, {"n": 1, "x": 1}]"#,
    ])
    let check = FolderCheck(
      folder.path, locales: try OfferedLocales(standard: "en", others: locales), executor: InlineExecutor())
    let messages = check.diagnostics.map { diagnostic in
      let message = diagnostic.message.prefix { $0 != ":" && $0 != "\"" }
      return "\(diagnostic.line):\(diagnostic.column) \(message)"
    }
    #expect(
      zip(messages, found).allSatisfy { $0.hasPrefix($1) } && messages.count == found.count, "\(messages)")
  }

  /// The format is the one of the locale in which a value did not fit. Each value is told once.
  @Test func theFormatInForceIsTold() throws {
    let folder = try TemporaryFolder([
      "a.mustache": "<i>{{n | price}}{{m | price}}</i>",
      "formats.json":
        #"{"price": "number", "price@de": "currency code", "price@fr": "currency code digits=0"}"#,
      "a.sample.json": #"[{"n": 5, "m": "x", "code": "euro"}]"#,
    ])
    let check = FolderCheck(
      folder.path, locales: try OfferedLocales(standard: "en", others: "de,fr"), executor: InlineExecutor())
    let told = check.diagnostics.map { diagnostic in
      let format = diagnostic.message.split(separator: "\"", omittingEmptySubsequences: false).dropFirst()
        .first
      return "\(diagnostic.code.rawValue) \(format ?? "none"): \(diagnostic.hint ?? "no hint")"
    }
    #expect(
      told == [
        "sample-misfit currency code: write a number, and three capital letters where its currency is named",
        #"sample-misfit number: write a number: 12.5 or "12.50""#,
      ])
  }

  /// Tags that can never have a value are reported without a sample, too.
  @Test(
    arguments: [
      ("<p>{{^a}}{{a.b}}{{/a}}</p>", ["1:10"]), ("<p>{{^a}}{{#a}}x{{/a}}{{/a}}</p>", ["1:10"]),
      ("<p>{{^a}}{{a}}{{b}}{{^a.b}}x{{/a.b}}{{/a}}</p>", []), ("<p>{{^a}}{{#b}}{{a.b}}{{/b}}{{/a}}</p>", []),
      ("<p>{{^a.b}}{{a.c}}{{a.b.c}}{{/a.b}}</p>", ["1:19"]),
      ("<p>{{^a}}{{^b}}{{a.b}}{{/b}}{{/a}}</p>", ["1:16"]),
      ("<p>{{@index.x}}{{@index}}</p>", ["1:4"]), ("<p>a</p><!-- {{x}} -->", ["1:14"]),
      ("<p>{{^a}}{{ab.c}}{{/a}}</p>", []), ("<p>{{^a}}{{$t}}{{a.b}}{{/t}}{{/a}}</p>", ["1:16"]),
    ] as [(String, [String])])
  func holesThatNothingFills(_ template: String, _ positions: [String]) throws {
    let source = TemplateSource(file: "a", kind: "a", mode: .html, bytes: Array(template.utf8))
    let warnings = try TemplateCompiler.compile([source]).warnings
    #expect(warnings.map { "\($0.line):\($0.column)" } == positions)
    #expect(warnings.allSatisfy { $0.code == .unfillableHole && $0.severity == .warning })
  }

  private static func diagnostics(
    _ files: [String: String], budget: LoadBudget = LoadBudget()
  ) throws -> [Diagnostic] {
    let folder = try TemporaryFolder(files)
    return FolderCheck(folder.path, budget: budget, executor: InlineExecutor()).diagnostics
  }

  /// The first values that do not match are reported, in text order, and the rest are counted.
  @Test(arguments: [(99, ""), (100, ""), (101, "; so do 1 more values"), (350, "; so do 250 more values")])
  func mismatchesAreCounted(_ count: Int, _ rest: String) throws {
    let rows = (0..<count).map { _ in "{\"a\": 1}" }.joined(separator: ",\n")
    let list = (0..<count).map { _ in "{\"a\": 1}" }.joined(separator: ",\n")
    for (template, sample) in [
      ("{{a.b}}", "[\(rows)]"), ("{{#l}}{{a.b}}{{/l}}", "[{\"l\": [\(list)]}]"),
    ] {
      let found = try Self.diagnostics(["a.mustache": template, "a.sample.json": sample])
        .filter { $0.code == .sampleMismatch }
      #expect(found.map(\.line) == Array(1...min(count, 100)))
      #expect(found.dropLast().allSatisfy { $0.message.hasSuffix("looks up names in it") })
      #expect(found.last?.message.hasSuffix("looks up names in it" + rest) == true)
    }
  }

  /// One row may take as long as the limit of turns allows: more than a load.
  @Test func theClockIsAskedWithinARow() throws {
    var looks = 0
    let isOver = {
      looks += 1
      return looks > 20
    }
    let budget = LoadBudget(isOver: isOver, message: "too long", hint: "", stride: .max)
    let calls = String(repeating: "{{>b}}", count: 400)
    let found = try Self.diagnostics(
      [
        "a.mustache": calls, "b.mustache": calls.replacing("b", with: "c"),
        "c.mustache": calls.replacing("b", with: "d"), "d.mustache": "", "a.sample.json": "[{}]",
      ], budget: budget)
    #expect(found.map(\.code) == [.loadLimit])
    #expect(found.first?.file.hasSuffix("a.sample.json") == true)
  }
}
