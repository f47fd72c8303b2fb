import Testing

@Suite struct CommandHelpTests {
  static let source = [
    "--templates <dir>", "default: ./templates", "--archive <file>", "--url-schemes <schemes>",
  ]
  static let address = ["--host <host>", "default: 127.0.0.1", "--port <port>", "default: 8080"]
  static let render = [
    "--json-depth", "default: 512", "--partial-depth", "default: 64", "--output-limit-bytes",
    "default: 67108864", "--body-limit-bytes", "default: 16777216", "--missing",
    "default: drop", "values: drop, keep, blank, error", "--reuse", "default: on", "values: on, off",
  ]
  static let server = [
    "--workers", "one per processor", "--connections", "default: 4096", "--head-limit-bytes",
    "default: 32768", "--in-flight-limit-bytes", "default: 536870912", "--head-seconds", "default: 10",
    "--body-seconds", "default: 30", "--idle-seconds", "default: 60", "--drain-seconds", "--metrics-kinds",
    "default: 100",
    "--log-level",
    "default: info", "--log-format", "values: text, json; default: text", "--access-log [<on|off>]",
    "default: off",
    "--print-config [<text|json>]", "CELLFACTORY_PORT", "listening on http://HOST:PORT", "SIGTERM",
  ]

  static let rows: [(command: String, says: [String])] = [
    ("serve", source + address + render + server),
    (
      "render",
      source + render + [
        "<kind>", "<rows>", "--format", "values: html, json, ndjson, text", "--on-error",
        "values: fail, skip",
        "--fields", "default: html,etag", ".ndjson or .jsonl",
      ]
    ),
    ("archive", ["<dir>", "--output <file>", "--url-schemes <schemes>", "http, https, mailto and tel"]),
    ("check", ["<dir>", "--url-schemes <schemes>", "FILE:LINE:COLUMN: error:"]),
    ("kinds", source + ["--json"]),
    ("preview", ["<dir>", "--port <port>", "default: 8080", "--watch on"]),
    ("types", source + ["--language <language>", "values: typescript, swift, python", "--output <file>"]),
    ("health", address + ["--url <url>", "/readyz"]),
  ]

  @Test func helpNamesEveryOptionAndItsDefault() throws {
    for (command, says) in Self.rows {
      let outcome = try run(command, "--help")
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      // Help lines are wrapped.
      let text = outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for part in says { #expect(text.contains(part), "\(command) --help says nothing of \(part)") }
      #expect(try run("help", command).output == outcome.output)
    }
  }

  @Test(arguments: [["--help"], ["help", "serve"], ["serve", "--help"], []])
  func helpThatCannotBeWrittenFails(arguments: [String]) throws {
    let command = try CommandProcess(arguments, limits: ["-f": 1])
    #expect(command.wait() == 1)
    #expect(command.errorText == "error: standard output: File too large\n")
  }

  @Test func theMainHelpListsEveryCommand() throws {
    let outcome = try run("--help")
    #expect(outcome.status == 0)
    for (command, _) in Self.rows { #expect(outcome.text.contains("\n  \(command) ")) }
  }

  @Test func unknownCommandsAndOptionsAreAnsweredByTheNearest() throws {
    let cases: [(wrong: [String], says: String)] = [
      (["serv"], "Unknown command 'serv'. Did you mean 'serve'?"),
      (["chekc", "templates"], "Unknown command 'chekc'. Did you mean 'check'?"),
      (["start"], "Unknown command 'start'. The commands are serve, preview, render, archive,"),
      (["kinds", "--templats", "x"], "Unknown option '--templats'. Did you mean '--templates'?"),
    ]
    for (wrong, says) in cases {
      let outcome = try run(wrong)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains(says), "\(outcome.errors)")
    }
  }

  @Test func theVersionIsThreeNumbers() throws {
    let outcome = try run("--version")
    #expect(outcome.status == 0)
    #expect(outcome.text.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
  }
}
