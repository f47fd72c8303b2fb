import Testing

@testable import CellServer

/// Bodies in so many pieces that the rest of them waits for later turns.
@Suite struct HeldBodiesTests {
  private static func connection(_ number: Int) -> ClientConnection {
    let budget = MemoryBudget(limitBytes: 1 << 20)
    return ClientConnection(
      descriptor: -1, handle: OpaquePointer(bitPattern: number)!,
      exchange: Exchange(
        settings: ServerSettings(), budget: budget, pool: BufferPool(budget: budget, compression: nil)),
      state: .body(ConnectionState.Body(until: 1000)))
  }

  @Test func aTurnReceivesSoManyPieces() {
    let bodies = HeldBodies()
    let (one, other) = (Self.connection(1), Self.connection(2))
    func admitted() -> Int {
      (0..<2 * HeldBodies.piecesEachTurn).count { bodies.admitsPiece(of: $0 % 2 == 0 ? one : other) }
    }
    #expect(admitted() == HeldBodies.piecesEachTurn)
    #expect(!bodies.admitsPiece(of: one) && !bodies.admitsPiece(of: other))
    bodies.turnBegins()
    #expect(admitted() == HeldBodies.piecesEachTurn)
    #expect(bodies.isEmpty)
  }

  private static let chunked = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func sender(of text: String, by client: TransportTestClient) -> TestThread {
    nonisolated(unsafe) let client = client
    return TestThread { client.send(text) }
  }

  /// Whoever sends much in chunks of one byte gets its answer, and others get theirs meanwhile.
  @Test func bodiesInTinyChunksArriveWhole() throws {
    let server = try TransportTestServer()
    let count = 12_000
    let other = server.client
    let clients = (0..<40).map { _ in server.client }
    let senders = clients.enumerated().map { number, client in
      let body = String(repeating: "1\n\(number % 10)\n", count: count) + "0\r\n\r\n"
      return Self.sender(of: Self.chunked + body, by: client)
    }
    for _ in 0..<20 {
      other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
      #expect(other.readAnswer()?.text == "hello")
    }
    for (number, client) in clients.enumerated() {
      #expect(client.readAnswer()?.text == String(repeating: "\(number % 10)", count: count))
    }
    for sender in senders { sender.join() }
    #expect(server.eventually { $0.sum(\.inFlight) == 0 && $0.sum(\.heldBytes) == 0 })
  }

  /// Clients that leave, and a stop, end connections that are left alone.
  @Test(arguments: [false, true]) func connectionsLeftAloneEnd(byStop: Bool) throws {
    let server = try TransportTestServer { $0.drainSeconds = 1 }
    let body = Self.chunked + String(repeating: "1\na\n", count: 100_000)
    var clients = (0..<40).map { _ in server.client }
    let senders = clients.map { Self.sender(of: body, by: $0) }
    #expect(server.eventually { $0.sum(\.inFlight) == 40 })
    if byStop {
      server.server.stop()
      server.server.wait()
      for sender in senders { sender.join() }
      #expect(server.isIdle)
    } else {
      for client in clients { client.finishSending() }
      for sender in senders { sender.join() }
      clients = []
      #expect(server.eventually(\.isIdle))
    }
  }
}
