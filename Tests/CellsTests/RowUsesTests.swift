import CellTemplates
import Testing

@testable import Cells

/// What kinds read of a row, and which values they refuse.
@Suite struct RowUsesTests {
  static let uses: [(template: String, uses: RowUses)] = [
    ("<p>a</p>", []),
    ("{{@index}}{{owner.name}}{{#owner}}{{/owner}}", []),
    ("{{a}}", .members),
    ("{{#a}}{{.}}{{/a}}", .members),
    ("{{^a}}{{.}}{{/a}}", [.members, .itself]),
    ("{{#.}}{{a}}{{/.}}", [.members, .itself]),
    ("{{0}}{{1.a}}", [.members, .elements]),
    ("{{data}}", [.members, .data]),
    ("{{#a}}{{#b}}{{data.x}}{{/b}}{{/a}}", [.members, .data]),
    ("{{a.data}}", .members),
    ("{{^rows}}{{/rows}}", [.members, .rows]),
    ("{{>*a}}", .anything),
    ("{{>item}}", [.members, .itself]),
    ("{{#a}}{{>item}}{{/a}}", .members),
    ("{{#a}}{{>list}}{{/a}}", [.members, .rows]),
    ("{{>list}}", [.members, .rows]),
    ("{{<page}}{{$body}}{{.}}{{/body}}{{/page}}", [.members, .itself, .data]),
    ("{{>loop}}", [.members, .itself]),
  ]

  @Test(arguments: uses) func ofMustache(template: String, uses: RowUses) throws {
    let archive = try RenderHarness.archive([
      "k.mustache": template, "item.mustache": "{{.}}{{x}}",
      "list.mustache": "{{#rows}}{{>item}}{{/rows}}",
      "page.mustache": "{{data}}{{$body}}{{/body}}", "loop.mustache": "{{a}}{{.}}{{>loop}}",
    ])
    #expect(archive.rowUses(of: try #require(archive.kindNumber("k"))) == uses)
    // Read from a file, it is the same.
    let read = try CellArchive(decoding: archive.encoded())
    #expect(read.rowUses(of: try #require(read.kindNumber("k"))) == uses)
  }

  static let nibs: [(cell: String, uses: RowUses)] = [
    (#"<p data-cell="k">a</p>"#, []),
    (#"<p data-cell="k" data-outlet="a">a</p>"#, .members),
    (#"<p data-cell="k"><b data-outlet=".">a</b></p>"#, .itself),
    (#"<ul data-cell="k"><li data-outlet="a"><b data-outlet=".">a</b></li></ul>"#, .members),
    (#"<p data-cell="k"><b data-outlet="data">a</b></p>"#, [.members, .data]),
    (#"<p data-cell="k"><b data-outlet="owner.name">a</b></p>"#, []),
  ]

  @Test(arguments: nibs) func ofNibs(cell: String, uses: RowUses) throws {
    let archive = try RenderHarness.archive(["n.html": cell])
    #expect(archive.rowUses(of: try #require(archive.kindNumber("k"))) == uses)
  }

  @Test func partsOfAnObjectAreCountedFirst() throws {
    let harness = try RenderHarness(["a.mustache": "<p>{{a}}</p>"])
    // What repeats names may be an item, but is not recognized.
    let members = (0..<100).map { _ in #""data":{}"# }
    let cases: [(row: String, isItem: Bool)] = [
      (#"{"data":{}}"#, true), (#"{"data":1,"data":2}"#, true),
      ("{\(members.joined(separator: ","))}", false),
      (#"{"kind":"a","nib":"","class":"","id":1,"data":null,"etag":"","locale":"","timeZone":""}"#, true),
      (#"{"data":{},"Kind":1}"#, false), (#"{"kind":"a"}"#, false), (#"{"data":{},"rows":[]}"#, false),
    ]
    for (row, isItem) in cases {
      // Again and again, with a plan.
      let outcomes = try harness.outcomes("a", row, row, row, row)
      #expect(
        outcomes == Array(repeating: isItem ? .item : .rendered("<p></p>"), count: 4), "\(row.prefix(99))")
    }
  }

  @Test func whatIsNoObjectIsRefused() throws {
    let harness = try RenderHarness(["a.mustache": "{{a}}", "first.mustache": "{{0}}"])
    #expect(
      try harness.outcomes("a", "null", "1", "[]", "{}")
        == [.notAnObject(.null), .notAnObject(.number), .notAnObject(.array), .rendered("")])
    #expect(try harness.outcomes("first", "[1]", "1") == [.rendered("1"), .notAnObject(.number)])
  }
}
