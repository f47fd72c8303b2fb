import CellServer
import Cells
import Scaling
import Testing

/// The same rows give the same bytes in every way from a body to an answer: see "Rows to answers" in
/// `docs/architecture.md`.
@Suite struct RowPathTests {
  private static let templates = [
    "card.mustache": """
    <p id="c{{@index}}" title="{{a}}">{{a}}{{#l}}<a href="{{u}}">{{.}}, {{a}}</a>{{/l}}{{^l}}<i>{{b}}</i>{{/l}}</p>
    """,
    "nib.html": "<div data-cell=\"nib\"><b data-outlet=\"a\">x</b><i data-outlet=\"l\">y</i></div>",
    "note.txt.mustache": "{{a}} & {{#l}}{{.}};{{/l}}{{b}}\n",
  ]

  /// Rows of a kind, and a request's query.
  private struct Batch {
    var kind: String
    var rows: [String]
    var query: String

    var array: String { "[" + rows.joined(separator: ", ") + "]" }
    var items: String {
      "[" + rows.map { "{\"kind\":\"\(kind)\",\"data\":\($0)}" }.joined(separator: ",\n") + "]"
    }
    func target(_ path: String) -> String { path + "?format=\(kind == "note" ? "text" : "html")" + query }
  }

  private struct Path: Sendable {
    var name: String
    /// Whether rows have the same JSON pointers in errors.
    var namesRowsAlike = true
    var set: @Sendable (inout TargetSetup) -> Void
    var request: @Sendable (Batch) -> TestRequest = { .post($0.target("/cells/\($0.kind)"), $0.array) }
  }

  private static let paths = [
    Path(name: "without cells that are reused") {
      $0.service.makeWhole()
      $0.reuse.isOn = false
    },
    Path(name: "rendered in slices") { $0.service.sliceMicroseconds = 0 },
    Path(name: "read in slices") { $0.service.sliceBodyBytes = 0 },
    Path(name: "streamed from the first row on") {
      ($0.service.completeBytes, $0.service.sliceMicroseconds) = (0, 0)
    },
    Path(name: "streamed after some rows") { $0.service.completeBytes = 700 },
    Path(name: "one row a line", namesRowsAlike: false) {
      $0.service.makeWhole()
    } request: {
      .ndjson($0.target("/cells/\($0.kind)"), $0.rows.joined(separator: "\n"))
    },
    Path(name: "lines, streamed", namesRowsAlike: false) {
      ($0.service.completeBytes, $0.service.sliceMicroseconds, $0.service.sliceBodyBytes) = (300, 0, 0)
    } request: {
      .ndjson($0.target("/cells/\($0.kind)"), $0.rows.joined(separator: "\n"))
    },
    Path(name: "items", namesRowsAlike: false) {
      $0.service.makeWhole()
    } request: {
      .post($0.target("/cells"), $0.items)
    },
    Path(name: "items, streamed", namesRowsAlike: false) {
      ($0.service.completeBytes, $0.service.sliceMicroseconds, $0.service.sliceBodyBytes) = (300, 0, 0)
    } request: {
      .post($0.target("/cells"), $0.items)
    },
  ]

  private static let values = [
    "null", "true", "false", "0", "-1.50", "\"\"", "\"a & b\"", "\"<script>\"", "\"https://a/?b=c&d\"",
    "\"javascript:x\"", "\"\\u00e9\\n\\\"\"", "[]", "{}", "[1,null,\"<\"]",
    "[{\"a\":\"x\"},{\"u\":\"/y z\"}]",
    "{\"a\":{\"b\":2}}", "\"\(String(repeating: "long & ", count: 60))\"",
  ]

  private static func row(_ numbers: inout SeededNumbers) -> String {
    // Most of them are bad rows.
    if Int.random(in: 0..<200, using: &numbers) == 0 { return values.randomElement(using: &numbers)! }
    let names = ["a", "b", "l", "u", "a"].filter { _ in Int.random(in: 0..<4, using: &numbers) > 0 }
    return "{"
      + names.map { "\"\($0)\":\(values.randomElement(using: &numbers)!)" }.joined(separator: ",") + "}"
  }

  private static func batch(_ numbers: inout SeededNumbers) -> Batch {
    let count = [1, 2, 9, 63, 64, 65, 150].randomElement(using: &numbers)!
    var rows: [String] = []
    for _ in 0..<count {
      // Rows of one shape follow each other, as in most bodies.
      let isLikeLast = Bool.random(using: &numbers)
      rows.append(isLikeLast ? rows.last ?? row(&numbers) : row(&numbers))
    }
    return Batch(
      kind: ["card", "nib", "note"].randomElement(using: &numbers)!, rows: rows,
      query: ["", "&missing=error", "&missing=error&on_error=skip"].randomElement(using: &numbers)!)
  }

  @Test func everyWayGivesTheSameBytes() async throws {
    func target(_ set: (inout TargetSetup) -> Void) throws -> any HTTPTarget {
      try Way.inProcess.target {
        $0.templates.merge(Self.templates) { $1 }
        set(&$0)
      }
    }
    let whole = try target { $0.service.makeWhole() }
    let targets = try Self.paths.map { try target($0.set) }
    var numbers = SeededNumbers(state: 41)
    var statuses: [Int: Int] = [:]
    var streamed = 0
    for _ in 0..<120 {
      let batch = Self.batch(&numbers)
      let expected = try await whole.ask(.post(batch.target("/cells/\(batch.kind)"), batch.array))
      statuses[expected.status, default: 0] += 1
      for (path, target) in zip(Self.paths, targets) {
        let answer = try await target.ask(path.request(batch))
        let comment: Comment = "\(path.name): \(batch.kind)\(batch.query) \(batch.array)"
        #expect(answer.status == expected.status && answer.isComplete, comment)
        #expect(answer["CellFactory-Errors"] == expected["CellFactory-Errors"], comment)
        if expected.status == 200 || path.namesRowsAlike { #expect(answer.body == expected.body, comment) }
        streamed += answer.isStreamed ? 1 : 0
      }
    }
    #expect(statuses[200, default: 0] > 60 && statuses[422, default: 0] > 10, "\(statuses)")
    #expect(streamed > 200, "\(streamed)")
    for target in targets + [whole] { #expect(await target.heldBytes() == 0) }
  }
}
