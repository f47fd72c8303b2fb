import CellTemplates
import Scaling
import Testing

@testable import Cells

/// A row costs twice as much for a template twice as large.
@Suite(.serialized) struct RenderScalingTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let files: @Sendable (Int) -> [String: String]
  }

  private static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  private static func blocks(_ count: Int, _ text: String) -> String {
    each(count) { "{{$b\($0)}}\(text){{/b\($0)}}" }
  }

  static let shapes = [
    Shape(testDescription: "all blocks are overridden") { n in
      ["base.mustache": blocks(n, "x"), "c.mustache": "{{<base}}\(blocks(n, "{{a}}")){{/base}}"]
    },
    Shape(testDescription: "no block is overridden") { n in
      [
        "base.mustache": each(n) { "{{$c\($0)}}x{{/c\($0)}}" },
        "c.mustache": "{{<base}}\(blocks(n, "y")){{/base}}",
      ]
    },
    Shape(testDescription: "one block is overridden often") { n in
      [
        "base.mustache": each(n) { _ in "{{$b}}x{{/b}}" },
        "c.mustache": "{{<base}}\(each(n) { _ in "{{$b}}y{{/b}}" }){{/base}}",
      ]
    },
    Shape(testDescription: "parents of parents override all blocks") { n in
      var files = ["k0.mustache": blocks(n, "x"), "c.mustache": "{{<k9}}{{/k9}}"]
      for number in 1..<10 {
        files["k\(number).mustache"] = "{{<k\(number - 1)}}\(blocks(n, "\(number)")){{/k\(number - 1)}}"
      }
      return files
    },
  ]

  @Test(arguments: shapes) func twiceAsMuchCostsTwiceAsMuch(_ shape: Shape) throws {
    let fault = try Scaling.fault(at: 500, make: { try RenderHarness.archive(shape.files($0)) }) {
      // A new one each time, because plans would render the second row.
      _ = try RenderHarness(archive: $0).outcomes("c", "{\"a\":1}")
    }
    if let fault { Issue.record("\(fault)") }
  }

  /// A block that looks through many running bodies for its override is work that counts.
  @Test func bodiesWithinBodiesCountAsWork() throws {
    let (depth, blocks) = (500, 2000)
    let bodies = Self.each(depth) { "{{$b\($0)}}{{$b\($0 + 1)}}{{/b\($0 + 1)}}{{/b\($0)}}" }
    let innermost = "{{$b\(depth)}}\(Self.each(blocks) { _ in "{{$b0}}x{{/b0}}" }){{/b\(depth)}}"
    let harness = try RenderHarness([
      "base.mustache": "{{$b0}}{{/b0}}", "c.mustache": "{{<base}}\(bodies)\(innermost){{/base}}",
    ])
    var limits = RenderLimits()
    let output = String(repeating: "x", count: blocks)
    #expect(try harness.outcomes("c", "{}", limits: limits) == [.rendered(output)])
    limits.iterations = depth * blocks / 20
    #expect(try harness.outcomes("c", "{}", limits: limits) == [.tooMuchWork(limit: limits.iterations)])
  }

  /// However many overrides there are, the last one of a block counts.
  @Test(arguments: [1, 2, 15, 16, 17, 18, 100]) func theLastOverrideCounts(count: Int) throws {
    let overrides = (0..<count).map { "{{$b\($0)}}\($0);{{/b\($0)}}" }.joined()
    let harness = try RenderHarness([
      "base.mustache": "{{$none}}-{{/none}}" + Self.blocks(count, "x"),
      "c.mustache": "{{<base}}{{$b0}}old{{/b0}}\(overrides){{/base}}|{{<base}}{{$b0}}other;{{/b0}}{{/base}}",
    ])
    let expected =
      "-" + (0..<count).map { "\($0);" }.joined() + "|-other;" + String(repeating: "x", count: count - 1)
    #expect(try harness.outcomes("c", "{}") == [.rendered(expected)])
  }
}
