import Synchronization
import Testing

/// `POST /cells`: items of any kind, in an array, an envelope, alone, or as lines.
@Suite struct ServiceBatchTests {
  static let html: [ServiceCase] = [
    ServiceCase(
      "an array", .post("/cells", #"[{"kind":"plain","data":{"title":"a"}},{"kind":"dot","data":1}]"#),
      .html("<p>a</p><b>1</b>")),
    ServiceCase("no item", .post("/cells", "[]"), .html("")),
    ServiceCase("one item", .post("/cells", #"{"kind":"plain","data":{"title":"a"}}"#), .html("<p>a</p>")),
    ServiceCase("an item without data", .post("/cells", #"[{"kind":"dot"}]"#), .html("<b>{}</b>")),
    ServiceCase(
      "data of every type",
      .post(
        "/cells",
        #"[{"kind":"dot","data":null},{"kind":"dot","data":false},{"kind":"dot","data":"a"},{"kind":"dot","data":[1]},{"kind":"dot","data":0.0}]"#
      ),
      .html("<b></b><b>false</b><b>a</b><b>[1]</b><b>0.0</b>")),
    ServiceCase(
      "lines", .ndjson("/cells", #"{"kind":"dot","data":1}"# + "\r\n\n" + #"{"kind":"plain"}"#),
      .html("<b>1</b><p></p>")),
    ServiceCase("nothing as lines", .ndjson("/cells", ""), .html("")),
    ServiceCase("an array without a type", .post("/cells", "[]", type: nil), .html("")),
    ServiceCase("an item with curl's type", .form("/cells", #"{"kind":"dot","data":1}"#), .html("<b>1</b>")),
    ServiceCase(
      "of repeated members the last counts", .post("/cells", #"[{"kind":3,"data":1,"kind":"dot","data":2}]"#),
      .html("<b>2</b>")),
    ServiceCase(
      "places", .post("/cells", #"[{"kind":"place"},{"kind":"plain"},{"kind":"place"}]"#),
      .html("<i>0</i><p></p><i>2 last</i>")),
    ServiceCase(
      "a kind with a slash", .post("/cells", #"{"kind":"shop/price","data":{"amount":2}}"#), .html("<i>2</i>")
    ),
    ServiceCase(
      "ids and tags say nothing in HTML", .post("/cells", #"[{"kind":"plain","id":1,"etag":"x"}]"#),
      .html("<p></p>")),
    ServiceCase(
      "text cells as text",
      .post("/cells?format=text", #"[{"kind":"line","data":{"title":"a"}},{"kind":"bytes","data":"b"}]"#),
      .text("a\nb")),
  ]

  static let envelopes: [ServiceCase] = [
    ServiceCase("rows", .post("/cells", #"{"rows":[{"kind":"dot","data":1}]}"#), .html("<b>1</b>")),
    ServiceCase("no rows", .post("/cells", #"{"rows":[],"kind":"none","owner":{}}"#), .html("")),
    ServiceCase(
      "a default kind", .post("/cells", #"{"kind":"dot","rows":[{"data":1},{"kind":"plain"},{}]}"#),
      .html("<b>1</b><p></p><b>{}</b>")),
    ServiceCase(
      "an owner",
      .post(
        "/cells",
        #"{"owner":{"name":"Ada"},"kind":"who","rows":[{"data":{"title":"a"}},{"data":{"title":"b","owner":{"name":"Bob"}}},{"data":{"owner":{}}},{"data":{}}]}"#
      ),
      .html("<u>Ada: a</u><u>Bob: b</u><u>: </u><u>Ada: </u>")),
    ServiceCase(
      "only owner lies below the row",
      .post("/cells", #"{"owner":{"title":"x"},"kind":"plain","rows":[{}]}"#), .html("<p></p>")),
    ServiceCase(
      "an owner as a section",
      .post(
        "/cells", #"{"owner":{"name":"A","bosses":[{"title":"b"},{"title":"c"}]},"kind":"team","rows":[{}]}"#),
      .html("<h2>A bc</h2>")),
    ServiceCase(
      "of repeated members the last counts",
      .post("/cells", #"{"rows":1,"kind":3,"owner":[],"rows":[{}],"kind":"dot","owner":{}}"#),
      .html("<b>{}</b>")),
    ServiceCase(
      "rows that are no array", .post("/cells", #"{"rows":{}}"#),
      .problem("bad-request", errors: ["/rows: bad-request"])),
    ServiceCase(
      "an owner that is no object", .post("/cells", #"{"owner":[],"rows":[]}"#),
      .problem("bad-request", errors: ["/owner: bad-request"])),
    ServiceCase(
      "an owner that is null", .post("/cells", #"{"owner":null,"rows":[]}"#),
      .problem("bad-request", errors: ["/owner: bad-request"])),
    ServiceCase(
      "a kind that is no string", .post("/cells", #"{"kind":null,"rows":[]}"#),
      .problem("bad-request", errors: ["/kind: bad-request"])),
    ServiceCase(
      "another member", .post("/cells", #"{"rows":[],"a/b~":1}"#),
      .problem("bad-request", errors: ["/a~1b~0: bad-request"])),
    ServiceCase(
      "skipping does not help", .post("/cells?on_error=skip", #"{"rows":[],"id":1}"#),
      .problem("bad-request", errors: ["/id: bad-request"])),
    ServiceCase(
      "an envelope in an array is no item", .post("/cells", #"[{"kind":"dot","rows":[]}]"#),
      .problem("invalid-row", errors: ["/0/rows: invalid-row"])),
    ServiceCase(
      "an envelope on a line is no item", .ndjson("/cells", #"{"kind":"dot","rows":[]}"#),
      .problem("invalid-row", errors: ["/0/rows: invalid-row"])),
    ServiceCase(
      "without rows it is an item", .post("/cells", #"{"owner":{},"kind":"dot"}"#),
      .problem("invalid-row", errors: ["/owner: invalid-row"])),
    ServiceCase(
      "a default kind does not help a nib", .post("/cells", #"{"kind":"dot","rows":[{"nib":"feed"}]}"#),
      .problem("invalid-row", errors: ["/rows/0: unknown-kind"])),
    ServiceCase(
      "nor a class", .post("/cells", #"{"kind":"dot","rows":[{"class":"NewsCell"}]}"#),
      .problem("invalid-row", errors: ["/rows/0: unknown-kind"])),
    ServiceCase("form fields", .form("/cells", "kind=plain"), .problem("unsupported-media-type")),
    ServiceCase("nothing without a type", .post("/cells", "", type: nil), .problem("unsupported-media-type")),
  ]

  static let errors: [ServiceCase] = [
    bad("an unknown kind", #"[{"kind":"dot"},{"kind":"none"}]"#, ["/1/kind: unknown-kind"]),
    bad("in an envelope", #"{"rows":[{"kind":"none"}]}"#, ["/rows/0/kind: unknown-kind"]),
    bad("alone", #"{"kind":"none"}"#, ["/kind: unknown-kind"]),
    bad("no kind", #"[{}]"#, ["/0: invalid-row"]),
    bad(
      "no item at all", #"[1,"a",null,true,[],[[]]]"#,
      ["/0", "/1", "/2", "/3", "/4", "/5"].map { "\($0): invalid-row" }),
    bad("a scalar as the body", "3", [": invalid-row"]),
    bad(
      "a kind that is no string", #"[{"kind":1},{"kind":null},{"kind":["dot"]}]"#,
      ["/0/kind: invalid-row", "/1/kind: invalid-row", "/2/kind: invalid-row"]),
    bad(
      "an id that is no scalar", #"[{"kind":"dot","id":[]},{"kind":"dot","id":{}}]"#,
      ["/0/id: invalid-row", "/1/id: invalid-row"]),
    bad(
      "an etag that is no string", #"[{"kind":"dot","etag":1},{"kind":"dot","etag":null}]"#,
      ["/0/etag: invalid-row", "/1/etag: invalid-row"]),
    bad("another member", #"[{"kind":"dot","title":"a"}]"#, ["/0/title: invalid-row"]),
    bad(
      "names with ~ and /", #"[{"kind":"dot","a/b":1,"~":2,"":3}]"#,
      ["/0/a~1b: invalid-row", "/0/~0: invalid-row", "/0/: invalid-row"]),
    bad(
      "a nib that is no string", #"[{"nib":1},{"class":{}}]"#,
      ["/0/nib: invalid-row", "/1/class: invalid-row"]),
    bad(
      "a nib there is not",
      #"[{"nib":"feed"},{"class":"NewsCell"},{"nib":"feed","class":"NewsCell","kind":"dot"}]"#,
      ["/0: unknown-kind", "/1: unknown-kind", "/2: unknown-kind"]),
    bad(
      "several things wrong with one", #"[{"kind":3,"id":[],"more":1}]"#,
      ["/0/kind: invalid-row", "/0/id: invalid-row", "/0/more: invalid-row"]),
    bad(
      "a kind of other letters",
      #"[{"kind":"DOT"},{"kind":""},{"kind":"dot\u0000"},{"kind":"shop%2Fprice"}]"#,
      (0..<4).map { "/\($0)/kind: unknown-kind" }),
    bad(
      "bad ones among good ones", #"[{"kind":"dot"},3,{"kind":"dot"},{"kind":"none"}]"#,
      ["/1: invalid-row", "/3/kind: unknown-kind"]),
    bad("a text cell in HTML", #"[{"kind":"dot"},{"kind":"line"}]"#, ["/1: not-acceptable"]),
    ServiceCase(
      "an HTML cell in text", .post("/cells?format=text", #"[{"kind":"line"},{"kind":"dot"}]"#),
      .problem("invalid-row", errors: ["/1: not-acceptable"])),
    ServiceCase(
      "lines", .ndjson("/cells", #"{"kind":"dot"}"# + "\n\n{\n3\n"),
      .problem("invalid-row", errors: ["/1: invalid-json 3:2", "/2: invalid-row"])),
  ]

  static func bad(
    _ name: String, _ body: String, _ errors: [String], _ location: SourceLocation = #_sourceLocation
  ) -> ServiceCase {
    ServiceCase(name, .post("/cells", body), .problem("invalid-row", errors: errors), location: location)
  }

  static func error(_ code: String, _ status: Int, _ pointer: String) -> String {
    ##""error":{"type":"urn:cellfactory:\##(code)","title":"#","status":\##(status),"detail":"#","##
      + ##""errors":[{"pointer":"\##(pointer)","type":"urn:cellfactory:\##(code)","detail":"#"}],"errorCount":1}"##
  }

  static let mixed =
    #"[{"kind":"dot","id":1,"data":1},{"kind":"none","id":2},7,{"kind":"line","id":"c","data":{"title":"t"}},{"kind":5,"id":[]}]"#

  static let skipping: [ServiceCase] = [
    ServiceCase(
      "HTML", .post("/cells?on_error=skip", mixed), .html("<b>1</b>"), headers: ["CellFactory-Errors": "4"]),
    ServiceCase(
      "text", .post("/cells?on_error=skip&format=text", mixed), .text("t\n"),
      headers: ["CellFactory-Errors": "4"]),
    ServiceCase(
      "nothing bad", .post("/cells?on_error=skip", #"[{"kind":"dot","data":1}]"#), .html("<b>1</b>"),
      headers: ["CellFactory-Errors": ""]),
    ServiceCase(
      "all bad", .post("/cells?on_error=skip", "[1,2]"), .html(""), headers: ["CellFactory-Errors": "2"]),
    ServiceCase(
      "JSON", .post("/cells?on_error=skip&format=json&fields=html", mixed.replacing(",\"id\":[]", with: "")),
      .json(
        #"{"rows":[{"index":0,"kind":"dot","id":1,"html":"<b>1</b>"},{"index":1,"kind":"none","id":2,"#
          + error("unknown-kind", 404, "/1/kind") + #"},{"index":2,"# + error("invalid-row", 422, "/2")
          + #"},{"index":3,"kind":"line","id":"c","text":"t\n"},{"index":4,"#
          + error("invalid-row", 422, "/4/kind")
          + #"}],"errors":3}"#),
      headers: ["CellFactory-Errors": "3"]),
    ServiceCase(
      "NDJSON",
      .post("/cells?on_error=skip&format=ndjson&fields=html", #"[{"kind":"none","id":null},{"kind":"dot"}]"#),
      .ndjson(
        #"{"index":0,"kind":"none","id":null,"# + error("unknown-kind", 404, "/0/kind") + "}\n"
          + #"{"index":1,"kind":"dot","html":"<b>{}</b>"}"# + "\n"),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "a bad item echoes its kind", .post("/cells?on_error=skip&format=ndjson", #"[{"kind":"dot","x":1}]"#),
      .ndjson(#"{"index":0,"kind":"dot","# + error("invalid-row", 422, "/0/x") + "}\n"),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase(
      "or the envelope's, where that would have counted",
      .post(
        "/cells?on_error=skip&format=ndjson",
        #"{"kind":"dot","rows":[{"x":1},{"nib":"feed"},{"nib":"feed","kind":"plain"}]}"#),
      .ndjson(
        #"{"index":0,"kind":"dot","# + error("invalid-row", 422, "/rows/0/x") + "}\n"
          + #"{"index":1,"# + error("unknown-kind", 404, "/rows/1") + "}\n"
          + #"{"index":2,"kind":"plain","# + error("unknown-kind", 404, "/rows/2") + "}\n"),
      headers: ["CellFactory-Errors": "3"]),
  ]

  static let ids: [ServiceCase] = [
    id(#""42""#), id(#""""#), id("42"), id("1.50"), id("-0"), id("12345678901234567890123"), id("true"),
    id("false"), id("null"),
    id(#""é😀\"\\\n\u0001""#),
    ServiceCase(
      "a string sent with escapes",
      .post("/cells?format=ndjson&fields=etag", #"{"kind":"dot","id":"\u0061\/\u00e9"}"#),
      .ndjson(##"{"index":0,"kind":"dot","id":"a/é","etag":"#"}"## + "\n")),
    // As NDJSON, because this number is beyond what the other parser accepts.
    ServiceCase(
      "a number beyond all", .post("/cells?format=ndjson&fields=etag", #"{"kind":"dot","id":-1e400}"#),
      .ndjson(##"{"index":0,"kind":"dot","id":-1e400,"etag":"#"}"## + "\n")),
    ServiceCase(
      "no id", .post("/cells?format=ndjson&fields=etag", #"{"kind":"dot"}"#),
      .ndjson(##"{"index":0,"kind":"dot","etag":"#"}"## + "\n")),
    ServiceCase(
      "the last id", .post("/cells?format=ndjson&fields=etag", #"{"id":[],"kind":"dot","id":1,"id":2}"#),
      .ndjson(##"{"index":0,"kind":"dot","id":2,"etag":"#"}"## + "\n")),
  ]

  static func id(_ json: String, _ location: SourceLocation = #_sourceLocation) -> ServiceCase {
    ServiceCase(
      json, .post("/cells?format=json&fields=html", #"{"rows":[{"id": \#(json) ,"kind":"dot","data":1}]}"#),
      .json(#"{"rows":[{"index":0,"kind":"dot","id":\#(json),"html":"<b>1</b>"}],"errors":0}"#),
      location: location)
  }

  @Test(arguments: Way.allCases) func itemsInHTML(way: Way) async throws {
    try await way.target().check(Self.html)
  }

  @Test(arguments: Way.allCases) func envelopes(way: Way) async throws {
    try await way.target().check(Self.envelopes)
  }

  @Test(arguments: Way.allCases) func badItems(way: Way) async throws {
    try await way.target().check(Self.errors)
  }

  @Test(arguments: Way.allCases) func badItemsAreSkipped(way: Way) async throws {
    try await way.target().check(Self.skipping)
  }

  @Test(arguments: Way.allCases) func idsComeBackAsSent(way: Way) async throws {
    try await way.target().check(Self.ids)
  }

  @Test(arguments: Way.allCases) func moreErrorsThanAreListed(way: Way) async throws {
    func items(_ count: Int) -> String {
      "[" + Array(repeating: #"{"kind":"none"}"#, count: count).joined(separator: ",") + "]"
    }
    func listed(_ count: Int) -> [String] { (0..<count).map { "/\($0)/kind: unknown-kind" } }
    let members = (0..<150).map { "\"m\($0)\":0" }.joined(separator: ",")
    try await way.target().check([
      ServiceCase(
        "100", .post("/cells", items(100)), .problem("invalid-row", errors: listed(100), count: 100)),
      ServiceCase(
        "101", .post("/cells", items(101)), .problem("invalid-row", errors: listed(100), count: 101)),
      ServiceCase(
        "1000", .post("/cells", items(1000)), .problem("invalid-row", errors: listed(100), count: 1000)),
      ServiceCase(
        "1000 skipped", .post("/cells?on_error=skip", items(1000)), .html(""),
        headers: ["CellFactory-Errors": "1000"]),
      ServiceCase(
        "in one item", .post("/cells", #"[{"kind":"dot",\#(members)},3]"#),
        .problem("invalid-row", errors: (0..<100).map { "/0/m\($0): invalid-row" }, count: 151)),
      ServiceCase(
        "lines", .ndjson("/cells/dot", String(repeating: "x\n", count: 250)),
        .problem("invalid-row", errors: (0..<100).map { "/\($0): invalid-json \($0 + 1):1" }, count: 250)),
    ])
  }

  @Test(arguments: Way.allCases) func anUnchangedItemComesWithoutItsContent(way: Way) async throws {
    let target = try way.target()
    let first = try await target.ask(.post("/cells?format=json", #"{"kind":"plain","data":{"title":"a"}}"#))
    let rows = (first.json() as? [String: Any])?["rows"] as? [[String: Any]]
    let tag = try #require(rows?.first?["etag"] as? String)
    let body =
      #"[{"kind":"plain","id":7,"data":{"title":"a"},"etag":"\#(tag)"},{"kind":"plain","data":{"title":"b"},"etag":"\#(tag)"},"#
      + #"{"kind":"dot","data":1,"etag":""}]"#
    let unchanged = ##"{"index":0,"kind":"plain","id":7,"etag":"#","unchanged":true}"##
    let changed = ##"{"index":1,"kind":"plain","etag":"#","html":"<p>b</p>"}"##
    let other = ##"{"index":2,"kind":"dot","etag":"#","html":"<b>1</b>"}"##
    try await target.check([
      ServiceCase(
        "JSON", .post("/cells?format=json", body),
        .json(#"{"rows":[\#(unchanged),\#(changed),\#(other)],"errors":0}"#)),
      ServiceCase(
        "NDJSON", .post("/cells?format=ndjson", body), .ndjson("\(unchanged)\n\(changed)\n\(other)\n")),
      ServiceCase("HTML", .post("/cells", body), .html("<p>a</p><p>b</p><b>1</b>")),
      ServiceCase(
        "without the field", .post("/cells?format=ndjson&fields=html", body),
        .ndjson(
          "\(unchanged)\n" + #"{"index":1,"kind":"plain","html":"<p>b</p>"}"# + "\n"
            + #"{"index":2,"kind":"dot","html":"<b>1</b>"}"# + "\n")),
      ServiceCase(
        "another tag",
        .post(
          "/cells?format=ndjson&fields=html", #"{"kind":"plain","data":{"title":"a"},"etag":"\#(tag)x"}"#),
        .ndjson(#"{"index":0,"kind":"plain","html":"<p>a</p>"}"# + "\n")),
    ])
  }

  @Test(arguments: Way.allCases) func kindsTakeTurns(way: Way) async throws {
    let target = try way.target()
    let items = (0..<600).map { number in
      switch number % 3 {
      case 0: (#"{"kind":"plain","data":{"x":[1],"title":"\#(number)"}}"#, "<p>\(number)</p>")
      case 1: (#"{"kind":"dot","data":\#(number)}"#, "<b>\(number)</b>")
      default: (#"{"kind":"who","data":{"title":\#(number)}}"#, "<u>A: \(number)</u>")
      }
    }
    let body = #"{"owner":{"name":"A"},"rows":["# + items.map(\.0).joined(separator: ",") + "]}"
    try await target.check([ServiceCase("alternating", .post("/cells", body), .html(items.map(\.1).joined()))]
    )
  }

  @Test(arguments: Way.allCases) func unknownKindsAreReported(way: Way) async throws {
    let names = Names()
    let target = try way.target { $0.onUnknownKind = { names.add($0) } }
    _ = try await target.ask(.post("/cells/none", "[]"))
    _ = try await target.ask(.post("/cells", #"[{"kind":"x"},{"kind":"dot"},{"kind":"y"}]"#))
    _ = try await target.ask(.post("/cells?on_error=skip", #"[{"kind":"z"}]"#))
    // An item may also select by nib and class, with or without a kind.
    let items = #"[{"nib":"a","class":"B"},{"kind":"dot"},{"class":"C","kind":"k"},{"kind":"dot","nib":"n"}]"#
    let skipped = try await target.ask(.post("/cells?on_error=skip", items))
    #expect(skipped.status == 200 && skipped["CellFactory-Errors"] == "3")
    #expect(try await target.ask(.post("/cells", #"[{"kind":1,"nib":"a"},{"class":"D"}]"#)).status == 422)
    #expect(
      names.all == [
        #""none""#, #""x""#, #""y""#, #""z""#, #"nib "a" and class "B""#, #"kind "k" and class "C""#,
        #"kind "dot" and nib "n""#, #"class "D""#,
      ])
  }

  private final class Names: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }
}
