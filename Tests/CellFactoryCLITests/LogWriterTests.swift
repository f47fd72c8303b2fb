import CellServer
import Glibc
import Testing

@testable import CellFactoryCLI

/// Lines are written whole and in order, and all of them are accounted for, however slowly they are read.
@Suite struct LogWriterTests {
  /// Bytes written to one end are read at the other; closed in `deinit`.
  private final class Pipe {
    private(set) var reader: Int32
    let writer: Int32

    init(isBlocking: Bool = true) {
      var ends: [Int32] = [0, 0]
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      precondition(socketpair(AF_UNIX, type, 0, &ends) == 0, "no pair of sockets")
      (reader, writer) = (ends[0], ends[1])
      if !isBlocking { _ = fcntl(writer, F_SETFL, O_NONBLOCK) }
    }

    deinit {
      closeReader()
      close(writer)
    }

    func closeReader() {
      if reader >= 0 { close(reader) }
      reader = -1
    }

    /// Reads lines until nothing has arrived for this long.
    func lines(silenceMilliseconds: Int32 = 300) -> [Substring] {
      var text: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 64 << 10)
      var waited = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      while poll(&waited, 1, silenceMilliseconds) > 0 {
        let count = read(reader, &piece, piece.count)
        if count <= 0 { break }
        text += piece.prefix(count)
      }
      #expect(text.isEmpty || text.last == UInt8(ascii: "\n"), "a line is cut")
      return String(decoding: text, as: UTF8.self).split(separator: "\n")
    }
  }

  private static func append(_ text: String, to writer: LogWriter, isRoutine: Bool = true) {
    Array((text + "\n").utf8).withUnsafeBytes { writer.append($0, isRoutine: isRoutine) }
  }

  @Test(arguments: [true, false]) func allLinesComeInOrder(isBlocking: Bool) throws {
    let pipe = Pipe(isBlocking: isBlocking)
    let writer = try LogWriter(descriptor: pipe.writer, format: .text, on: ThreadQueue(named: "log"))
    for number in 0..<20_000 { Self.append("line \(number)", to: writer) }
    #expect(pipe.lines() == (0..<20_000).map { "line \($0)" })
    #expect(writer.droppedLines == 0)
  }

  @Test(arguments: [true, false]) func unreadLinesAreBoundedAndCounted(isBlocking: Bool) throws {
    let pipe = Pipe(isBlocking: isBlocking)
    let writer = try LogWriter(descriptor: pipe.writer, format: .json, on: ThreadQueue(named: "log"))
    let filling = String(repeating: "x", count: 3990)
    for number in 0..<2500 { Self.append("\(number) \(filling)", to: writer) }
    // Routine lines cannot displace others.
    Self.append("important", to: writer, isRoutine: false)
    #expect(writer.droppedLines > 0)
    let lines = pipe.lines()
    let numbers = lines.compactMap { line in line.split(separator: " ").first.flatMap { Int($0) } }
    #expect(numbers == numbers.sorted())
    #expect(numbers.count + writer.droppedLines == 2500)
    #expect(numbers.count < 2 * LogWriter.limitBytes / 3990 + 250)
    #expect(lines.count { $0 == "important" } == 1)
    let told = lines.filter { $0.hasPrefix("{") }.compactMap { line in
      line.firstMatch(of: #/"log lines were dropped.*","lines":(\d+)}$/#).flatMap { Int($0.1) }
    }
    #expect(told.reduce(0, +) == writer.droppedLines)
    // It continues normally.
    Self.append("more", to: writer)
    #expect(pipe.lines() == ["more"])
  }

  @Test func aClosedReaderIsNoHindrance() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    pipe.closeReader()
    let writer = try LogWriter(descriptor: pipe.writer, format: .text, on: ThreadQueue(named: "log"))
    for number in 0..<1000 { Self.append("line \(number)", to: writer) }
    let start = ContinuousClock.now
    writer.flush(seconds: 30)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func aFlushDoesNotWaitForAReaderThatStalls() throws {
    let pipe = Pipe()
    let writer = try LogWriter(descriptor: pipe.writer, format: .text, on: ThreadQueue(named: "log"))
    for _ in 0..<1000 { Self.append(String(repeating: "x", count: 1000), to: writer) }
    let start = ContinuousClock.now
    writer.flush(seconds: 0.2)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(pipe.lines().count == 1000)
  }
}
