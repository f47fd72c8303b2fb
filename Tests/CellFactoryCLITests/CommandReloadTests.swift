import Foundation
import Glibc
import Testing

/// `serve` reloads the cells on SIGHUP and with `--watch`.
@Suite struct CommandReloadTests {
  static func text(_ server: ServeProcess) throws -> String { try server.post("/cells/a", "{}").text }

  /// Waits until the cell prints the text. Workers adopt cells one after another, so the next answer may still be the old one.
  static func awaitText(_ text: String, _ server: ServeProcess) throws {
    let end = Clock.seconds + CommandProcess.patience
    var found = try Self.text(server)
    while found != text, Clock.seconds < end {
      usleep(5000)
      found = try Self.text(server)
    }
    #expect(found == text)
  }

  static func count(_ text: String, _ server: ServeProcess) -> Int {
    server.process.errorText.components(separatedBy: text).count - 1
  }

  @Test func aHangUpLoadsTheCellsAgain() throws {
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>"])
    let server = try ServeProcess("--templates", folder.path)
    let before = try server.get("/readyz")
    #expect(before.status == 200)
    try folder.write("a.mustache", Array("<p>2</p>".utf8))
    #expect(try Self.text(server) == "<p>1</p>")
    server.process.send(SIGHUP)
    server.awaitLog("reloaded")
    #expect(try Self.text(server) == "<p>2</p>")
    let after = try server.get("/readyz")
    #expect(after.status == 200)
    #expect(after["CellFactory-Archive"] != before["CellFactory-Archive"])
    server.process.send(SIGHUP)
    server.awaitLog("nothing changed")
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
  }

  /// Startup blocks here on a reader, before the server listens.
  @Test func aHangUpAtTheStartDoesNotEndIt() throws {
    let long = String(repeating: "x", count: 125_000)
    let server = try CommandProcess(
      ["serve", "--print-config", "--templates", long, "--host", long], output: .unread)
    server.awaitUnread()
    server.send(SIGHUP)
    #expect(server.wait(seconds: 0.3) == nil)
    #expect(server.readUnread(silenceMilliseconds: 500).utf8.count > 2 * long.utf8.count)
    #expect(server.wait() == 0)

    // Other commands do not reload; SIGHUP ends them.
    let folder = try TemporaryFolder(["a.mustache": long + long])
    let other = try CommandProcess(
      ["render", "a", "--templates", folder.path], input: "[1,2]", output: .unread)
    other.awaitUnread()
    other.send(SIGHUP)
    #expect(other.wait() == -SIGHUP)
  }

  /// A preloaded library sends the signal before any code of the command runs.
  @Test func aHangUpBeforeMainDoesNotEndIt() throws {
    let folder = try TemporaryFolder([
      "a.mustache": "<p>1</p>",
      "hangup.c":
        "#include <signal.h>\n__attribute__((constructor)) static void hang_up(void) { raise(SIGHUP); }\n",
    ])
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-o", folder["hangup.so"], folder["hangup.c"]]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    let preload = ["LD_PRELOAD": folder["hangup.so"]]
    let server = try ServeProcess("--templates", folder.path, environment: preload)
    server.awaitLog("reloaded")
    #expect(try Self.text(server) == "<p>1</p>")
    #expect(try run("check", folder.path, environment: preload).status == -SIGHUP)
  }

  /// A file of the system's time zones.
  private static func zone(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/" + name)))
  }

  @Test func aHangUpReadsTheTimeZonesAgain() throws {
    let folder = try TemporaryFolder(["t/a.mustache": "{{d | time}}", "zones/readme": ""])
    try folder.write("zones/Here", Self.zone("Asia/Tokyo"))
    let server = try ServeProcess("--templates", folder["t"], environment: ["TZDIR": folder["zones"]])
    let path = "/cells/a?time_zone=Here&locale=en"
    let row = #"{"d": "2025-10-09T12:00:00Z"}"#
    #expect(try server.post(path, row).text == "9:00\u{202F}PM")
    try folder.write("zones/Here", Self.zone("Asia/Kolkata"))
    #expect(try server.post(path, row).text == "9:00\u{202F}PM")
    server.process.send(SIGHUP)
    server.awaitLog("nothing changed")
    #expect(try server.post(path, row).text == "5:30\u{202F}PM")
  }

  /// What is away for a moment, perhaps because it is being replaced, is not lost; nor does a refused reload change the zones.
  @Test func zonesThatCannotBeReadStay() throws {
    let folder = try TemporaryFolder(["t/a.mustache": "{{d | time}}", "zones/readme": ""])
    try folder.write("zones/Here", Self.zone("Asia/Tokyo"))
    let server = try ServeProcess("--templates", folder["t"], environment: ["TZDIR": folder["zones"]])
    func shown() throws -> String {
      try server.post("/cells/a?time_zone=Here&locale=en", #"{"d": "2025-10-09T12:00:00Z"}"#).text
    }
    #expect(try shown() == "9:00\u{202F}PM")
    try FileManager.default.moveItem(atPath: folder["zones"], toPath: folder["away"])
    server.process.send(SIGHUP)
    server.awaitLog("not reloaded")
    #expect(
      server.process.errorText.contains("the time zones in \(folder["zones"]) cannot all be read any more"))
    #expect(try shown() == "9:00\u{202F}PM")
    try FileManager.default.moveItem(atPath: folder["away"], toPath: folder["zones"])
    try folder.write("zones/Here", Self.zone("Asia/Kolkata"))
    try folder.write("t/a.mustache", Array("{{d | time".utf8))
    server.process.send(SIGHUP)
    server.awaitLog("a.mustache:1:")
    #expect(try shown() == "9:00\u{202F}PM")
    try folder.write("t/a.mustache", Array("{{d | time}}".utf8))
    server.process.send(SIGHUP)
    server.awaitLog("nothing changed")
    #expect(try shown() == "5:30\u{202F}PM")
  }

  /// Without its own time zone, the server could not show any time: it keeps the zones that it has.
  @Test func aReloadWithoutTheServersTimeZoneIsRefused() throws {
    let berlin = try Self.zone("Europe/Berlin")
    let folder = try TemporaryFolder(["t/a.mustache": "{{d | time}}", "zones/readme": ""])
    try folder.write("zones/Here", berlin)
    let server = try ServeProcess(
      "--templates", folder["t"], "--time-zone", "Here", environment: ["TZDIR": folder["zones"]])
    let row = #"{"d": "2025-10-09T12:00:00Z"}"#
    let shown = try server.post("/cells/a?locale=en", row).text
    #expect(shown == "2:00\u{202F}PM")
    try FileManager.default.removeItem(atPath: folder["zones/Here"])
    server.process.send(SIGHUP)
    server.awaitLog("not reloaded")
    #expect(server.process.errorText.contains("the time zone Here is not in \(folder["zones"]) any more"))
    #expect(try server.post("/cells/a?locale=en", row).text == shown)
    try folder.write("zones/Here", berlin)
    server.process.send(SIGHUP)
    server.awaitLog("nothing changed")
    #expect(try server.post("/cells/a?locale=en", row).text == shown)
  }

  @Test func cellsWithErrorsAreRefusedAndReported() throws {
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>"])
    let server = try ServeProcess("--templates", folder.path)
    try folder.write("a.mustache", Array("<p>2</p>".utf8))
    try folder.write("b.mustache", Array("<p>{{#x}}</p>".utf8))
    try folder.write("c.mustache", Array("{{>nobody}}".utf8))
    server.process.send(SIGHUP)
    server.awaitLog("not reloaded")
    for position in ["b.mustache:1:", "c.mustache:1:"] {
      #expect(server.process.errorText.contains("\(folder.path)/\(position)"), "\(position)")
    }
    // Both the answers that are prepared for many requests, and others.
    for _ in 0..<4 {
      let answer = try server.post("/cells/a", "{}")
      #expect(answer.text == "<p>1</p>")
      #expect(answer["CellFactory-Reload"] == "failed")
    }
    #expect(try server.get("/nothing")["CellFactory-Reload"] == "failed")
    let ready = try server.get("/readyz")
    #expect(ready.status == 200)
    #expect(ready.text == "{\"status\":\"ready\",\"reload\":\"failed\"}\n")
    #expect(try server.get("/metrics").text.contains("\ncellfactory_reloads_total{result=\"failure\"} 1\n"))
    try folder.write("b.mustache", Array("<p>{{x}}</p>".utf8))
    try folder.write("c.mustache", Array("{{>b}}".utf8))
    server.process.send(SIGHUP)
    try Self.awaitText("<p>2</p>", server)
    // The new cells are adopted before the attempt has ended.
    let end = Clock.seconds + CommandProcess.patience
    while try server.get("/readyz")["CellFactory-Reload"] != nil, Clock.seconds < end { usleep(5000) }
    #expect(try server.post("/cells/a", "{}")["CellFactory-Reload"] == nil)
    #expect(try server.get("/readyz").text == "{\"status\":\"ready\"}\n")
  }

  @Test func aChangedManifestIsReadAgain() throws {
    func manifest(_ type: String) -> String {
      #"{"modules":[{"declarations":[{"tagName":"x-y","attributes":[{"name":"live","type":{"text":"\#(type)"}}]}]}]}"#
    }
    let folder = try TemporaryFolder([
      "a.mustache": "<x-y live=\"{{x}}\"></x-y>", "custom-elements.json": manifest("string"),
    ])
    let server = try ServeProcess("--templates", folder.path)
    #expect(try Self.text(server) == "<x-y live=\"\"></x-y>")
    try manifest("boolean").write(toFile: folder["custom-elements.json"], atomically: true, encoding: .utf8)
    server.process.send(SIGHUP)
    try Self.awaitText("<x-y ></x-y>", server)
    try "{".write(toFile: folder["custom-elements.json"], atomically: true, encoding: .utf8)
    server.process.send(SIGHUP)
    server.awaitLog("invalid-manifest")
    #expect(try Self.text(server) == "<x-y ></x-y>")
  }

  @Test func lostKindsAreNamed() throws {
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>", "b/c.mustache": "2", "d.mustache": "3"])
    let server = try ServeProcess("--templates", folder.path)
    for file in ["a.mustache", "b/c.mustache"] { try FileManager.default.removeItem(atPath: folder[file]) }
    server.process.send(SIGHUP)
    server.awaitLog("lost kinds")
    #expect(server.process.errorText.contains("lost=2"))
    #expect(server.process.errorText.contains("a, b/c"))
    #expect(!server.process.errorText.contains("no cells"))
    try FileManager.default.removeItem(atPath: folder["d.mustache"])
    server.process.send(SIGHUP)
    server.awaitLog("there are no cells")
  }

  @Test func aServerWithoutCellsWarns() throws {
    let folder = try TemporaryFolder(["a.txt": ""])
    let server = try ServeProcess("--templates", folder.path)
    server.awaitLog("there are no cells")
    #expect(try server.get("/readyz").status == 200)
  }

  @Test func errorsAreReportedUpToALimit() throws {
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>"])
    let server = try ServeProcess("--templates", folder.path)
    for number in 0..<150 { try folder.write("bad\(number).mustache", Array("{{#x}}".utf8)) }
    server.process.send(SIGHUP)
    server.awaitLog("not reloaded")
    #expect(Self.count(": error: ", server) == 100)
    #expect(server.process.errorText.contains("errors=150"))
  }

  @Test func anArchiveFileIsReadAgain() throws {
    let folder = try TemporaryFolder(["cells/a.mustache": "<p>1</p>"])
    func archive(_ name: String) throws {
      let process = try CommandProcess(["archive", folder["cells"], "--output", folder[name]])
      #expect(process.wait() == 0)
    }
    try archive("a.cells")
    let server = try ServeProcess("--archive", folder["a.cells"])
    try folder.write("cells/a.mustache", Array("<p>2</p>".utf8))
    try archive("b.cells")
    let whole = try folder.bytes("b.cells")
    // Half written, modified, empty, missing.
    var altered = whole
    altered[altered.count / 2] ^= 1
    for (count, bytes) in [Array(whole[..<(whole.count / 2)]), altered, []].enumerated() {
      try folder.write("a.cells", bytes)
      server.process.send(SIGHUP)
      let end = Clock.seconds + CommandProcess.patience
      while Self.count("not reloaded", server) == count, Clock.seconds < end { usleep(1000) }
      #expect(Self.count("not reloaded", server) == count + 1)
      #expect(try Self.text(server) == "<p>1</p>")
    }
    try folder.write("a.cells", whole)
    server.process.send(SIGHUP)
    try Self.awaitText("<p>2</p>", server)
  }

  private static func blocksHangUp(_ pid: pid_t) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
    let mask = UInt64(line?.dropFirst(7).trimmingCharacters(in: .whitespaces) ?? "", radix: 16) ?? 0
    return mask >> UInt64(SIGHUP - 1) & 1 == 1
  }

  @Test func aHangUpBeforeItListensOrInADrainDoesNotEndIt() throws {
    var files: [String: String] = [:]
    for number in 0..<300 { files["k\(number).mustache"] = String(repeating: "<p>{{a}}</p>", count: 50) }
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>"])
    for (name, text) in files { try folder.write(name, Array(text.utf8)) }
    let process = try CommandProcess(["serve", "--templates", folder.path, "--port", "0", "--workers", "1"])
    let end = Clock.seconds + CommandProcess.patience
    // Before its first instruction, the signal ends it like any other process.
    while try !Self.blocksHangUp(process.pid), Clock.seconds < end { usleep(1000) }
    for _ in 0..<50 where process.outputText == "" {
      process.send(SIGHUP)
      usleep(1000)
    }
    while process.outputText == "", process.wait(seconds: 0) == nil, Clock.seconds < end { usleep(1000) }
    #expect(process.outputText.contains("listening"), "\(process.errorText)")
    while !process.errorText.contains("reloaded"), Clock.seconds < end { usleep(1000) }
    #expect(process.errorText.contains("reloaded"), "it is not forgotten")

    let server = try ServeProcess("--drain-delay-seconds", "1", "--templates", folder.path)
    server.process.send(SIGTERM)
    server.awaitLog("draining")
    server.process.send(SIGHUP)
    usleep(100_000)
    #expect(try server.get("/livez").status == 200)
    #expect(server.process.wait() == 0)
  }

  @Test(arguments: [["--watch"], []])
  func changesAreFollowed(_ arguments: [String]) throws {
    let folder = try TemporaryFolder(["t/a.mustache": "<p>1</p>"])
    let server = try ServeProcess(
      "--templates", folder["t"], environment: arguments.isEmpty ? ["CELLFACTORY_WATCH": "on"] : [:],
      more: arguments)
    try folder.write("t/a.mustache", Array("<p>2</p>".utf8))
    try Self.awaitText("<p>2</p>", server)
    // Saved while being edited: broken, then fixed.
    try folder.write("t/a.mustache", Array("<p>{{#x}}</p>".utf8))
    server.awaitLog("not reloaded")
    #expect(try Self.text(server) == "<p>2</p>")
    try folder.write("t/a.mustache", Array("<p>3</p>".utf8))
    try Self.awaitText("<p>3</p>", server)
    try folder.write("t/new/b.mustache", Array("<p>b</p>".utf8))
    let end = Clock.seconds + CommandProcess.patience
    var added = try server.post("/cells/new/b", "{}")
    while added.status != 200, Clock.seconds < end {
      usleep(5000)
      added = try server.post("/cells/new/b", "{}")
    }
    #expect(added.text == "<p>b</p>")
    server.process.send(SIGTERM)
    #expect(server.process.wait() == 0)
  }

  @Test func changesAreIgnoredWithoutWatch() throws {
    let folder = try TemporaryFolder(["a.mustache": "<p>1</p>"])
    let server = try ServeProcess("--templates", folder.path)
    try folder.write("a.mustache", Array("<p>2</p>".utf8))
    usleep(600_000)
    #expect(try Self.text(server) == "<p>1</p>")
  }

  @Test func anArchiveThatIsReplacedIsFollowed() throws {
    let folder = try TemporaryFolder(["cells/a.mustache": "<p>1</p>"])
    func archive() throws {
      #expect(try CommandProcess(["archive", folder["cells"], "--output", folder["a.cells"]]).wait() == 0)
    }
    try archive()
    let server = try ServeProcess("--archive", folder["a.cells"], "--watch")
    try folder.write("cells/a.mustache", Array("<p>2</p>".utf8))
    try archive()
    try Self.awaitText("<p>2</p>", server)
  }
}
