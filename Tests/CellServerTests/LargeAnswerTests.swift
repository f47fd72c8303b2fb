import CellServer
import Testing

/// Answers that are known whole and so large that they are sent in blocks, with their length.
@Suite struct LargeAnswerTests {
  /// 40 MB, which no client's socket takes at once.
  private static let request = StreamLiveTests.request
  private static let counted = "cellfactory_requests_total"

  /// Sends every answer whole, however large.
  private static func target() throws -> LiveTarget {
    try StreamLiveTests.target {
      $0.service.completeBytes = .max
      $0.templates["huge.mustache"] = "<p>" + String(repeating: "huge", count: 500_000) + "{{title}}</p>"
    }
  }

  @Test func theirLengthIsSaidAndTheyAreCountedAtTheirEnd() async throws {
    let target = try Self.target()
    let small = target.client
    let client = StreamLiveTests.begun(target, Self.request)
    small.send(TestRequest.post("/cells/dot", "[1]").wire)
    #expect(small.readAnswer()?.text == "<b>1</b>")
    #expect(
      try await MetricsLiveTests.scrape(target).samples(of: Self.counted) == [
        MetricsLiveTests.requests("/cells/{kind}", "dot", 200): 1
      ])
    #expect(target.server.statistics[0].heldBytes >= StreamLiveTests.bodyBytes)

    let answer = try #require(client.readAnswer())
    #expect(answer.isComplete && answer.body.count == StreamLiveTests.bodyBytes)
    #expect(answer["Content-Length"] == String(StreamLiveTests.bodyBytes))
    #expect(await target.heldBytes() == 0)
    let scrape = try await MetricsLiveTests.scrape(target)
    #expect(scrape.samples(of: Self.counted)[MetricsLiveTests.requests("/cells/{kind}", "wide", 200)] == 1)
  }

  /// The same connection answers each of them, so what is said about lengths is right.
  @Test func answersWithoutTheirBodyKeepTheConnection() async throws {
    let target = try Self.target()
    let client = target.client
    client.send(TestRequest.get("/cells/huge?title=a").wire)
    let whole = try #require(client.readAnswer())
    #expect(whole.status == 200 && whole.body.count == 2_000_008 && whole.text.hasSuffix("hugea</p>"))
    let tag = try #require(whole["ETag"])
    client.send(TestRequest("HEAD", "/cells/huge?title=a").wire)
    let head = try #require(client.readAnswer(toHead: true))
    #expect(head.status == 200 && head["Content-Length"] == "2000008" && head.body.isEmpty)
    client.send(TestRequest.get("/cells/huge?title=a", ["If-None-Match": tag]).wire)
    let unchanged = try #require(client.readAnswer())
    #expect(unchanged.status == 304 && unchanged.body.isEmpty)
    client.send(TestRequest.post("/cells/dot", "[1]").wire)
    #expect(client.readAnswer()?.text == "<b>1</b>")
    #expect(await target.heldBytes() == 0)
    #expect(target.server.statistics[0].connections == 1)
  }

  @Test func clientsOfHTTP10GetThemWithTheirLength() async throws {
    let target = try Self.target()
    let client = target.client
    client.send("GET /cells/huge?title=a HTTP/1.0\r\n\r\n")
    let text = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(text.contains("Content-Length: 2000008\r\n") && text.hasSuffix("hugea</p>"))
  }

  @Test func aDisconnectReleasesThem() async throws {
    let target = try Self.target()
    for _ in 0..<3 { _ = StreamLiveTests.begun(target, Self.request) }
    #expect(await target.isIdle())
    #expect(await target.heldBytes() == 0)
  }

  /// A body that is known needs its archive no longer, so reloads do not end it.
  @Test func reloadsDoNotEndThem() async throws {
    let target = try Self.target()
    let client = StreamLiveTests.begun(target, Self.request)
    var setup = TargetSetup()
    for round in 0..<12 {
      setup.templates["plain.mustache"] = "<p>\(round)</p>"
      await target.server.adopt(try setup.archive())
    }
    // Until after the next look at all connections.
    try await Task.sleep(for: .milliseconds(2500))
    let answer = try #require(client.readAnswer())
    #expect(answer.isComplete && answer.body.count == StreamLiveTests.bodyBytes)
  }
}
