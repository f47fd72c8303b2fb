import Testing

/// Every option of `serve` is also an environment variable; the option wins.
@Suite struct CommandEnvironmentTests {
  static let badValues: KeyValuePairs<String, String> = [
    "PORT": "http", "WORKERS": "0", "CONNECTIONS": "many", "HEAD_LIMIT_BYTES": "1",
    "IN_FLIGHT_LIMIT_BYTES": "-1", "HEAD_SECONDS": "0", "BODY_SECONDS": "soon", "IDLE_SECONDS": "nan",
    "DRAIN_SECONDS": "-1", "JSON_DEPTH": "0", "PARTIAL_DEPTH": "1e3", "OUTPUT_LIMIT_BYTES": "0x10",
    "BODY_LIMIT_BYTES": "16 MiB", "MISSING": "none", "REUSE": "yes", "LOG_LEVEL": "loud",
    "LOG_FORMAT": "xml", "ACCESS_LOG": "1", "URL_SCHEMES": "javascript",
    "CORS_ORIGIN": "example.org", "COMPRESSION": "gzip",
    "COMPRESSION_MIN_BYTES": "0", "COMPRESSION_LEVEL": "10",
  ]

  @Test func aBadValueIsBadUsageAndNamesTheVariable() throws {
    for (name, value) in Self.badValues {
      let variable = "CELLFACTORY_\(name)"
      let environment = ["CELLFACTORY_PORT": "0"].merging([variable: value]) { $1 }
      let outcome = try run("serve", "--templates", Package.templates, environment: environment)
      #expect(outcome.status == 64, "\(variable)")
      #expect(outcome.errors.contains("'\(value)' of \(variable)"), "\(outcome.errors)")
      #expect(outcome.output == [], "\(variable)")
    }
  }

  @Test func overriddenVariablesAreIgnored() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x", "b/y.mustache": "y"])
    for (arguments, variable, value) in [
      (["--json-depth", "5"], "JSON_DEPTH", "0"),
      (["--missing", "keep"], "MISSING", "none"),
      (["--reuse", "off"], "REUSE", "yes"), (["--partial-depth", "5"], "PARTIAL_DEPTH", "x"),
      (["--output-limit-bytes", "5"], "OUTPUT_LIMIT_BYTES", "x"),
      (["--body-limit-bytes", "5"], "BODY_LIMIT_BYTES", "x"),
    ] {
      let outcome = try run(
        ["render", "x", "--templates", folder["a"]] + arguments,
        environment: ["CELLFACTORY_\(variable)": value], input: "{}")
      #expect(outcome.status == 0, "\(variable): \(outcome.errors)")
      #expect(outcome.text == "x", "\(variable)")
    }
  }

  @Test func theSourceOfCellsFollowsOptionThenVariableThenDefault() throws {
    let folder = try TemporaryFolder([
      "templates/standard.mustache": "", "a/first.mustache": "", "b/second.mustache": "",
    ])
    try #require(try run("archive", "b", "--output", "b.cells", folder: folder.path).status == 0)
    let rows: [(arguments: [String], variables: [String: String], kind: String?)] = [
      ([], [:], "standard"),
      ([], ["TEMPLATES": "", "ARCHIVE": ""], "standard"),
      ([], ["TEMPLATES": "a"], "first"),
      ([], ["TEMPLATES": "a", "ARCHIVE": ""], "first"),
      ([], ["ARCHIVE": "b.cells"], "second"),
      (["--templates", "b"], ["TEMPLATES": "a"], "second"),
      (["--templates", "a"], ["ARCHIVE": "b.cells"], "first"),
      (["--archive", "b.cells"], ["TEMPLATES": "a"], "second"),
      (["--templates", "b"], ["TEMPLATES": "a", "ARCHIVE": "nothing"], "second"),
      ([], ["TEMPLATES": "a", "ARCHIVE": "b.cells"], nil),
    ]
    for row in rows {
      let environment = Dictionary(uniqueKeysWithValues: row.variables.map { ("CELLFACTORY_\($0)", $1) })
      let outcome = try run(["kinds"] + row.arguments, environment: environment, folder: folder.path)
      if let kind = row.kind {
        #expect(outcome.text == kind + "\n", "\(row): \(outcome.errors)")
        #expect(outcome.status == 0, "\(row)")
      } else {
        #expect(outcome.errors.contains("CELLFACTORY_TEMPLATES or CELLFACTORY_ARCHIVE"), "\(row)")
        #expect(outcome.status == 64, "\(row)")
      }
    }
  }

  @Test func variablesReachTheRenderer() throws {
    let folder = try TemporaryFolder(["deep.mustache": "{{>deep}}", "name.mustache": "[{{name}}]"])
    let rows:
      [(kind: String, input: String, arguments: [String], variables: [String: String], says: String)] = [
        ("name", "{}", [], ["MISSING": "error"], "is missing"),
        ("name", "[[{}]]", [], ["JSON_DEPTH": "2"], "too-deep"),
        ("deep", "{}", [], ["PARTIAL_DEPTH": "3"], "nested deeper than 3"),
        ("deep", "{}", ["--partial-depth", "4"], ["PARTIAL_DEPTH": "3"], "nested deeper than 4"),
        ("name", "{}", [], ["OUTPUT_LIMIT_BYTES": "1"], "output-too-large"),
        ("name", "{}", [], ["BODY_LIMIT_BYTES": "1"], "larger than 1 bytes"),
      ]
    for row in rows {
      let environment = Dictionary(uniqueKeysWithValues: row.variables.map { ("CELLFACTORY_\($0)", $1) })
      let outcome = try run(
        ["render", row.kind, "--templates", folder.path] + row.arguments, environment: environment,
        input: row.input)
      #expect(outcome.status == 1, "\(row)")
      #expect(outcome.errors.contains(row.says), "\(row): \(outcome.errors)")
    }
  }

  @Test func variablesReachTheServer() throws {
    let server = try ServeProcess(
      environment: [
        "CELLFACTORY_PORT": "0", "CELLFACTORY_HOST": "127.0.0.2", "CELLFACTORY_WORKERS": "3",
        "CELLFACTORY_BODY_LIMIT_BYTES": "10", "CELLFACTORY_ACCESS_LOG": "on", "CELLFACTORY_REUSE": "off",
        "CELLFACTORY_TEMPLATES": Package.templates, "CELLFACTORY_DRAIN_SECONDS": "",
        "CELLFACTORY_MISSING": "",
      ])
    #expect(server.host == "127.0.0.2")
    server.awaitLog("workers=3")
    let connection = try #require(HTTPConnection(port: server.port, host: "127.0.0.2"))
    connection.send(ServeProcess.request("/cells/news", "[{},{},{},{}]"))
    guard case .answer(let answer) = connection.read() else { throw ServeProcess.NoAnswer(request: "") }
    #expect(answer.status == 413)
    server.awaitLog("status=413")
  }

  @Test func optionsOfTheServerOverrideVariables() throws {
    let server = try ServeProcess(
      "--port", "0", "--host", "127.0.0.1", "--workers", "1", "--body-limit-bytes", "100", "--log-level",
      "error",
      environment: [
        "CELLFACTORY_PORT": "1", "CELLFACTORY_HOST": "192.0.2.1", "CELLFACTORY_WORKERS": "none",
        "CELLFACTORY_BODY_LIMIT_BYTES": "1", "CELLFACTORY_LOG_LEVEL": "debug",
      ])
    #expect(server.host == "127.0.0.1")
    #expect(try server.post("/cells/news", "[{},{}]").status == 200)
    #expect(server.process.errorText == "")
  }
}
