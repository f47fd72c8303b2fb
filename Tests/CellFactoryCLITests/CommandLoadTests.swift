import Foundation
import Glibc
import Synchronization
import Testing

/// What clients saw while the server was told to stop.
///
/// No request is lost: a request on a connection that the server has accepted is answered in full, whether
/// the connection is new or was used before. What a client cannot hold against the server:
/// - a connection that is refused;
/// - a connection that the kernel took while the server closed the queue, and that is reset before a byte
///   came back:
///   the server has never seen it. There is a moment for that, of microseconds where the server is not
///   interrupted in it. (That what waits in the queue before is served, `TransportStopTests` shows);
/// - the end of a used connection before the next request was sent on it, or for which there was more than
///   0.3 s of silence before (the server waits half a second for it). It begins where the last request was
///   sent: when its answer left the server, a client that waits for the processor cannot know.
private final class Observations: Sendable {
  let isStopping = Atomic<Bool>(false)
  let answered = Atomic<Int>(0)
  let lost = Mutex<[String]>([])

  func count() { answered.add(1, ordering: .relaxed) }

  func lose(_ what: String) { lost.withLock { $0.append(what) } }
}

@Suite struct CommandLoadTests {
  static let request = ServeProcess.request(
    "/cells/news", "[{\"title\":\"a\",\"tags\":[\"x\",\"y\"]},{\"title\":\"b & c\"}]")

  @Test(arguments: [SIGTERM, SIGINT])
  func underLoadNoRequestIsLost(_ signal: Int32) throws {
    let server = try ServeProcess("--workers", "2", "--drain-seconds", "60")
    let expected = try server.ask(Self.request).text
    #expect(expected.contains("b &amp; c"))
    let seen = Observations()
    let group = DispatchGroup()
    let port = server.port
    // Half of them use a connection as long as they may, half of them once.
    for number in 0..<6 {
      group.enter()
      let thread = Thread {
        Self.load(port: port, reuses: number % 2 == 0, expecting: expected, seen)
        group.leave()
      }
      thread.start()
    }
    let end = Clock.seconds + CommandProcess.patience
    while seen.answered.load(ordering: .relaxed) <= 100, Clock.seconds < end { usleep(1000) }
    #expect(seen.answered.load(ordering: .relaxed) > 100)
    seen.isStopping.store(true, ordering: .releasing)
    server.process.send(signal)
    #expect(group.wait(timeout: .now() + 2 * CommandProcess.patience) == .success)
    #expect(server.process.wait() == 0)
    #expect(seen.lost.withLock { $0 } == [])
  }

  /// Asks until nobody listens any more.
  private static func load(port: Int, reuses: Bool, expecting expected: String, _ seen: Observations) {
    let end = Clock.seconds + 1.5 * CommandProcess.patience
    while Clock.seconds < end, let connection = HTTPConnection(port: port) {
      var isFirst = true
      var isOpen = true
      var lastSent = Clock.seconds
      while isOpen, Clock.seconds < end {
        if !isFirst, connection.hasEnded || Clock.seconds - lastSent > 0.3 { break }
        let start = Clock.seconds
        connection.send(request)
        let silence = Clock.seconds - lastSent
        switch connection.read() {
        case .answer(let answer) where answer.status == 200 && answer.text == expected:
          seen.count()
          isOpen = reuses && answer["Connection"] != "close"
        case .answer(let answer):
          seen.lose("answered with \(answer.status): \(answer.text)")
          return
        case .reset where isFirst && seen.isStopping.load(ordering: .acquiring):
          isOpen = false
        case .closed where !isFirst && silence > 0.3, .reset where !isFirst && silence > 0.3:
          isOpen = false
        case let reply:
          seen.lose("\(reply) on a \(isFirst ? "new" : "used") connection")
          return
        }
        isFirst = false
        lastSent = start
      }
    }
    if Clock.seconds >= end { seen.lose("it still listens") }
  }
}
