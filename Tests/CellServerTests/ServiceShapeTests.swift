import CellServer
import Cells
import Testing

/// Data of a shape that cannot be right gets an error that says what to send instead.
@Suite struct ServiceShapeTests {
  static let bodies: [ServiceCase] = [
    ServiceCase(
      "a body on GET", TestRequest("GET", "/cells/plain?title=a", body: Array("{}".utf8)),
      .problem("bad-request")),
    ServiceCase(
      "on a document", TestRequest("GET", "/kinds", body: Array("x".utf8)), .problem("bad-request")),
  ]

  static let fields: [ServiceCase] = [
    ServiceCase(
      "JSON in a field", .form("/cells/dot", "n:=19.90&l:=[1,{}]&s=:="),
      .html(#"<b>{&quot;n&quot;:19.90,&quot;l&quot;:[1,{}],&quot;s&quot;:&quot;:=&quot;}</b>"#)),
    ServiceCase(
      "an encoded colon", .form("/cells/dot", "a.b%3a=true"),
      .html("<b>{&quot;a&quot;:{&quot;b&quot;:true}}</b>")),
    ServiceCase(
      "repeated", .form("/cells/dot", "a:=[1]&a=2&a:=null"),
      .html("<b>{&quot;a&quot;:[[1],&quot;2&quot;,null]}</b>")),
    ServiceCase("in a query", .get("/cells/dot?a:=%5B1%5D"), .html("<b>{&quot;a&quot;:[1]}</b>")),
    ServiceCase("what is no JSON", .form("/cells/dot", "a:=1,%22b%22:2"), .problem("bad-request")),
    ServiceCase("nothing", .form("/cells/dot", "a:="), .problem("bad-request")),
    ServiceCase("two values", .form("/cells/dot", "a:=1 2"), .problem("bad-request")),
    ServiceCase("an object beside its names", .form("/cells/dot", "a:={}&a.b=1"), .problem("bad-request")),
    ServiceCase("no name", .form("/cells/dot", ":=1"), .problem("bad-request")),
    ServiceCase("on a control", .get("/cells/dot?format:=1"), .problem("bad-request")),
    ServiceCase("brackets", .form("/cells/dot", "a[]=1"), .problem("bad-request")),
    ServiceCase("an index", .form("/cells/dot", "a%5B0%5D=1"), .problem("bad-request")),
    ServiceCase("a key", .get("/cells/dot?a[b]=1"), .problem("bad-request")),
    ServiceCase(
      "other brackets", .form("/cells/dot", "a]=1&[=2&[1]=3"),
      .html("<b>{&quot;a]&quot;:&quot;1&quot;,&quot;[&quot;:&quot;2&quot;,&quot;[1]&quot;:&quot;3&quot;}</b>")
    ),
  ]

  static let rows: [ServiceCase] =
    [
      "null", "true", "1", #""a""#, "[[]]",
    ].map { row in
      let position = row == "[[]]" ? "/0" : ""
      return ServiceCase(
        "\(row) for members", .post("/cells/plain", row),
        .problem("invalid-row", errors: ["\(position): invalid-row"]))
    } + [
      ServiceCase(
        "among others", .post("/cells/plain", #"[{"title":"a"},"b",{},[1]]"#),
        .problem("invalid-row", errors: ["/1: invalid-row", "/3: invalid-row"])),
      ServiceCase(
        "skipped", .post("/cells/plain?on_error=skip", #"[{"title":"a"},"b"]"#), .html("<p>a</p>"),
        headers: ["CellFactory-Errors": "1"]),
      ServiceCase(
        "on a line", .ndjson("/cells/plain", "{}\n1\n"),
        .problem("invalid-row", errors: ["/1: invalid-row"])),
      ServiceCase("for itself", .post("/cells/dot", "[1,null]"), .html("<b>1</b><b></b>")),
      ServiceCase("for nothing", .post("/cells/place", "[1]"), .html("<i>0 last</i>")),
      ServiceCase("for any cell", .post("/cells/any", "[1]"), .html("<div></div>")),
      ServiceCase(
        "as data", .post("/cells", #"[{"kind":"plain","data":"x"},{"kind":"dot","data":"y"}]"#),
        .problem("invalid-row", errors: ["/0/data: invalid-row"])),
    ]

  static let items: [ServiceCase] = [
    ServiceCase("an item", .post("/cells/plain", #"{"kind":"plain","data":{}}"#), .problem("bad-request")),
    ServiceCase("without a kind", .post("/cells/plain", #"{"data":{}}"#), .problem("bad-request")),
    ServiceCase("whatever its data", .post("/cells/plain", #"{"data":1}"#), .problem("bad-request")),
    ServiceCase("in a query", .get("/cells/plain?data.title=a&id=1"), .problem("bad-request")),
    ServiceCase("with more", .post("/cells/plain", #"{"title":"a","data":{}}"#), .html("<p>a</p>")),
    ServiceCase(
      "in a list",
      .post("/cells/plain", #"[{"title":"a"},{"data":{},"id":1,"etag":"","locale":"de","timeZone":"UTC"}]"#),
      .problem("invalid-row", errors: ["/1: invalid-row"])),
    ServiceCase(
      "after a row of the same names but one",
      .post("/cells/plain", #"[{"data":{},"other":1},{"data":{},"other":2},{"data":{},"now":3}]"#),
      .html("<p></p><p></p><p></p>")),
    ServiceCase(
      "as data", .post("/cells", #"{"kind":"plain","data":{"kind":"plain","data":{}}}"#),
      .problem("bad-request")),
    ServiceCase(
      "for itself", .post("/cells/dot", #"{"data":1}"#),
      .problem("bad-request")),
    ServiceCase("for any cell", .post("/cells/any", #"{"data":1}"#), .html("<div></div>")),
    ServiceCase(
      "a list as data", .post("/cells", #"[{"kind":"plain","data":[{}]}]"#),
      .problem("invalid-row", errors: ["/0/data: invalid-row"])),
    ServiceCase(
      "a list that the cell reads", .post("/cells", #"[{"kind":"dot","data":[1]}]"#), .html("<b>[1]</b>")),
  ]

  static let envelopes: [ServiceCase] = [
    ServiceCase(
      "plain rows with an owner",
      .post("/cells/who", #"{"owner":{"name":"o"},"kind":"who","rows":[{"title":"a"},{"title":"b"}]}"#),
      .html("<u>o: a</u><u>o: b</u>")),
    ServiceCase("no rows", .post("/cells/plain", #"{"rows":[]}"#), .html("")),
    ServiceCase(
      "a bad row", .post("/cells/plain", #"{"rows":[{},1]}"#),
      .problem("invalid-row", errors: ["/rows/1: invalid-row"])),
    ServiceCase(
      "items for rows", .post("/cells/plain", #"{"rows":[{"data":{}}]}"#),
      .problem("invalid-row", errors: ["/rows/0: invalid-row"])),
    ServiceCase(
      "another kind", .post("/cells/plain", #"{"kind":"who","rows":[]}"#),
      .problem("bad-request", errors: ["/kind: bad-request"])),
    ServiceCase(
      "rows that are no array", .post("/cells/plain", #"{"rows":{}}"#),
      .problem("bad-request", errors: ["/rows: bad-request"])),
    ServiceCase(
      "an owner that is no object", .post("/cells/plain", #"{"rows":[],"owner":1}"#),
      .problem("bad-request", errors: ["/owner: bad-request"])),
    ServiceCase("with more", .post("/cells/plain", #"{"title":"a","rows":[]}"#), .html("<p>a</p>")),
    ServiceCase("in a field", .form("/cells/plain", #"rows:=[{"title":"a"}]"#), .html("<p>a</p>")),
    ServiceCase("for any cell", .post("/cells/any", #"{"rows":[1]}"#), .html("<div></div>")),
  ]

  @Test(arguments: Way.allCases) func shapes(way: Way) async throws {
    let target = try way.target()
    for cases in [Self.bodies, Self.fields, Self.rows, Self.items, Self.envelopes] {
      try await target.check(cases)
    }
  }

  @Test(arguments: Way.allCases) func errorsSayWhatToSend(way: Way) async throws {
    let target = try way.target()
    let item = "this is an item: send it to /cells, or its data alone"
    for (request, detail) in [
      (.post("/cells/plain", #"{"data":{}}"#), item), (.post("/cells/plain", #"[{},{"data":{}}]"#), item),
      (
        .post("/cells", #"[{"kind":"plain","data":[{}]}]"#),
        "data is one row; for several rows of one kind use an envelope with kind and rows"
      ),
      (.post("/cells/plain", "1"), "a row of this kind must be an object, not a number"),
      (TestRequest("GET", "/kinds", body: Array("{}".utf8)), "send rows with POST"),
      (.form("/cells/dot", "a[]=1"), "repeat the name"), (.form("/cells/dot", "a[0]=1"), "repeat the name"),
      (.get("/cells/dot?a[b]=1"), "write dots: author.name=Ada"),
      (.form("/cells/dot", "a:={"), "the value of the field \"a:\" is not JSON"),
      (.get("/cells/dot?format:=1"), "format is a control"),
      (.get("/cells/dot?missing=kep"), "it must be drop, keep, blank or error"),
      (.get("/cells/dot?unknown=yes"), "it must be ignore or error"),
      (.post("/cells/plain", #"{"kind":"who","rows":[]}"#), "name the same kind, or none"),
    ] as [(TestRequest, String)] {
      let found = try await target.ask(request).problem()?.detail ?? ""
      #expect(found.contains(detail), "\(request.target): \(found)")
    }
  }

  /// The last row of a long answer is known to be bad before the first is sent.
  @Test(arguments: Way.allCases, ["1", #"{"data":{}}"#]) func longAnswers(way: Way, bad: String) async throws
  {
    let target = try way.target()
    let rows = Array(repeating: #"{"title":"a"}"#, count: 2000)
    let good = try await target.ask(.post("/cells/wide", "[" + rows.joined(separator: ",") + "]"))
    #expect(good.status == 200 && good.isStreamed)
    let title = String(repeating: "x", count: 2000)
    let long = Array(repeating: #"{"title":"\#(title)"}"#, count: 2000)
    let streamed = try await target.ask(.post("/cells/plain", "[" + long.joined(separator: ",") + "]"))
    #expect(streamed.status == 200 && streamed.isStreamed)
    let refused = try await target.ask(
      .post("/cells/plain", "[" + (long + [bad]).joined(separator: ",") + "]"))
    #expect(refused.problem()?.errors == ["/2000: invalid-row"])
    #expect(await target.heldBytes() == 0)
  }
}
