import Foundation
import Glibc
import Testing

@Suite struct CommandArchiveTests {
  /// What cells are offered in is decided when an archive is written; `render` asks for one of them.
  @Test func anArchiveHoldsItsLocales() throws {
    let folder = try TemporaryFolder(["t/a.mustache": "<p>{{n | number}}</p>"])
    let archive = folder["a.cells"]
    #expect(
      try run("archive", folder["t"], "--output", archive, "--locale", "de", "--locales", "ja").status == 0)
    let render = ["render", "a", "--archive", archive]
    #expect(try run(render, input: #"{"n": 1.5}"#).text == "<p>1,5</p>")
    #expect(try run(render + ["--locale", "ja"], input: #"{"n": 1.5}"#).text == "<p>1.5</p>")
    for option in ["--locale", "--locales"] {
      let refused = try run("serve", "--archive", archive, option, "de")
      #expect(
        refused.status == 64 && refused.errors.contains("stored in the archive: give '\(option)'"),
        "\(refused.errors)")
    }
  }

  /// What a server is started with counts where no request says otherwise; `check` takes the same locales.
  @Test func optionsAreTheLastToDecide() throws {
    let folder = try TemporaryFolder([
      "t/a.mustache": "<p>{{n | number}} {{d | date short}}</p>",
      "t/a.sample.json": #"[{"n": 1.5, "d": "2025-10-09T22:30:00Z"}]"#,
    ])
    let server = try ServeProcess(
      "--templates", folder["t"], "--locale", "de", "--locales", "ja", "--time-zone", "Europe/Berlin")
    let row = #"{"n": 1.5, "d": "2025-10-09T22:30:00Z"}"#
    #expect(try server.post("/cells/a", row).text == "<p>1,5 10.10.25</p>")
    #expect(try server.post("/cells/a?locale=fr", row).text == "<p>1,5 10.10.25</p>")
    #expect(try server.post("/cells/a?locale=ja&time_zone=UTC", row).text == "<p>1.5 2025/10/09</p>")
    #expect(try run("check", folder["t"], "--locale", "de", "--locales", "ja").status == 0)
    #expect(try run("check", folder["t"], "--locales", "xx").errors.contains("xx"))
    #expect(try run("serve", "--templates", folder["t"], "--time-zone", "Nowhere").status == 64)
  }

  @Test func theSameTemplatesGiveTheSameBytes() throws {
    let first = try TemporaryFolder([
      "cells/a.mustache": "a{{>sub/b}}", "cells/sub/b.mustache": "{{b}}", "cells/c.txt.mustache": "{{{c}}}",
    ])
    // Written in another order, under another name, together with files that are not templates.
    let second = try TemporaryFolder([
      "other/c.txt.mustache": "{{{c}}}", "other/notes.md": "x", "other/.hidden.mustache": "{{",
      "other/sub/b.mustache": "{{b}}", "other/a.sample.json": "[]", "other/a.mustache": "a{{>sub/b}}",
    ])
    try #require(try run("archive", "cells", "--output", "1.cells", folder: first.path).status == 0)
    try #require(try run("archive", "cells/", "--output", "2.cells", folder: first.path).status == 0)
    try #require(try run("archive", second["other"], "--output", "3.cells", folder: second.path).status == 0)
    let bytes = try first.bytes("1.cells")
    #expect(!bytes.isEmpty)
    #expect(try first.bytes("2.cells") == bytes)
    #expect(try second.bytes("3.cells") == bytes)
    try second.write("other/a.mustache", Array("a {{>sub/b}}".utf8))
    try #require(try run("archive", "other", "--output", "4.cells", folder: second.path).status == 0)
    #expect(try second.bytes("4.cells") != bytes)
  }

  @Test func anOldArchiveIsReplacedInOneStep() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x", "b/y.mustache": "y"])
    try #require(try run("archive", "a", "--output", "c.cells", folder: folder.path).status == 0)
    let old = try folder.bytes("c.cells")
    // A second name for the old file: an overwrite would be visible here, a rename is not.
    try #require(link(folder["c.cells"], folder["old.cells"]) == 0)
    try #require(try run("archive", "b", "--output", "c.cells", folder: folder.path).status == 0)
    #expect(try folder.bytes("old.cells") == old)
    #expect(try folder.bytes("c.cells") != old)
    #expect(folder.names == ["a", "b", "c.cells", "old.cells"])
  }

  @Test func failuresKeepTheOldArchive() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x", "bad/y.mustache": "{{", "c.cells/z": "a folder"])
    try #require(try run("archive", "a", "--output", "a.cells", folder: folder.path).status == 0)
    let old = try folder.bytes("a.cells")
    for (source, output) in [
      ("bad", "a.cells"), ("nothing", "a.cells"), ("a", "c.cells"), ("a", "no/a.cells"),
    ] {
      let outcome = try run("archive", source, "--output", output, folder: folder.path)
      #expect(outcome.status == 1, "\(source) \(output)")
      #expect(outcome.output == [])
    }
    #expect(try folder.bytes("a.cells") == old)
    #expect(folder.names == ["a", "a.cells", "bad", "c.cells"])
  }

  @Test func aLinkStaysAndTheFileItNamesIsReplaced() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x", "files/old.cells": "old"])
    try #require(symlink("files/old.cells", folder["first.cells"]) == 0)
    try #require(symlink("../first.cells", folder["files/second.cells"]) == 0)
    try #require(symlink("files/new.cells", folder["dangling.cells"]) == 0)
    try #require(symlink("loop.cells", folder["loop.cells"]) == 0)
    for output in ["files/second.cells", folder["first.cells"], "dangling.cells"] {
      #expect(try run("archive", "a", "--output", output, folder: folder.path).status == 0, "\(output)")
    }
    let bytes = try folder.bytes("files/old.cells")
    #expect(bytes.count > 100)
    #expect(try folder.bytes("files/new.cells") == bytes)
    for link in ["first.cells", "files/second.cells", "dangling.cells"] {
      var text = [CChar](repeating: 0, count: 100)
      #expect(readlink(folder[link], &text, text.count) > 0, "\(link) is a link no more")
    }
    let looping = try run("archive", "a", "--output", "loop.cells", folder: folder.path)
    #expect(looping.status == 1)
    #expect(looping.errors == "error: loop.cells: Too many levels of symbolic links\n")
    #expect(folder.names == ["a", "dangling.cells", "files", "first.cells", "loop.cells"])
  }

  /// The error names the file that was asked for, and no file is left behind.
  @Test func filesThatCannotBeCreatedAreErrors() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x"])
    let missing = try run("archive", "a", "--output", "no/x", folder: folder.path)
    #expect(missing.status == 1 && missing.errors == "error: no/x: No such file or directory\n")
    try #require(symlink([CChar(bitPattern: 0xFF), 0], folder["odd"]) == 0)
    let odd = try run("archive", "a", "--output", "odd", folder: folder.path)
    #expect(odd.status == 1 && odd.errors == "error: odd: the link leads to a name that is not UTF-8\n")
    let closed = try CommandProcess(
      ["archive", "a", "--output", "/dev/stdout"], folder: folder.path, output: .closed)
    #expect(closed.wait() == 1 && closed.errorText == "error: /dev/stdout: Bad file descriptor\n")
    let null = try CommandProcess(
      ["archive", "a", "--output", "/dev/null"], folder: folder.path, output: .closed)
    #expect(null.wait() == 0, "\(null.errorText)")
    let long = String(repeating: "x", count: 255)
    #expect(try run("archive", "a", "--output", long, folder: folder.path).status == 0)
    #expect(folder.names == ["a", "odd", long])
  }

  @Test func pipesAndDevicesAreWrittenTo() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x"])
    try #require(try run("archive", "a", "--output", "a.cells", folder: folder.path).status == 0)
    let bytes = try folder.bytes("a.cells")

    try #require(mkfifo(folder["pipe"], 0o600) == 0)
    // Open for reading and writing, so that neither end waits for the other.
    let pipe = open(folder["pipe"], O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(pipe) }
    #expect(try run("archive", "a", "--output", "pipe", folder: folder.path).status == 0)
    var received = [UInt8](repeating: 0, count: bytes.count + 1)
    #expect(read(pipe, &received, received.count) == bytes.count)
    #expect(received.prefix(bytes.count).elementsEqual(bytes))

    // A file that may not become as large is like a full disk, and leaves nothing.
    let limited = try CommandProcess(
      ["archive", Package.templates, "--output", folder["limited.cells"]], limits: ["-f": 1])
    #expect(limited.wait() == 1)
    #expect(limited.errorText == "error: \(folder["limited.cells"]): File too large\n")
    #expect(folder.names == ["a", "a.cells", "pipe"])
    let printing = try CommandProcess(
      ["kinds", "--templates", Package.templates, "--json"], limits: ["-f": 1])
    #expect(printing.wait() == 1 && printing.errorText.contains("File too large"), "\(printing.errorText)")

    // Create a separate device if permitted, because replacing the real one would affect the whole system.
    let full = mknod(folder["full"], S_IFCHR | 0o600, 1 << 8 | 7) == 0 ? folder["full"] : "/dev/full"
    let refused = try run("archive", "a", "--output", full, folder: folder.path)
    #expect(refused.status == 1)
    #expect(refused.errors == "error: \(full): No space left on device\n")
    var status = stat()
    #expect(stat(full, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)

    let printed = try run("archive", "a", "--output", "/dev/stdout", folder: folder.path)
    #expect(printed.status == 0)
    #expect(printed.output == bytes)
    #expect(printed.errors.hasPrefix("/dev/stdout: 1 kinds, archive "))
  }

  /// A shell may have redirected the output to a file. The archive is then written between the output of others.
  @Test(arguments: [">", ">>"]) func anOpenFileIsWrittenTo(redirection: String) throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x"])
    try #require(try run("archive", "a", "--output", "a.cells", folder: folder.path).status == 0)
    let bytes = try folder.bytes("a.cells")
    for (output, number) in [("/dev/stdout", ""), ("/dev/fd/3", "3"), ("all", "")] {
      try folder.write("all", Array("kept ".utf8))
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      shell.arguments = [
        "-c",
        "{ echo head >&\(number.isEmpty ? "1" : number); \"$0\" archive a --output \(output) 2> told;"
          + " echo tail >&\(number.isEmpty ? "1" : number); } \(number)\(redirection) all",
        try CommandProcess.executable(),
      ]
      shell.standardOutput = FileHandle.nullDevice
      try shell.run()
      shell.waitUntilExit()
      let before = redirection == ">>" ? "kept head\n" : "head\n"
      #expect(try folder.bytes("all") == Array(before.utf8) + bytes + Array("tail\n".utf8), "\(output)")
    }
  }

  /// A file may be open twice. The descriptor that the path names says where the archive goes.
  @Test(arguments: [("3<>", "4>>", "/dev/fd/4"), ("0<>", "3>>", "/dev/fd/3"), ("0<>", "1>>", "/dev/stdout")])
  func theDescriptorThatIsNamedIsWrittenTo(other: String, named: String, output: String) throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x"])
    try #require(try run("archive", "a", "--output", "a.cells", folder: folder.path).status == 0)
    try folder.write("all", Array("kept ".utf8))
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    shell.arguments = [
      "-c", "\"$0\" archive a --output \(output) 2> told \(other) all \(named) all",
      try CommandProcess.executable(),
    ]
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(try folder.bytes("all") == Array("kept ".utf8) + folder.bytes("a.cells"))
  }

  /// A shell may hold a lock on the file that is to be replaced.
  @Test(arguments: ["9>>", "9<>", "0<>"]) func aFileThatAShellHoldsOpenIsReplaced(redirection: String) throws
  {
    let folder = try TemporaryFolder(["a/x.mustache": "x"])
    try #require(try run("archive", "a", "--output", "a.cells", folder: folder.path).status == 0)
    let bytes = try folder.bytes("a.cells")
    try folder.write("held", bytes + bytes)
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    shell.arguments = [
      "-c", "\"$0\" archive a --output held \(redirection) held > told", try CommandProcess.executable(),
    ]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(try folder.bytes("held") == bytes)
  }

  @Test func aReplacedArchiveKeepsItsMode() throws {
    let folder = try TemporaryFolder(["a/x.mustache": "x", "c.cells": "old", "d.cells": "old"])
    for (name, mode) in [("c.cells", mode_t(0o640)), ("d.cells", 0o666)] {
      try #require(chmod(folder[name], mode) == 0)
      #expect(try run("archive", "a", "--output", name, folder: folder.path).status == 0)
      var status = stat()
      #expect(stat(folder[name], &status) == 0 && status.st_mode & 0o7777 == mode, "\(name)")
    }
  }

  @Test func anArchiveServesAsItsTemplatesDo() throws {
    let folder = try TemporaryFolder()
    let made = try run("archive", Package.templates, "--output", folder["all.cells"])
    try #require(made.status == 0)
    let templates = try ServeProcess()
    let archive = try ServeProcess("--archive", folder["all.cells"])
    let hash = try #require(try templates.get("/livez")["CellFactory-Archive"])
    #expect(try archive.get("/livez")["CellFactory-Archive"] == hash)
    #expect(made.text.contains(hash))
    #expect(try templates.get("/kinds").body == (try archive.get("/kinds").body))
    for (kind, file) in try Package.samples() {
      let rows = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
      let first = try templates.post("/cells/\(kind)?format=json", rows)
      let second = try archive.post("/cells/\(kind)?format=json", rows)
      #expect(first.status == 200)
      #expect(first.body == second.body, "\(kind)")
    }
  }

  /// Reading beyond the end of the file would crash; this test only requires an error message and a normal
  /// exit.
  @Test func aDamagedArchiveIsRefusedInWords() throws {
    let folder = try TemporaryFolder(["cells/a.mustache": "a {{b}}{{#c}}d{{/c}}"])
    try #require(try run("archive", "cells", "--output", "good", folder: folder.path).status == 0)
    let good = try folder.bytes("good")
    var damaged: [(name: String, bytes: [UInt8])] = [
      ("empty", []), ("one byte too few", good.dropLast()), ("one byte too many", good + [0]),
      ("twice", good + good), ("text", Array("<article>".utf8)),
    ]
    for step in 0..<12 {
      let position = step * (good.count - 1) / 11
      damaged.append(("cut at \(position)", Array(good.prefix(position))))
      var flipped = good
      flipped[position] ^= 0x41
      damaged.append(("altered at \(position)", flipped))
    }
    for (name, bytes) in damaged {
      try folder.write("bad", bytes)
      let outcome = try run("kinds", "--archive", "bad", folder: folder.path)
      #expect(outcome.status == 1, "\(name)")
      #expect(outcome.errors.hasPrefix("error: bad: "), "\(name): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(name): \(outcome.errors)")
      #expect(outcome.output == [], "\(name)")
    }
    for command in [["serve", "--port", "0"], ["render", "a"]] {
      let outcome = try run(command + ["--archive", "bad"], folder: folder.path)
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("error: bad: "))
    }
  }
}
