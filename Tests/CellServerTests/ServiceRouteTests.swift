import Testing

/// Paths, methods, and the endpoints about the service itself.
@Suite struct ServiceRouteTests {
  static let paths: [ServiceCase] = [
    ServiceCase("the root", .get("/"), .problem("not-found")),
    ServiceCase("nothing of ours", .get("/nothing"), .problem("not-found")),
    ServiceCase("nothing below", .get("/livez/x"), .problem("not-found")),
    ServiceCase("POST to nothing", .post("/nothing", "{}"), .problem("not-found")),
    ServiceCase("words are literal", .get("/%63ells/plain"), .problem("not-found")),
    ServiceCase("words are in small letters", .get("/Cells/plain"), .problem("not-found")),
    ServiceCase("an unknown kind", .post("/cells/none", "{}"), .problem("unknown-kind")),
    ServiceCase(
      "an unknown kind, skipping", .post("/cells/none?on_error=skip", "{}"), .problem("unknown-kind")),
    ServiceCase("kinds are in their own letters", .get("/cells/Plain"), .problem("unknown-kind")),
    ServiceCase("an unknown kind's description", .get("/kinds/none"), .problem("unknown-kind")),
    ServiceCase("dots are no kind", .get("/cells/.."), .problem("unknown-kind")),
    ServiceCase("dots are not resolved", .get("/cells/x/../plain"), .problem("unknown-kind")),
    ServiceCase("decoded once", .get("/cells/shop%252Fprice"), .problem("unknown-kind")),
    ServiceCase("decoded", .get("/cells/%70lain"), .html("<p></p>")),
    ServiceCase("plus is plus", .get("/cells/pl+ain"), .problem("unknown-kind")),
    ServiceCase("a slash", .get("/cells/shop/price"), .html("<i></i>")),
    ServiceCase("an escaped slash", .get("/cells/shop%2fprice"), .html("<i></i>")),
    ServiceCase("a kind's folder", .get("/cells/shop"), .problem("unknown-kind")),
    ServiceCase("absolute form", .get("http://example.org:1/cells/plain?title=a"), .html("<p>a</p>")),
    ServiceCase("an empty segment", .get("/cells/"), .problem("bad-request")),
    ServiceCase("an empty segment in POST", .post("/cells/", "{}"), .problem("bad-request")),
    ServiceCase("an empty segment first", .get("//cells/plain"), .problem("bad-request")),
    ServiceCase("an empty segment between", .get("/cells//plain"), .problem("bad-request")),
    ServiceCase("an empty segment last", .get("/cells/plain/"), .problem("bad-request")),
    ServiceCase("an empty segment by escapes", .get("/cells/shop%2F%2Fprice"), .problem("bad-request")),
    ServiceCase("an empty segment of kinds", .get("/kinds/"), .problem("bad-request")),
    ServiceCase("a bad escape", .get("/cells/%zz"), .problem("bad-request")),
    ServiceCase("a cut escape", .get("/cells/plain%2"), .problem("bad-request")),
    ServiceCase("a lone %", .get("/cells/%"), .problem("bad-request")),
    ServiceCase("NUL", .get("/cells/%00"), .problem("bad-request")),
    ServiceCase("NUL behind a kind", .get("/cells/plain%00"), .problem("bad-request")),
    ServiceCase("no UTF-8", .get("/cells/%FF"), .problem("bad-request")),
    ServiceCase("a fault far from any route", .get("/nothing/%zz"), .problem("bad-request")),
  ]

  static let queries: [ServiceCase] = [
    ServiceCase("a name on POST", .post("/cells/plain?title=a", "{}"), .problem("bad-request")),
    ServiceCase("a name on POST of a batch", .post("/cells?kind=plain", "[]"), .problem("bad-request")),
    ServiceCase("an empty name", .post("/cells/plain?=a", "{}"), .problem("bad-request")),
    ServiceCase("a control with a dot", .post("/cells/plain?format.x=json", "{}"), .problem("bad-request")),
    ServiceCase("an unknown value", .post("/cells/plain?on_error=ignore", "{}"), .problem("bad-request")),
    ServiceCase("a bad escape", .post("/cells/plain?format=%2", "{}"), .problem("bad-request")),
    ServiceCase("empty pairs", .post("/cells/plain?&format=html&&", "{}"), .html("<p></p>")),
    ServiceCase("kinds take none", .get("/kinds?format=json"), .problem("bad-request")),
    ServiceCase("a kind takes none", .get("/kinds/plain?x"), .problem("bad-request")),
    ServiceCase("livez takes none", .get("/livez?verbose=1"), .problem("bad-request")),
    ServiceCase("readyz takes none", .get("/readyz?verbose=1"), .problem("bad-request")),
  ]

  @Test(arguments: Way.allCases) func paths(way: Way) async throws {
    try await way.target().check(Self.paths)
  }

  @Test(arguments: Way.allCases) func queries(way: Way) async throws {
    try await way.target().check(Self.queries)
  }

  @Test(arguments: Way.allCases) func methods(way: Way) async throws {
    let target = try way.target()
    let get: Set = ["GET", "HEAD", "OPTIONS"]
    let rows: [(String, Set<String>)] = [
      ("/cells", ["POST", "OPTIONS"]), ("/cells/plain", get.union(["POST"])),
      ("/cells/shop%2Fprice", get.union(["POST"])),
      ("/kinds", get), ("/kinds/plain", get), ("/schemas/plain", get), ("/livez", get), ("/readyz", get),
      ("/openapi.json", get), ("/styles.css", get), ("/cells.js", get), ("/cells.d.ts", get),
    ]
    for (path, allowed) in rows {
      for method in ["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "BREW", "get"] {
        let body: [UInt8]? = method == "POST" || method == "PUT" ? Array("[]".utf8) : nil
        let answer = try await target.ask(
          TestRequest(method, path, ["Content-Type": "application/json"], body: body))
        let allow = Set(
          (answer["Allow"] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init))
        if method == "OPTIONS" {
          #expect(answer.status == 204 && allow == allowed, "\(method) \(path)")
        } else if allowed.contains(method) {
          #expect(answer.status == 200 && answer["Allow"] == nil, "\(method) \(path)")
        } else {
          #expect(answer.status == 405 && allow == allowed, "\(method) \(path)")
        }
      }
    }
    for (target, path, status) in [
      (target, "*", 204), (target, "/", 404), (target, "/cells/none", 404), (target, "/cells/", 400),
    ] {
      #expect(try await target.ask(TestRequest("OPTIONS", path)).status == status, "\(path)")
    }
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func kinds(way: Way) async throws {
    let target = try way.target()
    for accept in ["*/*", "image/png", "text/html", "application/json;q=0"] {
      let answer = try await target.ask(.get("/kinds", ["Accept": accept]))
      #expect(answer.status == 200 && answer["Content-Type"] == "application/json", "\(accept)")
    }
    let all = try await target.ask(.get("/kinds")).json() as? [String: Any]
    #expect(Set(all?.keys ?? [:].keys) == ["kinds", "stylesheet"])
    let kinds = try #require(all?["kinds"] as? [[String: Any]])
    #expect(kinds.map { $0["kind"] as? String } == ServiceTemplates.kinds)
    for kind in kinds {
      let name = try #require(kind["kind"] as? String)
      let answer = try await target.ask(.get("/kinds/" + name.replacing("/", with: "%2F")))
      let one = try #require(answer.json() as? [String: Any])
      #expect(
        Set(one.keys) == Set(kind.keys) && one["version"] as? String == kind["version"] as? String, "\(name)")
      #expect(kind["text"] as? Bool == (name == "line" || name == "bytes"), "\(name)")
      #expect((kind["version"] as? String ?? "").utf8.count >= 16, "\(name)")
    }
  }

  @Test(arguments: Way.allCases) func descriptions(way: Way) async throws {
    let target = try way.target()
    let rows: [(String, names: [String], partials: [String])] = [
      ("plain", ["title"], []), ("who", ["owner.name", "title"], []), ("tree", ["kid"], ["tree"]),
      ("line", ["title"], []),
      ("people", ["people", "name", "pets", "call.name"], []), ("signs", ["a~b/c", "x/y", "z~"], []),
      ("wide", [], []),
    ]
    for (kind, names, partials) in rows {
      let answer = try await target.ask(.get("/kinds/\(kind)")).json() as? [String: Any]
      #expect(answer?["names"] as? [String] == names, "\(kind)")
      #expect(answer?["partials"] as? [String] == partials, "\(kind)")
    }
  }

  @Test(arguments: Way.allCases) func versionsCoverTheTemplateAndItsCalls(way: Way) async throws {
    func versions(_ templates: [String: String]) async throws -> [String?] {
      let answer =
        try await way.target { $0.templates = templates }.ask(.get("/kinds")).json() as? [String: Any]
      return (answer?["kinds"] as? [[String: Any]] ?? []).map { $0["version"] as? String }
    }
    let before = try await versions([
      "a.mustache": "<p>{{>b}}</p>", "b.mustache": "<i>1</i>", "c.mustache": "<p></p>",
    ])
    let after = try await versions([
      "a.mustache": "<p>{{>b}}</p>", "b.mustache": "<i>2</i>", "c.mustache": "<p></p>",
    ])
    #expect(before.count == 3 && Set(before).count == 3)
    #expect(before[0] != after[0] && before[1] != after[1] && before[2] == after[2])
  }

  @Test(arguments: Way.allCases) func livenessAndReadiness(way: Way) async throws {
    let target = try way.target()
    #expect(try await target.ask(.get("/livez")).status == 200)
    #expect(try await target.ask(.get("/readyz")).status == 200)
    target.setReady(false)
    #expect(try await target.ask(.get("/livez")).status == 200)
    let answer = try await target.ask(.get("/readyz"))
    #expect(
      answer.status == 503 && answer.problem()?.code == "overloaded"
        && (Int(answer["Retry-After"] ?? "") ?? 0) > 0)
    // The server continues to serve.
    #expect(try await target.ask(.get("/cells/plain?title=a")).text == "<p>a</p>")
    target.setReady(true)
    #expect(try await target.ask(.get("/readyz")).status == 200)
  }

  @Test(arguments: Way.allCases) func requestIDs(way: Way) async throws {
    let target = try way.target()
    let longest = String(repeating: "x", count: 128)
    for id in ["1", "a-b_c.d~!\"#$%&'()*+,/:;<=>?@[\\]^`{|}", longest] {
      for path in ["/livez", "/cells/none", "/cells/%zz"] {
        #expect(try await target.ask(.get(path, ["X-Request-Id": id]))["X-Request-Id"] == id, "\(path)")
      }
    }
    var made: Set<String> = []
    for id in [nil, "", "a b", longest + "x", "h\u{E9}llo", "a\tb", nil] {
      let answer = try await target.ask(id.map { .get("/livez", ["X-Request-Id": $0]) } ?? .get("/livez"))
      let new = try #require(answer["X-Request-Id"])
      #expect(new != id && made.insert(new).inserted, "\(id ?? "none")")
    }
    // Refused because of its head.
    #expect(try await target.ask(TestRequest("POST", "/cells", ["X-Request-Id": "y"]))["X-Request-Id"] == "y")
  }
}
