import CellServer
import Testing

/// Answers of the same length share one response object of libmicrohttpd: no bytes of one may appear in the
/// next.
@Suite struct TransportPreparedTests {
  static func post(_ path: String, _ body: String, _ headers: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
  }

  /// A body of `count` bytes that contains its number as far as it fits.
  static func body(_ number: Int, count: Int) -> String {
    let text = String("\(number)-".prefix(count))
    let letter = Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 8)))
    return text + String(repeating: letter, count: count - text.utf8.count)
  }

  static func lines(_ answer: TransportTestClient.Answer?) -> [String]? {
    answer?.headers.filter { $0.name != "Date" && $0.name != "X-Request-Id" }.map {
      "\($0.name): \($0.value)"
    }
  }

  /// Lengths that share a slot, the largest that is kept, and the next.
  @Test(arguments: [
    [0, 256], [1, 257, 1], [300, 300], [16_384, 16_384], [16_385, 16_384, 16_385], [70, 326, 582],
  ])
  func bodiesAndIDsAreTheirOwn(lengths: [Int]) throws {
    let server = try TransportTestServer()
    let client = server.client
    var ids: Set<String> = []
    var heads: [Int: [String]] = [:]
    for number in 0..<40 {
      // Twice in a row, and alternating.
      let length = lengths[(number < 20 ? number / 2 : number) % lengths.count]
      let body = Self.body(number, count: length)
      let isNamed = number % 3 == 0
      // As long as generated names, too.
      let name = String("mine-\(number)-0123456789".prefix(number % 2 == 0 ? 15 : 7))
      client.send(Self.post("/echo", body, isNamed ? "X-Request-Id: \(name)\r\n" : ""))
      let answer = client.readAnswer()
      #expect(answer?.text == body)
      let id = answer?["X-Request-Id"] ?? ""
      #expect(isNamed ? id == name : id.utf8.count == 15)
      #expect(ids.insert(id).inserted)
      #expect(answer?.headers.filter { $0.name == "X-Request-Id" }.count == 1)
      let head = Self.lines(answer) ?? []
      #expect(heads[length, default: head] == head)
      #expect(head.contains("Content-Length: \(length)"))
      heads[length] = head
    }
    #expect(server.sum(\.heldBytes) == 0)
  }

  @Test func headsAreThoseOfTheirKind() throws {
    let listed = "https://app.example.org"
    let server = try TransportTestServer {
      var origins = AllowedOrigins()
      try? origins.add(listed)
      try? origins.add("http://localhost:3000")
      $0.origins = origins
    }
    let client = server.client
    let types = ["/html": "text/html", "/json": "application/json", "/echo": "text/plain"]
    let origins = [listed, "http://localhost:3000", "https://evil.example"]
    for number in 0..<90 {
      let (path, origin) = (["/html", "/json", "/echo"][number / 4 % 3], origins[number / 3 % 3])
      let body = Self.body(number, count: 64)
      client.send(Self.post(path, body, "Origin: \(origin)\r\n"))
      let answer = client.readAnswer()
      #expect(answer?.text == body)
      #expect(answer?["Content-Type"] == types[path])
      #expect(answer?["Access-Control-Allow-Origin"] == (origin == origins[2] ? nil : origin))
      #expect(answer?["Vary"] == "Origin")
    }
  }

  /// Requests without a body, and methods whose answers have no body.
  @Test func methodsTakeTurns() throws {
    let server = try TransportTestServer()
    let client = server.client
    for number in 0..<40 {
      let method = number % 3 == 0 ? "HEAD" : "GET"
      client.send("\(method) /fill?100 HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = client.readAnswer(toHead: method == "HEAD")
      #expect(answer?["Content-Length"] == "100")
      #expect(answer?.body.count == (method == "HEAD" ? 0 : 100))
    }
  }

  /// A client that reads nothing leaves its answers in transit, while others are answered with as many bytes.
  @Test func anAnswerInTransitIsNotOverwritten() throws {
    let server = try TransportTestServer()
    let slow = server.client
    // More than the buffers of the sockets hold at their largest.
    let answers = 1200
    slow.send(String(repeating: "GET /fill?16000 HTTP/1.1\r\nHost: a\r\n\r\n", count: answers))
    #expect(server.eventually { $0.sum(\.heldBytes) > 0 }, "an answer waits to be taken")
    let other = server.client
    for number in 0..<50 {
      let body = Self.body(number, count: 16_000)
      other.send(Self.post("/echo", body))
      #expect(other.readAnswer()?.text == body)
    }
    let filled = [UInt8](repeating: UInt8(ascii: "x"), count: 16_000)
    for number in 0..<answers {
      let isWhole = slow.readAnswer()?.body == filled
      #expect(isWhole, "answer \(number)")
      if !isWhole { return }
    }
    #expect(server.eventually { $0.sum(\.heldBytes) == 0 })
  }

  @Test func disconnectedClientsLeaveNothing() throws {
    let server = try TransportTestServer()
    for number in 0..<30 {
      let gone = server.client
      gone.receiveLittle()
      gone.send(String(repeating: "GET /fill?16000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 600))
      if number % 2 == 0 { #expect(server.eventually { $0.sum(\.heldBytes) > 0 }) }
    }
    #expect(server.eventually { $0.isIdle })
    let client = server.client
    client.send(Self.post("/echo", Self.body(1, count: 16_000)))
    #expect(client.readAnswer()?.text == Self.body(1, count: 16_000))
  }

  @Test func answersOfKnownLengthAnnounceAStop() throws {
    let server = try TransportTestServer { $0.drainSeconds = 120 }
    let (client, other) = (server.client, server.client)
    for _ in 0..<3 {
      client.send(Self.post("/echo", "hello"))
      #expect(client.readAnswer()?["Connection"] == nil)
    }
    other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
    #expect(server.eventually { $0.sum(\.inFlight) == 1 })
    server.server.stop()
    other.send("llo")
    let answer = other.readAnswer()
    #expect(answer?.text == "hello" && answer?["Connection"] == "close")
    server.server.wait()
  }
}
