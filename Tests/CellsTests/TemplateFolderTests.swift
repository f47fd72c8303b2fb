import CellTemplates
import Foundation
import Glibc
import Testing

@testable import Cells

@Suite struct TemplateFolderTests {
  /// The kinds of a folder in reading order; text cells are marked with a star.
  private func kinds(_ folder: TemporaryFolder, as path: String? = nil) throws -> [String] {
    try TemplateFolder.read(path ?? folder.path).sources.map { $0.kind + ($0.mode == .text ? "*" : "") }
  }

  /// The errors of reading the folder, with paths relative to it.
  private func faults(_ folder: TemporaryFolder) -> [String] {
    do throws(TemplateErrors) {
      _ = try TemplateFolder.read(folder.path)
      return []
    } catch {
      return error.diagnostics.map { $0.file.replacing(folder.path, with: "") + " " + $0.code.rawValue }
    }
  }

  @Test func aFolderIsReadRecursivelyInTheOrderOfItsNamesBytes() throws {
    let folder = try TemporaryFolder([
      "b.mustache": "", "a.txt.mustache": "", "B.mustache": "", "a/z.mustache": "", "a/b/c.txt.mustache": "",
      "a-b.mustache": "",
      "notes.txt": "", "mustache": "", "x.mustache.bak": "", "news.sample.json": "[]",
    ])
    #expect(try kinds(folder) == ["B", "a/b/c*", "a/z", "a-b", "a*", "b"])
    let read = try TemplateFolder.read(folder.path)
    #expect(read.samples.map(\.kind) == ["news"])
    #expect(read.sources.map(\.file).allSatisfy { $0.hasPrefix(folder.path + "/") })
  }

  @Test func namesThatBeginWithADotAreSkipped() throws {
    let folder = try TemporaryFolder([
      ".hidden.mustache": "{{", ".git/a.mustache": "{{", "a/.b/c.mustache": "{{", ".mustache": "{{",
      "d.mustache": "",
    ])
    #expect(try kinds(folder) == ["d"])
  }

  @Test(arguments: ["", "/", "//", "/.", "/../THIS"])
  func diagnosticsNameTheFolderAsItWasGiven(_ ending: String) throws {
    let folder = try TemporaryFolder(["a/b.mustache": "{{/x}}"])
    let name = String(folder.path.split(separator: "/").last!)
    let given = folder.path + ending.replacing("THIS", with: name)
    let errors = #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: given) }
    var shown = given
    while shown.hasSuffix("/") { shown.removeLast() }
    #expect(errors?.description.hasPrefix(shown + "/a/b.mustache:1:1: error: ") == true)
  }

  @Test func linksInsideTheFolderAreFollowed() throws {
    let folder = try TemporaryFolder(["a/real.mustache": "x", ".store/hidden.mustache": "y"])
    try folder.link("file.mustache", to: "a/real.mustache")
    try folder.link("absolute.mustache", to: folder.path + "/a/real.mustache")
    try folder.link("again.mustache", to: "file.mustache")
    try folder.link("b", to: "a")
    try folder.link("hidden", to: ".store")
    try folder.link("a/up.mustache", to: "../a/../a/real.mustache")
    #expect(
      try kinds(folder) == ["a/real", "a/up", "absolute", "again", "b/real", "b/up", "file", "hidden/hidden"])
  }

  /// To Swift, a slash or a dot and a combining mark after it are one character, and `é` is the same in both its forms.
  @Test func pathsAreComparedByTheirBytes() throws {
    let folder = try TemporaryFolder(["\u{E9}/a.txt": "x", "e\u{301}/out.mustache": "y"])
    let root = folder.path + "/\u{E9}"
    try #require(rename(root + "/a.txt", root + "/\u{301}a.txt") == 0)
    try #require(symlink("\u{301}a.txt", root + "/in.mustache") == 0)
    #expect(try kinds(folder, as: root) == ["in"])
    let files = TemplateFolder.files(in: root)
    #expect(throws: NibFiles.Fault.missing) { try files.read(".\u{301}a.txt") }
    try #require(rename(root + "/\u{301}a.txt", root + "/.\u{301}a.txt") == 0)
    #expect(throws: NibFiles.Fault.missing) { try files.read(".\u{301}a.txt") }
    try #require(symlink("../e\u{301}/out.mustache", root + "/out.mustache") == 0)
    #expect(throws: TemplateErrors.self) { try TemplateFolder.read(root) }
    #expect(throws: NibFiles.Fault.outside) { try files.read("out.mustache") }
  }

  @Test(
    arguments: [
      ("../\u{301}a.css", "x/n", "\u{301}a.css"), ("b/./\u{301}a.css", "n", "b/\u{301}a.css"),
      ("a.css", "x/\u{301}y/n", "x/\u{301}y/a.css"), ("/\u{301}a.css", "n", nil),
    ] as [(String, String, String?)])
  func linksOfNibsAreReadByTheirBytes(link: String, nib: String, path: String?) throws {
    let found = try NibFiles.path(of: link, in: nib)
    #expect(found.map { Array($0.utf8) } == path.map { Array($0.utf8) })
    #expect(throws: NibFiles.Fault.outside) { try NibFiles.path(of: "../\u{301}a.css", in: "n") }
  }

  @Test func theFolderItselfMayBeALink() throws {
    let folder = try TemporaryFolder(["real/a.mustache": "", "real/b/c.mustache": ""])
    try folder.link("link", to: "real")
    try folder.link("real/d.mustache", to: "b/c.mustache")
    #expect(try kinds(folder, as: folder.path + "/link") == ["a", "b/c", "d"])
  }

  /// A folder as mounted by Kubernetes for a ConfigMap: links to `..data`, which is a link to a dated folder.
  @Test func aConfigMapIsReadAsItIs() throws {
    let folder = try TemporaryFolder([
      "..2026_07_29/news.mustache": "{{title}}", "..2026_07_29/digest.txt.mustache": "",
      "..2026_07_29/news.sample.json": "[{}]",
    ])
    try folder.link("..data", to: "..2026_07_29")
    for name in ["news.mustache", "digest.txt.mustache", "news.sample.json"] {
      try folder.link(name, to: "..data/" + name)
    }
    #expect(try kinds(folder) == ["digest*", "news"])
    #expect(try TemplateFolder.read(folder.path).samples.count == 1)
  }

  @Test func linksThatLeaveTheFolderAreRefusedEach() throws {
    let outside = try TemporaryFolder(["secret.mustache": "s", "folder/a.mustache": ""])
    let folder = try TemporaryFolder(["ok.mustache": ""])
    try folder.link("a.mustache", to: outside.path + "/secret.mustache")
    try folder.link("b", to: outside.path + "/folder")
    try folder.link("c", to: "..")
    try folder.link("d.mustache", to: "/etc/passwd")
    // A sibling folder whose path starts with the same text.
    let twin = folder.path + "-twin"
    try FileManager.default.createDirectory(atPath: twin, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: twin) }
    try folder.link("e", to: twin)
    #expect(
      faults(folder) == ["/a.mustache", "/b", "/c", "/d.mustache", "/e"].map { $0 + " outside-folder" })
  }

  @Test func everyUnreadableFileIsReported() throws {
    let folder = try TemporaryFolder(["ok.mustache": "", "z/ok.mustache": ""])
    try folder.link("nowhere.mustache", to: "missing")
    try folder.link("round.mustache", to: "round.mustache")
    try folder.link("z/back", to: "..")
    try folder.link("self", to: ".")
    #expect(mkfifo(folder.path + "/pipe.mustache", 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/folder.mustache", withIntermediateDirectories: true)
    #expect(
      faults(folder)
        == ["/nowhere.mustache", "/pipe.mustache", "/round.mustache", "/self", "/z/back"].map {
          $0 + " unreadable"
        })
  }

  @Test func aPipeNextToTheTemplatesIsIgnored() throws {
    let folder = try TemporaryFolder(["a.mustache": ""])
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    try folder.link("b.mustache", to: "a.mustache")
    #expect(try kinds(folder) == ["a", "b"])
  }

  @Test(arguments: ["/nowhere/at/all", "/etc/passwd", ""])
  func anInvalidFolderIsReported(_ path: String) {
    let errors = #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: path) }
    #expect(errors?.diagnostics.map(\.code) == [.unreadable])
  }

  @Test func foldersThatNestWithoutEndAreStopped() throws {
    let folder = try TemporaryFolder()
    let deep = String(repeating: "d/", count: 70)
    try folder.write(deep + "a.mustache", "")
    #expect(faults(folder) == ["/" + String(repeating: "d/", count: 64).dropLast() + " unreadable"])
  }

  /// Links that double the number of paths at every level: 2^20 of them would take minutes.
  @Test func foldersThatMultiplyThroughLinksAreStopped() throws {
    let folder = try TemporaryFolder(["l20/a.mustache": ""])
    for level in 0..<20 {
      try folder.link("l\(level)/x", to: "../l\(level + 1)")
      try folder.link("l\(level)/y", to: "../l\(level + 1)")
    }
    let found = faults(folder)
    #expect(found.count == 1 && found[0].hasSuffix(" unreadable"), "\(found.count)")
  }

  @Test func aFileThatIsTooLargeIsReported() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.mustache", [UInt8](repeating: 0x20, count: TemplateFolder.fileLimitBytes))
    #expect(faults(folder) == [])
    try folder.write("a.mustache", [UInt8](repeating: 0x20, count: TemplateFolder.fileLimitBytes + 1))
    #expect(faults(folder) == ["/a.mustache unreadable"])
  }

  @Test func invalidAndDuplicateKindsAreErrors() throws {
    let folder = try TemporaryFolder([
      "my cell.mustache": "", "é/a.mustache": "", "a.mustache": "", "a.txt.mustache": "", "s/t.mustache": "",
      "s/t.txt.mustache": "",
    ])
    let errors = #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: folder.path) }
    #expect(
      errors?.diagnostics.map { $0.file.replacing(folder.path, with: "") + " " + $0.code.rawValue } == [
        "/a.txt.mustache duplicate-kind", "/my cell.mustache invalid-kind",
        "/s/t.txt.mustache duplicate-kind",
        "/é/a.mustache invalid-kind",
      ])
    #expect(
      errors?.description.contains("\"s/t\" is already defined at \(folder.path)/s/t.mustache:1:1") == true)
  }

  @Test func nibsAreReadByTheirPathWithoutTheEnding() throws {
    let folder = try TemporaryFolder([
      "feed.html": "<b data-cell=z></b><b data-cell=a></b>", "shop/list.html": "<b data-cell=shop/x></b>",
      ".hidden.html": "<b data-cell>",
      "page.htm": "<b data-cell>", "m.mustache": "",
    ])
    #expect(try TemplateFolder.read(folder.path).nibs.map(\.kind) == ["feed", "shop/list"])
    #expect(try CellArchive.compiling(folder: folder.path).kindNames == ["a", "m", "shop/x", "z"])
  }

  @Test func everyErrorOfNibsIsReportedWithItsFile() throws {
    let folder = try TemporaryFolder([
      "a.html": "<b data-cell></b>\n<b data-cell=x></b><b data-cell=x></b>",
      "b.html": "<template></template>\n <i data-cell=x></i>",
      "x.mustache": "{{", "c/d.html": "<img data-cell=e data-embed src=none.svg>",
    ])
    let errors = #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: folder.path) }
    #expect(
      errors?.diagnostics.map {
        "\($0.file.replacing(folder.path + "/", with: "")):\($0.line):\($0.column) \($0.code.rawValue)"
      } == [
        "a.html:1:4 missing-identifier", "a.html:2:23 duplicate-kind", "b.html:1:1 missing-identifier",
        "b.html:2:5 duplicate-kind", "c/d.html:1:29 invalid-image", "x.mustache:1:1 duplicate-kind",
      ])
    #expect(errors?.description.contains("is already defined at \(folder.path)/a.html:2:4") == true)
  }

  @Test func imagesAreEmbeddedFromInsideTheFolderAlone() throws {
    let outside = try TemporaryFolder(["star.svg": "<svg/>"])
    let folder = try TemporaryFolder([
      "a/nib.html":
        "<p data-cell=p><img data-embed src=star.svg><img data-embed src='../up/%73tar.svg'><img data-embed src=link.svg></p>",
      "a/star.svg": "<svg/>", "up/star.svg": "<svg id='1'/>", ".store/s.svg": "<svg id='2'/>",
    ])
    try folder.link("a/link.svg", to: "../.store/s.svg")
    let factory = CellFactory(
      archive: try CellArchive.compiling(folder: folder.path), reuse: .off, executor: InlineExecutor())
    let html = try factory.assumeIsolated { factory throws in try factory.render("p", rows: "{}") }.joined()
    #expect(html.components(separatedBy: "data:image/svg+xml;base64,").count == 4, "\(html)")

    // A link out of the folder is refused, whether or not a nib names it.
    let leaving = try TemporaryFolder(["nib.html": "<img data-cell=p data-embed src=out.svg>"])
    try leaving.link("out.svg", to: outside.path + "/star.svg")
    #expect(faults(leaving) == ["/out.svg outside-folder"])
    #expect(throws: NibFiles.Fault.outside) { try TemplateFolder.files(in: leaving.path).read("out.svg") }

    try folder.write("a/large.gif", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: NibFiles.limitBytes))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a/dir.svg", withIntermediateDirectories: true)
    for (image, code) in [
      ("../../\(outside.path.split(separator: "/").last!)/star.svg", "outside-folder"),
      ("none.svg", "invalid-image"), ("large.gif", "invalid-image"), ("dir.svg", "invalid-image"),
      ("../.store/s.svg", "invalid-image"),
      ("/etc/passwd", "invalid-image"), ("nib.html", "invalid-image"),
    ] {
      try folder.write("a/nib.html", "<img data-cell=p data-embed src='\(image)'>")
      let errors = #expect(throws: TemplateErrors.self) { try CellArchive.compiling(folder: folder.path) }
      #expect(errors?.diagnostics.map(\.code.rawValue) == [code], "\(image)")
    }
  }

  @Test func theSameTemplatesInAnotherFolderGiveTheSameArchive() throws {
    let files = ["a.mustache": "{{>b/c}}", "b/c.mustache": "{{x}}", "d.txt.mustache": "{{>*x}}"]
    let one = try TemporaryFolder(files)
    let two = try TemporaryFolder()
    for (file, text) in files.sorted(by: { $0.key > $1.key }) { try two.write(file, text) }
    let three = try TemporaryFolder()
    for (file, text) in files { try three.write(".store/" + file, text) }
    try three.link("a.mustache", to: ".store/a.mustache")
    try three.link("b", to: ".store/b")
    try three.link("d.txt.mustache", to: ".store/d.txt.mustache")
    let archives = try [one, two, three].map { try CellArchive.compiling(folder: $0.path).encoded() }
    #expect(archives[0] == archives[1] && archives[1] == archives[2])
  }

  @Test func errorsThatAreNotListedAreCounted() throws {
    let folder = try TemporaryFolder(["a.mustache": "x"])
    for number in 0..<1003 { try folder.link("l\(number)", to: "/none") }
    for number in 0..<1004 { try folder.write("f\(number).htm", "x") }
    let errors = try #require(throws: TemplateErrors.self) { try TemplateFolder.read(folder.path) }
    #expect(errors.diagnostics.count == 1001)
    #expect(
      errors.diagnostics.first?.description == """
        \(folder.path): error: cannot be read: 3 more of its files and folders [unreadable]
          hint: correct those that are listed first
        """)
    let check = FolderCheck(folder.path, executor: InlineExecutor())
    let warnings = check.diagnostics.filter { $0.severity == .warning }
    #expect(check.diagnostics.count == 2002)
    #expect(warnings.count == 1001)
    #expect(warnings.first?.message == "4 more files are not read")
  }

  /// Links multiply the entries.
  @Test(arguments: [[], [0xFF]] as [[UInt8]])
  func thereIsALimitOfEntriesWhateverTheirNames(_ ending: [UInt8]) throws {
    let folder = try TemporaryFolder(["many/a.mustache": "x"])
    for number in 0..<400 {
      let path = Array("\(folder.path)/many/f\(number)".utf8) + ending + [0]
      let file = path.withUnsafeBytes {
        open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT, 0o600)
      }
      try #require(file >= 0)
      close(file)
    }
    for number in 0..<260 { try folder.link("l\(number)", to: "many") }
    let errors = try #require(throws: TemplateErrors.self) { try TemplateFolder.read(folder.path) }
    #expect(
      errors.diagnostics.contains { $0.message.hasSuffix("there are more than 100000 files and folders") }
        == ending.isEmpty)
    #expect(errors.diagnostics.count <= 1001)
    #expect(errors.diagnostics.count == (ending.isEmpty ? 1 : 1001))
  }

  @Test func longPathsEndTheLoad() throws {
    let parts = Array(repeating: String(repeating: "d", count: 250), count: 14).joined(separator: "/")
    let folder = try TemporaryFolder([parts + "/a.mustache": "x"])
    for number in 0..<4800 { try folder.link("\(parts)/b\(number).mustache", to: "a.mustache") }
    let errors = try #require(throws: TemplateErrors.self) { try TemplateFolder.read(folder.path) }
    #expect(errors.diagnostics.map(\.code) == [.loadLimit])
    #expect(
      errors.diagnostics.first?.message == "the paths of the folder's files have more than 16 MiB in total")
  }
}
