@testable import CellServer
import Glibc
import Testing

/// Deadlines that single bytes cannot postpone. A connection is cut up to half a second (one sweep) after its
/// deadline, or later on a busy machine. So each test shortens only the deadline it is about; the others are
/// never reached.
@Suite struct TransportDeadlineTests {
  /// Connects, sends `start`, then one byte every 50 ms until the server closes the connection. Returns the
  /// seconds until then; `nil` if it never does.
  static func secondsUntilCut(_ server: TransportTestServer, _ start: String) -> Double? {
    let begun = MonotonicSeconds.now
    let client = server.client
    client.send(start)
    while client.send("A") {
      if MonotonicSeconds.now - begun > Patience.seconds { return nil }
      usleep(50_000)
    }
    return MonotonicSeconds.now - begun
  }

  @Test func aSlowHeadIsCut() throws {
    let server = try TransportTestServer { $0.headSeconds = 1 }
    let seconds = Self.secondsUntilCut(server, "GET /x HTTP/1.1\r\nHost: a\r\nX-A: ")
    #expect(try #require(seconds) > 0.8)
    #expect(server.eventually { $0.isIdle && $0.sum(\.cuts) == 1 })
  }

  @Test func aSlowRequestLineIsCut() throws {
    let server = try TransportTestServer { $0.headSeconds = 1 }
    #expect(try #require(Self.secondsUntilCut(server, "GET /")) > 0.8)
    #expect(server.eventually(\.isIdle))
  }

  @Test func aConnectionThatSaysNothingIsCut() throws {
    let server = try TransportTestServer { $0.headSeconds = 0.4 }
    let client = server.client
    #expect(client.isEnded())
    #expect(server.eventually { $0.sum(\.cuts) == 1 })
  }

  @Test func aSlowBodyIsCutAndReleasesItsMemory() throws {
    let server = try TransportTestServer { $0.bodySeconds = 3 }
    let client = server.client
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n")
    #expect(server.eventually { $0.sum(\.heldBytes) == 5000 })
    let request = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"
    #expect(try #require(Self.secondsUntilCut(server, request)) > 2.5)
    #expect(client.isEnded())
    #expect(server.eventually(\.isIdle))
  }

  @Test func anIdleConnectionIsCut() throws {
    let server = try TransportTestServer { $0.idleSeconds = 0.8 }
    let client = server.client
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer()?.status == 200)
    #expect(client.isEnded())
    #expect(server.eventually(\.isIdle))
  }

  /// More connections than one sweep checks, all idle: activity on others is noticed at once, and the idle
  /// ones are noticed eventually.
  @Test func manyIdleConnectionsHideNothing() throws {
    let server = try TransportTestServer {
      $0.headSeconds = 1
      $0.idleSeconds = 6
    }
    let idle = (0..<200).map { _ in server.client }
    for client in idle {
      client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.status == 200)
    }
    // Long enough for the sweeps to find them idle.
    usleep(1_200_000)
    // A request and the end of the connection at once: the library is notified of the request only.
    let ended = server.client
    ended.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    ended.finishSending()
    #expect(ended.readAnswer()?.status == 200)
    idle[100].send("GET /")
    #expect(try #require(Self.secondsUntilCut(server, "GET /")) > 0.8)
    #expect(server.eventually { $0.sum(\.connections) <= idle.count })
    #expect(idle.allSatisfy { $0.isEnded() })
    #expect(server.eventually(\.isIdle))
  }

  /// Together they take longer than one deadline for the whole connection would allow.
  @Test func aSecondRequestHasTimeOfItsOwn() throws {
    let server = try TransportTestServer {
      $0.headSeconds = 3
      $0.bodySeconds = 3
    }
    let client = server.client
    for _ in 0..<5 {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
      usleep(800_000)
      client.send("a")
      #expect(client.readAnswer()?.text == "a")
    }
  }

  @Test func aClientThatDoesNotReadIsCutAndReleased() throws {
    let server = try TransportTestServer { $0.writeSeconds = 1 }
    let begun = MonotonicSeconds.now
    let clients = (0..<3).map { _ in server.client }
    clients[0].send("GET /fill?20000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    // Pipelined requests whose answers are never read.
    for client in clients.dropFirst() {
      client.send(String(repeating: "GET /fill?1000000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 30))
    }
    #expect(server.eventually { $0.sum(\.heldBytes) > 20_000_000 })
    #expect(server.eventually(\.isIdle))
    #expect(server.sum { $0.cuts(at: .write) } == 3 && MonotonicSeconds.now - begun > 0.8)
    withExtendedLifetime(clients) {}
  }

  /// The whole answer is in the socket, and the request has ended.
  @Test func aClientThatDoesNotReadIsCut() throws {
    let server = try TransportTestServer { $0.writeSeconds = 1 }
    let client = server.client
    client.receiveLittle()
    client.send("GET /fill?300000 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.requests) == 1 })
    #expect(server.eventually(\.isIdle))
    #expect(server.sum { $0.cuts(at: .write) } == 1)
    withExtendedLifetime(client) {}
  }

  /// The client reads slowly but fast enough, for longer than the deadline.
  @Test func aSlowReaderIsNotCut() throws {
    let server = try TransportTestServer { $0.writeSeconds = 2 }
    let client = server.client
    client.send("GET /fill?40000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    var count = 0
    for _ in 0..<30 {
      count += 1_000_000
      #expect(client.awaitBytes(count))
      usleep(100_000)
    }
    #expect(server.sum(\.cuts) == 0)
    #expect(client.readAnswer()?.body.count == 40_000_000)
  }

  @Test func aLongAnswerIsNotCut() throws {
    let server = try TransportTestServer {
      ($0.headSeconds, $0.bodySeconds, $0.idleSeconds) = (2, 2, 2)
    }
    let client = server.client
    client.send("GET /slow?4000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer()?.text == "slow")
  }

  /// The gate stays closed, so the work would never end.
  @Test(arguments: ["", "GET /echo HTTP/1.1\r\n"])
  func theWorkForAClientThatIsGoneEnds(sentBefore rest: String) throws {
    let server = try TransportTestServer(handler: TransportTestHandler(gate: Gate()))
    var client: TransportTestClient? = server.client
    client?.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n" + rest)
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    client = nil
    #expect(server.eventually(\.isIdle))
    #expect(server.sum { $0.value(.abortedRequests) } == 1)
  }

  /// One sweep is not enough to take the end of what a client sends for the end of the client.
  @Test func aClientThatHasNothingMoreToSendGetsItsAnswer() throws {
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate))
    let client = server.client
    client.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    client.finishSending()
    usleep(100_000)
    gate.open()
    #expect(client.readAnswer()?.text == "work")
  }

  /// A long head is counted from its first line on, and forgotten with its request. Without room for it, the request is refused.
  @Test func longHeadsAreCounted() throws {
    let server = try TransportTestServer { $0.inFlightLimitBytes = 30_000 }
    let long = String(repeating: "x", count: 16_000)
    let (first, second) = (server.client, server.client)
    first.send("GET /echo?\(long) HTTP/1.1\r\n")
    #expect(server.eventually { $0.sum(\.heldBytes) >= long.utf8.count })
    second.send("GET /echo?\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(second.readAnswer()?.status == 503)
    second.send("GET /echo HTTP/1.1\r\nHost: a\r\nAccept: text/\(long)\r\n\r\n")
    #expect(second.readAnswer()?.status == 503)
    first.send("Host: a\r\n\r\n")
    #expect(first.readAnswer()?.status == 200)
    #expect(server.eventually { $0.sum(\.heldBytes) == 0 })
    second.send("GET /echo?\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(second.readAnswer()?.status == 200)
    #expect(server.eventually { $0.sum(\.heldBytes) == 0 })
    withExtendedLifetime((first, second)) {}
  }

}
