import Foundation
import Testing

@testable import CellFactoryCLI

/// `serve --print-config`, and the table of settings in docs/configuration.md.
@Suite struct CommandConfigTests {
  struct Printed: Decodable, Equatable {
    struct Setting: Decodable, Equatable {
      enum Value: Decodable, Equatable {
        case text(String), number(Double), none

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          if container.decodeNil() {
            self = .none
          } else if let number = try? container.decode(Double.self) {
            self = .number(number)
          } else {
            self = .text(try container.decode(String.self))
          }
        }
      }

      var name: String
      var value: Value
      var source: String
    }

    var settings: [Setting]

    subscript(_ name: String) -> (value: Setting.Value, source: String)? {
      settings.first { $0.name == name }.map { ($0.value, $0.source) }
    }
  }

  private static func json(_ arguments: [String], environment: [String: String] = [:]) throws -> Printed {
    let outcome = try run(["serve", "--print-config", "json"] + arguments, environment: environment)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    return try JSONDecoder().decode(Printed.self, from: Data(outcome.output))
  }

  static let rows:
    [(
      arguments: [String], variables: [String: String], name: String, value: Printed.Setting.Value,
      source: String
    )] = [
      ([], [:], "port", .number(8080), "default"),
      ([], ["PORT": "9"], "port", .number(9), "CELLFACTORY_PORT"),
      ([], ["PORT": ""], "port", .number(8080), "default"),
      (["--port", "7"], ["PORT": "9"], "port", .number(7), "--port"),
      (["--port=7"], ["PORT": "tcp://10.0.0.1:80"], "port", .number(7), "--port"),
      (["--port", "6", "--port", "7"], [:], "port", .number(7), "--port"),
      (["--port", "8080"], [:], "port", .number(8080), "--port"),
      ([], ["HEAD_SECONDS": "2.50"], "head-seconds", .number(2.5), "CELLFACTORY_HEAD_SECONDS"),
      ([], ["BODY_LIMIT_BYTES": "007"], "body-limit-bytes", .number(7), "CELLFACTORY_BODY_LIMIT_BYTES"),
      (["--missing", "error"], [:], "missing", .text("error"), "--missing"),
      ([], [:], "access-log", .text("off"), "default"),
      (["--access-log"], [:], "access-log", .text("on"), "--access-log"),
      (["--access-log", "off"], ["ACCESS_LOG": "on"], "access-log", .text("off"), "--access-log"),
      ([], ["ACCESS_LOG": "on"], "access-log", .text("on"), "CELLFACTORY_ACCESS_LOG"),
      (["--access-log", "--reuse", "off"], [:], "reuse", .text("off"), "--reuse"),
      ([], [:], "templates", .text("./templates"), "default"),
      ([], [:], "archive", .none, "default"),
      (["--archive", "a b\"\n"], [:], "archive", .text("a b\"\n"), "--archive"),
      (["--archive", "a"], [:], "templates", .none, "default"),
      (["--archive", "a"], ["TEMPLATES": "b"], "templates", .none, "default"),
      ([], ["ARCHIVE": "a"], "templates", .none, "default"),
      (["--templates", "b"], ["ARCHIVE": "a"], "archive", .none, "default"),
      (["--url-schemes", "B,a"], [:], "url-schemes", .text("a,b,http,https,mailto,tel"), "--url-schemes"),
      (
        ["--url-schemes", "b", "--url-schemes=a"], ["URL_SCHEMES": "c"], "url-schemes",
        .text("a,b,http,https,mailto,tel"), "--url-schemes"
      ),
      (["--host", "-"], [:], "host", .text("-"), "--host"),
    ]

  @Test func eachSettingIsPrintedWithItsSource() throws {
    for row in Self.rows {
      let environment = Dictionary(uniqueKeysWithValues: row.variables.map { ("CELLFACTORY_\($0)", $1) })
      let printed = try #require(try Self.json(row.arguments, environment: environment)[row.name], "\(row)")
      #expect(printed.value == row.value && printed.source == row.source, "\(row): \(printed)")
    }
  }

  @Test func theTableHasTheSameRows() throws {
    let arguments = ["--archive", "two words", "--workers", "3"]
    let environment = ["CELLFACTORY_PORT": "9"]
    let outcome = try run(["serve", "--print-config"] + arguments, environment: environment)
    #expect(outcome.status == 0 && outcome.errors == "")
    let lines = outcome.text.split(separator: "\n")
    let printed = try Self.json(arguments, environment: environment)
    #expect(lines.map { $0.prefix { $0 != " " } } == printed.settings.map { Substring($0.name) })
    #expect(lines.map { $0.split(separator: " ").last } == printed.settings.map { Substring($0.source) })
    #expect(lines.contains { $0.wholeMatch(of: #/archive +"two words" +--archive/#) != nil })
    #expect(lines.contains { $0.wholeMatch(of: #/templates +- +default/#) != nil })
    #expect(lines.contains { $0.wholeMatch(of: #/port +9 +CELLFACTORY_PORT/#) != nil })
    #expect(
      try run(["serve", "--print-config", "text"] + arguments, environment: environment).text == outcome.text)
  }

  @Test func everyOptionOfServeIsASetting() throws {
    let help = try run("serve", "--help").text
    let options = Set(help.matches(of: #/(?m)^  --([a-z-]+)/#).map { String($0.1) })
    let others: Set = ["print-config", "version"]
    #expect(options.subtracting(others) == Set(try Self.json([]).settings.map(\.name)))
  }

  @Test func aTextThatIsNotAValueIsRefusedBeforePrinting() throws {
    let outcome = try run(
      "serve", "--print-config", "--workers", "0", "--log-format", "xml",
      environment: [
        "CELLFACTORY_PORT": "tcp://10.96.0.12:80", "CELLFACTORY_REUSE": "yes", "CELLFACTORY_WORKERS": "x",
      ])
    #expect(outcome.status == 64)
    #expect(outcome.output == [])
    for part in [
      "The value '0' of '--workers' is invalid: must be an integer from 1 to 1024.",
      "The value 'xml' of '--log-format' is invalid: must be 'text' or 'json'.",
      "The value 'yes' of CELLFACTORY_REUSE is invalid: must be 'on' or 'off'.",
      "The value 'tcp://10.96.0.12:80' of CELLFACTORY_PORT is invalid: must be an integer from 0 to 65535. ",
      "Kubernetes", "enableServiceLinks: false",
    ] {
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }
    #expect(!outcome.errors.contains("CELLFACTORY_WORKERS"))
    let both = try run(
      "serve", "--print-config", environment: ["CELLFACTORY_TEMPLATES": "a", "CELLFACTORY_ARCHIVE": "b"])
    #expect(both.status == 64 && both.output == [])
    #expect(try run("serve", "--print-config", "xml").status == 64)
  }

  @Test func aVariableThatIsNoUTF8IsRefusedAsAnyOther() throws {
    // Set by the shell, because a Swift string cannot contain it.
    let folder = try TemporaryFolder(["x.sh": "export CELLFACTORY_PORT=$(printf '\\377'); exec \"$@\"\n"])
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [folder["x.sh"], try CommandProcess.executable(), "serve", "--print-config"]
    process.standardError = errors
    process.standardOutput = Pipe()
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64, "\(said)")
    #expect(said.contains("CELLFACTORY_PORT"))
  }

  @Test func unknownVariablesAreListedWithTheSettings() throws {
    let outcome = try run(
      "serve", "--print-config",
      environment: ["CELLFACTORY_PROT": "1", "CELLFACTORY_SERVICE_HOST": "10.0.0.1"])
    #expect(outcome.status == 0 && outcome.text.contains("\nport "))
    #expect(outcome.errors == "warning: unknown variable CELLFACTORY_PROT; did you mean CELLFACTORY_PORT?\n")
  }

  // MARK: - Document

  /// 16777216 as `16 MiB`.
  private static func size(_ text: String) -> String? {
    guard var number = Int(text), number > 0 else { return nil }
    var units = ["", " KiB", " MiB", " GiB"][...]
    while number % 1024 == 0, units.count > 1 {
      number /= 1024
      units.removeFirst()
    }
    return "\(number)\(units.first ?? "")"
  }

  @Test func thePageNamesEverySettingAndItsDefault() throws {
    let text = try String(contentsOfFile: Package.folder + "/docs/configuration.md", encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    for setting in Settings.serve {
      let named = rows.filter { $0[0].contains("`--\(setting.name)`") }
      try #require(named.count == 1, "--\(setting.name) stands in \(named.count) rows")
      let cells = named[0][1].split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
      let whole = named[0][1].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
      guard let standard = setting.standard else { continue }
      let wanted = [setting.standardWords ?? standard, standard, Self.size(standard) ?? standard]
      #expect(wanted.contains { cells.contains($0) || whole == $0 }, "--\(setting.name): \(named[0][1])")
    }
    // No option that does not exist.
    let names = Set(Settings.serve.map(\.name))
    for row in rows {
      for match in row[0].matches(of: #/`--([a-z-]+)`/#) {
        #expect(names.contains(String(match.1)), "--\(match.1)")
      }
    }
  }
}
