import Cells
import Testing

/// The answers to all cases of all tables are the same in process and over a socket, with every reuse policy.
@Suite struct ServiceReuseTests {
  static let corpus: [ServiceCase] =
    ServiceRowsTests.rows + ServiceRowsTests.ndjson + ServiceRowsTests.forms + ServiceRowsTests.sniffing
    + ServiceFormatTests.formats + ServiceFormatTests.fields + ServiceFormatTests.accepts
    + ServiceBatchTests.html
    + ServiceBatchTests.envelopes + ServiceBatchTests.errors + ServiceBatchTests.skipping
    + ServiceBatchTests.ids
    + ServiceMissingTests.policies + ServiceMissingTests.pointers + ServiceMissingTests.skipping
    + ServiceGetTests.cells
    + ServiceRouteTests.paths + ServiceRouteTests.queries + ServiceOrderTests.types + ServiceJSONTests.faults
    + ServiceJSONTests.depth

  static let policies: [ReusePolicy] = [ReusePolicy(), .off, ReusePolicy(cellsPerKind: 1, cellsInAll: 1)]

  /// The answers as on the wire, without the parts that differ between requests or depend on the connection.
  static func answers(_ target: any HTTPTarget, _ cases: [ServiceCase]) async throws -> [String] {
    var answers: [String] = []
    for row in cases {
      let answer = try await target.ask(row.request, row.location)
      let own: Set = ["date", "connection", "x-request-id"]
      let headers = answer.headers.filter { !own.contains($0.name.lowercased()) }.map {
        "\($0.name): \($0.value)"
      }
      answers.append("\(answer.status)\n" + headers.sorted().joined(separator: "\n") + "\n\n" + answer.text)
    }
    return answers
  }

  @Test(arguments: Way.allCases) func cellsAreReusedUnseen(way: Way) async throws {
    let first = try await Self.answers(way.target { $0.reuse = .off }, Self.corpus)
    for policy in Self.policies {
      let target = try way.target { $0.reuse = policy }
      // Three times, the second time in reverse order, so that the state kept by a cell comes from different
      // rows.
      let again = [
        try await Self.answers(target, Self.corpus),
        try await Self.answers(target, Self.corpus.reversed()).reversed(),
        try await Self.answers(target, Self.corpus),
      ]
      for answers in again {
        for (position, row) in Self.corpus.enumerated() where answers[position] != first[position] {
          Issue.record(
            "\(row.name): \(answers[position]) != \(first[position])", sourceLocation: row.location)
        }
      }
      #expect(await target.heldBytes() == 0)
    }
  }

  @Test func bothWaysGiveTheSameBytes() async throws {
    let inside = try await Self.answers(Way.inProcess.target(), Self.corpus)
    let live = try await Self.answers(Way.live.target(), Self.corpus)
    for (position, row) in Self.corpus.enumerated() where inside[position] != live[position] {
      Issue.record("\(row.name): \(live[position]) != \(inside[position])", sourceLocation: row.location)
    }
  }

  /// Rows whose shapes change from one to the next, in one request and each alone.
  @Test(arguments: Way.allCases) func nothingLeaksFromRowToRow(way: Way) async throws {
    var random = Numbers(state: 7)
    let rows = (0..<300).map { _ in Self.row(&random) }
    for policy in Self.policies {
      let target = try way.target { $0.reuse = policy }
      let alone = try way.target { $0.reuse = .off }
      var expected = ""
      for row in rows { expected += try await alone.ask(.post("/cells", row)).text }
      let together = try await target.ask(.post("/cells", "[" + rows.joined(separator: ",") + "]"))
      let lines = try await target.ask(.ndjson("/cells", rows.joined(separator: "\n")))
      #expect(together.text == expected && lines.text == expected)
    }
  }

  /// An item of a random kind; its keys are present or not, repeated, and in any order.
  static func row(_ random: inout Numbers) -> String {
    let kind = ["plain", "people", "who", "signs", "tree", "any", "dot"][random.next(7)]
    var members: [String] = []
    for _ in 0..<random.next(8) {
      let name = ["title", "people", "owner", "name", "x/y", "a~b/c", "kid", "pets", "z~"][random.next(9)]
      let number = random.next(100)
      let value = [
        "\(number)", "\"s\(number)\"", "null", "false", "[]", "{\"name\":\(number)}",
        "[{\"name\":\(number)},{},3]", "{\"kid\":0,\"z~\":\(number)}",
      ]
      members.append("\"\(name)\":\(value[random.next(8)])")
    }
    // The data determines where a tree ends.
    if kind == "tree" { members.append("\"kid\":{\"kid\":false}") }
    if kind == "any" { members.append("\"name\":\"plain\"") }
    return "{\"kind\":\"\(kind)\",\"data\":{\(members.joined(separator: ","))}}"
  }

  /// Random numbers that are the same in every run (a linear congruential generator).
  struct Numbers {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }
}
