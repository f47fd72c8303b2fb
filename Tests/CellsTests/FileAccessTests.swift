import Foundation
import Glibc
import Testing

@testable import Cells

@Suite struct FileAccessTests {
  @Test func aFileIsReplacedAtomicallyWithoutLeftovers() throws {
    let folder = try TemporaryFolder(["file": "old"])
    let bytes = [UInt8](repeating: 7, count: 300_000)
    try FileAccess.write(bytes, to: folder.path + "/file")
    #expect(try FileAccess.read(folder.path + "/file", limitBytes: 1 << 20) == bytes)
    try FileAccess.write([], to: folder.path + "/new")
    #expect(try FileAccess.read(folder.path + "/new", limitBytes: 0) == [])
    #expect(try folder.names == ["file", "new"])
  }

  @Test func readersSeeTheOldOrTheNewFile() async throws {
    let folder = try TemporaryFolder(["file": String(repeating: "0", count: 10_000)])
    let path = folder.path + "/file"
    await withTaskGroup { group in
      for writer: UInt8 in [0x31, 0x32] {
        group.addTask {
          for _ in 0..<20 { try? FileAccess.write([UInt8](repeating: writer, count: 10_000), to: path) }
        }
      }
      group.addTask {
        for _ in 0..<200 {
          let bytes = try? FileAccess.read(path, limitBytes: 1 << 20)
          #expect(bytes?.count == 10_000 && Set(bytes ?? []).count == 1, "\(bytes?.count ?? -1) bytes")
        }
      }
    }
    #expect(try folder.names == ["file"])
    // Writers may get in each other's way, but not all the time.
    #expect(try FileAccess.read(path, limitBytes: 1 << 20).first != UInt8(ascii: "0"))
  }

  @Test func aFailedReplacementKeepsTheOldFile() throws {
    let folder = try TemporaryFolder(["file": "old", "full/file": "x"])
    // A folder prevents the rename.
    #expect(throws: FileError.self) { try FileAccess.write([1], to: folder.path + "/full") }
    #expect(throws: FileError.self) { try FileAccess.write([1], to: folder.path + "/none/file") }
    #expect(throws: FileError.self) { try FileAccess.write([1], to: folder.path + "/file/below") }
    #expect(try FileAccess.read(folder.path + "/file", limitBytes: 10) == Array("old".utf8))
    #expect(try FileAccess.read(folder.path + "/full/file", limitBytes: 10) == Array("x".utf8))
    #expect(try folder.names == ["file", "full"])
  }

  /// To Swift, a slash and a combining mark after it are one character, but not to the file system.
  @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"]) func linksMayBeginWithACombiningMark(mark: String)
    throws
  {
    let folder = try TemporaryFolder(["victim": "kept", "out/other": ""])
    try #require(symlink("victim", folder.path + "/out/\(mark)link") == 0)
    try FileAccess.write([1], to: folder.path + "/out/\(mark)link")
    #expect(try FileAccess.read(folder.path + "/victim", limitBytes: 10) == Array("kept".utf8))
    #expect(try FileAccess.read(folder.path + "/out/victim", limitBytes: 10) == [1])
  }

  @Test func leftoversOfAnEarlierRunAreNoObstacle() throws {
    let folder = try TemporaryFolder(["file": "old", "file.tmp-\(getpid())": "left", "file.tmp": "left"])
    try FileAccess.write([1], to: folder.path + "/file")
    #expect(try FileAccess.read(folder.path + "/file", limitBytes: 10) == [1])
  }

  @Test func onlyRegularFilesWithinTheLimitAreRead() throws {
    let folder = try TemporaryFolder(["file": "12345"])
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(try FileAccess.read(folder.path + "/file", limitBytes: 5) == Array("12345".utf8))
    let cases = [
      ("/file", "larger than 4 bytes"), ("/pipe", "not a regular file"), ("/.", "not a regular file"),
      ("/none", "No such file or directory"),
    ]
    for (name, reason) in cases {
      let error = #expect(throws: FileError.self) { try FileAccess.read(folder.path + name, limitBytes: 4) }
      #expect(error?.path == folder.path + name && error?.reason == reason)
      #expect((error?.hint == "make it smaller, or move it away") == (name == "/file"))
      #expect(error?.description == "\(folder.path)\(name): \(reason)")
    }
    #expect(throws: FileError.self) { try FileAccess.read("/dev/zero", limitBytes: 4) }
  }
}
