import CellTemplates
import Testing

@testable import Cells

/// An error hides only findings that depend on the faulty part.
@Suite struct FolderCheckTests {
  /// `FILE:LINE:COLUMN SEVERITY CODE`, in the order of printing.
  private static func found(_ files: [String: String], links: [String: String] = [:]) throws -> [String] {
    let folder = try TemporaryFolder(files)
    for (name, target) in links { try folder.link(name, to: target) }
    return FolderCheck(folder.path, executor: InlineExecutor()).diagnostics.map { diagnostic in
      let file = diagnostic.file.dropFirst(folder.path.count + 1)
      return
        "\(file):\(diagnostic.line):\(diagnostic.column) \(diagnostic.severity.rawValue) \(diagnostic.code.rawValue)"
    }
  }

  private static let everything = [
    "a.mustache": "<p>{{n | currency EUR}}{{#items}}{{>b}}{{@index}}{{/items}}</p>",
    "b.mustache": "<b>{{at | date long}}</b>",
    "page.html": """
    <style>.x { background: url(p.png) }</style><link rel="stylesheet" href="s.css">
    <article data-cell="c" data-bind="class:kind"><h2 data-outlet="title">T</h2><i data-outlet="n" data-format="number">1</i>
    <p data-include="d"></p><ul><li data-outlet="items">x</li></ul></article>
    <p data-cell="d" data-if="x = 1">{{n | integer}}</p>
    """,
    "s.css": ".y { color: red }", "p.png": "x",
    "a.sample.json": #"[{"n": 1.5, "items": [{"at": "2026-01-02"}]}]"#,
    "c.sample.json": #"[{"title": "T", "n": 2, "items": ["x"]}]"#,
    "formats.json": #"{"price": "currency EUR"}"#,
  ]

  /// Ends a load at each moment at which it asks the clock: that it took too long is then what it reports.
  private static func endAtEachMoment(_ load: (LoadBudget) throws -> Void) throws {
    var (moments, last) = (0, Int.max)
    let isOver = {
      moments += 1
      return moments >= last
    }
    try load(LoadBudget(isOver: isOver, message: "", hint: "", stride: 1))
    let all = moments
    try #require(all > 20)
    for moment in 1...all {
      (moments, last) = (0, moment)
      let budget = LoadBudget(isOver: isOver, message: "too long", hint: "", stride: 1)
      do { try load(budget) } catch { #expect("\(error)".contains("too long"), "\(error)") }
      #expect(budget.isSpent, "at \(moment) of \(all)")
    }
  }

  @Test(arguments: [[:], ["bad.mustache": "<p>{{#open}}</p>{{n | number}}"]]) func aLoadMayEndAtAnyMoment(
    _ others: [String: String]
  ) throws {
    let folder = try TemporaryFolder(Self.everything.merging(others) { $1 })
    let locales = try OfferedLocales(standard: "en", others: "de,ar")
    try Self.endAtEachMoment { budget in
      let found = FolderCheck(folder.path, locales: locales, budget: budget, executor: InlineExecutor())
        .diagnostics
      if budget.isSpent {
        #expect(found.map(\.message) == ["too long"])
      } else {
        #expect(found.count { $0.severity == .error } == others.count, "\(found)")
      }
    }
    if !others.isEmpty { return }
    try Self.endAtEachMoment { budget in
      _ = try CellArchive.compiling(folder: folder.path, schemes: .standard, locales: locales, budget: budget)
    }
  }

  @Test func readingAnArchiveMayEndAtAnyMoment() throws {
    let folder = try TemporaryFolder(Self.everything)
    try CellArchive.compiling(
      folder: folder.path, schemes: .standard, locales: try OfferedLocales(standard: "en", others: "de"),
      budget: LoadBudget()
    ).write(file: folder.path + "/all.cells")
    try Self.endAtEachMoment { budget in
      _ = try CellArchive.reading(file: folder.path + "/all.cells", budget: budget)
    }
  }

  @Test func warningsAreReportedWithErrors() throws {
    let found = try Self.found([
      "a.mustache": "<p>{{>nope}}{{^x}}{{x.y}}{{/x}}</p>", "b.mustache": "<p>{{#open}}</p>",
      "c.mustache": "<p>{{t}}</p>",
      "c.sample.json": #"[{"u": 1}]"#, "d.sample.json": "[{}]", "e.mustache": "{{@index.a}}",
      "e.sample.json": "{}",
    ])
    #expect(
      found == [
        "a.mustache:1:4 warning unknown-partial", "a.mustache:1:19 warning unfillable-hole",
        "b.mustache:1:4 error unclosed-section", "c.sample.json:1:2 warning sample-lacks-name",
        "c.sample.json:1:3 warning unused-sample-name", "d.sample.json:1:1 warning sample-without-kind",
        "e.mustache:1:1 warning unfillable-hole", "e.sample.json:1:1 error invalid-sample",
      ])
  }

  /// The meaning of a template with an error is unknown, so its samples and those of its callers are checked
  /// only for valid JSON.
  @Test func samplesOfBrokenTemplatesAreNotChecked() throws {
    let found = try Self.found([
      "bad.mustache": "<p>{{a}</p>", "bad.sample.json": #"[{"b": 1}]"#,
      "far.mustache": "{{>near}}{{@last.x}}",
      "far.sample.json": #"[{"c": 1}]"#, "near.mustache": "{{>bad}}", "near.sample.json": "[",
      "fine.mustache": "{{x}}",
      "fine.sample.json": #"[{"y": 1}]"#,
    ])
    #expect(
      found == [
        "bad.mustache:1:4 error unclosed-tag", "far.mustache:1:10 warning unfillable-hole",
        "fine.sample.json:1:2 warning sample-lacks-name", "fine.sample.json:1:3 warning unused-sample-name",
        "near.sample.json:1:2 error invalid-sample",
      ])
  }

  @Test func cellsOfOneNibAreCheckedIndividually() throws {
    let found = try Self.found([
      "nib.html": """
      <p data-cell=one><a href="j{{x}}">x</a></p>
      <p data-cell=two>{{^y}}{{y.z}}{{/y}}</p>
      <p data-cell=two>again</p>
      <p data-cell=three>{{t}}</p>
      """, "one.sample.json": #"[{"a": 1}]"#, "two.sample.json": #"[{"a": 1}]"#,
      "three.sample.json": #"[{"a": 1}]"#,
    ])
    #expect(
      found == [
        "nib.html:1:28 error unsafe-url-start", "nib.html:3:4 error duplicate-kind",
        "three.sample.json:1:2 warning sample-lacks-name", "three.sample.json:1:3 warning unused-sample-name",
      ])
  }

  /// An unreadable file hides no errors of other files; references to kinds are not checked then.
  @Test func readableFilesAreChecked() throws {
    let found = try Self.found(
      ["a.mustache": "{{>gone}}", "b.mustache": "<p>{{", "c.sample.json": "[]"],
      links: ["gone.mustache": "nothing", "out.mustache": "/"])
    #expect(
      found == [
        "b.mustache:1:4 error unclosed-tag", "gone.mustache:0:0 error unreadable",
        "out.mustache:0:0 error outside-folder",
      ])
  }
}
