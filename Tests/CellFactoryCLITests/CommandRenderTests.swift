import Foundation
import Testing

/// The output of `render` is byte for byte that of the server.
@Suite struct CommandRenderTests {
  @Test func everySampleIsAnsweredAsTheServerDoes() throws {
    let server = try ServeProcess()
    for (kind, file) in try Package.samples() {
      let body = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
      for format in ["", "json", "ndjson"] {
        let answer = try server.post("/cells/\(kind)" + (format.isEmpty ? "" : "?format=\(format)"), body)
        let outcome = try run(
          ["render", kind, file, "--templates", Package.templates]
            + (format.isEmpty ? [] : ["--format", format]))
        expect(outcome, equals: answer, "\(kind) as \(format)")
        #expect(answer.status == 200 && !answer.body.isEmpty)
      }
    }
  }

  /// What a shell's `<(…)` names.
  @Test func rowsComeFromAPipe() throws {
    let folder = try TemporaryFolder(["a.mustache": "<b>{{x}}</b>"])
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let process = try CommandProcess(["render", "a", folder["pipe"], "--templates", folder.path])
    // Waits until the command reads.
    let pipe = open(folder["pipe"], O_WRONLY)
    let rows = Array(#"[{"x":1},{"x":2}]"#.utf8)
    #expect(write(pipe, rows, rows.count) == rows.count)
    close(pipe)
    #expect(process.wait() == 0)
    #expect(process.outputText == "<b>1</b><b>2</b>")
  }

  struct Row {
    var kind = "row"
    /// The extension determines the format; nil: standard input.
    var file: String? = "rows.json"
    var rows = ""
    var arguments: [String] = []
    /// The equivalent query for the server.
    var query = ""
    var status = 200
    var says = ""
  }

  static let rows: [Row] = [
    Row(rows: "[{\"a\":\"<1>\"},{\"a\":19.90}]", says: "<b>&lt;1&gt;</b><b>19.90</b>"),
    Row(rows: "{\"a\":1}", says: "<b>1</b>"),
    Row(rows: #"{"a":null}"#, says: "<b></b>"),
    Row(rows: "[]"),
    Row(
      rows: "[]", arguments: ["--format", "json"], query: "format=json", says: "{\"rows\":[],\"errors\":0}"),
    Row(file: nil, rows: "[{\"a\":1}]", says: "<b>1</b>"),
    Row(file: "-", rows: "[{\"a\":1}]", says: "<b>1</b>"),
    Row(file: nil, rows: "", status: 400, says: "invalid-json"),
    Row(rows: "[{\"a\":1},\n {]", status: 400, says: "\"line\":2"),
    Row(rows: "\u{FEFF}[]", status: 400, says: "invalid-json"),
    Row(file: "rows.ndjson", rows: "{\"a\":1}\n\n{\"a\":2}\n", says: "<b>1</b><b>2</b>"),
    Row(file: "rows.jsonl", rows: "{\"a\":1}\n{}", says: "<b>1</b><b></b>"),
    Row(file: "rows.ndjson", rows: "{\"a\":1}\n{\n", status: 422, says: "invalid-json"),
    Row(file: "rows.ndjson.txt", rows: "{\"a\":1}\n{\"a\":2}\n", status: 400, says: "invalid-json"),
    Row(
      file: "rows.ndjson", rows: "{\"a\":1}\n{\n{\"a\":3}", arguments: ["--on-error", "skip"],
      query: "on_error=skip", says: "<b>1</b><b>3</b>"),
    Row(
      file: "rows.ndjson", rows: "{\"a\":1}\n{\n{\"a\":3}",
      arguments: ["--on-error", "skip", "--format", "json"], query: "on_error=skip&format=json",
      says: "\"errors\":1"),
    Row(
      file: "rows.ndjson", rows: "{\"a\":1}\n{\n{\"a\":3}",
      arguments: ["--on-error", "skip", "--format", "ndjson", "--fields", "html"],
      query: "on_error=skip&format=ndjson&fields=html", says: "\"error\":{"),
    Row(
      file: "rows.ndjson", rows: "{", arguments: ["--on-error", "fail"], query: "on_error=fail", status: 422,
      says: "invalid-json"),
    Row(
      rows: "[{\"a\":1}]", arguments: ["--format", "json", "--fields", "etag"],
      query: "format=json&fields=etag",
      says: "\"etag\":\""),
    Row(
      rows: "[{\"a\":1}]", arguments: ["--format", "json", "--fields", "html,etag,class"],
      query: "format=json&fields=html,etag,class", says: "\"html\":\"<b>1</b>\""),
    Row(rows: "[]", arguments: ["--fields", "soul"], query: "fields=soul", status: 400, says: "soul"),
    Row(
      rows: "[]", arguments: ["--fields", "a&format=json"], query: "fields=a%26format%3Djson", status: 400,
      says: "bad-request"),
    Row(
      rows: "[{\"a\":1},{}]", arguments: ["--missing", "error"], query: "missing=error", status: 422,
      says: "\"pointer\":\"/1/a\""),
    Row(
      rows: "[{\"a\":1},{}]", arguments: ["--missing", "error", "--on-error", "skip"],
      query: "missing=error&on_error=skip", says: "<b>1</b>"),
    Row(rows: "{}", arguments: ["--missing", "blank"], query: "missing=blank", says: "<b></b>"),
    Row(
      kind: "day", rows: "{\"d\":\"2025-10-09T22:30:00Z\"}", arguments: ["--time-zone", "Europe/Berlin"],
      query: "time_zone=Europe/Berlin", says: "10/10/25"),
    Row(
      kind: "day", rows: "{\"d\":\"2025-10-09T22:30:00Z\"}",
      arguments: ["--locale", "en-GB", "--now", "2025-10-09T22:31:00Z"],
      query: "locale=en-GB&now=2025-10-09T22:31:00Z", says: "09/10/2025 1 minute ago"),
    Row(rows: "[{}]", arguments: ["--reuse", "off"], says: "<b></b>"),
    Row(
      rows: "[]", arguments: ["--format", "text"], query: "format=text", status: 406, says: "not-acceptable"),
    Row(kind: "line", rows: "{\"a\":\"<1>\"}", says: "<1>\n"),
    Row(kind: "line", rows: "{}", arguments: ["--format", "html"], query: "format=html", status: 406),
    Row(
      kind: "line", rows: "{}", arguments: ["--format", "json"], query: "format=json",
      says: "\"text\":\"\\n\""),
    Row(kind: "sub/row", rows: "{}", says: "sub"),
    Row(kind: "loop", rows: "[{}]", status: 422, says: "too-deep"),
    Row(kind: "nope", rows: "{}", status: 404, says: "unknown-kind"),
    Row(kind: "ro w", rows: "{}", status: 404, says: "unknown-kind"),
    Row(kind: "100%25?", rows: "{}", status: 404, says: "100%25?"),
    Row(kind: "größe", rows: "{}", status: 404, says: "größe"),
    Row(kind: "sub//row", rows: "{}", status: 400, says: "bad-request"),
    Row(kind: "", rows: "{}", status: 400, says: "bad-request"),
  ]

  @Test func everyOptionDoesWhatItsControlDoes() throws {
    let folder = try TemporaryFolder([
      "cells/row.mustache": "<b>{{a}}</b>", "cells/line.txt.mustache": "{{{a}}}\n",
      "cells/day.mustache": "{{d | date short}} {{d | relative}}", "cells/sub/row.mustache": "sub",
      "cells/loop.mustache": "{{>loop}}",
    ])
    let server = try ServeProcess("--templates", folder["cells"])
    for row in Self.rows {
      var arguments = ["render", row.kind] + row.arguments + ["--templates", folder["cells"]]
      if let file = row.file {
        if file != "-" { try folder.write(file, Array(row.rows.utf8)) }
        arguments.append(file)
      }
      let outcome = try run(arguments, folder: folder.path, input: row.rows)
      let isLines = row.file?.hasSuffix(".ndjson") == true || row.file?.hasSuffix(".jsonl") == true
      let allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
      let path = row.kind.addingPercentEncoding(
        withAllowedCharacters: allowed.union(CharacterSet(["/", "-", "."])))!
      let answer = try server.post(
        "/cells/\(path)" + (row.query.isEmpty ? "" : "?" + row.query), row.rows,
        type: isLines ? "application/x-ndjson" : "application/json")
      #expect(answer.status == row.status, "\(row): \(answer.text)")
      #expect(row.says.isEmpty || answer.text.contains(row.says), "\(row): \(answer.text)")
      expect(outcome, equals: answer, "\(row)")
    }
  }

  @Test func anArchiveRendersAsItsTemplatesDo() throws {
    let folder = try TemporaryFolder()
    try #require(try run("archive", Package.templates, "--output", folder["cells"]).status == 0)
    for (kind, file) in try Package.samples() {
      let templates = try run("render", kind, file, "--templates", Package.templates, "--format", "json")
      let archive = try run("render", kind, file, "--archive", folder["cells"], "--format", "json")
      #expect(templates.status == 0 && archive.status == 0)
      #expect(templates.output == archive.output, "\(kind)")
    }
  }

  @Test func aFaultInTheRowsPrintsNothingOfTheRowsBeforeIt() throws {
    let folder = try TemporaryFolder(["row.mustache": "{{a}}"])
    let rows = "[" + String(repeating: "{\"a\":\"x\"},", count: 1000) + "{]"
    let outcome = try run("render", "row", "--templates", folder.path, input: rows)
    #expect(outcome.status == 1)
    #expect(outcome.output == [])
    #expect(outcome.errors.hasPrefix("{\"type\":\"urn:cellfactory:invalid-json\","))
    #expect(outcome.errors.hasSuffix("}\n"))
  }

  private func expect(_ outcome: CommandOutcome, equals answer: HTTPConnection.Answer, _ name: String) {
    if answer.status == 200 {
      #expect(outcome.status == 0, "\(name)")
      #expect(outcome.output == answer.body, "\(name): \(outcome.text)")
      #expect(outcome.errors == "", "\(name)")
    } else {
      #expect(outcome.status == 1, "\(name)")
      #expect(outcome.output == [], "\(name)")
      #expect(outcome.errors == answer.text + "\n", "\(name)")
      #expect(answer.text.hasPrefix("{\"type\":\"urn:cellfactory:"), "\(name)")
    }
  }
}
