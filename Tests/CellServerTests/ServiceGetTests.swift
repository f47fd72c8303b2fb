import Cells
import Testing

/// `GET /cells/KIND`: one cell from query fields, and its entity tag.
@Suite struct ServiceGetTests {
  static let cells: [ServiceCase] = [
    ServiceCase("a field", .get("/cells/plain?title=Hi"), .html("<p>Hi</p>")),
    ServiceCase("no query", .get("/cells/dot"), .html("<b>{}</b>")),
    ServiceCase("an empty query", .get("/cells/dot?"), .html("<b>{}</b>")),
    ServiceCase(
      "plus and escapes", .get("/cells/plain?title=a+b%2B%3Cc%26%C3%A9?/"), .html("<p>a b+&lt;c&amp;é?/</p>")),
    ServiceCase("dots make objects", .get("/cells/who?title=Hi&owner.name=Ada"), .html("<u>Ada: Hi</u>")),
    ServiceCase(
      "repeated names make arrays", .get("/cells/dot?a=1&b.c=2&a=3"),
      .html(
        "<b>{&quot;a&quot;:[&quot;1&quot;,&quot;3&quot;],&quot;b&quot;:{&quot;c&quot;:&quot;2&quot;}}</b>")),
    ServiceCase(
      "values are strings", .get("/cells/dot?a=1&b=true&c"),
      .html("<b>{&quot;a&quot;:&quot;1&quot;,&quot;b&quot;:&quot;true&quot;,&quot;c&quot;:&quot;&quot;}</b>")),
    ServiceCase("empty pairs", .get("/cells/plain?&&title=a&"), .html("<p>a</p>")),
    ServiceCase("%00 is allowed", .get("/cells/plain?title=%00"), .html("<p>\u{FFFD}</p>")),
    ServiceCase(
      "controls are no data", .get("/cells/dot?format=json&fields=html&on_error=fail&missing=keep&a=1"),
      .json(#"{"rows":[{"index":0,"kind":"dot","html":"<b>{&quot;a&quot;:&quot;1&quot;}</b>"}],"errors":0}"#)),
    ServiceCase(
      "NDJSON", .get("/cells/plain", ["Accept": "application/x-ndjson"]),
      .ndjson(##"{"index":0,"kind":"plain","etag":"#","html":"<p></p>"}"## + "\n")),
    ServiceCase("a text cell", .get("/cells/line?title=a"), .text("a\n")),
    ServiceCase(
      "the body's type is of no matter",
      .get("/cells/plain", ["Content-Type": "image/png", "Content-Encoding": "gzip"]), .html("<p></p>")),
    ServiceCase(
      "skipped", .get("/cells/plain?missing=error&on_error=skip"), .html(""),
      headers: ["CellFactory-Errors": "1"]),
    ServiceCase("a string and an object", .get("/cells/plain?a=1&a.b=2"), .problem("bad-request")),
    ServiceCase("an empty name", .get("/cells/plain?=1"), .problem("bad-request")),
    ServiceCase("an empty part of a name", .get("/cells/plain?a..b=1"), .problem("bad-request")),
    ServiceCase("a bad escape", .get("/cells/plain?a=%4"), .problem("bad-request")),
    ServiceCase("a bad escape in a name", .get("/cells/plain?%=1"), .problem("bad-request")),
    ServiceCase("no UTF-8", .get("/cells/plain?a=%80"), .problem("bad-request")),
    ServiceCase("an unknown format", .get("/cells/plain?format=pdf"), .problem("bad-request")),
    ServiceCase("a control twice", .get("/cells/plain?missing=keep&missing=keep"), .problem("bad-request")),
    ServiceCase("a control's value is empty", .get("/cells/plain?on_error="), .problem("bad-request")),
    ServiceCase(
      "controls in other letters are data", .get("/cells/dot?Format=json"),
      .html("<b>{&quot;Format&quot;:&quot;json&quot;}</b>")),
    ServiceCase("an unknown kind", .get("/cells/none"), .problem("unknown-kind")),
    ServiceCase("not acceptable", .get("/cells/plain?format=text"), .problem("not-acceptable")),
    ServiceCase(
      "too deep", .get("/cells/plain?" + Array(repeating: "a", count: 513).joined(separator: ".") + "=1"),
      .problem("too-deep")),
    ServiceCase(
      "as deep as may be",
      .get("/cells/plain?title=a&" + Array(repeating: "a", count: 511).joined(separator: ".") + "=1"),
      .html("<p>a</p>")),
  ]

  @Test(arguments: Way.allCases) func cellsFromAQuery(way: Way) async throws {
    try await way.target().check(Self.cells)
  }

  @Test(arguments: Way.allCases) func theTagIsStrongAndOfTheBody(way: Way) async throws {
    let target = try way.target()
    func tag(_ request: TestRequest) async throws -> String { try await target.ask(request)["ETag"] ?? "" }
    let tag = try await tag(.get("/cells/plain?title=a"))
    #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 10)
    #expect(try await tag == target.ask(.get("/cells/plain?title=a&more=1"))["ETag"])
    #expect(try await tag != target.ask(.get("/cells/plain?title=b"))["ETag"])
    #expect(try await tag != target.ask(.get("/cells/plain?title=a&format=json"))["ETag"])
    #expect(try await tag == target.ask(TestRequest("HEAD", "/cells/plain?title=a"))["ETag"])
    #expect(try await tag == way.target { $0.reuse = .off }.ask(.get("/cells/plain?title=a"))["ETag"])
    #expect(try await target.ask(.post("/cells/plain", #"{"title":"a"}"#))["ETag"] == nil)
    #expect(try await target.ask(.get("/cells/plain?missing=error"))["ETag"] == nil)
  }

  @Test(arguments: Way.allCases) func ifNoneMatch(way: Way) async throws {
    let target = try way.target()
    let tag = try #require(try await target.ask(.get("/cells/plain?title=a"))["ETag"])
    let matches = [
      tag, "W/\(tag)", "*", " * ", "\"x\", \(tag)", "\"x\",W/\"y\" ,W/\(tag),", "\"a,b\", \(tag)",
    ]
    let others = [
      "\"x\"", String(tag.dropFirst().dropLast()), "w/\(tag)", "\"*\"", "", String(tag.dropLast()),
      tag.uppercased() + "x",
    ]
    for list in matches {
      for method in ["GET", "HEAD"] {
        let answer = try await target.ask(
          TestRequest(method, "/cells/plain?title=a", ["If-None-Match": list]))
        #expect(answer.status == 304 && answer["ETag"] == tag && answer["Vary"] == "Accept", "\(list)")
        // The length of a 304 is that of the corresponding 200.
        #expect(answer["Content-Length"] == "8" && answer.body.isEmpty, "\(list)")
      }
    }
    for list in others {
      let answer = try await target.ask(.get("/cells/plain?title=a", ["If-None-Match": list]))
      #expect(answer.status == 200 && answer["ETag"] == tag && answer.text == "<p>a</p>", "\(list)")
    }
    let lines = TestRequest.get("/cells/plain?title=a", ["If-None-Match": "\"x\"", "if-none-match": tag])
    #expect(try await target.ask(lines).status == 304)
    // Errors take precedence over a matching tag.
    #expect(try await target.ask(.get("/cells/none", ["If-None-Match": "*"])).status == 404)
    #expect(try await target.ask(.get("/cells/plain?missing=error", ["If-None-Match": "*"])).status == 422)
    #expect(try await target.ask(.post("/cells/plain", "{}", ["If-None-Match": "*"])).status == 200)
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func headIsGetWithoutTheBody(way: Way) async throws {
    let target = try way.target()
    let paths = [
      "/cells/plain?title=a", "/cells/line", "/cells/plain?format=json", "/cells/none", "/cells/plain?a.=1",
      "/cells/plain?format=text",
      "/kinds", "/kinds/plain", "/kinds/none", "/livez", "/readyz", "/livez?x=1", "/", "/none", "/cells/",
      "/cells/%00",
      "/cells/loop",
    ]
    for path in paths {
      var get = try await target.ask(.get(path))
      var head = try await target.ask(TestRequest("HEAD", path))
      #expect(!get.body.isEmpty && head.body.isEmpty && get.status == head.status, "\(path)")
      for name in ["X-Request-Id", "Date"] {
        get.headers.removeAll { $0.name == name }
        head.headers.removeAll { $0.name == name }
      }
      #expect(get.headers.map { "\($0)" }.sorted() == head.headers.map { "\($0)" }.sorted(), "\(path)")
    }
  }
}
