import Testing

@testable import CellServer

/// `format=turbo-stream`: cells in elements that change a page.
@Suite struct ServiceStreamTests {
  private static let format = "?format=turbo-stream"

  private static func stream(_ attributes: String, _ content: String) -> String {
    "<turbo-stream \(attributes)><template>\(content)</template></turbo-stream>"
  }

  static let cases: [(name: String, request: TestRequest, body: String)] = [
    (
      "rows share one",
      .post("/cells/plain\(format)&action=append&target=list", "[{\"title\":1},{\"title\":2}]"),
      stream("action=\"append\" target=\"list\"", "<p>1</p><p>2</p>")
    ),
    (
      "one row", .post("/cells/plain\(format)&action=before&targets=.a%20%3E%20.b", "{\"title\":1}"),
      stream("action=\"before\" targets=\".a &gt; .b\"", "<p>1</p>")
    ),
    (
      "no rows", .post("/cells/plain\(format)&action=update&target=list", "[]"),
      stream("action=\"update\" target=\"list\"", "")
    ),
    (
      "a line end",
      .post("/cells/plain\(format)&action=replace&target=%0D%7Bid%7D", "[{\"id\":\"a\\r\\nb\"}]"),
      stream("action=\"replace\" target=\"&#13;a&#13;\nb\"", "<p></p>")
    ),
    ("no rows with ids", .post("/cells/plain\(format)&action=update&target=x%7Bid%7D", "[]"), ""),
    (
      "lines", .ndjson("/cells/plain\(format)&action=prepend&target=l", "{\"title\":1}\n\n{}\n"),
      stream("action=\"prepend\" target=\"l\"", "<p>1</p><p></p>")
    ),
    (
      "a query", .get("/cells/plain\(format)&action=after&target=l&title=%3C"),
      stream("action=\"after\" target=\"l\"", "<p>&lt;</p>")
    ),
    (
      "morphing", .post("/cells/plain\(format)&action=replace&target=l&method=morph", "{}"),
      stream("action=\"replace\" method=\"morph\" target=\"l\"", "<p></p>")
    ),
    (
      "ids of rows",
      .post(
        "/cells/plain\(format)&action=replace&target=r-%7Bid%7D",
        "[{\"id\":1.50},{\"id\":\"b\"},{\"id\":false}]"),
      stream("action=\"replace\" target=\"r-1.50\"", "<p></p>")
        + stream("action=\"replace\" target=\"r-b\"", "<p></p>")
        + stream("action=\"replace\" target=\"r-false\"", "<p></p>")
    ),
    (
      "the last id counts",
      .post("/cells/plain\(format)&action=replace&target=%7Bid%7D", "[{\"id\":1,\"id\":2}]"),
      stream("action=\"replace\" target=\"2\"", "<p></p>")
    ),
    (
      "ids twice",
      .post(
        "/cells/plain\(format)&action=replace&targets=%23%7Bid%7D,%5Bx=%22%7Bid%7D%22%5D", "[{\"id\":\"1a\"}]"
      ),
      stream("action=\"replace\" targets=\"#\\31 a,[x=&quot;\\31 a&quot;]\"", "<p></p>")
    ),
    (
      "hostile ids",
      .post("/cells/plain\(format)&action=replace&target=%7Bid%7D", #"[{"id":"\"><script>'&\u0000{id}"}]"#),
      stream("action=\"replace\" target=\"&quot;&gt;&lt;script&gt;&#39;&amp;\u{FFFD}{id}\"", "<p></p>")
    ),
    (
      "hostile ids in selectors",
      .post(
        "/cells/plain\(format)&action=replace&targets=%23%7Bid%7D",
        #"[{"id":"a,*\n\\"},{"id":"-"},{"id":"-1é"}]"#),
      stream("action=\"replace\" targets=\"#a\\,\\*\\a \\\\\"", "<p></p>")
        + stream("action=\"replace\" targets=\"#\\-\"", "<p></p>")
        + stream("action=\"replace\" targets=\"#-\\31 é\"", "<p></p>")
    ),
    (
      "lines in a target", .post("/cells/plain\(format)&action=append&target=a%0D%0AX-Y:%20z", "{}"),
      stream("action=\"append\" target=\"a&#13;\nX-Y: z\"", "<p></p>")
    ),
    (
      "items",
      .post(
        "/cells\(format)&action=append&target=l",
        #"[{"kind":"plain"},{"kind":"plain","id":7,"etag":"x"},{"kind":"dot","data":1}]"#),
      stream("action=\"append\" target=\"l\"", "<p></p><p></p><b>1</b>")
    ),
    (
      "ids of items",
      .post(
        "/cells\(format)&action=replace&target=%7Bid%7D",
        #"[{"kind":"plain","id":"i","data":{"id":"r"}},{"kind":"plain","id":null,"data":{"id":"r"}}]"#),
      stream("action=\"replace\" target=\"i\"", "<p></p>")
        + stream("action=\"replace\" target=\"r\"", "<p></p>")
    ),
    (
      "streams of items",
      .post(
        "/cells\(format)&action=update&target=l&method=morph",
        #"[{"kind":"plain"},{"kind":"plain","action":"before"},{"kind":"plain","target":"x{id}","id":3},{"kind":"plain"}]"#
      ),
      stream("action=\"update\" method=\"morph\" target=\"l\"", "<p></p>")
        + stream("action=\"before\" target=\"l\"", "<p></p>")
        + stream("action=\"update\" method=\"morph\" target=\"x3\"", "<p></p>")
        + stream("action=\"update\" method=\"morph\" target=\"l\"", "<p></p>")
    ),
    (
      "only of items",
      .post("/cells\(format)", #"[{"kind":"plain","action":1,"action":"after","target":"t"}]"#),
      stream("action=\"after\" target=\"t\"", "<p></p>")
    ),
  ]

  @Test(arguments: Way.allCases) func streams(way: Way) async throws {
    let target = try way.target()
    for row in Self.cases {
      let answer = try await target.ask(row.request)
      #expect(answer.status == 200 && answer.text == row.body, "\(row.name): \(answer.text)")
      #expect(
        answer["Content-Type"] == "text/vnd.turbo-stream.html; charset=utf-8" && answer["Vary"] == "Accept")
    }
    #expect(await target.heldBytes() == 0)
  }

  static let refused: [ServiceCase] = [
    ServiceCase("no target", .post("/cells/plain\(format)&action=append", "{}"), .problem("bad-request")),
    ServiceCase("no action", .post("/cells/plain\(format)&target=a", "{}"), .problem("bad-request")),
    ServiceCase(
      "two targets", .post("/cells/plain\(format)&action=append&target=a&targets=b", "{}"),
      .problem("bad-request")),
    ServiceCase(
      "another action", .post("/cells/plain\(format)&action=remove&target=a", "{}"), .problem("bad-request")),
    ServiceCase(
      "an action in capitals", .post("/cells/plain\(format)&action=Append&target=a", "{}"),
      .problem("bad-request")),
    ServiceCase(
      "another method", .post("/cells/plain\(format)&action=replace&target=a&method=x", "{}"),
      .problem("bad-request")),
    ServiceCase(
      "nothing to morph", .post("/cells/plain\(format)&action=append&target=a&method=morph", "{}"),
      .problem("bad-request")),
    ServiceCase(
      "an empty target", .post("/cells/plain\(format)&action=append&target=", "{}"), .problem("bad-request")),
    ServiceCase(
      "a long target",
      .post("/cells/plain\(format)&action=append&target=" + String(repeating: "a", count: 4097), "{}"),
      .problem("bad-request")),
    ServiceCase(
      "a target twice", .post("/cells/plain\(format)&action=append&target=a&target=b", "{}"),
      .problem("bad-request")),
    ServiceCase(
      "a target with a dot", .post("/cells/plain\(format)&action=append&target.x=a", "{}"),
      .problem("bad-request")),
    ServiceCase(
      "a text cell", .post("/cells/line\(format)&action=append&target=a", "{}"), .problem("not-acceptable")),
    ServiceCase(
      "no id", .post("/cells/plain\(format)&action=append&target=%7Bid%7D", "[{\"id\":1},{}]"),
      .problem("invalid-row", errors: ["/1: invalid-row"])),
    ServiceCase(
      "an id nine times",
      .post(
        "/cells/plain\(format)&action=append&target=\(String(repeating: "%7Bid%7D", count: 9))", "{\"id\":1}"),
      .problem("bad-request")),
    ServiceCase(
      "an id nine times in an item",
      .post(
        "/cells\(format)&action=append",
        "[{\"kind\":\"plain\",\"id\":1,\"target\":\"\(String(repeating: "{id}", count: 9))\"}]"),
      .problem("invalid-row", errors: ["/0/target: invalid-row"])),
    ServiceCase(
      "no id in a scalar", .post("/cells/dot\(format)&action=append&target=%7Bid%7D", "5"),
      .problem("invalid-row", errors: [": invalid-row"])),
    ServiceCase(
      "a list as id", .post("/cells/plain\(format)&action=append&target=%7Bid%7D", "{\"id\":[1]}"),
      .problem("invalid-row", errors: [": invalid-row"])),
    ServiceCase(
      "an empty id", .post("/cells/plain\(format)&action=append&target=%7Bid%7D", "{\"id\":\"\"}"),
      .problem("invalid-row", errors: [": invalid-row"])),
    ServiceCase(
      "null as id", .post("/cells/plain\(format)&action=append&target=%7Bid%7D", "{\"id\":null}"),
      .problem("invalid-row", errors: [": invalid-row"])),
    ServiceCase(
      "items without action", .post("/cells\(format)&target=a", "[{\"kind\":\"plain\"}]"),
      .problem("invalid-row", errors: ["/0: invalid-row"])),
    ServiceCase(
      "items without target", .post("/cells\(format)&action=append", "[{\"kind\":\"plain\"}]"),
      .problem("invalid-row", errors: ["/0: invalid-row"])),
    ServiceCase(
      "an action of another type", .post("/cells\(format)&target=a", "[{\"kind\":\"plain\",\"action\":{}}]"),
      .problem("invalid-row", errors: ["/0/action: invalid-row"])),
    ServiceCase(
      "a text item", .post("/cells\(format)&action=append&target=a", "[{\"kind\":\"line\"}]"),
      .problem("invalid-row", errors: ["/0: not-acceptable"])),
    ServiceCase(
      "in another format",
      .post("/cells?target=a&action=append", "[{\"kind\":\"plain\",\"action\":\"append\"}]"),
      .problem("invalid-row", errors: ["/0/action: invalid-row"])),
  ]

  @Test(arguments: Way.allCases) func refusals(way: Way) async throws {
    try await way.target().check(Self.refused)
  }

  @Test(arguments: Way.allCases) func negotiation(way: Way) async throws {
    let target = try way.target()
    let turbo = "text/vnd.turbo-stream.html"
    let rows: [(accept: String, query: String, type: String)] = [
      ("\(turbo), text/html, application/xhtml+xml", "?action=append&target=a", turbo),
      ("text/html, \(turbo);q=0.9", "?action=append&target=a", "text/html"),
      ("*/*", "?action=append&target=a", "text/html"), ("text/*", "?action=append&targets=a", "text/html"),
      ("\(turbo), text/html", "?action=append", "text/html"), ("\(turbo), text/html", "", "text/html"),
      ("\(turbo);q=0, */*", "?action=append&target=a", "text/html"),
      ("text/html", "\(Self.format)&action=append&target=a", turbo),
      (turbo, "?format=html&action=append&target=a", "text/html"),
    ]
    for path in ["/cells/plain", "/cells"] {
      for row in rows {
        let body = path == "/cells" ? "{\"kind\":\"plain\"}" : "{}"
        let answer = try await target.ask(.post(path + row.query, body, ["Accept": row.accept]))
        #expect(answer.status == 200 && answer["Content-Type"]?.hasPrefix(row.type) == true, "\(path) \(row)")
      }
      let refused = try await target.ask(.post(path, "{}", ["Accept": turbo]))
      #expect(refused.status == 406)
      let listed = try await target.ask(.post(path + "?target=a", "{}", ["Accept": "image/png"]))
      #expect(listed.status == 406 && listed.text.contains("turbo-stream"))
    }
  }

  @Test(arguments: Way.allCases) func badRowsAreSkipped(way: Way) async throws {
    let target = try way.target()
    let answer = try await target.ask(
      .post(
        "/cells/plain\(Self.format)&action=replace&target=%7Bid%7D&on_error=skip",
        "[{\"id\":1},{},{\"id\":[]},{\"id\":2}]"))
    #expect(answer["CellFactory-Errors"] == "2")
    #expect(
      answer.text == Self.stream("action=\"replace\" target=\"1\"", "<p></p>")
        + Self.stream("action=\"replace\" target=\"2\"", "<p></p>"))
    let shared = try await target.ask(
      .ndjson(
        "/cells/plain\(Self.format)&action=append&target=l&on_error=skip", "{\"title\":1}\n{\n{\"title\":2}"))
    #expect(shared["CellFactory-Errors"] == "1")
    #expect(shared.text == Self.stream("action=\"append\" target=\"l\"", "<p>1</p><p>2</p>"))
  }

  /// A kind that reads such a name takes it as data in a query.
  @Test(arguments: Way.allCases) func namesThatAreData(way: Way) async throws {
    let target = try way.target {
      $0.templates["form.mustache"] = "<i>{{action}} {{target.name}} {{method}}</i>"
    }
    let answer = try await target.ask(.get("/cells/form?action=save&target.name=x&method=post"))
    #expect(answer.text == "<i>save x post</i>")
    #expect(try await target.ask(.get("/cells/plain?action=save")).status == 400)
  }

  /// In slices, and streamed: the same bytes as from small requests.
  @Test(
    arguments: Way.allCases,
    [
      "&action=append&target=l", "&action=replace&target=r%7Bid%7D", "&action=append&target=l&on_error=skip",
      "&action=replace&target=r%7Bid%7D&on_error=skip",
    ])
  func longAnswers(way: Way, query: String) async throws {
    let target = try way.target {
      $0.service.completeBytes = 10_000
      $0.service.sliceMicroseconds = 50
    }
    let count = 2000
    let isSkipping = query.hasSuffix("skip")
    let rows = (0..<count).map {
      isSkipping && $0 % 100 == 7
        ? "{" : "{\"id\":\($0),\"title\":\"\(String(repeating: "x", count: $0 % 50))\"}"
    }
    let answer = try await target.ask(
      .ndjson("/cells/plain\(Self.format)\(query)", rows.joined(separator: "\n")))
    let good = (0..<count).filter { !isSkipping || $0 % 100 != 7 }
    let cells = good.map { ($0, "<p>\(String(repeating: "x", count: $0 % 50))</p>") }
    let expected =
      query.contains("replace")
      ? cells.map { Self.stream("action=\"replace\" target=\"r\($0.0)\"", $0.1) }.joined()
      : Self.stream("action=\"append\" target=\"l\"", cells.map(\.1).joined())
    #expect(answer.isComplete && answer.isStreamed && answer.text == expected)
    #expect(answer["CellFactory-Errors"] == (isSkipping ? "20" : nil))
    #expect(await target.heldBytes() == 0)
  }

  /// A row without id after the first megabyte refuses the request before anything is sent.
  @Test(arguments: Way.allCases) func lateBadRowsRefuse(way: Way) async throws {
    let target = try way.target { $0.service.completeBytes = 10_000 }
    let rows = (0..<2000).map { "{\"id\":\($0)}" } + ["{}"]
    let answer = try await target.ask(
      .post("/cells/plain\(Self.format)&action=replace&target=%7Bid%7D", "[\(rows.joined(separator: ","))]"))
    #expect(answer.status == 422 && answer.text.contains("\"pointer\":\"/2000\""))
    #expect(await target.heldBytes() == 0)
  }

  @Test func identifiersAreEscapedAsInCSSOM() {
    for (text, escaped) in [
      ("", ""), ("a", "a"), ("1", "\\31 "), ("a1", "a1"), ("-", "\\-"), ("--", "--"), ("-1", "-\\31 "),
      ("-a", "-a"),
      ("_", "_"), ("é", "é"), ("\u{80}", "\u{80}"), (" ", "\\ "), ("\t", "\\9 "), ("\u{7F}", "\\7f "),
      ("\0", "\u{FFFD}"),
      ("a.b:c", "a\\.b\\:c"), ("😀", "😀"), ("\"'", "\\\"\\'"),
    ] {
      let found = Array(text.utf8).withUnsafeBytes { CSSIdentifier.escaped($0) }
      #expect(String(decoding: found, as: UTF8.self) == escaped)
    }
  }
}
