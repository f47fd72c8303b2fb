import Testing

/// `GET /schemas/KIND`.
@Suite struct ServiceSchemaTests {
  @Test(arguments: Way.allCases) func everyKindHasASchema(way: Way) async throws {
    let target = try way.target()
    for kind in ServiceTemplates.kinds {
      let path = "/schemas/" + kind.replacing("/", with: "%2F")
      for accept in ["*/*", "text/html", "application/json;q=0"] {
        let answer = try await target.ask(.get(path, ["Accept": accept]))
        #expect(answer.status == 200 && answer["Content-Type"] == "application/schema+json", "\(kind)")
        let schema = try #require(answer.json() as? [String: Any])
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$id"] as? String == "/schemas/" + kind && schema["title"] as? String == kind)
        #expect(schema["properties"] is [String: Any] && schema["$defs"] is [String: Any])
      }
      let first = try await target.ask(.get(path))
      let head = try await target.ask(TestRequest("HEAD", path))
      #expect(head.status == 200 && head["Content-Length"] == first["Content-Length"])
    }
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func invalidRequestsForSchemasAreRefused(way: Way) async throws {
    let target = try way.target()
    try await target.check([
      ServiceCase("an unknown kind", .get("/schemas/none"), .problem("unknown-kind")),
      ServiceCase("an unknown kind, posted", .post("/schemas/none", "{}"), .problem("unknown-kind")),
      ServiceCase("an empty segment", .get("/schemas/"), .problem("bad-request")),
      ServiceCase("a query name", .get("/schemas/plain?format=json"), .problem("bad-request")),
      ServiceCase("no boolean", .get("/schemas/plain?strict=yes"), .problem("bad-request")),
      ServiceCase("two", .get("/schemas/plain?strict=true&strict=true"), .problem("bad-request")),
      ServiceCase("no UTF-8", .get("/schemas/plain?strict=%FF"), .problem("bad-request")),
      ServiceCase(
        "POST", .post("/schemas/plain", "{}"), .problem("method-not-allowed"),
        headers: ["Allow": "GET, HEAD, OPTIONS"]),
      ServiceCase(
        "OPTIONS", TestRequest("OPTIONS", "/schemas/plain"), .empty(204),
        headers: ["Allow": "GET, HEAD, OPTIONS"]),
      ServiceCase("OPTIONS of nothing", TestRequest("OPTIONS", "/schemas/none"), .problem("unknown-kind")),
    ])
  }
}
