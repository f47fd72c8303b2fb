import CellServer
import Glibc
import Testing

/// Streams over connections: slow and disconnecting clients, other clients served in between, and shutdown.
@Suite struct StreamLiveTests {
  /// 2007 bytes for each row, so the answer is larger than all buffers on its way.
  static let rows = 20_000
  static let request = TestRequest.post("/cells/wide", "[" + String(repeating: "0,", count: rows - 1) + "0]")
  static let bodyBytes = rows * 2007

  static func target(_ change: (inout TargetSetup) -> Void = { _ in }) throws -> LiveTarget {
    var setup = TargetSetup()
    change(&setup)
    return try LiveTarget(setup)
  }

  /// Starts the large request and waits for the head and some of the body.
  static func begun(_ target: LiveTarget, _ request: TestRequest = request) -> TransportTestClient {
    let client = target.client
    client.send(request.wire)
    #expect(client.awaitBytes(4096))
    return client
  }

  @Test func aClientThatDoesNotReadHoldsMemory() async throws {
    let target = try Self.target()
    let client = Self.begun(target)
    let small = target.client
    for _ in 0..<20 {
      small.send(TestRequest.post("/cells/dot", "[1]").wire)
      #expect(small.readAnswer()?.text == "<b>1</b>")
    }
    // Of 40 MB, the server holds the body, its parsed rows, and two pieces.
    let held = target.server.statistics[0].heldBytes
    #expect((1..<4 << 20).contains(held), "\(held)")
    let answer = client.readAnswer()
    #expect(answer?.isComplete == true && answer?.body.count == Self.bodyBytes)
    #expect(await target.heldBytes() == 0)
  }

  /// The parsed rows are charged equally while streaming, whether they were read at once or in slices.
  @Test func parsedRowsAreCountedHoweverTheyWereRead() async throws {
    var held: [Int] = []
    // The body, a node of 16 bytes for each row, and a piece.
    let least = (Self.request.body?.count ?? 0) + 16 * Self.rows + (64 << 10)
    for sliceBodyBytes in [1 << 20, 1000] {
      let target = try Self.target { $0.service.sliceBodyBytes = sliceBodyBytes }
      let client = Self.begun(target)
      // The worker updates its statistics at the end of a turn. While it parses, it holds more.
      _ = await Patience.eventually { (least..<2 * least).contains(target.server.statistics[0].heldBytes) }
      held.append(target.server.statistics[0].heldBytes)
      #expect(client.readAnswer()?.body.count == Self.bodyBytes)
      #expect(await target.heldBytes() == 0)
    }
    for bytes in held { #expect(bytes >= least && bytes < 2 * least, "\(held), at least \(least)") }
  }

  @Test func aDisconnectReleasesEverything() async throws {
    let target = try Self.target()
    for query in ["", "?on_error=skip", "?format=json"] {
      for _ in 0..<3 {
        var request = Self.request
        request.target += query
        _ = Self.begun(target, request)
      }
    }
    // While the rows are still being validated.
    var judged = Self.request
    judged.target += "?missing=error"
    target.client.send(judged.wire)
    #expect(await target.isIdle())
    #expect(try await target.ask(.post("/cells/dot", "[1]")).text == "<b>1</b>")
  }

  @Test func streamsAndSmallRequestsTakeTurns() async throws {
    let target = try Self.target { StreamTests.setup(&$0, completeBytes: 1000) }
    let whole = try Self.target { StreamTests.setup(&$0, completeBytes: nil) }
    let requests: [TestRequest] = [
      .post("/cells/big", StreamTests.list(StreamTests.big, count: 4000)),
      .post(
        "/cells/big?format=json&on_error=skip", StreamTests.list({ StreamTests.big($0 + 7) }, count: 3000)),
      .ndjson(
        "/cells/who?format=ndjson", (0..<20_000).map { #"{"title":"\#($0)"}"# }.joined(separator: "\n")),
      .post(
        "/cells",
        #"{"owner":{"name":"Ada"},"kind":"who","rows":"#
          + StreamTests.list({ #"{"data":{"title":"\#($0)"}}"# }, count: 20_000) + "}"),
    ]
    var expected: [[UInt8]] = []
    for request in requests { expected.append(try await whole.ask(request).body) }
    let clients = requests.map { Self.begun(target, $0) }
    let small = target.client
    for turn in 0..<30 {
      small.send(TestRequest.post("/cells/big", "[\(StreamTests.big(turn))]").wire)
      #expect(
        small.readAnswer()?.text == "<p>\(turn).\((47 - turn) % 40)\(turn).\((73 - turn) % 40)\(turn)&lt;</p>"
      )
      small.send(TestRequest.post("/cells", #"{"owner":{"name":"B"},"kind":"who","rows":[{}]}"#).wire)
      #expect(small.readAnswer()?.text == "<u>B: </u>")
      for client in clients { #expect(client.awaitBytes(4096 + 1024 * turn)) }
    }
    for (client, expected) in zip(clients, expected) {
      let answer = client.readAnswer()
      #expect(answer?.isComplete == true && answer?.body == expected)
    }
    #expect(await target.heldBytes() == 0)
  }

  @Test func theConnectionContinuesAfterAStream() async throws {
    let target = try Self.target { StreamTests.setup(&$0, completeBytes: 1000) }
    let stream = TestRequest.post("/cells/plain", StreamTests.titles)
    let judged = TestRequest.post("/cells/plain?missing=error", StreamTests.titles)
    let small = TestRequest.post("/cells/dot", "[1]")
    let expected = try await Self.target { StreamTests.setup(&$0, completeBytes: nil) }.ask(stream).text
    let client = target.client
    // All at once.
    let order = [stream, small, judged, stream, small, judged]
    client.send(order.flatMap(\.wire))
    for request in order {
      #expect(client.readAnswer()?.text == (request.target == small.target ? "<b>1</b>" : expected))
    }
    withExtendedLifetime(client) { #expect(target.server.statistics[0].connections == 1) }
  }

  /// Reading takes more memory than the result: requests that do not fit at the same time are read one by
  /// one.
  @Test func largeBodiesWaitForOneAnother() async throws {
    let rows = StreamTests.list({ #"{"title":"row \#($0)"}"# }, count: 12_000)
    let target = try Self.target {
      StreamTests.setup(&$0, completeBytes: 1000)
      $0.server.inFlightLimitBytes = 7_000_000
    }
    let wire = TestRequest.post("/cells/plain", rows).wire
    let clients = (0..<4).map { _ in target.client }
    let senders = clients.map { client in
      let box = TestThreadBox(client)
      return TestThread { box.client.send(wire) }
    }
    for sender in senders { sender.join() }
    for client in clients {
      let answer = client.readAnswer()
      #expect(answer?.status == 200 && answer?.isComplete == true)
    }
    #expect(await target.heldBytes() == 0)
    let small = try Self.target {
      StreamTests.setup(&$0, completeBytes: 1000)
      $0.server.inFlightLimitBytes = 2_000_000
    }
    #expect(try await small.ask(.post("/cells/plain", rows)).status == 413)
    #expect(await small.heldBytes() == 0)
  }

  /// Memory held by answers is released only when their clients have read them, at an unknown time.
  @Test func memoryHeldByAnswersIsNotWaitedFor() async throws {
    let rows = StreamTests.list({ #"{"title":"row \#($0)"}"# }, count: 100_000)
    let target = try Self.target {
      StreamTests.setup(&$0, completeBytes: 1000)
      $0.templates["long.mustache"] = String(repeating: "x", count: 400) + "{{title}}"
      // Enough to read one request alone, but not next to a stream's body, rows and pieces.
      $0.server.inFlightLimitBytes = 33_000_000
    }
    let slow = Self.begun(target, .post("/cells/long", rows))
    let other = target.client
    for _ in 0..<3 {
      let start = MonotonicSeconds.now
      other.send(TestRequest.post("/cells/plain", rows).wire)
      let answer = other.readAnswer()
      #expect(answer?.status == 503 && answer?["Retry-After"] == "1")
      #expect(answer?.text.contains("urn:cellfactory:overloaded") == true)
      // Otherwise until the stream's client reads, or is cut.
      #expect(MonotonicSeconds.now - start < 20)
      other.send(TestRequest.post("/cells/dot", "[1]").wire)
      #expect(other.readAnswer()?.text == "<b>1</b>")
    }
    #expect(target.server.statistics[0].refusals == 3)
    #expect(slow.readAnswer()?.isComplete == true)
    other.send(TestRequest.post("/cells/plain", rows).wire)
    #expect(other.readAnswer()?.status == 200)
    #expect(await target.heldBytes() == 0)
  }

  /// Slices without output: the library is told to call again.
  @Test func rowsThatPrintNothingDoNotHoldTheStream() async throws {
    let target = try Self.target {
      StreamTests.setup(&$0, completeBytes: 1000)
      $0.templates["blank.mustache"] = "{{#title}}{{title}}{{/title}}"
    }
    let title = String(repeating: "x", count: 100)
    let rows = StreamTests.list({ $0 < 20 || $0 == 4999 ? "{\"title\":\"\(title)\"}" : "{}" }, count: 5000)
    let client = target.client
    client.send(TestRequest.post("/cells/blank", rows).wire)
    let answer = client.readAnswer()
    #expect(answer?["Transfer-Encoding"] == "chunked" && answer?.isComplete == true)
    #expect(answer?.text == String(repeating: title, count: 21))
  }

  @Test func anOldClientGetsTheBodyUpToTheEnd() async throws {
    let target = try Self.target { StreamTests.setup(&$0, completeBytes: 1000) }
    let expected = try await target.ask(.post("/cells/plain", StreamTests.titles)).text
    let client = target.client
    let length = StreamTests.titles.utf8.count
    client.send(
      "POST /cells/plain HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
        + StreamTests.titles)
    let answer = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.contains("chunked") && !client.wasReset)
    #expect(answer.hasSuffix("\r\n\r\n" + expected))
  }

  /// For an HTTP/1.0 client, the end of the connection would be the end of the body.
  @Test func anOldClientSeesABodyBrokenOff() async throws {
    let target = try Self.target { StreamTests.failing(&$0, "output-too-large") }
    let client = target.client
    let length = StreamTests.titles.utf8.count
    client.send(
      "POST /cells/plain HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
        + StreamTests.titles)
    _ = client.readToEnd()
    #expect(client.wasReset)
    #expect(await target.isIdle())
  }

  @Test func aStreamIsFinishedBeforeTheStop() async throws {
    let target = try Self.target { $0.server.drainSeconds = 120 }
    let client = Self.begun(target)
    target.server.stop()
    // Longer than the grace period of connections without a request.
    usleep(700_000)
    let answer = client.readAnswer()
    #expect(answer?.isComplete == true && answer?.body.count == Self.bodyBytes)
    target.server.wait()
  }

  @Test(arguments: ["", "?missing=error"]) func theDrainsEndCutsAStream(query: String) async throws {
    let target = try Self.target { $0.server.drainSeconds = 1 }
    var request = Self.request
    request.target += query
    let client = Self.begun(target, request)
    target.server.stop()
    target.server.wait()
    #expect(client.readAnswer()?.isComplete == false)
    #expect(
      target.server.statistics.allSatisfy { $0.heldBytes == 0 && $0.connections == 0 && $0.inFlight == 0 })
  }

  /// It is recorded when it ends, with the bytes that were sent.
  @Test func aStreamIsRecordedAtItsEnd() async throws {
    let records = Records()
    let target = try Self.target { $0.server.onRequest = { records.add($0) } }
    let client = Self.begun(target)
    #expect(records.all.isEmpty)
    #expect(client.readAnswer()?.isComplete == true)
    #expect(await target.eventually { _ in records.all.count == 1 })
    #expect(records.all.first?.bytes == Self.bodyBytes && records.all.first?.status == 200)
  }
}
