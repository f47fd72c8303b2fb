import Testing

@testable import CellTemplates
@testable import Cells

/// Rows with formats and plurals print the same whatever rows came before them, whose plans they may use.
@Suite struct FormatPlanTests {
  private static let cases: [(template: String, rows: [String])] = [
    ("{{#n | plural =5}}five{{/n}}", [#"{"n":5}"#, #"{"n":7}"#, #"{"n":4}"#, #"{"n":5.0}"#]),
    ("{{^n | plural =0}}some{{/n}}", [#"{"n":"3"}"#, #"{"n":"0"}"#, #"{"n":"x"}"#]),
    ("{{#n | plural =5 one}}yes{{/n}}", [#"{"n":7}"#, #"{"n":5}"#, #"{"n":1}"#, #"{"n":2}"#]),
    ("{{#n | plural =2}}2{{/n}}{{#n | plural other}}{{n}}{{/n}}", [#"{"n":2}"#, #"{"n":3}"#, #"{"n":1}"#]),
    (
      "{{#l}}{{@number | currency code}} {{/l}}",
      ["EUR", "USD", "xx", "JPY"].map { #"{"l":["x"],"code":"\#($0)"}"# }
    ),
  ]

  @Test(arguments: cases)
  func rowsThatCameBeforeChangeNothing(_ template: String, _ rows: [String]) throws {
    let harness = try FormatHarness(["k.mustache": template])
    for row in rows + rows {
      let after = try harness.outputs("k", [row])
      let alone = try FormatHarness(["k.mustache": template]).outputs("k", [row])
      #expect(after == alone, "\(row)")
    }
    #expect(try harness.outputs("k", rows) == FormatHarness(["k.mustache": template]).outputs("k", rows))
  }

  @Test(arguments: ["time epoch=s", "relative epoch=s"])
  func theNumbersOfLoopsFollowTheClock(_ format: String) throws {
    let template = "{{#l}}{{@index | \(format)}}{{/l}}"
    let harness = try FormatHarness(["k.mustache": template])
    for (zone, now) in [("UTC", "2025-10-09T12:00:00Z"), ("Asia/Tokyo", "1970-01-02T00:00:00Z")] {
      let row = #"{"l":["x"]}"#
      let alone = try FormatHarness(["k.mustache": template]).outputs("k", [row], timeZone: zone, now: now)
      #expect(try harness.outputs("k", [row], timeZone: zone, now: now) == alone, "\(zone)")
    }
  }

  @Test(arguments: [
    #"<p data-plural="n"><i data-case="=1">just one</i><i data-case="other">others</i></p>"#,
    #"<p data-plural="n"><i data-case="one">one</i><i data-case="other">others</i></p>"#,
  ])
  func theseHaveAPlan(_ cell: String) throws {
    let nib = cell.replacing("<p", with: "<p data-cell=\"k\"", maxReplacements: 1)
    let harness = try FormatHarness(["nib.html": nib])
    let rows = (0..<40).map { #"{"n":\#($0 % 2)}"# }
    _ = try harness.outputs("k", rows)
    let planned = harness.factory.assumeIsolated { $0.planStatistics.rows }
    #expect(planned > 100, "\(planned)")
  }
}
