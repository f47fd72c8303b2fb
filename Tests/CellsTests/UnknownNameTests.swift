import CellTemplates
import Testing

@testable import Cells

/// The work of looking for names that a kind never reads.
@Suite struct UnknownNameTests {
  /// How many names are found in a row, or nil if that takes too much work.
  private func count(_ template: String, _ row: String, iterations: Int) throws -> Int? {
    try found(template, row, iterations: iterations)?.count
  }

  private struct Found: Sendable {
    let count: Int
    /// For each name that is described.
    let nearest: [String?]
    let comparisonsLeft: Int
  }

  private func found(
    _ template: String, _ row: String, iterations: Int = 1 << 20, comparisons: Int = 1 << 16
  ) throws -> Found? {
    let harness = try RenderHarness(["nib.html": template])
    return try harness.factory.assumeIsolated { factory throws in
      var text = ByteBuffer()
      text.append(text: row)
      let root = try factory.parse(&text, in: 0..<text.count, depthLimit: 512)
      let tape = factory.tape(over: text)
      let kind = try #require(factory.archive.kindNumber("k"))
      let names = factory.unknownNames(in: root, ofKind: kind, describes: true, comparisons: comparisons)
      var limits = RenderLimits()
      limits.iterations = iterations
      do throws(RenderFault) {
        while try !names.find(on: tape, limits) {}
      } catch {
        guard case .tooMuchWork = error else { throw error }
        return nil
      }
      return Found(
        count: names.count, nearest: names.findings.map(\.nearest), comparisonsLeft: names.comparisonsLeft)
    }
  }

  /// Outlets that are no objects have the names inside them looked up around them: each is one more place for each member.
  @Test func placesTimesMembersAreIterations() throws {
    let outlets = (0..<200).map { "<div data-outlet=\"g\($0)\"><b data-outlet=\"x\($0)\">d</b></div>" }
      .joined()
    let cell = "<div data-cell=\"k\">\(outlets)</div>"
    let row = "{\((0..<200).map { "\"g\($0)\":1" }.joined(separator: ",")),\"z\":1}"
    #expect(try count(cell, row, iterations: 200_000) == 1)
    #expect(try count(cell, row, iterations: 10_000) == nil)
  }

  /// Names are described without the nearest one once the request has compared enough.
  @Test func searchesForNearestNamesAreBounded() throws {
    let cell = "<p data-cell=\"k\">\((0..<8).map { "{{name\($0)}}" }.joined())</p>"
    let row = "{\((0..<8).map { "\"name\($0)s\":1" }.joined(separator: ","))}"
    let names = try #require(try found(cell, row, comparisons: 20))
    #expect(names.count == 8)
    #expect(names.nearest == ["name0", "name1", "name2"] + Array(repeating: nil, count: 5))
    #expect(names.comparisonsLeft == 0)
    let all = try #require(try found(cell, row))
    #expect(all.nearest == (0..<8).map { "name\($0)" })
    #expect(all.comparisonsLeft == (1 << 16) - 64)
  }

  /// Only some are described, so looking for the nearest name is no iteration.
  @Test func describingIsNone() throws {
    #expect(
      try count("<p data-cell=\"k\"><b data-outlet=\"a\">x</b></p>", "{\"a\":1,\"b\":2}", iterations: 10) == 1
    )
  }
}
