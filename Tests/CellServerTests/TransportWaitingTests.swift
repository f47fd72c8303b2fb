@testable import CellServer
import Glibc
import Testing

/// Answers that wait for another thread do not use the processor.
@Suite struct TransportWaitingTests {
  private static func turns(_ server: TransportTestServer) -> Int {
    server.sum { statistics in
      (0..<HistogramTable.bucketCount).reduce(0) { $0 + statistics.turnDurations.count(in: $1, of: 0) }
    }
  }

  @Test func waitingWorksArePolledSeldom() throws {
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate))
    let clients = (0..<24).map { _ in server.client }
    for client in clients { client.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n") }
    #expect(server.eventually { $0.sum(\.inFlight) == 24 })
    let (before, busyBefore) = (Self.turns(server), server.sum { $0.turnDurations.sum(of: 0) })
    let start = MonotonicClock.nanoseconds()
    usleep(300_000)
    // A busy machine may keep the worker from its turns.
    #expect(server.eventually { Self.turns($0) >= before + 10 })
    let turns = Self.turns(server) - before
    let milliseconds = (MonotonicClock.nanoseconds() - start) / 1_000_000
    let busy = server.sum { $0.turnDurations.sum(of: 0) } - busyBefore
    #expect(turns <= milliseconds * 4 / 3, "\(turns) turns in \(milliseconds) ms, \(busy) ns")
    gate.open()
    for client in clients { #expect(client.readAnswer()?.text == "work") }
  }

  /// Other requests do not wait for them.
  @Test func othersGoOnAtOnce() throws {
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate))
    let client = server.client
    // A busy machine may stall in one of them.
    func median() -> Int {
      let times = (0..<200).map { _ in
        let start = MonotonicClock.nanoseconds()
        client.send("GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.readAnswer()?.text == "xxx")
        return MonotonicClock.nanoseconds() - start
      }
      return times.sorted()[100]
    }
    let alone = median()
    let waiting = server.client
    waiting.send("GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    let beside = median()
    #expect(beside < max(5_000_000, 4 * alone), "\(beside) ns, alone \(alone) ns")
    // Pipelined requests are read from the connection's memory, and the loop gets no event for them.
    client.send(String(repeating: "GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
    for _ in 0..<100 { #expect(client.readAnswer()?.text == "xxx") }
    gate.open()
    #expect(waiting.readAnswer()?.text == "work")
  }
}
