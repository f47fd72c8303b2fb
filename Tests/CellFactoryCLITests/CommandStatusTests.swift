import Glibc
import Testing

/// Status 0: success; 1: bad input, with a message on standard error; 64: bad usage.
@Suite struct CommandStatusTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32
    /// Text expected on standard error; on standard output if the status is 0.
    var says: String

    init(_ arguments: String, _ status: Int32, _ says: String) {
      self.arguments = arguments.split(separator: " ").map { $0 == "''" ? "" : String($0) }
      self.status = status
      self.says = says
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  /// Run in a folder with `good` and `bad` templates, `rows.json`, an archive `good.cells`, and `no.cells`.
  static let rows: [Row] = [
    Row("--version", 0, "."),
    Row("", 0, "USAGE: cellfactory"),
    Row("nope", 64, "'nope'"),
    Row("--nope", 64, "'--nope'"),

    Row("render hi rows.json --templates good", 0, "hi"),
    Row("render hi rows.json --archive good.cells", 0, "hi"),
    Row("render hi rows.json --templates bad", 1, "bad/x.mustache:1:4: error:"),
    Row("render hi rows.json --templates nothing", 1, "nothing: error: cannot be read"),
    Row("render hi rows.json --templates rows.json", 1, "rows.json: error: cannot be read"),
    Row("render hi rows.json --archive nothing", 1, "error: nothing: No such file"),
    Row("render hi rows.json --archive good", 1, "error: good: not a regular file"),
    Row("render hi rows.json --archive no.cells", 1, "error: no.cells: this is not a cell archive"),
    Row("render hi rows.json --archive good.cells --templates good", 64, "not both"),
    Row("render hi rows.json", 1, "./templates: error: cannot be read"),
    Row("render hi nothing --templates good", 1, "error: nothing: No such file"),
    Row("render hi good --templates good", 1, "error: good: not a regular file"),
    Row("render hi more rows.json --templates good", 64, "rows.json"),
    Row("render --templates good", 64, "<kind>"),
    Row("render hi rows.json --templates", 64, "--templates"),
    Row("render hi rows.json --templates good --format xml", 64, "'html', 'json', 'ndjson' or 'text'"),
    Row("render hi rows.json --templates good --on-error stop", 64, "'stop'"),
    Row("render hi rows.json --templates good --missing none", 64, "'keep', 'blank' or 'error'"),
    Row("render hi rows.json --templates good --reuse maybe", 64, "'maybe'"),
    Row("render hi rows.json --templates good --json-depth 0", 64, "'--json-depth'"),
    Row("render hi rows.json --templates good --json-depth 65536", 64, "1 to 65535"),
    Row("render hi rows.json --templates good --partial-depth x", 64, "--partial-depth"),
    Row("render hi rows.json --templates good --output-limit-bytes 0", 64, "--output-limit-bytes"),
    Row("render hi rows.json --templates good --body-limit-bytes 1", 1, "larger than 1 bytes"),
    Row("render hi rows.json --templates good --port 1", 64, "--port"),

    Row("archive good --output new.cells", 0, "new.cells: "),
    Row("archive good", 64, "--output"),
    Row("archive --output new.cells", 64, "<dir>"),
    Row("archive good good --output new.cells", 64, "good"),
    Row("archive nothing --output new.cells", 1, "nothing: error: cannot be read"),
    Row("archive bad --output new.cells", 1, "bad/x.mustache:1:4: error:"),
    Row("archive good --output nothing/new.cells", 1, "error: nothing/new.cells"),
    Row("archive good --output good", 1, "error: good: Is a directory"),

    Row("check good", 0, "good: "),
    Row("check bad", 1, "bad/x.mustache:1:4: error:"),
    Row("check nothing", 1, "nothing: error: cannot be read"),
    Row("check rows.json", 1, "rows.json: error: cannot be read"),
    Row("check", 64, "<dir>"),
    Row("check good --json", 0, "[]"),
    Row("check good --xml", 64, "--xml"),

    Row("kinds --templates good", 0, "hi\n"),
    Row("kinds --archive good.cells --json", 0, "{\"kinds\":["),
    Row("kinds --templates bad", 1, "bad/x.mustache:1:4: error:"),
    Row("kinds --archive no.cells", 1, "error: no.cells:"),
    Row("kinds --archive good.cells --templates good", 64, "not both"),
    Row("kinds good", 64, "good"),

    Row("health --port 0", 64, "0"),
    Row("health --port 65536", 64, "--port"),
    Row("health --url ftp://localhost", 64, "--url"),
    Row("health now", 64, "now"),

    Row("serve --templates nothing", 1, "nothing: error: cannot be read"),
    Row("serve --templates bad", 1, "bad/x.mustache:1:4: error:"),
    Row("serve --archive no.cells", 1, "error: no.cells:"),
    Row("serve --templates good --archive good.cells", 64, "not both"),
    Row("serve --templates good --host 192.0.2.1", 1, "192.0.2.1"),
    Row("serve --templates good --host ''", 64, "--host"),
    Row("serve --templates good --port -1", 64, "--port"),
    Row("serve --templates good --port 65536", 64, "0 to 65535"),
    Row("serve --templates good --port http", 64, "'http'"),
    Row("serve --templates good --workers 0", 64, "--workers"),
    Row("serve --templates good --workers 1.5", 64, "'1.5'"),
    Row("serve --templates good --connections 0", 64, "--connections"),
    Row("serve --templates good --head-limit-bytes 10", 64, "--head-limit-bytes"),
    Row("serve --templates good --in-flight-limit-bytes 1", 64, "--in-flight-limit-bytes"),
    Row("serve --templates good --body-limit-bytes 0", 64, "--body-limit-bytes"),
    Row("serve --templates good --head-seconds 0", 64, "--head-seconds"),
    Row("serve --templates good --body-seconds inf", 64, "--body-seconds"),
    Row("serve --templates good --idle-seconds nan", 64, "--idle-seconds"),
    Row("serve --templates good --drain-seconds soon", 64, "'soon'"),
    Row("serve --templates good --log-level loud", 64, "'loud'"),
    Row("serve good", 64, "good"),
  ]

  @Test func everyCommandReportsErrorsByStatus() throws {
    let folder = try TemporaryFolder([
      "good/hi.mustache": "hi", "bad/x.mustache": "<p>{{", "rows.json": "[{},{}]", "no.cells": "a text file",
    ])
    try #require(try run("archive", "good", "--output", "good.cells", folder: folder.path).status == 0)
    for row in Self.rows {
      let outcome = try run(row.arguments, folder: folder.path)
      #expect(outcome.status == row.status, "\(row.testDescription): \(outcome.errors)")
      if row.status == 0 {
        #expect(outcome.text.contains(row.says), "\(row.testDescription)")
        #expect(outcome.errors == "", "\(row.testDescription)")
      } else {
        #expect(outcome.errors.contains(row.says), "\(row.testDescription): \(outcome.errors)")
        #expect(outcome.output == [], "\(row.testDescription)")
      }
    }
  }

  @Test func aPortInUseIsBadInput() throws {
    let server = try ServeProcess()
    let outcome = try run("serve", "--templates", Package.templates, "--port", "\(server.port)")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains(
        "error: cannot listen on 127.0.0.1, port \(server.port): the address is already in use"))
    #expect(outcome.output == [])
    #expect(try server.get("/livez").status == 200)
  }

  @Test func aFolderThatMayNotBeReadIsBadInput() throws {
    let folder = try TemporaryFolder(["cells/a.mustache": "a", "cells/sub/b.mustache": "b"])
    chmod(folder["cells/sub"], 0)
    defer { chmod(folder["cells/sub"], 0o700) }
    let process = try CommandProcess(["check", "cells"], folder: folder.path, isKeptByPermissions: true)
    #expect(process.wait() == 1)
    #expect(process.errorText.contains("cells/sub: error: cannot be read: Permission denied"))
  }

  @Test(arguments: ["serve", "render kind", "archive dir --output file", "check dir", "kinds", "health"])
  func anUnknownOptionIsBadUsage(_ command: String) throws {
    let outcome = try run(command.split(separator: " ").map(String.init) + ["--frobnicate"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--frobnicate"))
  }
}
