import CellTemplates
import Scaling
import Testing

@testable import Cells

/// Proves that no data of one row or request appears in another: thousands of random rows of many kinds,
/// rendered in random order with the reuse pool on, off and tiny, give the same bytes as each row alone.
@Suite struct LeakTests {
  private static let templates = [
    "flat.mustache": "{{a}} {{b}} {{c.d}} {{d}} {{.}} {{@index}}{{@last}}",
    "sections.mustache":
      "{{#a}}({{b}}{{c}}{{@index}}{{#b}}{{.}}{{/b}}){{/a}}{{^b}}no b{{/b}}{{^c.d}}no d{{/c.d}}{{#c}}{{d}}{{/c}}",
    "tree.mustache": "<div>{{a}}\n  {{#list}}\n  {{>tree}}\n  {{/list}}\n</div>\n",
    "dynamic.mustache":
      "{{#list}}\n  {{>*kind}}\n{{/list}}[{{>*kind}}]{{<*kind}}{{$body}}{{a}}{{/body}}{{/*kind}}",
    "layout.mustache":
      "<main>\n  {{$body}}\n    {{a}} default\n  {{/body}}\n{{#list}}{{$body}}{{b}}{{/body}}{{/list}}{{owner.a}}</main>",
    "page.mustache":
      "{{<layout}}{{$body}}\n  {{c.d}}\n  {{>flat}}\n{{#b}}\n  {{.}}\n{{/b}}\n{{/body}}{{/layout}}",
    "wide.mustache":
      "{{a}}{{b}}{{c}}{{d}}{{e}}{{f}}{{list}}{{kind}}{{a.b.c.d}}{{list.0.a}}{{list.1.list.0.b}}",
    "folder/text.txt.mustache": "{{{a}}} {{&b}} {{c}}\n {{>folder/other}}\n{{#list}}{{>*kind}}{{/list}}",
    "folder/other.txt.mustache": "{{#list}}{{@first}}{{{.}}}\n{{/list}}{{owner}}",
  ]

  /// Writes random rows. Keys are few, so that rows share them: repeated, missing, and with values of any
  /// type.
  private struct RowWriter {
    var numbers: SeededNumbers
    private static let keys = [
      "a", "b", "c", "d", "e", "list", "kind", "owner", "unknown", "\\u0061", "l\\u0069st", "0",
    ]
    private static let strings = [
      "", "x", "<b>&amp;\\\"'", "\\u0000", "é€😀", "\\ud83d\\ude00\\n", "tree", "flat", "page", "layout",
      "folder/text",
      "0123456789abcdef<0123456789abcdef", "none",
    ]
    private static let scalars = [
      "0", "-0.0", "19.90", "1e400", "12345678901234567890123", "true", "false", "null",
    ]

    mutating func value(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &numbers) {
      case 0...1: return "\"" + Self.strings.randomElement(using: &numbers)! + "\""
      case 2...4: return Self.scalars.randomElement(using: &numbers)!
      case 5...6:
        let count = Int.random(in: 0...4, using: &numbers)
        return "[" + (0..<count).map { _ in value(depth - 1) }.joined(separator: ",") + "]"
      default: return object(depth)
      }
    }

    mutating func object(_ depth: Int) -> String {
      // Sometimes a large one, which is searched in another way.
      let isLarge = Int.random(in: 0..<12, using: &numbers) == 0
      let count = Int.random(in: isLarge ? 30...60 : 0...7, using: &numbers)
      let depth = isLarge ? 1 : depth
      let members = (0..<count).map { _ in
        "\"" + Self.keys.randomElement(using: &numbers)! + "\":" + value(depth - 1)
      }
      return "{" + members.joined(separator: ",") + "}"
    }

    mutating func row() -> String {
      Int.random(in: 0..<10, using: &numbers) == 0 ? value(3) : object(4)
    }
  }

  private struct Request {
    var rows: [(kind: String, json: String)]
    var owner: String?
    var limits: RenderLimits
    /// The output of each row alone, rendered by a new factory.
    var alone: [RenderHarness.Outcome] = []
  }

  private static func requests(_ count: Int, archive: CellArchive) throws -> [Request] {
    var writer = RowWriter(numbers: SeededNumbers(state: 42))
    return try (0..<count).map { _ in
      let size = Int.random(in: 1...40, using: &writer.numbers)
      var kind = archive.kindNames.randomElement(using: &writer.numbers)!
      var rows: [(kind: String, json: String)] = []
      for _ in 0..<size {
        // Often the same kind again, as in typical requests.
        if Int.random(in: 0..<3, using: &writer.numbers) == 0 {
          kind = archive.kindNames.randomElement(using: &writer.numbers)!
        }
        rows.append((kind, writer.row()))
      }
      var limits = RenderLimits()
      limits.missing = MissingPolicy.allCases.randomElement(using: &writer.numbers)!
      limits.partialDepth = 8
      limits.outputBytes = 20_000
      let owner = Bool.random(using: &writer.numbers) ? writer.object(2) : nil
      var request = Request(rows: rows, owner: owner, limits: limits)
      for (position, row) in rows.enumerated() {
        request.alone += try RenderHarness(archive: archive, reuse: .off)
          .outcomes([row], owner: owner, position: position, count: rows.count, limits: limits)
      }
      return request
    }
  }

  @Test func nothingOfOneRowIsSeenInAnother() throws {
    let archive = try RenderHarness.archive(Self.templates)
    let requests = try Self.requests(150, archive: archive)
    let outcomes = requests.flatMap(\.alone)
    #expect(outcomes.count > 2_500)
    // The rows are representative: most are rendered, and every kind of failure occurs.
    #expect(outcomes.count { if case .rendered(let bytes) = $0 { !bytes.isEmpty } else { false } } > 1_000)
    #expect(outcomes.contains { if case .tooDeep = $0 { true } else { false } })
    #expect(outcomes.contains { if case .missing = $0 { true } else { false } })

    var numbers = SeededNumbers(state: 43)
    let policies = [
      ReusePolicy(), .off, ReusePolicy(cellsPerKind: 1, cellsInAll: 1),
      ReusePolicy(cellsPerKind: 2, cellsInAll: 3),
    ]
    for policy in policies {
      let harness = RenderHarness(archive: archive, reuse: policy)
      for request in requests.shuffled(using: &numbers) + requests.shuffled(using: &numbers) {
        let rendered = try harness.outcomes(
          request.rows, owner: request.owner, count: request.rows.count, limits: request.limits)
        #expect(rendered == request.alone)
      }
      let statistics = harness.factory.assumeIsolated { $0.reuseStatistics }
      #expect(statistics.hits + statistics.misses == 2 * outcomes.count)
      #expect((statistics.hits > 0) == policy.isOn)
    }
  }

  @Test func anArchiveReadFromItsBytesRendersTheSame() throws {
    let archive = try RenderHarness.archive(Self.templates)
    let read = try CellArchive(decoding: archive.encoded())
    #expect(read.hash == archive.hash)
    let harness = RenderHarness(archive: read)
    for request in try Self.requests(20, archive: archive) {
      let rendered = try harness.outcomes(
        request.rows, owner: request.owner, count: request.rows.count, limits: request.limits)
      #expect(rendered == request.alone)
    }
  }
}
