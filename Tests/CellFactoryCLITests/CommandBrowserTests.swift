import Testing

/// The options of `serve` for browser clients.
@Suite struct CommandBrowserTests {
  private static func head(_ origin: String) -> String {
    "GET /kinds HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: gzip\r\nOrigin: \(origin)\r\n\r\n"
  }

  @Test(arguments: [
    (
      ["--cors-origin", "https://a.example", "--cors-origin", "HTTPS://B.example:443,http://c.example:81"],
      [:]
    ),
    ([], ["CELLFACTORY_CORS_ORIGIN": "https://a.example, https://b.example,http://c.example:81"]),
    (
      ["--cors-origin", "https://a.example,https://b.example,http://c.example:81"],
      ["CELLFACTORY_CORS_ORIGIN": "*"]
    ),
  ]) func originsAreRepeatedOrListed(arguments: [String], environment: [String: String]) throws {
    let server =
      switch arguments.count {
      case 0: try ServeProcess(environment: environment)
      case 2: try ServeProcess(arguments[0], arguments[1], environment: environment)
      default:
        try ServeProcess(arguments[0], arguments[1], arguments[2], arguments[3], environment: environment)
      }
    for (origin, isListed) in [
      ("https://a.example", true), ("https://b.example", true), ("http://c.example:81", true),
      ("https://d.example", false),
    ] {
      let answer = try server.ask(Self.head(origin))
      #expect(answer["Access-Control-Allow-Origin"] == (isListed ? origin : nil), "\(origin)")
      #expect(answer["Vary"] == "Origin")
    }
  }

  @Test func compressionIsSwitchedOnAboveASize() throws {
    for (options, isCompressed) in [
      (["--compression", "on"], true), (["--compression", "off"], false),
      (["--compression", "on", "--compression-min-bytes", "100000"], false),
    ] {
      let server =
        options.count == 2
        ? try ServeProcess(options[0], options[1])
        : try ServeProcess(options[0], options[1], options[2], options[3])
      let answer = try server.ask(Self.head("https://a.example"))
      #expect(answer["Content-Encoding"] == (isCompressed ? "gzip" : nil), "\(options)")
      #expect(answer["Vary"] == (options[1] == "on" ? "Accept-Encoding" : nil), "\(options)")
    }
  }

  @Test func invalidOriginsAreBadUsage() throws {
    for origin in ["*", "null", "example.org", "https://a.example/", "https://a.example,,https://b.example"] {
      let outcome = try run("serve", "--templates", Package.templates, "--port", "0", "--cors-origin", origin)
      #expect(
        outcome.status == 64 && outcome.errors.contains("of '--cors-origin' is invalid"), "\(outcome.errors)"
      )
    }
  }
}
