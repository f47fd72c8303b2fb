import CellServer
import Testing

/// Exchanges with a live server, byte by byte.
@Suite struct TransportServerTests {
  static let post = "POST /echo HTTP/1.1\r\nHost: a\r\n"

  @Test func keepsAConnectionAndAnswersPipelinedRequestsInOrder() throws {
    let server = try TransportTestServer()
    let client = server.client
    var text = ""
    for number in 0..<100 {
      let body = "number \(number)"
      text += "\(Self.post)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    client.send(text)
    for number in 0..<100 {
      let answer = client.readAnswer()
      #expect(answer?.text == "number \(number)")
      #expect(answer?["Connection"] == nil)
    }
    withExtendedLifetime(client) { #expect(server.sum(\.connections) == 1) }
    #expect(server.sum(\.requests) == 100)
  }

  @Test func takesARequestByteByByte() throws {
    let server = try TransportTestServer()
    let client = server.client
    for _ in 0..<2 {
      for byte in "\(Self.post)Content-Length: 5\r\n\r\nhello".utf8 { client.send([byte]) }
      #expect(client.readAnswer()?.text == "hello")
    }
    for byte in "\(Self.post)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n".utf8 {
      client.send([byte])
    }
    #expect(client.readAnswer()?.text == "abcde")
  }

  @Test(arguments: [0, 1, 1000, 40_000, 300_000, 2_000_000], [true, false])
  func bodiesOfAllSizesComeBack(count: Int, isChunked: Bool) throws {
    let server = try TransportTestServer { $0.bodyLimitBytes = 2_000_000 }
    var client = server.client
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for _ in 0..<2 {
      if isChunked {
        client = server.client
        client.send("\(Self.post)Transfer-Encoding: chunked\r\n\r\n")
        var start = 0
        while start < count {
          let end = min(start + 70_001, count)
          client.send(
            Array((String(end - start, radix: 16) + "\r\n").utf8) + body[start..<end] + Array("\r\n".utf8))
          start = end
        }
        client.send("0\r\n\r\n")
      } else {
        client.send("\(Self.post)Content-Length: \(count)\r\n\r\n")
        client.send(body)
      }
      #expect(client.readAnswer()?.body == body)
    }
    #expect(server.eventually { $0.sum(\.heldBytes) == 0 })
  }

  @Test(arguments: [1, 5000, 300_000, 20_000_000]) func answersOfAllSizesArrive(count: Int) throws {
    let server = try TransportTestServer()
    let client = server.client
    for _ in 0..<2 {
      client.send("GET /fill?\(count) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.body.count == count)
    }
    #expect(server.eventually { $0.sum(\.heldBytes) == 0 })
  }

  @Test func headHasTheLengthAndNoBody() throws {
    let server = try TransportTestServer()
    let client = server.client
    client.send("HEAD /fill?1234 HTTP/1.1\r\nHost: a\r\n\r\nGET /fill?5 HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = client.readAnswer(toHead: true)
    #expect(head?["Content-Length"] == "1234")
    #expect(head?["Content-Type"] == "text/plain")
    #expect(client.readAnswer()?.text == "xxxxx")
  }

  /// Libmicrohttpd would end the chunks of the body that HEAD does not have.
  @Test func headOfAStreamHasNoBody() throws {
    let server = try TransportTestServer()
    let whole = server.client
    whole.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(whole.readAnswer()?.text == "streamed")
    let client = server.client
    client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer(toHead: true)?.status == 200)
    #expect(client.isEnded(), "something follows the head")
  }

  @Test(arguments: [("/unchanged", 304, "9"), ("/nothing", 204, nil)])
  func answersWithoutABodyKeepTheConnection(path: String, status: Int, length: String?) async throws {
    let server = try TransportTestServer()
    let client = server.client
    for _ in 0..<2 {
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = client.readAnswer()
      #expect(answer?.status == status)
      #expect(answer?["Content-Type"] == nil)
      #expect(answer?["X-Request-Id"] != nil)
      #expect(answer?["Content-Length"] == length)
    }
    let inside = try await inProcessServer().respond(to: InProcessRequest("GET", path))
    #expect(inside.status == status)
    #expect(inside.body.isEmpty && inside["Content-Length"] == length)
  }

  @Test func theTwoServersSendTheSameHeaders() async throws {
    let live = try TransportTestServer()
    let inside = try inProcessServer()
    for path in ["/echo", "/problem", "/unchanged", "/nothing"] {
      let client = live.client
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nX-Request-Id: one\r\n\r\n")
      let answer = client.readAnswer()
      let request = InProcessRequest("GET", path, headers: [("X-Request-Id", "one")])
      let other = await inside.respond(to: request)
      let names = answer?.headers.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
      #expect(names == other.headers.map { "\($0.name): \($0.value)" }, "\(path)")
    }
  }

  @Test func continuesWhenAskedTo() throws {
    let server = try TransportTestServer { $0.bodyLimitBytes = 100 }
    let client = server.client
    client.send("\(Self.post)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(client.readOneAnswer()?.status == 100)
    client.send("ab")
    #expect(client.readAnswer()?.text == "ab")

    client.send("\(Self.post)Expect: 100-continue\r\nContent-Length: 101\r\n\r\n")
    let refused = client.readOneAnswer()
    #expect(refused?.status == 413)
    #expect(refused?["Connection"] == "close")
    #expect(client.isEnded())
  }

  @Test func http10ClosesUnlessAskedToKeep() throws {
    let server = try TransportTestServer()
    let client = server.client
    client.send("GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(client.readAnswer()?.status == 200)
    client.send("GET /echo HTTP/1.0\r\n\r\n")
    #expect(client.readAnswer()?.status == 200)
    #expect(client.isEnded())
  }

  /// The server continues to read for two seconds; slower clients get no guarantee.
  @Test func aRefusedUploadIsReadToItsEndSoThatTheAnswerArrives() throws {
    let server = try TransportTestServer { $0.bodyLimitBytes = 1000 }
    let upload = [UInt8](repeating: 65, count: 4_000_000)
    var judged = 0
    for _ in 0..<20 where judged < 5 {
      let start = MonotonicSeconds.now
      let client = server.client
      client.send("\(Self.post)Content-Length: 4000000\r\n\r\n")
      let isTaken = client.send(upload)
      let status = client.readAnswer()?.status
      let isEnded = client.isEnded()
      if MonotonicSeconds.now - start > 1.5 { continue }
      judged += 1
      #expect(isTaken && status == 413 && isEnded && !client.wasReset)
    }
    #expect(judged > 0)
    #expect(server.eventually(\.isIdle))
  }

  @Test func aChunkedBodyOverTheLimitIsAnsweredAtItsEnd() async throws {
    let server = try TransportTestServer { $0.bodyLimitBytes = 1000 }
    for (count, status) in [(1000, 200), (1001, 413), (500_000, 413)] {
      let client = server.client
      let chunk = String(count, radix: 16) + "\r\n" + String(repeating: "a", count: count) + "\r\n0\r\n\r\n"
      client.send("\(Self.post)Transfer-Encoding: chunked\r\n\r\n\(chunk)")
      let answer = client.readAnswer()
      #expect(answer?.status == status)
      #expect(answer?["Connection"] == "close")
    }
    #expect(server.eventually(\.isIdle))

    let inside = try inProcessServer { $0.bodyLimitBytes = 1000 }
    for (pieces, status) in [([500, 500], 200), ([500, 501], 413), ([1001], 413), ([1001, 1], 413)] {
      let request = InProcessRequest(
        exactly: "POST", "/echo", headers: [("Host", "a"), ("Transfer-Encoding", "chunked")],
        pieces: pieces.map { [UInt8](repeating: 65, count: $0) })
      #expect(await inside.respond(to: request).status == status)
      #expect(await inside.heldBytes() == 0)
    }
  }

  @Test func overTheBytesInFlightRequestsAreRefused() async throws {
    let server = try TransportTestServer { $0.inFlightLimitBytes = 100_000 }
    let holder = server.client
    holder.send("\(Self.post)Content-Length: 60000\r\n\r\n" + String(repeating: "d", count: 50_000))
    #expect(server.eventually { $0.sum(\.heldBytes) == 60_000 })

    let sized = server.client
    sized.send("\(Self.post)Content-Length: 60000\r\n\r\n" + String(repeating: "a", count: 60_000))
    let refused = sized.readAnswer()
    #expect(refused?.status == 503 && refused?["Connection"] == nil)
    #expect(refused?["Retry-After"] == "1")
    #expect(refused?.text.contains("urn:cellfactory:overloaded") == true)

    let chunked = server.client
    let body = String(repeating: "a", count: 60_000)
    chunked.send("\(Self.post)Transfer-Encoding: chunked\r\n\r\nea60\r\n\(body)\r\n0\r\n\r\n")
    #expect(chunked.readAnswer()?.status == 503)

    let small = server.client
    small.send("\(Self.post)Content-Length: 3\r\n\r\nabc")
    #expect(small.readAnswer()?.status == 200, "what fits is served")

    holder.send(String(repeating: "d", count: 10_000))
    #expect(holder.readAnswer()?.body.count == 60_000)
    #expect(server.eventually { $0.sum(\.heldBytes) == 0 })
  }

  @Test func nothingIsLeftOfRequestsThatAreCutOff() throws {
    let server = try TransportTestServer()
    let whole = "\(Self.post)Content-Length: 40\r\n\r\n" + String(repeating: "a", count: 40)
    for length in stride(from: 0, to: whole.utf8.count, by: 3) {
      let client = server.client
      client.send(Array(whole.utf8.prefix(length)))
      if length % 2 == 0 { client.finishSending() }
    }
    for cut in ["5\r\nab", "5", "5\r\nabcde\r\n", "zz\r\n", "5\r\nabcdeX"] {
      let client = server.client
      client.send("\(Self.post)Transfer-Encoding: chunked\r\n\r\n\(cut)")
    }
    // The client disconnects in the middle of its answer.
    server.client.send("GET /fill?5000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    // Long before any deadline.
    #expect(server.eventually(\.isIdle))
    let client = server.client
    client.send("\(Self.post)Content-Length: 2\r\n\r\nok")
    #expect(client.readAnswer()?.text == "ok")
  }

  @Test func aHeadAtTheDefaultLimitIsAcceptedAndALittleMoreIsRefusedByUs() throws {
    let server = try TransportTestServer()
    let limit = ServerSettings().headLimitBytes
    func head(_ count: Int) -> String {
      let start = "GET /echo HTTP/1.1\r\nHost: a\r\nX-A: "
      return start + String(repeating: "a", count: count - start.utf8.count - 4) + "\r\n\r\n"
    }
    for (count, status) in [(limit - 1, 200), (limit, 200), (limit + 1, 431), (limit + 4000, 431)] {
      let client = server.client
      client.send(head(count))
      let answer = client.readAnswer()
      #expect(answer?.status == status)
      if status == 431 {
        #expect(answer?.text.contains("urn:cellfactory:head-too-large") == true, "\(count)")
      }
    }
    // 500 fields of 60 bytes: many records in addition to the text.
    let client = server.client
    let fields = (0..<500).map { "X-Field-\($0): " + String(repeating: "b", count: 45) + "\r\n" }.joined()
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    #expect(client.readAnswer() != nil)
  }

  @Test func severalWorkersShareOneFreePort() throws {
    let gate = Gate()
    let server = try TransportTestServer(handler: TransportTestHandler(gate: gate)) { $0.workers = 2 }
    let slow = server.client
    slow.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    let other = server.client
    other.send("\(Self.post)Content-Length: 2\r\n\r\nok")
    #expect(other.readAnswer()?.text == "ok")
    #expect(slow.isSilent, "the other did not wait for the busy worker")
    gate.open()
    #expect(slow.readAnswer()?.text == "gate")
    #expect(server.server.statistics.map(\.requests).sorted() == [1, 1])
  }

  @Test func connectionsAreSharedOutEvenly() throws {
    let server = try TransportTestServer { $0.workers = 3 }
    let clients = (0..<30).map { _ in server.client }
    for client in clients { client.send("\(Self.post)Content-Length: 2\r\n\r\nok") }
    for client in clients { #expect(client.readAnswer()?.text == "ok") }
    let shares = withExtendedLifetime(clients) { server.server.statistics.map(\.connections) }
    #expect(shares.reduce(0, +) == 30)
    #expect(shares.allSatisfy { (5...15).contains($0) }, "\(shares)")
  }

  @Test func atTheLimitConnectionsWaitForTheirTurn() throws {
    let server = try TransportTestServer { $0.connections = 2 }
    var open = [server.client, server.client]
    for client in open {
      client.send("\(Self.post)Content-Length: 2\r\n\r\nok")
      #expect(client.readAnswer()?.text == "ok")
      // Not idle, otherwise they would make room.
      client.send("\(Self.post)Content-Length: 2\r\n\r\n")
    }
    let waiting = server.client
    waiting.send("\(Self.post)Content-Length: 5\r\n\r\nlater")
    #expect(server.sum(\.connections) == 2)
    #expect(waiting.isSilent)
    open.removeFirst()
    #expect(waiting.readAnswer()?.text == "later")
    withExtendedLifetime(open) {}
  }

  @Test func aPortInUseIsReported() throws {
    let server = try TransportTestServer()
    let second = Server(
      settings: ServerSettings(address: ServerAddress(host: "127.0.0.1", port: server.port)),
      handler: TransportTestHandler(),
      makeFactory: TransportTestFactory.make)
    #expect(throws: TransportError.addressInUse(ServerAddress(host: "127.0.0.1", port: server.port))) {
      try second.start()
    }
    #expect(!second.isReady)
  }

  @Test func anUnknownHostIsReported() {
    let server = Server(
      settings: ServerSettings(address: ServerAddress(host: "no such host", port: 0)),
      handler: TransportTestHandler(),
      makeFactory: TransportTestFactory.make)
    #expect(throws: TransportError.self) { try server.start() }
  }

  @Test(arguments: ["::1", "::", "0.0.0.0", "localhost"]) func listensOnAllKindsOfAddresses(host: String)
    throws
  {
    let server = Server(
      settings: ServerSettings(address: ServerAddress(host: host, port: 0)), handler: TransportTestHandler(),
      makeFactory: TransportTestFactory.make)
    let address = try server.start()
    #expect(address.port > 0)
    #expect(address.url.hasSuffix(":\(address.port)"))
    if host == "::" || host == "0.0.0.0" {
      let client = TransportTestClient(port: address.port)
      client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.status == 200)
    }
  }

  @Test func aRequestIsRecordedWhenAsked() throws {
    let records = Records()
    let server = try TransportTestServer { $0.onRequest = { records.add($0) } }
    let client = server.client
    client.send("GET /slow?2000 HTTP/1.1\r\nHost: a\r\nX-Request-Id: seven\r\n\r\n")
    #expect(client.readAnswer()?.status == 200)
    let record = records.all.first
    #expect(record?.method == "GET" && record?.path == "/slow" && record?.status == 200)
    #expect(record?.bytes == 4 && record?.requestID == "seven")
    #expect((2000..<60_000_000).contains(record?.microseconds ?? 0))
  }
}
