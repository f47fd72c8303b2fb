import CellServer
import Glibc
import Testing

/// Behaviour of connections: requests in sequence, in pieces, cut off, and in parallel.
@Suite struct ServiceLiveTests {
  static func target(workers: Int = 1) throws -> LiveTarget {
    var setup = TargetSetup()
    setup.server.workers = workers
    return try LiveTarget(setup)
  }

  /// Requests of every type that keep the connection open, with their answers.
  static let different: [(TestRequest, Int, String?)] = [
    (.post("/cells/plain", #"[{"title":"a"}]"#), 200, "<p>a</p>"),
    (.get("/livez"), 200, nil),
    (.post("/cells/none", "{}"), 404, nil),
    (.post("/cells/dot", "[1,2]"), 200, "<b>1</b><b>2</b>"),
    (TestRequest("HEAD", "/cells/plain?title=a"), 200, ""),
    (.post("/cells/dot", "[1,"), 400, nil),
    (.get("/cells/plain?title=b"), 200, "<p>b</p>"),
    (TestRequest("OPTIONS", "/cells"), 204, ""),
    (.form("/cells/plain", "title=c"), 200, "<p>c</p>"),
    (.get("/cells/plain?title=a", ["If-None-Match": "*"]), 304, ""),
    (TestRequest("DELETE", "/cells"), 405, nil),
    (.ndjson("/cells/dot", "1\n2"), 200, "<b>1</b><b>2</b>"),
    (.post("/cells", #"[{"kind":"none"}]"#), 422, nil),
    (.ndjson("/cells/dot", ""), 200, ""),
  ]

  /// Reads the answers to requests sent on one connection, in order.
  static func readAll(_ client: TransportTestClient, _ requests: [(TestRequest, Int, String?)], ids: Bool) {
    for (position, (request, status, text)) in requests.enumerated() {
      guard let answer = client.readAnswer(toHead: request.method == "HEAD") else {
        Issue.record("no answer to request \(position)")
        return
      }
      #expect(answer.status == status, "request \(position)")
      if let text { #expect(answer.text == text, "request \(position)") }
      if ids { #expect(answer["X-Request-Id"] == "r\(position)", "request \(position)") }
    }
  }

  static func numbered(_ requests: [(TestRequest, Int, String?)]) -> [(TestRequest, Int, String?)] {
    requests.enumerated().map { position, row in
      var row = row
      row.0.headers.append(("X-Request-Id", "r\(position)"))
      return row
    }
  }

  @Test func oneConnectionServesManyRequests() async throws {
    let target = try Self.target()
    let client = target.client
    for row in Self.different + Self.different {
      client.send(row.0.wire)
      Self.readAll(client, [row], ids: false)
    }
    withExtendedLifetime(client) { #expect(target.server.statistics[0].connections == 1) }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    let target = try Self.target()
    let requests = Self.numbered(Array(repeating: Self.different, count: 20).flatMap(\.self))
    let wire = requests.flatMap { $0.0.wire }
    // All at once, then in pieces that end anywhere.
    for size in [wire.count, 1000, 37] {
      let client = target.client
      let bytes = wire
      let sender = TestThreadBox(client)
      let thread = TestThread {
        var start = 0
        while start < bytes.count {
          sender.client.send(Array(bytes[start..<min(start + size, bytes.count)]))
          start += size
        }
      }
      Self.readAll(client, requests, ids: true)
      thread.join()
    }
    #expect(await target.isIdle())
  }

  @Test func aRequestByteByByte() async throws {
    let target = try Self.target()
    let client = target.client
    for row in Self.different {
      for byte in row.0.wire { client.send([byte]) }
      Self.readAll(client, [row], ids: false)
    }
  }

  /// An end of the connection that arrives with the last bytes is noticed long before any deadline.
  @Test func requestsThatAreCutOff() async throws {
    let target = try Self.target()
    let request = TestRequest.post("/cells/plain", #"[{"title":"a"}]"#)
    for wire in [request.wire, request.chunked(4).wire] {
      for end in 0..<wire.count {
        let client = target.client
        client.send(Array(wire[..<end]))
        if end % 2 == 0 { client.finishSending() }
      }
    }
    #expect(await target.isIdle())
    #expect(try await target.ask(.post("/cells/plain", #"{"title":"b"}"#)).text == "<p>b</p>")
  }

  @Test func aDisconnectIsNoticed() async throws {
    let target = try Self.target()
    let wire = TestRequest.post("/cells/plain", #"[{"title":"a"}]"#).wire
    // Nothing, part of a head, a whole head, half a body.
    for end in [0, 30, wire.count - 15, wire.count - 5] {
      let client = target.client
      client.send(Array(wire[..<end]))
      // Once the request line is counted, all sent bytes have been read.
      let isRead = await target.eventually { $0.connections == 1 && $0.inFlight == (end == 0 ? 0 : 1) }
      withExtendedLifetime(client) { #expect(isRead) }
      client.finishSending()
      #expect(await target.isIdle(), "\(end)")
    }
  }

  @Test func twoConnectionsInTurns() async throws {
    let target = try Self.target()
    let first = target.client
    let second = target.client
    let one = TestRequest.post("/cells/plain", #"[{"title":"one"}]"#).wire
    let two = TestRequest.post("/cells/dot", #"["two",2]"#).wire
    for _ in 0..<20 {
      for position in 0..<max(one.count, two.count) {
        if position < one.count { first.send([one[position]]) }
        if position < two.count { second.send([two[position]]) }
      }
      #expect(second.readAnswer()?.text == "<b>two</b><b>2</b>")
      #expect(first.readAnswer()?.text == "<p>one</p>")
    }
  }

  @Test(arguments: [1, 2]) func manyConnectionsSideBySide(workers: Int) async throws {
    let target = try Self.target(workers: workers)
    let clients = (0..<200).map { _ in target.client }
    for round in 0..<3 {
      let wires = clients.indices.map { TestRequest.post("/cells/dot", "[\($0),\(round)]").wire }
      for (client, wire) in zip(clients, wires) { client.send(Array(wire[..<(wire.count / 2)])) }
      for (client, wire) in zip(clients, wires).reversed() { client.send(Array(wire[(wire.count / 2)...])) }
      for (number, client) in clients.enumerated() {
        #expect(client.readAnswer()?.text == "<b>\(number)</b><b>\(round)</b>")
      }
    }
    withExtendedLifetime(clients) {
      #expect(target.server.statistics.map(\.connections).reduce(0, +) == 200)
    }
  }

  @Test func aRefusedBodyEndsTheConnection() async throws {
    var setup = TargetSetup()
    setup.server.bodyLimitBytes = 100
    let target = try LiveTarget(setup)
    for request in [
      TestRequest.post("/cells/dot", String(repeating: "1", count: 101)), TestRequest("POST", "/cells/dot"),
    ] {
      let client = target.client
      client.send(request.wire + TestRequest.get("/livez").wire)
      let answer = client.readAnswer()
      #expect(answer?.status == (request.body == nil ? 411 : 413) && answer?["Connection"] == "close")
      #expect(client.isEnded())
    }
    #expect(await target.isIdle())
  }

  @Test func largeAnswersArrive() async throws {
    let target = try Self.target()
    let rows = "[" + String(repeating: "0,", count: 1999) + "0]"
    let client = target.client
    for _ in 0..<3 {
      client.send(TestRequest.post("/cells/wide", rows).wire)
      let answer = client.readAnswer()
      #expect(answer?.status == 200 && answer?.body.count == 2000 * 2007)
    }
  }
}

/// A client lent to a thread that sends while the test reads. The socket supports both at once, and sending
/// touches no state of the reader.
struct TestThreadBox: @unchecked Sendable {
  let client: TransportTestClient
  init(_ client: TransportTestClient) { self.client = client }
}
