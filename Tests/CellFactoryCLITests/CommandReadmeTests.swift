import Foundation
import Testing

/// The commands of the README print what it says.
@Suite struct CommandReadmeTests {
  private struct Example {
    let command: String
    let output: String
  }

  /// The fenced blocks that begin with a command.
  private static func examples() throws -> [Example] {
    let text = try String(contentsOfFile: Package.folder + "/README.md", encoding: .utf8)
    return text.split(separator: "\n```\n", omittingEmptySubsequences: false).compactMap { block in
      guard block.hasPrefix("$ ") else { return nil }
      let lines = block.split(separator: "\n", maxSplits: 1)
      return Example(command: String(lines[0].dropFirst(2)), output: lines.count > 1 ? String(lines[1]) : "")
    }
  }

  /// The words of a command as a shell tells them, as far as the README goes: blanks and single quotes.
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

  /// What `curl` would print.
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

  /// An archive's hash is that of the format, too, which is not what the README is about.
  private static func comparable(_ text: String) -> String {
    text.replacing(/archive [0-9a-f]{32}/, with: "archive HASH").trimmingCharacters(in: .newlines)
  }

  @Test func everyCommandPrintsWhatItSays() throws {
    let examples = try Self.examples()
    #expect(examples.count >= 8)
    let server = try ServeProcess()
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder["templates"], withDestinationPath: Package.templates)
    for example in examples {
      var words = Self.words(of: example.command)
      let output: String
      switch words.removeFirst() {
      case "curl": output = try Self.curl(words, server)
      case "echo":
        try #require(words.count > 3 && words[1] == "|" && words[2] == "cellfactory")
        output = try run(Array(words[3...]), folder: folder.path, input: words[0] + "\n").text
      case "cellfactory": output = try run(words, folder: folder.path).text
      default:
        Issue.record("nobody runs this: \(example.command)")
        continue
      }
      #expect(Self.comparable(output) == Self.comparable(example.output), "\(example.command)")
    }
  }

  @Test func theNibItShowsIsOne() throws {
    let text = try String(contentsOfFile: Package.folder + "/README.md", encoding: .utf8)
    let nib = try #require(
      text.split(separator: "\n```html\n").dropFirst().first?.split(separator: "\n```\n").first)
    let folder = try TemporaryFolder(["feed.html": String(nib)])
    let check = try run("check", folder.path)
    #expect(check.status == 0 && check.errors == "", "\(check.errors)")
    let row = #"{"title":"T","summary":"S","link":{"href":"/a"},"tags":["a","b"]}"#
    let drawn = try run("render", "news", "--templates", folder.path, input: row)
    #expect(drawn.text.contains("<h2>T</h2>\n  <p>S</p>"))
    #expect(
      drawn.text.contains("href=\"/a\" data-action=\"open\">Read on</a>\n  <span>a</span><span>b</span>\n"))
  }
}
