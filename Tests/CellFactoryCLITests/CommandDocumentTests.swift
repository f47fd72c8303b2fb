import Foundation
import Testing

/// The examples of the documents print what the documents show. The pages about the language have tests of their own.
@Suite struct CommandDocumentTests {
  private struct Example {
    let line: Int
    let command: String
    let output: String
  }

  /// The blocks that start with a prompt and a command.
  private static func examples(_ page: DocumentPage) -> [Example] {
    page.blocks.filter { $0.text.hasPrefix("$ ") }.map { block in
      let lines = block.text.split(separator: "\n", maxSplits: 1)
      return Example(
        line: block.line, command: String(lines[0].dropFirst(2)),
        output: lines.count > 1 ? String(lines[1]) : "")
    }
  }

  /// The words of a command as split by a shell, as far as the documents need: blanks and single quotes.
  private static func words(of command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in command {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let whole = word { words.append(whole) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap { $0 }
  }

  /// The output of `curl`.
  private static func curl(_ arguments: [String], _ server: ServeProcess) throws -> String {
    var data: [String] = []
    var type = CommandExampleTests.form
    var target = ""
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-d": data.append(rest.popFirst() ?? "")
      case "-H":
        let header = rest.popFirst() ?? ""
        type = try #require(header.split(separator: " ").last.map(String.init), "\(header)")
      default: target = try #require(argument.firstIndex(of: "/").map { String(argument[$0...]) })
      }
    }
    let body = data.joined(separator: "&")
    return data.isEmpty ? try server.get(target).text : try server.post(target, body, type: type).text
  }

  /// The output of a command in a document.
  private static func output(
    of example: Example, _ server: ServeProcess, _ folder: TemporaryFolder
  ) throws -> String {
    var words = words(of: example.command)
    var environment: [String: String] = [:]
    while let assignment = words.first?.wholeMatch(of: /([A-Z_]+)=(.*)/) {
      environment[String(assignment.1)] = String(assignment.2)
      words.removeFirst()
    }
    switch words.removeFirst() {
    case "curl": return try curl(words, server)
    case "echo":
      try #require(words.count > 3 && words[1] == "|" && words[2] == "cellfactory")
      return try run(Array(words[3...]), folder: folder.path, input: words[0] + "\n").text
    case "cellfactory": return try run(words, environment: environment, folder: folder.path).text
    default:
      Issue.record("line \(example.line): the tests cannot run \(example.command)")
      return ""
    }
  }

  /// Whether the output matches the document, in which a line `…` matches any lines.
  private static func matches(_ output: String, _ document: String) -> Bool {
    var rest = output.trimmingCharacters(in: .newlines).split(
      separator: "\n", omittingEmptySubsequences: false)[...]
    var maySkip = false
    for line in document.trimmingCharacters(in: .newlines).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line == "…" {
        maySkip = true
        continue
      }
      guard let position = maySkip ? rest.firstIndex(of: line) : rest.first == line ? rest.startIndex : nil
      else {
        return false
      }
      rest = rest[(position + 1)...]
      maySkip = false
    }
    return maySkip || rest.isEmpty
  }

  @Test(arguments: [("README.md", 5), ("docs/http.md", 9), ("docs/configuration.md", 5)])
  func everyCommandPrintsWhatThePageSays(path: String, count: Int) throws {
    let examples = Self.examples(try DocumentPage(path))
    #expect(examples.count >= count)
    let server = try ServeProcess()
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder["templates"], withDestinationPath: Package.templates)
    for example in examples {
      let output = try Self.output(of: example, server, folder)
      #expect(Self.matches(output, example.output), "line \(example.line): \(output)")
    }
  }

  @Test func theNibOfTheReadmeRendersAsDocumented() throws {
    let blocks = try DocumentPage("README.md").blocks
    let nib = try #require(blocks.first)
    try #require(blocks.count > 3 && nib.words == ["html"] && blocks[1].words == ["json"])
    let folder = try TemporaryFolder(["feed.html": nib.text])
    let check = try run("check", folder.path)
    #expect(check.status == 0 && check.errors == "", "\(check.errors)")
    let rendered = try run("render", "news", "--templates", folder.path, input: blocks[1].text)
    #expect(rendered.text == blocks[2].text)
  }

  /// The Swift program is compiled in a test, in which only the folder has another name.
  @Test func theSwiftProgramOfTheReadmeIsCompiled() throws {
    let program = try #require(try DocumentPage("README.md").blocks.first { $0.words == ["swift"] })
    let test = try String(
      contentsOfFile: Package.folder + "/Tests/CellsTests/InProcessExampleTests.swift", encoding: .utf8)
    let lines = Set(test.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    for line in program.text.replacing("\"templates\"", with: "templates").split(separator: "\n") {
      #expect(lines.contains(String(line)), "\(line)")
    }
  }

  /// Each line of the usage is a command with its options; their help lists them, with the same values.
  @Test func theUsageOfThePageIsThatOfTheCommands() throws {
    let blocks = try DocumentPage("docs/configuration.md").blocks
    let usage = try #require(blocks.first { $0.text.hasPrefix("cellfactory ") }).text.split(separator: "\n")
    #expect(usage.count == 8)
    for line in usage {
      let command = try #require(line.split(separator: " ").dropFirst().first)
      let help = try run(String(command), "--help")
      #expect(help.status == 0)
      let options = line.matches(of: /(--[a-z]+)(?: ([a-z0-9.|]+))?/)
      for option in options {
        #expect(help.text.contains("\(option.1) "), "\(line)")
        for value in option.2?.split(separator: "|") ?? [] { #expect(help.text.contains(value), "\(line)") }
      }
    }
  }

  @Test func theItemOfThePageIsAccepted() throws {
    let item = try #require(try DocumentPage("docs/http.md").blocks.first { $0.words == ["json"] })
    let answer = try ServeProcess().post("/cells?format=ndjson&fields=etag", item.text)
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix(#"{"index":0,"kind":"news","id":42,"etag":""#), "\(answer.text)")
  }

  /// Docker and Kubernetes are not there to run the commands; the files that they name are.
  @Test func theFilesOfTheContainerCommandsExist() throws {
    let blocks = try DocumentPage("docs/operations.md").blocks.filter { $0.text.hasPrefix("docker ") }
    #expect(blocks.count == 3)
    let paths = blocks.flatMap { $0.text.matches(of: /(?m) (deploy\/\S+|\.$)/).map { String($0.1) } }
    #expect(paths.count == 3)
    for path in paths {
      let file = path == "." ? "Dockerfile" : path
      #expect(FileManager.default.fileExists(atPath: Package.folder + "/" + file), "\(path)")
    }
  }

  // MARK: Logs

  /// A log line with each time, number and hash replaced by a placeholder.
  private static func comparable(_ line: some StringProtocol) -> String {
    String(line).replacing(/[0-9-]+T[0-9:.]+Z/, with: "TIME").replacing(
      /archive=[0-9a-f]{32}/, with: "archive=HASH"
    )
    .replacing(/(request_id"?[=:]"?)[0-9a-z]+/) { "\($0.1)ID" }
    .replacing(/(duration_us|bytes)("?[=:])[0-9]+/) { "\($0.1)\($0.2)N" }
    .replacing(/127\.0\.0\.1:[0-9]+/, with: "ADDRESS")
  }

  @Test func logLinesLookAsThePageSays() throws {
    let blocks = try DocumentPage("docs/operations.md").blocks
    let text = try #require(blocks.first { $0.text.contains(" info serving ") })
    let json = try #require(blocks.first { $0.words == ["json"] })
    let expected = text.text.split(separator: "\n").map(Self.comparable) + [Self.comparable(json.text)]
    var found: [String] = []
    for format in ["text", "json"] {
      let server = try ServeProcess("--access-log", "--log-format", format)
      _ = try server.post("/cells/news", "[{}]")
      // The main thread tells that it serves, a worker tells of the request: either may come first.
      server.awaitLog("serving")
      server.awaitLogLines(1, "duration_us")
      found += server.process.errorText.split(separator: "\n").map(Self.comparable)
    }
    for line in expected { #expect(found.contains(line), "\(line)\n\(found)") }
  }

  // MARK: Blocks not run here

  /// Blocks that no `cellfactory` or `curl` command can reproduce, by how they start, and where they are
  /// tested.
  private static let others: [(page: String, start: String)] = [
    ("README.md", "make run"), ("README.md", "listening on http://"),
    ("CONTRIBUTING.md", "make "), ("CONTRIBUTING.md", "python3 Tests/Compare"),
    // `theUsageOfThePageIsThatOfTheCommands`, `theItemOfThePageIsAccepted`
    ("docs/configuration.md", "cellfactory serve   [--templates"),
    ("docs/http.md", "{\"kind\": \"news\""),
    ("docs/operations.md", "docker "),  // `theFilesOfTheContainerCommandsExist`, Tests/Container
    // Tests/Metrics runs them.
    ("docs/metrics.md", "sum(rate("), ("docs/metrics.md", "scrape_configs:"),
    // Tests/Preview runs it.
    ("docs/preview.md", "cellfactory preview "),
    // Tests/Web follows the tutorial and runs the others.
    ("docs/web.md", "table.dataSource = {"), ("docs/web.md", "import { cellTable }"),
    ("docs/web.md", "import { render }"),
    ("docs/web.md", "<cell-table kind=\"news\""), ("docs/web.md", "default-src 'none'"),
    // Diagrams.
    ("docs/architecture.md", "            templates/"), ("docs/architecture.md", "  client ──bytes"),
  ]

  /// Pages whose examples are run by the tests of the language.
  static let ofTheLanguage = [
    "docs/language.md", "docs/formats.md", "docs/escaping.md", "docs/diagnostics.md", "docs/cookbook.md",
    "docs/coming-from.md",
  ]

  /// Fails if a new example is not tested anywhere.
  @Test(arguments: DocumentPage.paths.filter { !ofTheLanguage.contains($0) })
  func everyBlockIsTested(path: String) throws {
    for block in try DocumentPage(path).blocks where !block.text.hasPrefix("$ ") {
      let isCompared =
        switch path {
        case "README.md": ["html", "json", "swift"].contains(block.words.first)
        case "docs/operations.md": block.text.contains("duration_us=") || block.words == ["json"]
        case "docs/web.md": block.words.contains { $0.contains("=") }
        default: false
        }
      let isKnown = Self.others.contains { $0.page == path && block.text.hasPrefix($0.start) }
      #expect(isCompared || isKnown, "\(path), line \(block.line)")
    }
  }
}
