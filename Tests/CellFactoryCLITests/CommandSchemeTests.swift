import Testing

/// `--url-schemes` for all commands that compile templates; an archive stores its own.
@Suite struct CommandSchemeTests {
  private static let row = #"{"v": "myapp:open"}"#

  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "t/link.mustache": #"<a href="{{v}}">x</a>"#, "own/start.mustache": #"<a href="myapp:{{v}}">x</a>"#,
    ])
  }

  @Test func givenSchemesAreAllowedInAdditionToTheStandard() throws {
    let folder = try Self.folder()
    let rows: [(arguments: [String], variables: [String: String], value: String, link: String)] = [
      ([], [:], "myapp:open", "about:invalid#cell"),
      (["--url-schemes", "myapp"], [:], "myapp:open", "myapp:open"),
      (["--url-schemes", "myapp"], [:], "https://example.com", "https://example.com"),
      (["--url-schemes", "myapp"], [:], "other:open", "about:invalid#cell"),
      (["--url-schemes", "other,MyApp"], [:], "MYAPP:open", "MYAPP:open"),
      ([], ["CELLFACTORY_URL_SCHEMES": "myapp"], "myapp:open", "myapp:open"),
      ([], ["CELLFACTORY_URL_SCHEMES": ""], "myapp:open", "about:invalid#cell"),
      (["--url-schemes", "other"], ["CELLFACTORY_URL_SCHEMES": "myapp"], "myapp:open", "about:invalid#cell"),
    ]
    for row in rows {
      let outcome = try run(
        ["render", "link", "--templates", folder["t"]] + row.arguments, environment: row.variables,
        input: #"{"v": "\#(row.value)"}"#)
      #expect(outcome.text == #"<a href="\#(row.link)">x</a>"#, "\(row): \(outcome.errors)")
    }
  }

  @Test func anArchiveHoldsItsOwn() throws {
    let folder = try Self.folder()
    let made = try run("archive", folder["t"], "--output", folder["a.cells"], "--url-schemes", "myapp")
    #expect(made.status == 0, "\(made.errors)")
    let arguments = ["render", "link", "--archive", folder["a.cells"]]
    let environment = ["CELLFACTORY_URL_SCHEMES": "other"]
    #expect(
      try run(arguments, environment: environment, input: Self.row).text == #"<a href="myapp:open">x</a>"#)
    let refused = try run(arguments + ["--url-schemes", "myapp"], input: Self.row)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("URL schemes are stored in the archive"), "\(refused.errors)")
  }

  @Test func templatesAreCheckedWithTheSchemes() throws {
    let folder = try Self.folder()
    for command in [
      ["check", folder["own"]], ["kinds", "--templates", folder["own"]],
      ["archive", folder["own"], "--output", folder["o.cells"]],
    ] {
      #expect(try run(command).status == 1, "\(command)")
      let outcome = try run(command + ["--url-schemes", "myapp"])
      #expect(outcome.status == 0, "\(command): \(outcome.errors)")
    }
  }

  @Test(arguments: ["javascript", "myapp,data", "1app", "my app", ",", "myapp:", "about"])
  func forbiddenSchemesAreBadUsage(_ list: String) throws {
    let folder = try Self.folder()
    let given = try run("check", folder["t"], "--url-schemes", list)
    #expect(given.status == 64, "\(given.errors)")
    let variable = try run(["check", folder["t"]], environment: ["CELLFACTORY_URL_SCHEMES": list])
    #expect(variable.status == 64, "\(variable.errors)")
    #expect(variable.errors.contains("'\(list)' of CELLFACTORY_URL_SCHEMES"), "\(variable.errors)")
  }
}
