@testable import CellServer
import Glibc
import Testing

/// Heads that use up the memory that libmicrohttpd has for a connection: each is answered once, and soon.
@Suite struct TransportMemoryTests {
  private static let head = "Host: a\r\n"

  private static func fields(_ count: Int, _ separator: String, _ field: (Int) -> String) -> String {
    (0..<count).map(field).joined(separator: separator)
  }

  /// The request and the statuses allowed for its one answer.
  static let requests: [(name: String, request: String, statuses: Set<Int>)] = [
    ("800 &", "GET /x?" + String(repeating: "&", count: 800) + " HTTP/1.1\r\n\(head)\r\n", [200]),
    ("30,000 &", "GET /x?" + String(repeating: "&", count: 30_000) + " HTTP/1.1\r\n\(head)\r\n", [200]),
    ("600 arguments", "GET /x?" + fields(600, "&") { "a\($0)=b" } + " HTTP/1.1\r\n\(head)\r\n", [200]),
    (
      "560 cookies", "GET /x HTTP/1.1\r\n\(head)Cookie: " + fields(560, "; ") { "a\($0)=b" } + "\r\n\r\n",
      [431]
    ),
    (
      "5000 cookies", "GET /x HTTP/1.1\r\nCookie: " + fields(5000, ";") { _ in "a=b" } + "\r\n\(head)\r\n",
      [431]
    ),
    (
      "400 cookies", "GET /x HTTP/1.1\r\n\(head)Cookie: " + fields(400, "; ") { "a\($0)=b" } + "\r\n\r\n",
      [200]
    ),
    (
      "a large cookie",
      "GET /x HTTP/1.1\r\n\(head)Cookie: a=" + String(repeating: "b", count: 18_000) + "\r\n\r\n", [200]
    ),
    (
      "a larger cookie",
      "GET /x HTTP/1.1\r\n\(head)Cookie: a=" + String(repeating: "b", count: 30_000) + "\r\n\r\n", [431]
    ),
    ("400 short fields", "GET /x HTTP/1.1\r\n\(head)" + fields(400, "") { _ in "a:b\r\n" } + "\r\n", [200]),
    ("700 short fields", "GET /x HTTP/1.1\r\n\(head)" + fields(700, "") { _ in "a:b\r\n" } + "\r\n", [431]),
    ("8000 short fields", "GET /x HTTP/1.1\r\n\(head)" + fields(8000, "") { _ in "a:b\r\n" } + "\r\n", [431]),
    (
      "600 empty arguments behind a NUL",
      "GET /x\u{0}?" + fields(600, "&") { _ in "a" } + " HTTP/1.1\r\n\(head)\r\n", [400]
    ),
    ("some arguments behind a NUL", "GET /x\u{0}?a=b&c=d HTTP/1.1\r\n\(head)\r\n", [400]),
    (
      "arguments with values behind a NUL",
      "GET /x\u{0}?" + fields(600, "&") { _ in "a=b" } + " HTTP/1.1\r\n\(head)\r\n", [400]
    ),
    (
      "600 fields of a trailer",
      "POST /echo HTTP/1.1\r\n\(head)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
        + fields(700, "") { _ in "a:b\r\n" }
        + "\r\n", [431]
    ),
  ]

  @Test(arguments: requests.indices) func eachHasOneAnswer(number: Int) throws {
    let (name, request, statuses) = Self.requests[number]
    let server = try TransportTestServer()
    let client = server.client
    client.send(request)
    let answer = client.readAnswer()
    #expect(answer.map { statuses.contains($0.status) } == true, "\(name): \(answer?.status ?? 0)")
    if answer?.status == 200 {
      client.send("GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.readAnswer()?.text == "xxx", "\(name)")
    } else {
      #expect(client.readToEnd() == [], "\(name): one answer")
    }
    #expect(server.eventually { $0.sum(\.inFlight) == 0 && $0.sum(\.heldBytes) == 0 })
  }

  /// Nothing follows the head of an answer to HEAD, also if the request is refused before its method is known.
  @Test(arguments: ["a=b; ", "a:b\r\n"], [700, 5000])
  func aRefusedHeadRequestHasNoBody(field: String, count: Int) throws {
    let server = try TransportTestServer()
    let client = server.client
    let start = "HEAD /x HTTP/1.1\r\nHost: a\r\n" + (field.hasSuffix("\n") ? "" : "Cookie: ")
    client.send(start + String(repeating: field, count: count) + "\r\n\r\n")
    #expect(client.readAnswer(toHead: true)?.status == 431)
    #expect(client.readToEnd() == [])
  }

  /// A method is told from what precedes the target, which may be all there is in a page.
  @Test(arguments: ["D", "AD", "EAD", "HEAD", "AHEAD", "GET"])
  func methodsOfEachLength(method: String) throws {
    let server = try TransportTestServer()
    let client = server.client
    let cookies = String(repeating: "a=b; ", count: 560)
    client.send("\(method) /x HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\n\r\n")
    #expect(client.readAnswer(toHead: method == "HEAD")?.status == 431)
    #expect(client.readToEnd() == [])
  }

  @Test(arguments: [("HTTP/2.0", 505), ("HTTP/3", 400), ("HTTP/9.9", 505), ("HTTX/1.1", 400)])
  func otherVersionsAreRefusedByTheLibrary(version: String, status: Int) throws {
    let server = try TransportTestServer()
    let client = server.client
    client.send("GET /x \(version)\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readAnswer()?.status == status)
    #expect(client.readToEnd() == [], "what follows is not answered")
  }

  /// However little memory is left after the head, there is one complete answer.
  @Test func aHeadThatLeavesLittleMemoryHasOneAnswerToo() throws {
    let server = try TransportTestServer()
    let memory = server.server.settings.connectionMemoryBytes
    var statuses: Set<Int> = []
    for count in [20, 120, 300, 560] {
      for left in stride(from: -1500, through: 4000, by: 100) {
        let start = "GET /x HTTP/1.1\r\nHost: a\r\n" + Self.fields(count, "") { _ in "a:b\r\n" } + "X: "
        let filling = memory - left - start.utf8.count - (count + 4) * 64
        if filling < 1 { continue }
        let client = server.client
        client.send(start + String(repeating: "x", count: filling) + "\r\n\r\n")
        let answer = client.readAnswer()
        #expect(answer?.status == 200 || answer?.status == 431, "\(count) fields, \(left) bytes left")
        statuses.insert(answer?.status ?? 0)
        if answer?.status == 431 { #expect(client.readToEnd() == [], "\(count) fields, \(left) bytes left") }
      }
    }
    for count in stride(from: 440, through: 600, by: 2) {
      let client = server.client
      client.send(
        "GET /x HTTP/1.1\r\nHost: a\r\nCookie: " + Self.fields(count, "; ") { _ in "a=b" } + "\r\n\r\n")
      let answer = client.readAnswer()
      #expect(answer?.status == 200 || answer?.status == 431, "\(count) cookies")
      if answer?.status == 431 { #expect(client.readToEnd() == [], "\(count) cookies") }
    }
    #expect(statuses == [200, 431])
    #expect(server.eventually(\.isIdle))
  }

  /// The query and the path reach the handler unchanged.
  @Test(arguments: ["/x?", "/x??", "/x?a=b&c+d%20e", "/x?a?b", "/?"]) func aQueryReachesTheHandler(
    target: String
  ) throws {
    let server = try TransportTestServer()
    let client = server.client
    client.send("GET \(target) HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\nAccept: c/d\r\n\r\n")
    let mark = target.firstIndex(of: "?")!
    let query = target[target.index(after: mark)...]
    #expect(
      client.readAnswer()?.text
        == "method=GET\npath=\(target[..<mark])\nquery=\(query)\naccept=c/d\nbytes=0\n")
  }

  private static let chunked = "POST /echo HTTP/1.1\r\n\(head)Transfer-Encoding: chunked\r\n\r\n"

  /// Chunk lines that do not fit into a connection's memory: the library would busy-wait for their ends
  /// forever.
  static let chunkLines: [(name: String, body: String)] = [
    ("an extension", "2;" + String(repeating: "a", count: 60_000)),
    ("an extension that ends", "2;" + String(repeating: "a", count: 60_000) + "\r\nab\r\n0\r\n\r\n"),
    ("zeros", String(repeating: "0", count: 60_000)),
    ("zeros that end", String(repeating: "0", count: 60_000) + "2\r\nab\r\n0\r\n\r\n"),
    ("the last chunk's extension", "2\r\nab\r\n0;" + String(repeating: "a", count: 60_000)),
    ("a second chunk's extension", "1\r\na\r\n1;" + String(repeating: "a", count: 60_000)),
  ]

  @Test(arguments: chunkLines.indices) func aChunkLineThatDoesNotFitIsRefused(number: Int) throws {
    let (name, body) = Self.chunkLines[number]
    let server = try TransportTestServer()
    let client = server.client
    client.send(Self.chunked + body)
    let answer = client.readAnswer()
    #expect(answer?.status == 400 && answer?["Connection"] == "close", "\(name)")
    #expect(answer?.text.contains("urn:cellfactory:bad-request") == true, "\(name)")
    #expect(client.readToEnd() == [], "\(name): one answer")
    #expect(server.eventually(\.isIdle), "\(name)")
    #expect(server.sum(\.requests) == 1 && server.sum { $0.value(.abortedRequests) } == 0, "\(name)")
  }

  @Test(arguments: chunkLines.indices) func aChunkLineIsForgottenAfterADisconnect(number: Int) throws {
    let server = try TransportTestServer()
    for _ in 0..<5 { server.client.send(Self.chunked + Self.chunkLines[number].body) }
    #expect(server.eventually { $0.sum { $0.value(.openedConnections) } == 5 && $0.isIdle })
  }

  /// The memory is full, and the socket has no unread bytes.
  @Test func aChunkLineThatFillsTheMemoryIsRefused() throws {
    let server = try TransportTestServer()
    let client = server.client
    let memory = server.server.settings.connectionMemoryBytes
    client.send(Self.chunked + "2;" + String(repeating: "a", count: memory - 600))
    var count = 0
    while client.isSilent, count < 600 {
      client.send("a")
      count += 1
      // Long enough for the byte to be read alone.
      usleep(1000)
    }
    #expect(client.readAnswer()?.status == 400)
    #expect(server.eventually(\.isIdle))
  }

  /// Slow chunked bodies are not mistaken for stuck ones on other connections.
  @Test func slowChunksContinueNextToAStuckConnection() throws {
    let server = try TransportTestServer()
    let slow = server.client
    let filling = String(repeating: "a", count: 20_000)
    slow.send(Self.chunked + "2;" + filling)
    for _ in 0..<5 {
      let stuck = server.client
      stuck.send(Self.chunked + Self.chunkLines[0].body)
      #expect(stuck.readAnswer()?.status == 400)
    }
    slow.send("\r\nab\r\n0\r\n\r\n")
    #expect(slow.readAnswer()?.text == "ab")
  }

  static let trailers: [(trailer: String, status: Int)] = [
    ("", 200), ("X-A: b\r\n", 200), ("X-A: b\r\nX-B:\r\n", 200), ("X-A : b\r\n", 400), ("X@A: b\r\n", 400),
    (": b\r\n", 400), ("X-A\r\n", 400), ("X-A: a\u{1}b\r\n", 400), ("Content-Length: 5\r\n", 400),
    ("Transfer-Encoding: chunked\r\n", 400), ("Host: b\r\n", 400), ("Content-Length-X: 5\r\n", 400),
    ("Content-Type: a/b\r\n", 400), ("X-A: a\r\n b\r\n", 400), ("X-A: a\r\nX-B: b\r\n c\r\n", 400),
    ("Host: a\r\n -X\r\n", 400), ("X-A: a\0\r\nX-B: b\r\n", 400), ("X-A: b\r\nX-B: c\r\nX-C: d\r\n", 200),
    ("X-A: " + String(repeating: "a", count: 33_000) + "\r\n", 431),
  ]

  @Test(arguments: trailers.indices) func aTrailerIsChecked(number: Int) throws {
    let (trailer, status) = Self.trailers[number]
    let server = try TransportTestServer()
    let client = server.client
    client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\(trailer)\r\n")
    let answer = client.readAnswer()
    #expect(answer?.status == status, "\(trailer.prefix(40))")
    if status == 200 {
      #expect(answer?.text == "ab")
    }
    #expect(answer?["Connection"] == "close" && client.readToEnd() == [])
    #expect(server.eventually { $0.sum(\.inFlight) == 0 })
  }

  /// The library would take such a line for the end of the trailer. A proxy that passes it on would take the
  /// answer to what follows for the answer to its next request, which may come from another client.
  @Test(
    arguments: ["\0X: b\r\n", ": b\r\n", "X: a\r\n: b\r\n", ""],
    ["X: c\r\n\r\n", "GET /fill?3 HTTP/1.1\r\nHost: a\r\n\r\n"])
  func nothingIsReadBehindAChunkedBody(trailer: String, next: String) throws {
    let server = try TransportTestServer()
    let client = server.client
    client.send(Self.chunked + "2\r\nab\r\n0\r\n" + trailer + "\r\n" + next)
    let answer = client.readAnswer()
    #expect([200, 400].contains(answer?.status) && answer?["Connection"] == "close")
    #expect(client.readToEnd() == [])
    #expect(server.eventually(\.isIdle) && server.sum(\.requests) == 1)
  }

  /// The last field of the head is not mistaken for a trailer, no matter how it arrives.
  @Test(arguments: ["", "X-A: b\r\n", "X-A: b\r\nX-B: c\r\n"]) func aTrailerMayComeInPieces(trailer: String)
    throws
  {
    let server = try TransportTestServer()
    for field in ["Transfer-Encoding: chunked\r\nX-Last: c", "X-First: c\r\nTransfer-Encoding: chunked"] {
      let client = server.client
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n2\r\nab\r\n0\r\n")
      for byte in (trailer + "\r\n").utf8 {
        // Long enough for the piece to be read alone.
        usleep(20_000)
        client.send([byte])
      }
      #expect(client.readAnswer()?.text == "ab")
    }
  }

  /// The library answers these itself and would write the head of its answer twice, no matter how they
  /// arrive.
  @Test(arguments: ["+3", "-1", "3, 3", "3 ", "", "x", "99999999999999999999"], [true, false])
  func aMalformedLengthHasOneAnswer(length: String, byteByByte: Bool) throws {
    let server = try TransportTestServer()
    // Other connections in the middle of a head, some malformed, are not mistaken for this one.
    let others = (0..<3).map { _ in server.client }
    for other in others { other.send("GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n") }
    #expect(server.eventually { $0.sum(\.inFlight) == 3 })
    let client = server.client
    let request = "POST /echo HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Length: \(length)\r\n\r\n"
    if byteByByte { for byte in request.utf8 { client.send([byte]) } } else { client.send(request) }
    let answer = client.readAnswer()
    #expect(answer?.status == (length.hasPrefix("9") ? 413 : 400))
    #expect(answer?["X-Request-Id"] == "mine" && answer?["Connection"] == "close")
    #expect(answer?.text.contains("urn:cellfactory:") == true)
    #expect(client.readToEnd() == [], "one answer")
    for other in others {
      other.send("\r\n")
      #expect(other.readAnswer()?.status == 200)
    }
    #expect(server.eventually { $0.sum(\.inFlight) == 0 })
    #expect(server.sum { $0.refusals } == 1)
  }
}
