@testable import CellServer
import Glibc
import Testing

@Suite struct MetricsTurnTests {
  /// The time that a client waits for a busy worker counts towards its latency.
  @Test func latencyBeginsWhenARequestCouldBeRead() throws {
    let records = Records()
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate)) {
      $0.onRequest = { records.add($0) }
      $0.queueSeconds = 0
    }
    let busy = server.client
    let waiting = server.client
    // Both requests arrive before the worker is busy.
    for client in [busy, waiting] {
      client.send("GET /fill?1 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.status == 200)
    }
    busy.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    waiting.send("GET /fill?2 HTTP/1.1\r\nHost: a\r\n\r\n")
    let start = MonotonicSeconds.now
    usleep(300_000)
    let statistics = server.server.statistics[0]
    #expect(statistics.longestTurnNanoseconds() > 200_000_000, "the turn that is going on counts")
    let waited = MonotonicSeconds.now - start
    gate.open()
    #expect(waiting.readAnswer()?.status == 200)
    let microseconds = records.all.last?.microseconds ?? 0
    #expect(Double(microseconds) > (waited - 0.05) * 1e6, "\(microseconds)")
    #expect(Double(microseconds) < (MonotonicSeconds.now - start + 0.05) * 1e6, "\(microseconds)")
    #expect(statistics.longestTurnNanoseconds() > 200_000_000)
    // A later request has not waited.
    for _ in 0..<3 {
      waiting.send("GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(waiting.readAnswer()?.status == 200)
    }
    #expect((records.all.last?.microseconds ?? .max) < 200_000)
  }

  @Test func aMaximumIsForgottenAfterTwoWindows() {
    let second = 1_000_000_000
    let maximum = RecentMaximum()
    #expect(maximum.value(at: 5 * second) == 0)
    maximum.observe(7, at: 100 * second)
    maximum.observe(5, at: 101 * second)
    #expect(maximum.value(at: 101 * second) == 7)
    #expect(maximum.value(at: 170 * second) == 7, "nothing has come since")
    maximum.observe(3, at: 170 * second)
    #expect(maximum.value(at: 171 * second) == 7)
    maximum.observe(4, at: 231 * second)
    #expect(maximum.value(at: 232 * second) == 4)
    #expect(maximum.value(at: 292 * second) == 4)
    #expect(maximum.value(at: 352 * second) == 0)
    maximum.observe(1, at: 500 * second)
    #expect(maximum.value(at: 500 * second) == 1)
  }
}
