import Cells
import Testing

/// The formats of cells: HTML, text, JSON, NDJSON.
@Suite struct ServiceFormatTests {
  static let two = #"[{"title":"a"},{"title":"\"<b>\n\u0001é"}]"#
  static let escaped = #"<p>&quot;&lt;b&gt;\n\u0001é</p>"#

  static let formats: [ServiceCase] = [
    ServiceCase("the default", .post("/cells/plain", two), .html("<p>a</p><p>&quot;&lt;b&gt;\n\u{1}é</p>")),
    ServiceCase(
      "JSON", .post("/cells/plain?format=json", two),
      .json(
        ##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p>a</p>"},"##
          + ##"{"index":1,"kind":"plain","etag":"#","html":"\##(escaped)"}],"errors":0}"##),
      headers: ["CellFactory-Errors": ""]),
    ServiceCase(
      "NDJSON", .post("/cells/plain?format=ndjson", two),
      .ndjson(
        ##"{"index":0,"kind":"plain","etag":"#","html":"<p>a</p>"}"## + "\n"
          + ##"{"index":1,"kind":"plain","etag":"#","html":"\##(escaped)"}"## + "\n"),
      headers: ["CellFactory-Errors": ""]),
    ServiceCase("no row in JSON", .post("/cells/plain?format=json", "[]"), .json(#"{"rows":[],"errors":0}"#)),
    ServiceCase("no row in NDJSON", .post("/cells/plain?format=ndjson", "[]"), .ndjson("")),
    ServiceCase(
      "a text cell in JSON", .post("/cells/line?format=json", #"{"title":"<a>"}"#),
      .json(##"{"rows":[{"index":0,"kind":"line","etag":"#","text":"&lt;a&gt;\n"}],"errors":0}"##)),
    ServiceCase(
      "a text cell in NDJSON", .post("/cells/line?format=ndjson", #"{"title":"a"}"#),
      .ndjson(##"{"index":0,"kind":"line","etag":"#","text":"a\n"}"## + "\n")),
    ServiceCase("a text cell as text", .post("/cells/line?format=text", #"{"title":"a"}"#), .text("a\n")),
    ServiceCase(
      "NUL of a text cell in JSON", .post("/cells/bytes?format=json&fields=html", #""\u0000""#),
      .json(#"{"rows":[{"index":0,"kind":"bytes","text":"\u0000"}],"errors":0}"#)),
    ServiceCase(
      "a kind with a slash", .post("/cells/shop%2Fprice?format=json&fields=etag", "{}"),
      .json(##"{"rows":[{"index":0,"kind":"shop/price","etag":"#"}],"errors":0}"##)),
  ]

  static let fields: [ServiceCase] = [
    ServiceCase(
      "html", .post("/cells/plain?format=json&fields=html", "{}"),
      .json(#"{"rows":[{"index":0,"kind":"plain","html":"<p></p>"}],"errors":0}"#)),
    ServiceCase(
      "etag", .post("/cells/plain?format=ndjson&fields=etag", "{}"),
      .ndjson(##"{"index":0,"kind":"plain","etag":"#"}"## + "\n")),
    ServiceCase(
      "both, in the other order", .post("/cells/plain?format=json&fields=etag,html", "{}"),
      .json(##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}],"errors":0}"##)),
    ServiceCase(
      "one twice", .post("/cells/plain?format=json&fields=html,html", "{}"),
      .json(#"{"rows":[{"index":0,"kind":"plain","html":"<p></p>"}],"errors":0}"#)),
    ServiceCase(
      "text means html", .post("/cells/plain?format=json&fields=text", "{}"),
      .json(#"{"rows":[{"index":0,"kind":"plain","html":"<p></p>"}],"errors":0}"#)),
    ServiceCase(
      "html means text", .post("/cells/line?format=json&fields=html", "{}"),
      .json(#"{"rows":[{"index":0,"kind":"line","text":"\n"}],"errors":0}"#)),
    ServiceCase("no effect on HTML", .post("/cells/plain?fields=etag", "{}"), .html("<p></p>")),
    ServiceCase("no effect on text", .post("/cells/line?fields=etag", "{}"), .text("\n")),
    ServiceCase(
      "escaped", .post("/cells/plain?format=%6Ason&fields=html%2Cetag", "{}"),
      .json(##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}],"errors":0}"##)),
    ServiceCase("an unknown one", .post("/cells/plain?fields=html,size", "{}"), .problem("bad-request")),
    ServiceCase("an empty one", .post("/cells/plain?fields=", "{}"), .problem("bad-request")),
    ServiceCase("twice", .post("/cells/plain?fields=html&fields=etag", "{}"), .problem("bad-request")),
  ]

  static let accepts: [ServiceCase] = [
    accept("*/*", .html("<p></p>")),
    accept("text/*", .html("<p></p>")),
    accept("", .html("<p></p>")),
    accept(
      "application/json",
      .json(##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}],"errors":0}"##)),
    accept(
      "application/*",
      .json(##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}],"errors":0}"##)),
    accept(
      "application/x-ndjson", .ndjson(##"{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}"## + "\n")),
    accept(
      "text/html;q=0.5, application/json;q=0.6",
      .json(##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}],"errors":0}"##)),
    accept("application/json, text/html", .html("<p></p>")),
    accept(
      "text/html;q=0, */*",
      .json(##"{"rows":[{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}],"errors":0}"##)),
    accept("TEXT/HTML", .html("<p></p>")),
    accept("text/plain", .problem("not-acceptable")),
    accept("image/png", .problem("not-acceptable")),
    accept("*/*;q=0", .problem("not-acceptable")),
    ServiceCase(
      "several lines are one list",
      .post("/cells/plain", "{}", ["Accept": "image/png", "accept": "text/html"]), .html("<p></p>")),
    ServiceCase(
      "?format= wins", .post("/cells/plain?format=html", "{}", ["Accept": "application/json"]),
      .html("<p></p>")),
    ServiceCase("text of an HTML cell", .post("/cells/plain?format=text", "{}"), .problem("not-acceptable")),
    ServiceCase("an unknown format", .post("/cells/plain?format=xml", "{}"), .problem("bad-request")),
    ServiceCase("HTML of a text cell", .post("/cells/line?format=html", "{}"), .problem("not-acceptable")),
    ServiceCase(
      "HTML of a text cell, by Accept", .post("/cells/line", "{}", ["Accept": "text/html"]),
      .problem("not-acceptable")),
    ServiceCase(
      "anything of a text cell", .post("/cells/line", "{}", ["Accept": "text/html, */*;q=0.1"]), .text("\n")),
  ]

  static func accept(
    _ list: String, _ expected: ServiceCase.Expected, _ location: SourceLocation = #_sourceLocation
  )
    -> ServiceCase
  {
    ServiceCase(
      "Accept: \(list)", .post("/cells/plain", "{}", ["Accept": list]), expected, location: location)
  }

  @Test(arguments: Way.allCases) func formats(way: Way) async throws {
    try await way.target().check(Self.formats)
  }

  @Test(arguments: Way.allCases) func fields(way: Way) async throws {
    try await way.target().check(Self.fields)
  }

  @Test(arguments: Way.allCases) func negotiation(way: Way) async throws {
    try await way.target().check(Self.accepts)
  }

  @Test(arguments: Way.allCases) func listsTheAvailableFormats(way: Way) async throws {
    let target = try way.target()
    let rows: [(String, [String], [String])] = [
      ("/cells/plain", ["text/html", "application/json", "application/x-ndjson"], ["text/plain"]),
      ("/cells/line", ["text/plain", "application/json", "application/x-ndjson"], ["text/html"]),
      ("/cells", ["text/html", "text/plain", "application/json", "application/x-ndjson"], []),
    ]
    for (path, available, unavailable) in rows {
      let answer = try await target.ask(.post(path, "[]", ["Accept": "image/png"]))
      let detail = answer.problem()?.detail ?? ""
      #expect(answer.status == 406 && available.allSatisfy(detail.contains), "\(detail)")
      #expect(!unavailable.contains(where: detail.contains), "\(detail)")
    }
  }

  @Test(arguments: Way.allCases) func theEtagIsOfTheContentAlone(way: Way) async throws {
    let target = try way.target()
    func etags(_ target: any HTTPTarget, _ request: TestRequest) async throws -> [String] {
      let rows = (try await target.ask(request).json() as? [String: Any])?["rows"] as? [[String: Any]]
      return rows?.compactMap { $0["etag"] as? String } ?? []
    }
    let rows = #"[{"title":"a"},{"title":"b"},{"title":"a","more":1},{"title":["a"]}]"#
    let tags = try await etags(target, .post("/cells/plain?format=json", rows))
    #expect(tags.count == 4 && tags[0] == tags[2] && Set(tags).count == 3)
    #expect(tags.allSatisfy { $0.utf8.count >= 16 && $0.allSatisfy(\.isHexDigit) })
    #expect(try await etags(target, .post("/cells/plain?format=json&fields=etag", rows)) == tags)
    #expect(
      try await etags(target, .post("/cells?format=json", #"[{"id":9,"kind":"plain","data":{"title":"a"}}]"#))
        == [tags[0]])
    // Another replica, with a different reuse policy.
    #expect(try await etags(way.target { $0.reuse = .off }, .post("/cells/plain?format=json", rows)) == tags)
  }
}
