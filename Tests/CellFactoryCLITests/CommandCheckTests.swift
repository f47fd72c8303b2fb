import Foundation
import Testing

@Suite struct CommandCheckTests {
  @Test func theSampleTemplatesHaveNoFault() throws {
    let outcome = try run("check", Package.templates)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(outcome.text.contains("no errors"))
  }

  @Test(arguments: ["cells", "cells/", "./cells", "../cells"])
  func allErrorsOfAllFilesArePrintedAtTheirPlaces(_ path: String) throws {
    let folder = try TemporaryFolder([
      "inner/x": "", "cells/a.mustache": "<p>{{#open}}\n  {{/other}}</p>\n{{title\n",
      "cells/b.mustache": "x\n {{first name}} {{{raw}}}\n", "cells/sub/c.mustache": "{{>b}}{{>nope}}\n",
      "cells/sub/d.txt.mustache": "{{{fine}}}", "cells/sub/d.mustache": "twice", "cells/e e.mustache": "",
    ])
    let start = path == "../cells" ? folder["inner"] : folder.path
    let outcome = try run("check", path, folder: start)
    #expect(outcome.status == 1)
    #expect(outcome.output == [])
    let shown = path == "cells/" ? "cells" : path
    let lines = outcome.errors.split(separator: "\n")
    #expect(
      lines.filter { $0.contains(": error: ") }.map { $0.prefix(while: { $0 != " " || $0 == "/" }) } == [
        "\(shown)/a.mustache:2:3:", "\(shown)/a.mustache:3:1:",
        "\(shown)/b.mustache:2:2:", "\(shown)/b.mustache:2:17:", "\(shown)/e",
        "\(shown)/sub/d.txt.mustache:1:1:",
      ])
    #expect(lines.contains { $0.hasPrefix("\(shown)/e e.mustache:1:1: error: ") })
    #expect(lines.contains { $0.hasPrefix("\(shown)/sub/c.mustache:1:7: warning: ") })
    // The error at the later place names the earlier one.
    #expect(
      lines.contains { $0.contains("d.txt.mustache:1:1: error: ") && $0.contains("/sub/d.mustache:1:1") })
    #expect(lines.filter { $0.hasPrefix("  hint: ") }.count == 7)
    #expect(lines.last == "\(path): 6 errors, 1 warning")
  }

  @Test func sampleRowsAreRendered() throws {
    let folder = try TemporaryFolder([
      "loop.mustache": "{{#deep}}{{>loop}}{{/deep}}", "fine.mustache": "{{.}}",
      "loop.sample.json": "[\n  {},\n  {\"deep\":true},\n  \"é\\n\", {\"x\":\"é\"}, {\"deep\":1}\n]",
      "fine.sample.json": "[{}, 1, \"a\", [], null]",
      "object.mustache": "", "object.sample.json": "{}",
      "broken.mustache": "", "broken.sample.json": "[\n1,\n oops]",
    ])
    let outcome = try run("check", ".", folder: folder.path)
    #expect(outcome.status == 1)
    let errors = outcome.errors.split(separator: "\n").filter { $0.contains(" error: ") }
    let starts = [
      "./broken.sample.json:3:2: error: ", "./loop.sample.json:3:3: error: row 1 ",
      "./loop.sample.json:4:3: error: row 2 ", "./loop.sample.json:4:23: error: row 4 ",
      "./object.sample.json:1:1: error: ",
    ]
    #expect(errors.count == starts.count)
    for (error, start) in zip(errors, starts) { #expect(error.hasPrefix(start), "\(error)") }
    #expect(outcome.errors.hasSuffix(".: 5 errors, 1 warning\n"))
  }

  /// Loading that exceeds the time limit ends with the name of the file being processed.
  @Test(arguments: [
    ["check", "."], ["archive", ".", "--output", "x.archive"], ["kinds", "--templates", "."],
    ["render", "long", "--templates", "."], ["serve", "--port", "0", "--templates", "."],
  ])
  func loadingEndsInTime(_ words: [String]) throws {
    let folder = try TemporaryFolder([
      "short.mustache": "x", "long.mustache": String(repeating: "{{a}}", count: 200_000),
    ])
    let outcome = try run(words + ["--load-seconds", "0.1"], folder: folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.output == [])
    #expect(outcome.errors.contains("long.mustache"))
    #expect(outcome.errors.contains("more than 0.1 seconds"))
    #expect(outcome.errors.contains("--load-seconds"))
  }

  @Test func warningsDoNotFail() throws {
    let folder = try TemporaryFolder(["cells/a.mustache": "{{>nope}}", "cells/gone.sample.json": "[{}]"])
    let outcome = try run("check", "cells", folder: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("cells/a.mustache:1:1: warning: "))
    #expect(outcome.errors.contains("cells/gone.sample.json:1:1: warning: "))
    #expect(!outcome.errors.contains("error"))
    #expect(outcome.text == "cells: 1 kind, 0 sample rows, no errors, 2 warnings\n")
    // The other templates still compile.
    #expect(try run("kinds", "--templates", "cells", folder: folder.path).text == "a\n")
    #expect(try run("archive", "cells", "--output", "x", folder: folder.path).status == 0)
  }

  @Test func aFolderWithoutACellIsAnError() throws {
    let folder = try TemporaryFolder(["readme.md": "", "page.html": "<p>no cell</p>", "x/a.mustache": "{{b}"])
    let outcome = try run("check", ".", folder: folder.path)
    // What has errors may have been meant as a cell.
    #expect(outcome.status == 1 && outcome.errors.hasSuffix(".: 1 error\n"))
    #expect(!outcome.errors.contains("no cell in"))
    try FileManager.default.removeItem(atPath: folder["x"])
    let empty = try run("check", ".", folder: folder.path)
    #expect(empty.status == 1)
    #expect(empty.errors.hasPrefix(".: error: there is no cell in this folder [no-cell]\n"))
    #expect(empty.errors.hasSuffix("\n.: 1 error\n"))
  }

  @Test(arguments: ["htm", "hbs", "handlebars", "liquid", "jinja", "j2", "ejs", "twig", "HBS"])
  func unreadTemplatesAreWarnedOf(_ ending: String) throws {
    let folder = try TemporaryFolder(["a.mustache": "x", "b/card.\(ending)": "{{#if x}}", "c.html.orig": ""])
    let outcome = try run("check", ".", folder: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("./b/card.\(ending): warning: "))
    #expect(outcome.text == ".: 1 kind, 0 sample rows, no errors, 1 warning\n")
  }

  @Test func diagnosticsAreAvailableAsJSON() throws {
    let folder = try TemporaryFolder([
      "a.mustache": "<p>{{title}}{{\"x}}</p>", "a.sample.json": "[\n {\"titel\": 1, \"\\\"x\": 1}]",
      "b/c.mustache": "{{>nope}}", "b/c.sample.json": "{}",
    ])
    let outcome = try run("check", ".", "--json", folder: folder.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "")
    let list = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]])
    #expect(
      list.map { "\($0["file"]!):\($0["line"]!):\($0["column"]!) \($0["severity"]!) \($0["code"]!)" } == [
        "./a.sample.json:2:2 warning sample-lacks-name", "./a.sample.json:2:3 warning unused-sample-name",
        "./b/c.mustache:1:1 warning unknown-partial", "./b/c.sample.json:1:1 error invalid-sample",
      ])
    for one in list {
      #expect(Set(one.keys) == ["file", "line", "column", "severity", "code", "message", "hint"])
      #expect((one["message"] as? String)?.isEmpty == false && (one["hint"] as? String)?.isEmpty == false)
    }
  }

  @Test func withoutErrorsTheStatusIsZeroForToolsToo() throws {
    let folder = try TemporaryFolder(["a.mustache": "{{>nope}}", "fine/b.mustache": "<p></p>"])
    let warned = try run("check", ".", "--json", folder: folder.path)
    #expect(warned.status == 0 && warned.text.contains("\"severity\":\"warning\""))
    let fine = try run("check", "fine", "--json", folder: folder.path)
    #expect(fine.status == 0 && fine.text == "[]\n" && fine.errors == "")
    let gone = try run("check", "gone", "--json", folder: folder.path)
    #expect(
      gone.status == 1
        && gone.text.contains("\"file\":\"gone\",\"line\":0,\"column\":0,\"severity\":\"error\""))
  }

  @Test func helpDescribesStatusAndFormats() throws {
    let help = try run("check", "--help").text
    for word in ["--json", "severity", "Status 0", "/schemas/KIND", "Warnings:"] {
      #expect(help.contains(word))
    }
  }
}
