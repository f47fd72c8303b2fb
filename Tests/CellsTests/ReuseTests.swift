import CellTemplates
import Scaling
import Testing

@testable import Cells

@Suite struct ReuseTests {
  private static let kinds = 8

  private func harness(_ policy: ReusePolicy) throws -> RenderHarness {
    try RenderHarness(
      Dictionary(uniqueKeysWithValues: (0..<Self.kinds).map { ("k\($0).mustache", "{{a}}\($0)") }),
      reuse: policy)
  }

  @Test func aCellGivenBackIsTheNextOneOfItsKind() throws {
    try harness(ReusePolicy()).factory.assumeIsolated { factory in
      let first = factory.dequeueReusableCell(ofKind: 3)
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 0, misses: 1, evictions: 0, held: 0))
      factory.enqueue(first)
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 0, misses: 1, evictions: 0, held: 1))
      #expect(factory.dequeueReusableCell(ofKind: 4) !== first)
      let second = factory.dequeueReusableCell(ofKind: 3)
      #expect(second === first && second.kind == 3)
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 1, misses: 2, evictions: 0, held: 0))
      #expect(factory.dequeueReusableCell(ofKind: 3) !== first)
    }
  }

  @Test func aPoolThatIsOffHoldsNothingAndCountsMisses() throws {
    try harness(.off).factory.assumeIsolated { factory throws in
      let first = factory.dequeueReusableCell(ofKind: 0)
      factory.enqueue(first)
      #expect(factory.dequeueReusableCell(ofKind: 0) !== first)
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 0, misses: 2, evictions: 0, held: 0))
      #expect(try factory.render("k1", rows: "[{},{},{}]") == ["1", "1", "1"])
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 0, misses: 5, evictions: 0, held: 0))
    }
  }

  @Test func idleCellsAreBoundedForEachKind() throws {
    try harness(ReusePolicy(cellsPerKind: 2, cellsInAll: 100)).factory.assumeIsolated { factory in
      for kind: UInt32 in [0, 1] {
        let cells = (0..<5).map { _ in factory.dequeueReusableCell(ofKind: kind) }
        for cell in cells { factory.enqueue(cell) }
      }
      #expect(factory.reuseStatistics == ReuseStatistics(hits: 0, misses: 10, evictions: 6, held: 4))
    }
  }

  @Test func idleCellsAreBoundedInAll() throws {
    try harness(ReusePolicy(cellsPerKind: 4, cellsInAll: 3)).factory.assumeIsolated { factory in
      for kind in 0..<UInt32(Self.kinds) {
        let cells = (0..<4).map { _ in factory.dequeueReusableCell(ofKind: kind) }
        for cell in cells { factory.enqueue(cell) }
        #expect(factory.reuseStatistics.held == 3)
      }
      #expect(factory.reuseStatistics.evictions == 4 * Self.kinds - 3)
      // The kind returned last is kept.
      _ = factory.dequeueReusableCell(ofKind: UInt32(Self.kinds - 1))
      #expect(factory.reuseStatistics.hits == 1)
    }
  }

  @Test(arguments: [
    ReusePolicy(), ReusePolicy(cellsPerKind: 1, cellsInAll: 1), ReusePolicy(cellsPerKind: 3, cellsInAll: 5),
    ReusePolicy(cellsPerKind: 1, cellsInAll: 1000), .off,
  ])
  func theCountsAddUp(_ policy: ReusePolicy) throws {
    try harness(policy).factory.assumeIsolated { factory in
      var numbers = SeededNumbers(state: 5)
      var taken: [Cell] = []
      var (asked, given) = (0, 0)
      for _ in 0..<5_000 {
        if taken.isEmpty || Bool.random(using: &numbers) {
          let kind = UInt32.random(in: 0..<UInt32(Self.kinds), using: &numbers)
          let cell = factory.dequeueReusableCell(ofKind: kind)
          #expect(cell.kind == kind)
          #expect(!taken.contains { $0 === cell })
          taken.append(cell)
          asked += 1
        } else {
          factory.enqueue(taken.remove(at: Int.random(in: taken.indices, using: &numbers)))
          given += 1
        }
        let statistics = factory.reuseStatistics
        #expect(statistics.hits + statistics.misses == asked)
        #expect(statistics.held == (policy.isOn ? given - statistics.evictions - statistics.hits : 0))
        #expect(statistics.held <= min(policy.cellsInAll, policy.cellsPerKind * Self.kinds))
      }
    }
  }

  /// Each hint of a look-up takes four bytes.
  @Test func cellsWithManyHintsAreBoundedByTheirMemory() throws {
    let big = (0..<50_000).map { "{{n\($0)}}" }.joined()
    let kinds = 100
    var templates = ["big.mustache": big]
    for number in 0..<kinds { templates["k\(number).mustache"] = "{{#a}}{{>big}}{{/a}}" }
    try RenderHarness(templates, reuse: ReusePolicy()).factory.assumeIsolated { factory in
      for kind in 0..<UInt32(kinds) { factory.enqueue(factory.dequeueReusableCell(ofKind: kind)) }
      let kept = factory.reuseStatistics.held
      #expect((1...CellPool.keptBytes / 200_000).contains(kept), "\(kept)")
      let cell = factory.dequeueReusableCell(ofKind: UInt32(kinds - 1))
      #expect(factory.reuseStatistics.hits == 1 && cell.slotBytes >= 200_000)
    }
  }

  @Test func anIdleCellKeepsNoContentAndLittleMemory() throws {
    try harness(ReusePolicy()).factory.assumeIsolated { factory in
      let cell = factory.dequeueReusableCell(ofKind: 0)
      cell.buffer.append([UInt8](repeating: 7, count: 1 << 20))
      factory.enqueue(cell)
      #expect(cell.buffer.count == 0 && cell.buffer.capacity <= Cell.keptBufferBytes)
    }
  }

  /// The capacity reserved after a large row is bounded, otherwise a memory limit could refuse the next row.
  @Test func aLargeRowDoesNotMakeTheNextOneLarge() throws {
    let harness = try RenderHarness(["c.mustache": "{{a}}"])
    let large = "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
    #expect(try harness.outcomes("c", large, "{}").last == .rendered(""))
    harness.factory.assumeIsolated { factory in
      let cell = factory.dequeueReusableCell(ofKind: 0)
      #expect(factory.reuseStatistics.hits == 2)
      cell.expectedCount = 0
    }
    #expect(try harness.outcomes("c", large) != [.rendered("")])
    harness.factory.assumeIsolated { factory in
      #expect(factory.dequeueReusableCell(ofKind: 0).expectedCount == Cell.keptBufferBytes)
    }
  }

  /// Rows rendered one after another by the same cell: a position remembered from one may hold another value
  /// in the next.
  @Test(arguments: [
    [#"{"x":1,"a":2}"#, #"{"x":{"a":9},"a":3}"#, #"{"x":{"a":9}}"#, #"{"a":4}"#],
    [#"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"a":1,"a":2,"a":3}"#, #"{"a":1}"#, #"{}"#],
    [
      #"{"x":0,"a":1}"#, #"{"a":1,"a":2,"x":0}"#, #"{"a":{"a":3},"x":0,"b":1}"#,
      #"{"x":0,"y":1,"a":{"b":4}}"#,
    ],
    [
      #"{"x":{"y":{"a":1}},"a":2}"#, #"{"x":[{"a":1}],"a":5}"#, #"{"x":[1,2,{"a":1}]}"#, "[]", #"["a",1]"#,
      "null",
    ],
    [
      #"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2,"b":1}}"#, #"{"a":{"b":1,"b":3}}"#, #"{"a":{"c":{"b":7}}}"#,
      #"{"a":[{"b":1}]}"#,
    ],
    [
      #"{"l":[{"b":1},{"c":0,"b":2},{"b":1,"b":3},{},{"c":{"b":4}}],"b":"outer"}"#,
      #"{"b":"outer","l":{"b":"inner"}}"#,
    ],
    [#"{"\u0061":1}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#],
  ])
  func hintsNeverChangeTheOutput(_ rows: [String]) throws {
    let templates = [
      "c.mustache": "{{a}}|{{a.b}}|{{b}}|{{#a}}{{b}}{{/a}}|{{#l}}{{b}},{{/l}}|{{^a}}none{{/a}}|{{x}}"
    ]
    let alone = try rows.map { try RenderHarness(templates).outcomes("c", $0) }
    for order in [rows.indices.map { $0 }, rows.indices.reversed(), rows.indices.flatMap { [$0, 0, $0] }] {
      let harness = try RenderHarness(templates)
      for row in order { #expect(try harness.outcomes("c", rows[row]) == alone[row]) }
      #expect(harness.factory.assumeIsolated { $0.reuseStatistics.misses } == 1)
    }
  }
}
