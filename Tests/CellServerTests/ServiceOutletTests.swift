import CellServer
import Cells
import Testing

/// `?fields=outlets` returns the values that fill a cell's outlets, at any position in the cell.
@Suite struct ServiceOutletTests {
  /// A cell's content, the row, and the expected member `outlets`.
  static let cells: [(cell: String, row: String, outlets: String)] = [
    (
      "<b data-outlet=a>x</b><i data-tag=2>y</i>", #"{"2":[1.50],"a":{"b":null}}"#,
      #"{"a":{"b":null},"2":[1.50]}"#
    ),
    ("<b data-outlet=a.b.1>x</b>", #"{"a":{"b":[1,2e1]}}"#, #"{"a.b.1":2e1}"#),
    ("<b data-outlet=a>x</b>", #"{"b":1}"#, "{}"),
    ("<b data-outlet='.'>x</b>", #""s""#, #"{".":"s"}"#),
    // An outlet inside another outlet is part of the outer value.
    ("<b data-outlet=a><i data-outlet=b>x</i></b>", #"{"a":[{"b":1},{}],"b":2}"#, #"{"a":[{"b":1},{}]}"#),
    (
      "<b data-outlet=a>{{#c}}<i data-outlet=b>x</i>{{/c}}</b>", #"{"a":{"c":true,"b":1}}"#,
      #"{"a":{"c":true,"b":1}}"#
    ),
    // In a section, a name is looked up in the innermost object.
    ("{{#on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":true,"a":1}"#, #"{"a":1}"#),
    ("{{#on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":"yes","a":1}"#, #"{"a":1}"#),
    ("{{#on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":{"a":2},"a":1}"#, #"{"a":2}"#),
    ("{{#on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":{},"a":1}"#, "{}"),
    ("{{#on.in}}<b data-outlet='.'>x</b>{{/on.in}}", #"{"on":{"in":{"a":2}}}"#, #"{".":{"a":2}}"#),
    ("{{#on}}{{#up}}<b data-outlet=a>x</b>{{/up}}{{/on}}", #"{"on":{"a":2},"up":3}"#, #"{"a":2}"#),
    // Outlets that are not rendered are left out.
    ("{{#on}}<b data-outlet=a>x</b>{{/on}}", #"{"a":1}"#, "{}"),
    ("{{#on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":0.0,"a":1}"#, "{}"),
    ("{{^on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":"","a":1}"#, #"{"a":1}"#),
    ("{{^on}}<b data-outlet=a>x</b>{{/on}}", #"{"on":{},"a":1}"#, "{}"),
    // Items of a list give a list of values.
    ("{{#tags}}<b data-outlet='.'>x</b>{{/tags}}", #"{"tags":["a",1.0]}"#, #"{".":["a",1.0]}"#),
    ("{{#tags}}<b data-outlet='.'>x</b>{{/tags}}", #"{"tags":["a"]}"#, #"{".":["a"]}"#),
    ("{{#tags}}<b data-outlet='.'>x</b>{{/tags}}", #"{"tags":"a"}"#, #"{".":"a"}"#),
    ("{{#tags}}<b data-outlet='.'>x</b>{{/tags}}", #"{"tags":[]}"#, "{}"),
    (
      "{{#l}}<b data-outlet=a>x</b><i data-outlet=b>y</i>{{/l}}", #"{"l":[{"a":1},{"a":null}]}"#,
      #"{"a":[1,null]}"#
    ),
    (
      "{{#l}}{{#m}}<b data-outlet=a>x</b>{{/m}}{{/l}}", #"{"l":[{"m":[{"a":1},{"a":2}]},{"m":{"a":3}}]}"#,
      #"{"a":[1,2,3]}"#
    ),
    (
      "{{#l}}{{^@last}}<b data-outlet=a>x</b>{{/@last}}{{/l}}", #"{"l":[{"a":1},{"a":2},{"a":3}]}"#,
      #"{"a":[1,2]}"#
    ),
    ("{{#l}}{{#@index}}<b data-outlet=a>x</b>{{/@index}}{{/l}}", #"{"l":[{"a":1},{"a":2}]}"#, #"{"a":[2]}"#),
    ("{{#l}}{{#.}}<b data-outlet='.'>x</b>{{/.}}{{/l}}", #"{"l":[0,1,[2,3]]}"#, #"{".":[1,2,3]}"#),
    // A name used in several places is listed once, with the row's own value if there is one.
    (
      "{{#u}}<b data-outlet=a>x</b>{{/u}}{{^u}}<i data-outlet=a>x</i>{{/u}}", #"{"u":"/","a":1}"#, #"{"a":1}"#
    ),
    ("{{#o}}<b data-outlet=a>x</b>{{/o}}<i data-outlet=a>x</i>", #"{"o":{"a":2},"a":1}"#, #"{"a":1}"#),
    ("{{#o}}<b data-outlet=a>x</b>{{/o}}<i data-outlet=a>x</i>", #"{"o":{"a":2}}"#, #"{"a":2}"#),
    // The order is that of the template.
    ("{{#o}}<b data-outlet=b>x</b>{{/o}}<i data-outlet=a>x</i>", #"{"a":1,"o":{"b":2}}"#, #"{"b":2,"a":1}"#),
    ("{{$block}}<b data-outlet=a>x</b>{{/block}}", #"{"a":1}"#, #"{"a":1}"#),
    ("{{#o}}<b data-outlet=owner.a>x</b>{{/o}}", #"{"owner":{"a":1},"o":{"owner":{"a":2}}}"#, "{}"),
  ]

  @Test(arguments: Way.allCases) func areReportedByName(way: Way) async throws {
    let target = try way.target { setup in
      setup.templates = Dictionary(
        uniqueKeysWithValues: Self.cells.enumerated().map {
          ("\($0).html", "<p data-cell=k\($0)>\($1.cell)</p>")
        })
    }
    try await target.check(
      Self.cells.enumerated().map { number, row in
        ServiceCase(
          row.cell,
          .post("/cells/k\(number)?format=ndjson&fields=outlets", row.row + "\n", type: "application/jsonl"),
          .ndjson(#"{"index":0,"kind":"k\#(number)","outlets":\#(row.outlets)}"# + "\n"))
      })
  }

  @Test(arguments: Way.allCases) func ofTheOwnerAreTheRequests(way: Way) async throws {
    let target = try way.target {
      $0.templates = ["a.html": "<p data-cell=k>{{#owner.on}}<b data-outlet=owner.n>x</b>{{/owner.on}}</p>"]
    }
    try await target.check([
      ServiceCase(
        "shown",
        .post("/cells?format=ndjson&fields=outlets", #"{"owner":{"on":1,"n":"N"},"rows":[{"kind":"k"}]}"#),
        .ndjson(#"{"index":0,"kind":"k","outlets":{"owner.n":"N"}}"# + "\n")),
      ServiceCase(
        "not shown",
        .post("/cells?format=ndjson&fields=outlets", #"{"owner":{"n":"N"},"rows":[{"kind":"k"}]}"#),
        .ndjson(#"{"index":0,"kind":"k","outlets":{}}"# + "\n")),
    ])
  }

  /// Sections inside overrides of a block that is never rendered cost no rendering time, and are walked only
  /// to find outlets.
  @Test(arguments: Way.allCases) func takeBoundedWork(way: Way) async throws {
    let sections = "{{#l}}{{#l}}{{#l}}<b data-outlet=a>x</b>{{/l}}{{/l}}{{/l}}"
    let target = try way.target {
      $0.templates = [
        "plain.mustache": "{{#no}}{{$none}}{{/none}}{{/no}}plain",
        "a.html": "<p data-cell=k>{{<plain}}{{$none}}\(sections){{/none}}{{/plain}}</p>",
      ]
      $0.service.render.iterations = 100_000
    }
    let row = "{\"l\":[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]}"
    #expect(try await target.ask(.post("/cells/k", row)).text == "<p>plain</p>")
    let answer = try await target.ask(.post("/cells/k?format=json&fields=outlets", row))
    #expect(answer.problem()?.code == "output-too-large", "\(answer.text)")
  }
}
