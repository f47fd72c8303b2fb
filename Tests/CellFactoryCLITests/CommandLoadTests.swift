import Foundation
import Glibc
import Synchronization
import Testing

/// The results of clients while the server is told to stop.
///
/// No request is lost: a request on an accepted connection is answered completely, whether the connection is
/// new or reused. These results are not losses:
/// - a refused connection;
/// - a connection that the kernel accepted while the server closed the queue, reset before the first byte of
///   an answer: the server has never seen it. This is possible for a moment, of microseconds if the server is
///   not interrupted. (`TransportStopTests` shows that connections queued earlier are served);
/// - the end of a used connection before the next request was sent on it, or if more than 0.3 s of silence
///   preceded that request (the server waits half a second for it). The silence is measured from the sending
///   of the last request, because a client that waits for the processor cannot know when its answer left the
///   server.
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
    // Half of the clients reuse a connection as long as possible, the other half use each connection once.
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

  /// Sends requests until nothing listens any more.
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
