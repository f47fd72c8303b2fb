import CellTemplates
import Testing

@testable import Cells

/// A cell drawn in a nib, a row, and what it becomes.
struct NibCase: CustomTestStringConvertible, Sendable {
  let html: String
  let row: String
  /// nil if names are missing.
  var output: String?
  var names: [String] = []
  var missing = MissingPolicy.drop
  var owner: String?
  /// Other cells of the nib.
  var cells = ""
  /// What `CellFactory-Missing` says; nil if it does not matter.
  var tally: ValueTally?

  init(
    _ html: String, _ row: String, _ output: String, missing: MissingPolicy = .drop, owner: String? = nil,
    cells: String = "", tally: (Int, Int)? = nil
  ) {
    (self.html, self.row, self.output, self.missing, self.owner) = (html, row, output, missing, owner)
    self.cells = cells
    self.tally = tally.map { ValueTally(missing: $0.0, drawn: $0.1) }
  }

  /// A row that lacks names.
  init(
    _ html: String, _ row: String, lacks names: [String], missing: MissingPolicy = .error, cells: String = ""
  ) {
    (self.html, self.row, self.names, self.missing, self.cells) = (html, row, names, missing, cells)
  }

  var testDescription: String { "\(html) with \(row)" }

  /// Renders the row several times: with and without reuse, after another row, by a plan once there is one, and pausing
  /// wherever it may.
  /// - Parameter leastPauses: how often it pauses at least, if it does.
  func check(leastPauses: Int = 0) throws {
    let nib = ["nib.html": "<template data-cell=cell>\(html)</template>\(cells)"]
    var limits = RenderLimits()
    limits.missing = missing
    let expected: RenderHarness.Outcome = output.map { .rendered($0) } ?? .missing(names)
    for reuse in [ReusePolicy(), .off] {
      let harness = try RenderHarness(nib, reuse: reuse)
      for _ in 0..<3 {
        let rendered = try harness.outcomesAndMissing([("cell", row)], owner: owner, limits: limits)
        #expect(rendered.outcomes == [expected])
        if let tally { #expect(rendered.tally == tally) }
        // Rendered only for its side effects.
        _ = try harness.outcomes("cell", "{\"z\":{\"x\":1,\"y\":2},\"x\":[{\"y\":1}]}", limits: limits)
      }
    }
    if owner == nil {
      let paused = try RenderHarness(nib.merging(Self.page) { $1 }).renderPausing("cell", row, limits: limits)
      #expect(paused.outcome == expected)
      #expect(paused.pauses >= leastPauses)
    }
  }

  private static let page = ["page.mustache": "{{a}}{{#l}}{{.}}{{/l}}{{#m}}{{.}}{{/m}}"]
}
