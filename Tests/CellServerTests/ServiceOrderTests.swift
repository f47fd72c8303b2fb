import CellServer
import Testing

/// Which error is reported first if there are several: framing, size, path, kind, method, query, `Accept`,
/// type, JSON, rows. And which types a body may have.
@Suite struct ServiceOrderTests {
  static let image: KeyValuePairs = ["Accept": "image/png"]
  static let large = String(repeating: "[", count: 1001)

  static let rows: [ServiceCase] = [
    ServiceCase("framing before the path", TestRequest("POST", "/cells/%zz"), .problem("length-required")),
    ServiceCase("framing before the kind", TestRequest("POST", "/cells/none"), .problem("length-required")),
    ServiceCase(
      "framing before Accept", TestRequest("POST", "/cells/plain", image), .problem("length-required")),
    ServiceCase("size before the path", .post("/cells/%zz", large), .problem("body-too-large")),
    ServiceCase("size before the kind", .post("/cells/none", large), .problem("body-too-large")),
    ServiceCase("size before the method", .post("/kinds", large), .problem("body-too-large")),
    ServiceCase("size before the query", .post("/cells/plain?x=1", large), .problem("body-too-large")),
    ServiceCase(
      "size in chunks before the kind", .post("/cells/none", large).chunked(100), .problem("body-too-large")),
    ServiceCase(
      "size in chunks before JSON", .post("/cells/plain", large).chunked(100), .problem("body-too-large")),
    ServiceCase("the path before the method", TestRequest("DELETE", "/cells/%zz"), .problem("bad-request")),
    ServiceCase("the path before the query", .get("/cells/plain%00?=1"), .problem("bad-request")),
    ServiceCase("no path before the method", TestRequest("DELETE", "/nothing"), .problem("not-found")),
    ServiceCase("the kind before the method", TestRequest("DELETE", "/cells/none"), .problem("unknown-kind")),
    ServiceCase("the kind before the query", .post("/cells/none?x=1", "{}"), .problem("unknown-kind")),
    ServiceCase("the kind before Accept", .post("/cells/none", "{}", image), .problem("unknown-kind")),
    ServiceCase("the kind before JSON", .post("/cells/none", "{"), .problem("unknown-kind")),
    ServiceCase(
      "a description's kind before the method", .post("/kinds/none", "{}"), .problem("unknown-kind")),
    ServiceCase(
      "the method before the query", TestRequest("DELETE", "/cells/plain?x=1&format=y"),
      .problem("method-not-allowed")),
    ServiceCase("the method before Accept", .get("/cells", image), .problem("method-not-allowed")),
    ServiceCase(
      "the method before the type", .post("/livez", "{}", type: "image/png"), .problem("method-not-allowed")),
    ServiceCase("the query before Accept", .post("/cells/plain?x=1", "{}", image), .problem("bad-request")),
    ServiceCase(
      "the query before the format", .post("/cells/plain?format=text&fields=x", "{}"), .problem("bad-request")
    ),
    ServiceCase(
      "the query before Accept on GET", .get("/cells/plain?a..b=1", image), .problem("bad-request")),
    ServiceCase(
      "the query before the type", .post("/cells?x=1", "{}", type: "image/png"), .problem("bad-request")),
    ServiceCase(
      "Accept before the type", .post("/cells/plain", "{}", type: "image/png", image),
      .problem("not-acceptable")),
    ServiceCase("Accept before JSON", .post("/cells/plain?format=text", "{"), .problem("not-acceptable")),
    ServiceCase("Accept before form fields", .form("/cells", "a=1"), .problem("unsupported-media-type")),
    ServiceCase(
      "Accept before a form's faults", .post("/cells/plain", "a=%zz", type: nil, image),
      .problem("not-acceptable")),
    ServiceCase(
      "the type before JSON", .post("/cells/plain", "{", type: "text/html"),
      .problem("unsupported-media-type")),
    ServiceCase(
      "the type before an empty body", .post("/cells/plain", "", type: "text/html"),
      .problem("unsupported-media-type")),
    ServiceCase(
      "JSON before the rows", .post("/cells", #"[{"kind":"none"},]"#),
      .problem("invalid-json", line: 1, column: 18)),
    ServiceCase(
      "JSON before the envelope", .post("/cells", #"{"rows":1,"x":}"#),
      .problem("invalid-json", line: 1, column: 15)),
    ServiceCase(
      "the envelope before the rows", .post("/cells", #"{"rows":[{"kind":"none"}],"x":1}"#),
      .problem("bad-request", errors: ["/x: bad-request"])),
    ServiceCase(
      "skipping skips rows only", .post("/cells/dot?on_error=skip", "[1,"),
      .problem("invalid-json", line: 1, column: 4)),
  ]

  static let types: [ServiceCase] = [
    type("application/json", .html("<b>1</b>")),
    type("application/json; charset=utf-8", .html("<b>1</b>")),
    type("Application/JSON;Charset=\"UTF-8\"", .html("<b>1</b>")),
    type("application/problem+json", .html("<b>1</b>")),
    type("application/vnd.api+json; ext=x", .html("<b>1</b>")),
    type("application/x-ndjson", .html("<b>1</b>")),
    type("application/jsonl", .html("<b>1</b>")),
    type("", .html("<b>{&quot;1&quot;:&quot;&quot;}</b>")),
    type("application/x-www-form-urlencoded; charset=utf-8", .html("<b>{&quot;1&quot;:&quot;&quot;}</b>")),
    type("text/plain", .html("<b>{&quot;1&quot;:&quot;&quot;}</b>")),
    type("text/plain;charset=UTF-8", .html("<b>{&quot;1&quot;:&quot;&quot;}</b>")),
    type("application/json; charset=iso-8859-1", .problem("unsupported-media-type")),
    type("application/x-ndjson; charset=utf-16", .problem("unsupported-media-type")),
    type("application/x-www-form-urlencoded; charset=latin1", .problem("unsupported-media-type")),
    type("application/xml", .problem("unsupported-media-type")),
    type("text/json", .problem("unsupported-media-type")),
    type("multipart/form-data; boundary=x", .problem("unsupported-media-type")),
    type("application/+json", .problem("unsupported-media-type")),
    type("json", .problem("unsupported-media-type")),
    type("application/json, text/plain", .problem("unsupported-media-type")),
    encoding("identity", .html("<b>1</b>")),
    encoding("Identity", .html("<b>1</b>")),
    encoding("gzip", .problem("unsupported-media-type")),
    encoding("identity, gzip", .problem("unsupported-media-type")),
    encoding("br", .problem("unsupported-media-type")),
  ]

  static func type(
    _ type: String, _ expected: ServiceCase.Expected, _ location: SourceLocation = #_sourceLocation
  ) -> ServiceCase {
    ServiceCase("type \(type)", .post("/cells/dot", "1", type: type), expected, location: location)
  }

  static func encoding(
    _ coding: String, _ expected: ServiceCase.Expected, _ location: SourceLocation = #_sourceLocation
  ) -> ServiceCase {
    ServiceCase(
      "encoding \(coding)", .post("/cells/dot", "1", ["Content-Encoding": coding]), expected,
      location: location)
  }

  @Test(arguments: Way.allCases) func theFirstFaultDecides(way: Way) async throws {
    try await way.target { $0.server.bodyLimitBytes = 1000 }.check(Self.rows)
  }

  @Test(arguments: Way.allCases) func bodyTypes(way: Way) async throws {
    try await way.target().check(Self.types)
  }

  @Test(arguments: Way.allCases) func aRefusedTypeGetsAHint(way: Way) async throws {
    let target = try way.target()
    let rows: [(TestRequest, String)] = [
      (.post("/cells/dot", "1", type: "text/csv"), "application/json"),
      (.post("/cells/dot", "1", type: "application/json; charset=latin1"), "UTF-8"),
      (.post("/cells/dot", "1", ["Content-Encoding": "gzip"]), "uncompressed"),
      (.form("/cells", "a=1"), "/cells/KIND"),
    ]
    for (request, hint) in rows {
      let answer = try await target.ask(request)
      #expect(answer.status == 415 && answer.problem()?.detail.contains(hint) == true, "\(answer.text)")
    }
  }
}
