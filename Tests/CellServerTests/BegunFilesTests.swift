import Foundation
import Glibc
import Testing

@testable import CellServer

/// When a file that has appeared counts as written.
@Suite struct BegunFilesTests {
  /// Macros cannot expand changes of a value.
  private final class Files {
    private var files = BegunFiles()

    var isEmpty: Bool { files.isEmpty }
    func note(_ path: String, at now: Int) -> Bool { files.note(path, at: now) }
    func forget(_ path: String) { files.forget(path) }
    func takeFinished(at now: Int) -> Bool { files.takeFinished(at: now, stillMilliseconds: 100) }
  }

  private static func inFolder(_ test: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("begun-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try test(folder)
  }

  private static func write(_ text: String, to path: String) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
  }

  @Test func aFileIsFinishedWhenItStaysAsItIs() throws {
    try Self.inFolder { folder in
      let files = Files()
      Self.write("x", to: folder + "/a")
      #expect(files.note(folder + "/a", at: 0))
      #expect(!files.takeFinished(at: 99) && !files.isEmpty)
      #expect(files.takeFinished(at: 100))
      #expect(files.isEmpty, "once")
    }
  }

  @Test func aFileThatGrowsIsStillBeingWritten() throws {
    try Self.inFolder { folder in
      let files = Files()
      Self.write("x", to: folder + "/a")
      #expect(files.note(folder + "/a", at: 0))
      Self.write("more", to: folder + "/a")
      #expect(!files.takeFinished(at: 1000))
      #expect(files.isEmpty, "an event comes when it is closed")
    }
  }

  @Test func anEmptyFileIsStillToBeWritten() throws {
    try Self.inFolder { folder in
      let files = Files()
      Self.write("", to: folder + "/a")
      #expect(files.note(folder + "/a", at: 0))
      #expect(files.isEmpty)
    }
  }

  @Test func filesOfWhichMoreIsKnownAreForgotten() throws {
    try Self.inFolder { folder in
      let files = Files()
      for name in ["a", "b", "c"] {
        Self.write("x", to: folder + "/" + name)
        #expect(files.note(folder + "/" + name, at: 0))
      }
      files.forget(folder + "/a")
      unlink(folder + "/b")
      link(folder + "/c", folder + "/d")
      #expect(!files.takeFinished(at: 1000))
      #expect(files.isEmpty)
    }
  }

  @Test func onlyARegularFileWithOneNameMayBeBegun() throws {
    try Self.inFolder { folder in
      let files = Files()
      Self.write("x", to: folder + "/a")
      link(folder + "/a", folder + "/hard")
      symlink("a", folder + "/soft")
      mkfifo(folder + "/pipe", 0o600)
      for name in ["hard", "soft", "pipe", "none", "."] {
        #expect(!files.note(folder + "/" + name, at: 0), "\(name)")
      }
      #expect(files.isEmpty)
    }
  }
}
