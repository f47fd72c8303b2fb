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
