import CellServer
import Cells
import Testing

/// What a streamed answer holds for a large row while its client does not read.
@Suite struct StreamMemoryTests {
  private static let limitBytes = 64 << 20
  private static let largeBytes = 20_000 * 1000

  private static func target(_ change: (inout TargetSetup) -> Void = { _ in }) throws -> LiveTarget {
    try StreamLiveTests.target {
      $0.templates["rep.mustache"] = "<i>{{#l}}{{@row.s}}{{/l}}</i>"
      $0.templates["miss.mustache"] = "<i>{{#l}}{{@row.s}}{{/l}}{{gone}}</i>"
      $0.server.inFlightLimitBytes = limitBytes
      change(&$0)
    }
  }

  /// - Parameter isGood: whether the row has all names that `miss` reads.
  private static func row(bytes: Int, items: Int, isGood: Bool = true) -> String {
    let text = String(repeating: "x", count: bytes)
    let list = Array(repeating: "1", count: items).joined(separator: ",")
    return #"{"s":"\#(text)","l":[\#(list)]\#(isGood ? #","gone":1"# : "")}"#
  }

  /// A row so long that the answer is streamed, and one that is larger than all buffers on its way.
  private static let rows = "[\(row(bytes: 1000, items: 1200)),\(row(bytes: 1000, items: 20_000))]"

  @Test(arguments: ["html", "json", "ndjson"]) func aLargeRowIsCounted(format: String) async throws {
    let target = try Self.target()
    let client = StreamLiveTests.begun(target, .post("/cells/rep?format=\(format)", Self.rows))
    let isCounted = await Patience.eventually { target.server.statistics[0].heldBytes > Self.largeBytes }
    #expect(isCounted, "\(target.server.statistics[0].heldBytes)")
    let answer = try #require(client.readAnswer())
    #expect(answer.isComplete && answer.body.count > Self.largeBytes + 1_200_000)
    #expect(!answer.text.contains("\"error\""))
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: ["html", "json", "ndjson"]) func answersBreakOffWhenThereIsNoRoom(format: String)
    async throws
  {
    let target = try Self.target()
    let request = TestRequest.post("/cells/rep?format=\(format)", Self.rows)
    let clients = (0..<4).map { _ in target.client }
    for client in clients { client.send(request.wire) }
    for client in clients { #expect(client.awaitBytes(100)) }
    // Until all have come to their large row, or broken off.
    for _ in 0..<20 {
      #expect(target.server.statistics[0].heldBytes <= Self.limitBytes)
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(target.server.statistics[0].heldBytes > Self.largeBytes)
    let answers = clients.compactMap { $0.readAnswer() }.filter { $0.status == 200 }
    let whole = answers.filter { $0.isComplete && !$0.text.contains("\"error\"") }
    #expect((1...3).contains(whole.count) && whole.allSatisfy { $0.body.count > Self.largeBytes })
    let others = answers.filter { !$0.isComplete || $0.text.contains("urn:cellfactory:overloaded") }
    #expect(whole.count + others.count == answers.count && !others.isEmpty)
    if format == "html" { #expect(others.allSatisfy { !$0.isComplete }) }
    #expect(await target.heldBytes() == 0)
  }

  /// What a row has rendered before it turns out to be bad does not count, however often it has paused.
  @Test(arguments: ["html", "ndjson"]) func badRowsLeaveTheirRoomToOthers(format: String) async throws {
    let target = try Self.target {
      StreamTests.setup(&$0, completeBytes: 1000)
      $0.templates["miss.mustache"] = "<i>{{#l}}{{@row.s}}{{/l}}{{gone}}</i>"
      $0.service.render.outputBytes = 1 << 20
    }
    let bad = Array(repeating: Self.row(bytes: 100_000, items: 4, isGood: false), count: 3)
    let good = [Self.row(bytes: 2000, items: 1), Self.row(bytes: 100_000, items: 5)]
    for rows in [[good[0]] + bad + [good[1]], bad + good, good + bad] {
      let answer = try await target.ask(
        .post("/cells/miss?format=\(format)&on_error=skip&missing=error", "[\(rows.joined(separator: ","))]"))
      #expect(answer.status == 200 && answer.isComplete && answer["CellFactory-Errors"] == "3")
      #expect((500_000..<600_000).contains(answer.body.count))
    }
    #expect(await target.heldBytes() == 0)
  }

  /// A row that has paused and turns out to be bad leaves a large buffer, for which there may be no room, and nothing in it.
  @Test(arguments: 18...24) func badRowsThatHavePausedLeaveNothing(mebibytes: Int) async throws {
    let target = try Self.target { $0.server.inFlightLimitBytes = mebibytes << 20 }
    let rows = [Self.row(bytes: 1000, items: 1200), Self.row(bytes: 1000, items: 16_838, isGood: false)]
    let answer = try await target.send(
      .ndjson("/cells/miss?on_error=skip&missing=error", rows.joined(separator: "\n")))
    // How much of the row is rendered before it pauses, and so what needs room when, depends on the machine.
    #expect([200, 422, 503].contains(answer.status))
    #expect(answer.status != 200 || !answer.isComplete || answer["CellFactory-Errors"] == "1")
    #expect(try await target.ask(.post("/cells/dot", "[1]")).text == "<b>1</b>")
    #expect(await target.heldBytes() == 0)
  }
}
