@testable import CellServer
import Glibc
import Testing

/// More requests than a worker can process or hold: which are refused, and how.
@Suite struct TransportOverloadTests {
  /// A server whose only worker is blocked for longer than requests may wait; `held` is the client that
  /// blocks it.
  private static func busyServer(
    _ gate: Gate, queueSeconds: Double
  ) throws -> (server: TransportTestServer, held: TransportTestClient) {
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate)) {
      $0.queueSeconds = queueSeconds
    }
    let held = server.client
    held.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    return (server, held)
  }

  /// Each takes 60 ms, so few of them get their turn within 100 ms.
  static let requests = [
    "GET /slow?60000 HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /slow?60000 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
    "POST /slow?60000 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "POST /slow?60000 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
      + String(repeating: "a", count: 100_000),
  ]

  @Test(arguments: requests) func aLateRequestIsRefusedAndKeepsTheConnection(request: String) throws {
    let gate = Gate()
    let (server, held) = try Self.busyServer(gate, queueSeconds: 0.1)
    let clients = (0..<12).map { _ in server.client }
    for client in clients { client.send(request) }
    usleep(300_000)
    gate.open()
    #expect(held.readAnswer()?.text == "gate")
    let answers = clients.map { $0.readAnswer() }
    let refused = answers.filter { $0?.status == 503 }
    #expect(!refused.isEmpty && refused.count < clients.count, "\(refused.count)")
    #expect(server.sum { $0.refusals(for: .queue) } == refused.count)
    for answer in answers where answer?.status != 503 { #expect(answer?.text == "slow") }
    // The connection is closed after every chunked body.
    let isChunked = request.contains("chunked")
    for answer in refused {
      #expect(answer?["Retry-After"] == "1" && answer?["Connection"] == (isChunked ? "close" : nil))
      #expect(answer?.text.contains("urn:cellfactory:overloaded") == true)
    }
    if isChunked { return }
    // Until the server has caught up, it may refuse them again.
    for client in clients {
      #expect(
        Patience.awaits {
          client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
          return client.readAnswer()?.text == "ok"
        })
    }
    #expect(server.eventually { $0.sum(\.inFlight) == 0 && $0.sum(\.heldBytes) == 0 })
  }

  /// More than the daemon takes in one run. Those that it has not taken yet have waited too.
  @Test func aCrowdThatHasNotBeenReadIsLateToo() throws {
    let gate = Gate()
    let (server, held) = try Self.busyServer(gate, queueSeconds: 0.1)
    let clients = (0..<4 * Daemon.readyEachRun).map { _ in server.client }
    for client in clients { client.send("GET /slow?20000 HTTP/1.1\r\nHost: a\r\n\r\n") }
    usleep(300_000)
    gate.open()
    #expect(held.readAnswer()?.text == "gate")
    let answers = clients.map { $0.readAnswer()?.status }
    #expect(answers.allSatisfy { $0 == 200 || $0 == 503 })
    #expect(answers.count { $0 == 503 } > 2 * Daemon.readyEachRun)
    #expect(server.sum { $0.refusals(for: .queue) } == answers.count { $0 == 503 })
  }

  /// The heads of large bodies do not wait behind requests that take long, so a burst does not make them late.
  @Test func aBurstKeepsNoLargeBodyOut() throws {
    let gate = Gate()
    let (server, held) = try Self.busyServer(gate, queueSeconds: 0.1)
    let clients = (0..<12).map { _ in server.client }
    // The last clients send last, and only their heads.
    for client in clients.dropLast(4) { client.send(Self.requests[0]) }
    for client in clients.suffix(4) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
    }
    usleep(300_000)
    gate.open()
    #expect(held.readAnswer()?.text == "gate")
    for client in clients.suffix(4) {
      client.send([UInt8](repeating: 65, count: 1_000_000))
      let answer = client.readAnswer()
      #expect(answer?.status == 200 && answer?.body.count == 1_000_000)
    }
  }

  @Test(arguments: ["/livez", "/readyz", "/metrics"]) func operationalRequestsAreNeverRefused(path: String)
    throws
  {
    let gate = Gate()
    let (server, held) = try Self.busyServer(gate, queueSeconds: 0.1)
    let clients = (0..<6).map { _ in server.client }
    for client in clients { client.send(Self.requests[0]) }
    let last = server.client
    last.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    usleep(300_000)
    gate.open()
    #expect(held.readAnswer()?.text == "gate")
    #expect(last.readAnswer()?.status == 200)
    #expect(clients.last?.readAnswer()?.status == 503)
  }

  @Test func withoutABoundRequestsWaitHoweverLong() throws {
    let gate = Gate()
    let (server, held) = try Self.busyServer(gate, queueSeconds: 0)
    let clients = (0..<6).map { _ in server.client }
    for client in clients { client.send(Self.requests[0]) }
    usleep(300_000)
    gate.open()
    #expect(held.readAnswer()?.text == "gate")
    for client in clients { #expect(client.readAnswer()?.text == "slow") }
  }

  @Test func answersThatTakeLongAreMadeForSoManyAtOnce() throws {
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate)) {
      $0.inFlightRequests = 2
    }
    let clients = (0..<2).map { _ in server.client }
    for client in clients { client.send("POST /work HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]") }
    #expect(server.eventually { $0.sum(\.inFlight) == 2 })
    let third = server.client
    for _ in 0..<3 {
      third.send("POST /work HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]")
      let refused = third.readAnswer()
      #expect(refused?.status == 503 && refused?["Retry-After"] == "1" && refused?["Connection"] == nil)
    }
    third.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
    #expect(third.readAnswer()?.text == "ok", "what is soon done is served")
    #expect(server.sum { $0.refusals(for: .inFlight) } == 3)
    gate.open()
    for client in clients { #expect(client.readAnswer()?.text == "work") }
    third.send("POST /work HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]")
    #expect(third.readAnswer()?.text == "work")
    #expect(server.eventually { $0.sum(\.inFlight) == 0 && $0.sum(\.heldBytes) == 0 })
  }

  /// A client that announces much and sends little holds little memory.
  @Test func unsentBodiesDoNotBlockOthers() throws {
    let server = try TransportTestServer { $0.inFlightLimitBytes = 1 << 20 }
    let slow = (0..<20).map { _ in server.client }
    for client in slow { client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\nabc") }
    #expect(server.eventually { $0.sum(\.inFlight) == 20 })
    for count in [3, 200_000] {
      let client = server.client
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
          + String(repeating: "a", count: count))
      #expect(client.readAnswer()?.body.count == count)
    }
    withExtendedLifetime(slow) {}
  }

  /// The connections that have been idle longest make room for others; connections in the middle of a request
  /// do not.
  @Test func atTheLimitIdleConnectionsMakeRoom() throws {
    let server = try TransportTestServer { $0.connections = 4 }
    let busy = server.client
    busy.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\no")
    let silent = server.client
    #expect(server.eventually { $0.sum(\.connections) == 2 })
    usleep(200_000)
    let idle = (0..<2).map { _ in server.client }
    for client in idle {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
      #expect(client.readAnswer()?.text == "ok")
    }
    let new = server.client
    new.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nnew")
    #expect(new.readAnswer()?.text == "new")
    #expect(silent.isEnded(), "it has been idle longest")
    #expect(server.sum(\.connections) == 4 && server.sum { $0.cuts(at: .room) } == 1)
    busy.send("k")
    #expect(busy.readAnswer()?.text == "ok")
    withExtendedLifetime(idle) {}
  }

  /// A place that becomes free is used at once, and not only in the next sweep.
  @Test(arguments: [1, 2]) func freePlacesAreUsedAtOnce(workers: Int) throws {
    let server = try TransportTestServer { ($0.connections, $0.workers) = (3, workers) }
    // In the middle of their heads, so that they make no room.
    let held = (0..<2).map { _ in server.client }
    for client in held { client.send("POST /echo HTTP/1.1\r\nHost: a\r\nX: ") }
    #expect(server.eventually { $0.sum(\.connections) == 2 })
    let start = MonotonicSeconds.now
    for _ in 0..<20 {
      // Both are waiting for the last place.
      let clients = [server.client, server.client]
      for client in clients {
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
      }
      for client in clients { #expect(client.readAnswer()?.text == "ok") }
    }
    #expect(MonotonicSeconds.now - start < 20 * Double(Sweeper.milliseconds) / 1000 / 2)
    withExtendedLifetime(held) {}
  }

  /// A connection that waits alone is accepted as soon as a place becomes free, by whichever worker has it.
  @Test(arguments: [1, 4, 8]) func aFreePlaceOfAnyWorkerIsUsedAtOnce(workers: Int) throws {
    let server = try TransportTestServer { ($0.connections, $0.workers) = (workers, workers) }
    var held: [TransportTestClient] = []
    var waits: [Double] = []
    for number in 0..<12 {
      while held.count < workers {
        held.append(server.client)
        held.last?.send("POST /echo HTTP/1.1\r\nHost: a\r\nX: ")
        #expect(server.eventually { $0.sum(\.connections) == held.count })
      }
      let client = server.client
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
      // Time for the worker that is woken to find no room, or for a part of a sweep.
      usleep(UInt32(60_000 + number * 20_000))
      let start = MonotonicSeconds.now
      _ = held.remove(at: (number * 5) % workers)
      #expect(client.readAnswer()?.text == "ok")
      waits.append(MonotonicSeconds.now - start)
      #expect(server.eventually { $0.sum(\.connections) == held.count })
    }
    // Without, most of them wait for the next sweep: half a sweep's time on average.
    #expect(waits.sorted()[8] < Double(Sweeper.milliseconds) / 1000 / 10, "\(waits)")
  }

  /// For every worker that is woken, and every worker that has the idle connections.
  @Test(arguments: [2, 4], [0, 1])
  func idleConnectionsOfAnyWorkerMakeRoom(workers: Int, idleWorker: Int) throws {
    let server = try TransportTestServer { ($0.connections, $0.workers) = (8, workers) }
    func counts() -> [Int] { server.server.statistics.map(\.connections) }
    var clients: [TransportTestClient] = []
    var idle = 0
    for number in 0..<8 {
      let before = counts()
      let client = server.client
      #expect(server.eventually { $0.sum(\.connections) == number + 1 })
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\no")
      if counts()[idleWorker] > before[idleWorker] {
        client.send("k")
        #expect(client.readAnswer()?.text == "ok")
        idle += 1
      }
      clients.append(client)
    }
    #expect(idle > 0 && server.eventually { $0.sum(\.inFlight) == 8 - idle })
    let new = server.client
    new.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nnew")
    #expect(new.readAnswer()?.text == "new")
    // Two workers may make room at the same time.
    #expect((1...workers).contains(server.sum { $0.cuts(at: .room) }))
    withExtendedLifetime(clients) {}
  }
}
