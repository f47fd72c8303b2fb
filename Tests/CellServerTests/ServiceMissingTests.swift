import CellTemplates
import CellServer
import Cells
import Testing

/// Missing names with `missing=keep`, `blank` and `error`.
@Suite struct ServiceMissingTests {
  static let people =
    #"{"people":[{"name":"a","pets":[{"call":{"name":"x"}},{"call":{}}]},{"pets":[{},{"call":3}]}]}"#

  static let policies: [ServiceCase] = [
    ServiceCase("keep", .post("/cells/plain?missing=keep", "[{},{\"title\":1}]"), .html("<p></p><p>1</p>")),
    ServiceCase("drop", .post("/cells/plain?missing=drop", "[{},{\"title\":1}]"), .html("<p></p><p>1</p>")),
    ServiceCase("blank", .post("/cells/plain?missing=blank", "[{},{\"title\":1}]"), .html("<p></p><p>1</p>")),
    ServiceCase(
      "error, all there", .post("/cells/plain?missing=error", #"[{"title":1}]"#), .html("<p>1</p>")),
    ServiceCase("null is there", .post("/cells/plain?missing=error", #"{"title":null}"#), .html("<p></p>")),
    ServiceCase("empty is there", .post("/cells/plain?missing=error", #"{"title":""}"#), .html("<p></p>")),
    ServiceCase("the row itself is there", .post("/cells/dot?missing=error", "null"), .html("<b></b>")),
    ServiceCase(
      "a section need not be there", .post("/cells/people?missing=error", "{}"), .html("<ul></ul>")),
    ServiceCase(
      "nor what it holds", .post("/cells/people?missing=error", #"{"people":[]}"#), .html("<ul></ul>")),
    ServiceCase(
      "nor what a dynamic name finds", .post("/cells/any?missing=error", "{}"), .html("<div></div>")),
    ServiceCase(
      "the loop's names are there", .post("/cells/place?missing=error", "[{},{}]"),
      .html("<i>0</i><i>1 last</i>")),
    ServiceCase("an unknown policy", .post("/cells/plain?missing=none", "{}"), .problem("bad-request")),
    ServiceCase(
      "GET", .get("/cells/plain?missing=error"), .problem("invalid-row", errors: ["/title: invalid-row"])),
    ServiceCase("GET, all there", .get("/cells/plain?missing=error&title=a"), .html("<p>a</p>")),
  ]

  /// Eight levels in each call, because calls may not be nested as deep as values.
  private static let nested =
    String(repeating: "{{#next}}", count: 8) + "{{#end}}" + (0..<100).map { "{{q\($0)}}" }.joined()
    + "{{/end}}{{^end}}{{>nested}}{{/end}}" + String(repeating: "{{/next}}", count: 8)

  /// Pointers of 2.4 kB: as many are described as have 64 KiB.
  static let deep: [ServiceCase] = {
    let row =
      String(repeating: #"{"next":"#, count: 480) + #"{"end":{}}"# + String(repeating: "}", count: 480)
    let pointers = (0..<28).map { String(repeating: "/next", count: 480) + "/end/q\($0)" }
    return [
      bad("a hundred in a deep row", "nested", row, pointers, count: 100),
      bad("after another row", "nested", "[{},\(row)]", pointers.map { "/1" + $0 }, count: 100),
    ]
  }()

  static let pointers: [ServiceCase] = [
    bad("one row", "plain", "{}", ["/title"]),
    bad("rows", "plain", #"[{"title":1},{},{}]"#, ["/1/title", "/2/title"]),
    bad("a row that is no object", "plain", #"[3,"a",[]]"#, ["/0", "/1", "/2"]),
    bad(
      "lists in lists, and a broken chain", "people", people,
      [
        "/people/0/pets/1/call/name", "/people/1/name", "/people/1/pets/0/call/name",
        "/people/1/pets/1/call/name",
      ]),
    bad(
      "the same in rows", "people", "[{},\(people)]",
      [
        "/1/people/0/pets/1/call/name", "/1/people/1/name", "/1/people/1/pets/0/call/name",
        "/1/people/1/pets/1/call/name",
      ]),
    bad("names with ~ and /", "signs", #"{"x/y":{}}"#, ["/a~0b~1c", "/x~1y/z~0"]),
    bad("a list of scalars has the object around it", "people", #"{"people":[1,2]}"#, ["/name", "/name"]),
    bad("of a repeated key the last value", "people", #"{"people":[],"people":[{}]}"#, ["/people/0/name"]),
    bad("owner of a row without one", "who", #"{"title":1}"#, ["/owner/name"]),
    bad("an owner of the row's own", "who", #"{"title":1,"owner":{}}"#, ["/owner/name"]),
    ServiceCase(
      "lines", .ndjson("/cells/plain?missing=error", "\n{\"title\":1}\n\n{}"),
      .problem("invalid-row", errors: ["/1/title: invalid-row"])),
    ServiceCase(
      "a form", .form("/cells/plain?missing=error", "x=1"),
      .problem("invalid-row", errors: ["/title: invalid-row"])),
    ServiceCase(
      "items",
      .post(
        "/cells?missing=error", #"[{"kind":"plain","data":{}},{"kind":"plain"},{"kind":"plain","data":3}]"#),
      .problem(
        "invalid-row",
        errors: ["/0/data/title: invalid-row", "/1/data/title: invalid-row", "/2/data: invalid-row"])),
    ServiceCase(
      "an item", .post("/cells?missing=error", #"{"kind":"people","data":\#(people)}"#),
      .problem(
        "invalid-row",
        errors: [
          "/data/people/0/pets/1/call/name: invalid-row", "/data/people/1/name: invalid-row",
          "/data/people/1/pets/0/call/name: invalid-row", "/data/people/1/pets/1/call/name: invalid-row",
        ])),
    ServiceCase(
      "an envelope",
      .post("/cells?missing=error", #"{"owner":{"name":"A"},"kind":"who","rows":[{"data":{"title":1}},{}]}"#),
      .problem("invalid-row", errors: ["/rows/1/data/title: invalid-row"])),
    ServiceCase(
      "an owner without the name",
      .post("/cells?missing=error", #"{"owner":{},"kind":"who","rows":[{"data":{"title":1}}]}"#),
      .problem("invalid-row", errors: ["/owner/name: invalid-row"])),
    ServiceCase(
      "inside the owner",
      .post("/cells?missing=error", #"{"owner":{"bosses":[{},{"title":1}]},"kind":"team","rows":[{}]}"#),
      .problem("invalid-row", errors: ["/owner/name: invalid-row", "/owner/bosses/0/title: invalid-row"])),
    ServiceCase(
      "with other bad rows", .post("/cells?missing=error", #"[{"kind":"plain"},{"kind":"none"},4]"#),
      .problem(
        "invalid-row", errors: ["/0/data/title: invalid-row", "/1/kind: unknown-kind", "/2: invalid-row"])),
  ]

  static func bad(
    _ name: String, _ kind: String, _ body: String, _ pointers: [String], count: Int? = nil,
    _ location: SourceLocation = #_sourceLocation
  )
    -> ServiceCase
  {
    ServiceCase(
      name, .post("/cells/\(kind)?missing=error", body),
      .problem("invalid-row", errors: pointers.map { "\($0): invalid-row" }, count: count),
      location: location)
  }

  static let skipping: [ServiceCase] = [
    ServiceCase(
      "HTML", .post("/cells/plain?missing=error&on_error=skip", #"[{"title":1},{},{"title":2}]"#),
      .html("<p>1</p><p>2</p>"),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "JSON", .post("/cells/plain?missing=error&on_error=skip&format=json&fields=html", #"[{},{"title":2}]"#),
      .json(
        #"{"rows":[{"index":0,"kind":"plain","# + ServiceBatchTests.error("invalid-row", 422, "/0/title")
          + #"},{"index":1,"kind":"plain","html":"<p>2</p>"}],"errors":1}"#),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "a row that began is left out whole",
      .post("/cells/who?missing=error&on_error=skip", #"[{"title":1},{"owner":{"name":2},"title":3}]"#),
      .html("<u>2: 3</u>"), headers: ["CellFactory-Errors": "1"]),
  ]

  @Test(arguments: Way.allCases) func policies(way: Way) async throws {
    try await way.target().check(Self.policies)
  }

  @Test(arguments: Way.allCases) func pointers(way: Way) async throws {
    try await way.target { $0.templates["nested.mustache"] = Self.nested }.check(Self.pointers + Self.deep)
  }

  @Test(arguments: Way.allCases) func rowsThatMissAreSkipped(way: Way) async throws {
    try await way.target().check(Self.skipping)
  }

  @Test(arguments: Way.allCases) func moreNamesThanAreListed(way: Way) async throws {
    try await way.target().check([
      ServiceCase(
        "one row", .post("/cells/many?missing=error", "[{}]"),
        .problem("invalid-row", errors: (0..<100).map { "/0/n\($0): invalid-row" }, count: 120)),
      ServiceCase(
        "two rows", .post("/cells/many?missing=error", "[{},{}]"),
        .problem("invalid-row", errors: (0..<100).map { "/0/n\($0): invalid-row" }, count: 240)),
      ServiceCase(
        "a row before", .post("/cells?missing=error", #"[{"kind":"plain"},{"kind":"many"}]"#),
        .problem(
          "invalid-row",
          errors: ["/0/data/title: invalid-row"] + (0..<99).map { "/1/data/n\($0): invalid-row" }, count: 121)
      ),
    ])
  }

  @Test(arguments: Way.allCases) func whatIsMissingIsCounted(way: Way) async throws {
    let target = try way.target {
      $0.templates = [
        "nib.html": """
        <p data-cell="a"><b data-outlet="x">x</b><i data-outlet="y" data-missing="keep">y</i></p>
        <p data-cell="strict"><b data-outlet="x" data-missing="error">x</b></p>
        """,
        "m.mustache": "{{x}}",
      ]
      $0.service.completeBytes = 64 << 10
    }
    let many = "[" + Array(repeating: "{}", count: 500).joined(separator: ",") + "]"
    let streamed = "[" + Array(repeating: "{}", count: 20_000).joined(separator: ",") + "]"
    try await target.check([
      ServiceCase(
        "one row", .post("/cells/a", "{}"), .html("<p><i>y</i></p>"),
        headers: ["CellFactory-Missing": "2; drawn=1"]),
      ServiceCase(
        "rows of one shape", .post("/cells/a", "[{\"x\":1},{\"x\":2},{\"x\":3}]"),
        .html("<p><b>1</b><i>y</i></p><p><b>2</b><i>y</i></p><p><b>3</b><i>y</i></p>"),
        headers: ["CellFactory-Missing": "3; drawn=3"]),
      ServiceCase(
        "many rows", .post("/cells/a", many), .html(String(repeating: "<p><i>y</i></p>", count: 500)),
        headers: ["CellFactory-Missing": "1000; drawn=500"]),
      ServiceCase(
        "nothing is missing", .post("/cells/a", #"{"x":1,"y":2}"#), .html("<p><b>1</b><i>2</i></p>"),
        headers: ["CellFactory-Missing": ""]),
      ServiceCase(
        "Mustache names are not counted", .post("/cells/m", "{}"), .html(""),
        headers: ["CellFactory-Missing": ""]),
      ServiceCase(
        "skipped rows are not counted",
        .post("/cells?on_error=skip&missing=keep", #"[{"kind":"a"},{"kind":"strict"}]"#),
        .html("<p><b>x</b><i>y</i></p>"),
        headers: ["CellFactory-Missing": "2; drawn=2", "CellFactory-Errors": "1"]),
      ServiceCase(
        "a streamed answer", .post("/cells/a", streamed),
        .html(String(repeating: "<p><i>y</i></p>", count: 20_000)), headers: ["CellFactory-Missing": ""]),
      // Judged before the first byte is sent.
      ServiceCase(
        "an element that must be filled",
        .post(
          "/cells?on_error=fail",
          "{\"kind\":\"strict\",\"rows\":[" + String(repeating: "{\"data\":{\"x\":1}},", count: 20_000)
            + "{}]}"),
        .problem("invalid-row", errors: ["/rows/20000/data/x: invalid-row"])),
    ])
  }

  @Test(arguments: Way.allCases) func theServersDefault(way: Way) async throws {
    try await way.target { $0.service.render.missing = .error }.check([
      ServiceCase(
        "as set", .post("/cells/plain", "{}"), .problem("invalid-row", errors: ["/title: invalid-row"])),
      ServiceCase("the request wins", .post("/cells/plain?missing=keep", "{}"), .html("<p></p>")),
    ])
  }

  /// Names inside outlets without a value, names of the row, and names of the owner.
  @Test func placesInsideMissingOutlets() async throws {
    let nibs = """
      <table data-cell="item" data-outlet="c"><tr data-missing="error"><th data-outlet="."><b data-outlet="d"></b></th></tr></table>
      <ol data-cell="owned"><li data-outlet="d" data-missing="error"><u data-outlet="owner.a"></u></li></ol>
      <p data-cell="owners" data-outlet="owner.e" data-missing="error"><input data-outlet="a"></p>
      <ol data-cell="section"><li data-outlet="d" data-missing="error">{{#c}}<i data-outlet="b"></i>{{/c}}</li></ol>
      <p data-cell="row"><a data-outlet="x"><b data-outlet="@row.c.d" data-missing="error"></b></a></p>
      """
    let target = try Way.inProcess.target { $0.templates["nibs.html"] = nibs }
    let owner = #"{"owner":{"x":1},"rows":[{}]}"#
    try await target.check([
      Self.bad(".", "item", "{}", ["/c/d"]),
      Self.bad("an owner's name in a row's", "owned", owner, ["/rows/0/d", "/rows/0/d/owner/a"]),
      Self.bad("without an owner", "owned", "{}", ["/d", "/d/owner/a"]),
      Self.bad("a name in an owner's", "owners", owner, ["/owner/e", "/owner/e/a"]),
      Self.bad("a name in a section there", "section", #"[{"c":{}}]"#, ["/0/d", "/0/d/b"]),
      Self.bad("the row's", "row", #"[{"x":{"y":1}}]"#, ["/0/c/d"]),
    ])
  }

  /// Answers of one length share a response if they have the same counts, and only then.
  @Test(arguments: Way.allCases) func countsAreThoseOfTheirAnswer(way: Way) async throws {
    let target = try way.target {
      $0.templates = [
        "nib.html":
          #"<p data-cell="a"><b data-outlet="x">x</b><i data-outlet="y" data-missing="keep">y</i></p>"#
      ]
    }
    let cases = [
      (#"{"x":"ab"}"#, "<p><b>ab</b><i>y</i></p>", "1; drawn=1"),
      (#"{"x":"a","y":"yy"}"#, "<p><b>a</b><i>yy</i></p>", ""),
      (#"{"y":"1234567890"}"#, "<p><i>1234567890</i></p>", "1; drawn=0"),
    ]
    // Three times in a row, so that the response is shared, and then in turns.
    let order = [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2, 2, 0, 0, 1]
    try await target.check(
      order.enumerated().map { number, position in
        let (row, html, missing) = cases[position]
        return ServiceCase(
          "answer \(number)", .post("/cells/a", row), .html(html), headers: ["CellFactory-Missing": missing])
      })
  }
}
