import Foundation
import Glibc
import Synchronization
import Testing

@testable import CellServer

/// Which changes of a source's files are noticed.
@Suite struct SourceWatchTests {
  static let quiet = 30

  /// A change of a folder, and whether it may change the cells.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isNoticed = true
    /// Shell commands, run in the folder that contains `templates`.
    var script: String
  }

  /// The files before each change: `templates/a.html`, `templates/sub/b.mustache`, a ConfigMap's folder
  /// `map`, and `linked`.
  static let prepared = """
    mkdir -p templates/sub templates/.git other map/..v1 real/deep && touch templates/a.html templates/sub/b.mustache
    echo 1 > map/..v1/c.html && ln -s ..v1 map/..data && ln -s ..data/c.html map/c.html
    touch real/deep/d.html && ln -s real linked && touch cells.archive && ln -s cells.archive current
    """

  static let folderChanges = [
    Change(testDescription: "a file is written", script: "echo x > templates/a.html"),
    Change(testDescription: "a new file", script: "echo x > templates/new.html"),
    Change(testDescription: "a file goes", script: "rm templates/a.html"),
    Change(testDescription: "an editor's rename", script: "echo x > .tmp && mv .tmp templates/a.html"),
    Change(
      testDescription: "an editor's rename inside",
      script: "echo x > templates/.tmp && mv templates/.tmp templates/a.html"),
    Change(testDescription: "another name", script: "mv templates/a.html templates/z.html"),
    Change(testDescription: "a file moves away", script: "mv templates/sub/b.mustache other/"),
    Change(testDescription: "rights", script: "chmod 600 templates/sub/b.mustache"),
    Change(testDescription: "a hard link", script: "ln other/../cells.archive templates/hard.html"),
    Change(
      testDescription: "a finished file that gets its name by link",
      script: "echo x > other/n && ln other/n templates/n.html && rm other/n"),
    Change(testDescription: "in a subfolder", script: "echo x > templates/sub/b.mustache"),
    Change(testDescription: "a new subfolder", script: "mkdir templates/more"),
    Change(testDescription: "a subfolder goes", script: "rm -r templates/sub"),
    Change(
      testDescription: "the folder is replaced",
      script: "cp -r templates next && mv templates old && mv next templates"),
    Change(
      testDescription: "hidden files", isNoticed: false,
      script: "echo x > templates/.a.swp; echo x > templates/.git/index"),
    Change(
      testDescription: "beside the folder", isNoticed: false,
      script: "echo x > other/a.html; touch x; mkdir y"),
    Change(
      testDescription: "reading", isNoticed: false,
      script: "cat templates/a.html templates/sub/*; ls -R templates"),
  ]

  static let mapChanges = [
    Change(
      testDescription: "a ConfigMap's swap",
      script:
        "mkdir map/..v2 && echo 2 > map/..v2/c.html && ln -s ..v2 map/..data_tmp && mv -T map/..data_tmp map/..data && rm -r map/..v1"
    ),
    Change(testDescription: "a file behind the links", script: "echo 2 > map/..v1/c.html"),
    Change(testDescription: "another link", script: "ln -s ..data/c.html map/e.html"),
    Change(
      testDescription: "a swap begun", isNoticed: false, script: "mkdir map/..v2 && echo 2 > map/..v2/c.html"),
  ]

  static let linkChanges = [
    Change(testDescription: "deep behind the link", script: "echo x > real/deep/d.html"),
    Change(testDescription: "another folder behind the link", script: "ln -sfn templates linked"),
    Change(testDescription: "the folder behind it is replaced", script: "mv real gone && mkdir real"),
  ]

  static let fileChanges = [
    Change(testDescription: "replaced by rename", script: "echo x > .tmp && mv .tmp cells.archive"),
    Change(testDescription: "written in place", script: "echo x > cells.archive"),
    Change(testDescription: "gone", script: "rm cells.archive"),
    Change(testDescription: "only begun", isNoticed: false, script: "exec 3>more.archive; exec 3>&-"),
    Change(
      testDescription: "beside it", isNoticed: false, script: "echo x > cells.archive.tmp-1; echo x > .tmp"),
  ]

  private static func run(_ script: String, in folder: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private static func check(_ change: Change, _ source: (String) -> SourceWatch.Source) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try run(prepared, in: folder)
    let watch = try SourceWatch(source(folder), quiet: quiet, burst: 1000)
    #expect(!watch.awaitChange(milliseconds: 10), "nothing has happened")
    try run(change.script, in: folder)
    #expect(watch.awaitChange(milliseconds: change.isNoticed ? 20_000 : 150) == change.isNoticed)
    #expect(!watch.awaitChange(milliseconds: 20), "one burst")
    #expect(watch.unwatchedFolders == 0)
  }

  @Test(arguments: folderChanges)
  func changesInAFolderOfTemplates(_ change: Change) throws {
    try Self.check(change) { .folder($0 + "/templates") }
  }

  @Test(arguments: mapChanges)
  func changesInAConfigMap(_ change: Change) throws {
    try Self.check(change) { .folder($0 + "/map") }
  }

  @Test(arguments: linkChanges)
  func changesAfterALink(_ change: Change) throws {
    try Self.check(change) { .folder($0 + "/linked/") }
  }

  @Test(arguments: fileChanges)
  func changesOfAnArchive(_ change: Change) throws {
    try Self.check(change) { .file($0 + "/cells.archive") }
    try Self.check(change) { .file($0 + "/current") }
  }

  /// New folders are watched after they have been noticed.
  @Test func newFoldersAreWatched() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Self.run(Self.prepared, in: folder)
    let watch = try SourceWatch(.folder(folder + "/templates"), quiet: Self.quiet, burst: 1000)
    for script in [
      "mkdir -p templates/x/y/z", "echo x > templates/x/y/z/a.html", "echo x > templates/x/y/z/a.html",
      "mv templates old", "mkdir templates", "mkdir templates/sub", "echo x > templates/sub/b.mustache",
      "rm -r templates", "mv old templates", "echo x > templates/x/y/z/a.html",
    ] {
      try Self.run(script, in: folder)
      #expect(watch.awaitChange(milliseconds: 20_000), "\(script)")
    }
    try Self.run("mkdir -p old/sub; echo x > old/a.html; mv templates gone", in: folder)
    #expect(watch.awaitChange(milliseconds: 20_000))
    try Self.run("echo x > gone/a.html; echo x > gone/sub/b.mustache", in: folder)
    #expect(!watch.awaitChange(milliseconds: 150), "what is not the source any more")
  }

  /// Links lead back to a folder also where the system's limit of watches is reached.
  @Test func foldersThatCannotBeWatchedAreReadOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Self.run("mkdir -p a/b && ln -s .. a/b/loop && ln -s a/b again", in: folder)
    // A device has no watches.
    var scan = FolderScan(InotifyQueue(owning: open("/dev/null", O_RDONLY | O_CLOEXEC)))
    let root = scan.follow(folder)
    scan.read(try #require(root))
    #expect(scan.folders.isEmpty && scan.unwatched.isEmpty)
  }

  /// Each folder has a link to the next one.
  @Test func aLongChainOfLinksIsRead() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let count = 10_000
    for number in 0..<count {
      let path = "\(folder)/\(number)"
      #expect(mkdir(path, 0o700) == 0 && symlink("../\(number + 1)", path + "/next") == 0)
    }
    var scan = FolderScan(try InotifyQueue())
    let root = scan.follow(folder)
    scan.read(try #require(root))
    #expect(scan.folders.count + scan.unwatched.count > count)
  }

  /// By the bytes of their names: `é` has two forms, and a slash and a combining mark after it are one character to Swift.
  @Test func foldersWithMarksInTheirNamesAreWatched() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let names = ["\u{E9}", "e\u{301}", "\u{301}"]
    try Self.run(names.map { "mkdir -p '\u{301}t/\($0)/sub'" }.joined(separator: ";"), in: folder)
    let watch = try SourceWatch(.folder(folder + "/\u{301}t"), quiet: Self.quiet, burst: 1000)
    for name in names {
      try Self.run("echo x > '\u{301}t/\(name)/sub/a.html'", in: folder)
      #expect(watch.awaitChange(milliseconds: 5000), "\(name.unicodeScalars.map(\.value))")
    }
  }

  /// However long its writer takes between two parts, and whether the first comes before the watch looks at the file or after.
  @Test(arguments: [false, true])
  func aFileIsSeenWhenItsWriterClosesIt(isWrittenAtOnce: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let watch = try SourceWatch(.folder(folder), quiet: Self.quiet, burst: 1000)
    let file = try #require(fopen(folder + "/slow.html", "w"))
    func write(_ part: String) { #expect(fputs(part, file) >= 0 && fflush(file) == 0) }
    let afterAPause = 7 * Self.quiet
    if !isWrittenAtOnce { #expect(!watch.awaitChange(milliseconds: afterAPause)) }
    for part in ["<p>one", "two", "three</p>"] {
      write(part)
      #expect(!watch.awaitChange(milliseconds: afterAPause))
    }
    fclose(file)
    #expect(watch.awaitChange(milliseconds: 20_000))
  }

  /// Another file that changes meanwhile does not show half of it, unless it takes longer than a burst.
  @Test func aBurstWaitsForFilesThatAreBeingWritten() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let watch = try SourceWatch(.folder(folder), quiet: Self.quiet, burst: 60_000)
    nonisolated(unsafe) let file = try #require(fopen(folder + "/slow.html", "w"))
    #expect(fputs("<p>one", file) >= 0 && fflush(file) == 0)
    try Self.run("echo x > other.html", in: folder)
    let isClosed = Mutex(false)
    let writer = TestThread {
      usleep(UInt32(10 * Self.quiet * 1000))
      isClosed.withLock { $0 = true }
      fclose(file)
    }
    #expect(watch.awaitChange(milliseconds: 20_000) && isClosed.withLock { $0 })
    writer.join()
  }

  /// A log or a swap file in the folder does not hold back what has changed, whether a link leads to it or not.
  @Test(arguments: [".log", "server.log", "out"], [false, true])
  func whatDoesNotMatterMakesNoBurstLonger(name: String, isLinked: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    if isLinked { try Self.run("touch \(name); ln -s \(name) latest", in: folder) }
    let watch = try SourceWatch(.folder(folder), quiet: 200, burst: 60_000)
    nonisolated(unsafe) let log = try #require(fopen(folder + "/" + name, "w"))
    defer { fclose(log) }
    let isOver = Mutex(false)
    let writer = TestThread {
      while !isOver.withLock({ $0 }) {
        fputs("x", log)
        fflush(log)
        usleep(20_000)
      }
    }
    let begin = MonotonicSeconds.now
    try Self.run("echo x > a.html", in: folder)
    #expect(watch.awaitChange(milliseconds: 20_000))
    #expect(MonotonicSeconds.now - begin < 30)
    isOver.withLock { $0 = true }
    writer.join()
  }

  /// What an image is, and so whether a nib may embed it, is in its content, not in its name.
  @Test(arguments: ["logo", "logo.jfif"]) func anImageOfAnyNameIsSeenWhenItIsClosed(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let watch = try SourceWatch(.folder(folder), quiet: Self.quiet, burst: 1000)
    for content in ["<svg/>", "GIF89a", " \n<?xml version='1.0'?><svg/>"] {
      let file = try #require(fopen(folder + "/" + name, "w"))
      #expect(fputs(content, file) >= 0 && fflush(file) == 0)
      #expect(!watch.awaitChange(milliseconds: 7 * Self.quiet))
      fclose(file)
      #expect(watch.awaitChange(milliseconds: 20_000))
    }
    // What is written into a pipe is for its reader.
    #expect(mkfifo(folder + "/\(name).pipe", 0o600) == 0)
    // Whatever is new may matter.
    while watch.awaitChange(milliseconds: 7 * Self.quiet) {}
    try Self.run("(cat \(name).pipe > ../\(name).read &) ; echo one > \(name).pipe", in: folder)
    #expect(!watch.awaitChange(milliseconds: 7 * Self.quiet))
    let read = URL(fileURLWithPath: folder).deletingLastPathComponent().appendingPathComponent("\(name).read")
    defer { try? FileManager.default.removeItem(at: read) }
    #expect(try String(contentsOf: read, encoding: .utf8) == "one\n")
    // A log is no image, also if it is closed after each line.
    for _ in 0..<3 {
      try Self.run("echo 2026-11-27 started >> \(name).log", in: folder)
      #expect(!watch.awaitChange(milliseconds: 7 * Self.quiet))
    }
  }

  @Test func aBurstIsOneChangeAndEndsInTime() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let watch = try SourceWatch(.folder(folder), quiet: 200, burst: 600)
    let writer = TestThread {
      for number in 0..<60 {
        _ = FileManager.default.createFile(atPath: folder + "/\(number).html", contents: Data("x".utf8))
        usleep(20_000)
      }
    }
    let begin = MonotonicSeconds.now
    #expect(watch.awaitChange(milliseconds: 20_000))
    #expect(MonotonicSeconds.now - begin < 30, "it goes on, and is not waited for for ever")
    writer.join()
    #expect(watch.awaitChange(milliseconds: 20_000), "what came behind it")
    #expect(!watch.awaitChange(milliseconds: 300))
  }

  @Test func anOverflowOfTheQueueIsAChange() {
    var folders = WatchedFolders()
    let overflow = folders.effect(
      of: InotifyQueue.Event(watch: -1, mask: UInt32(IN_Q_OVERFLOW), name: ""), at: 0)
    let unknown = folders.effect(
      of: InotifyQueue.Event(watch: 7, mask: UInt32(IN_CREATE), name: "a"), at: 0)
    #expect(overflow == .change && unknown == .none)
  }
}
