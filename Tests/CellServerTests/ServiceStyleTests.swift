import Testing

@testable import CellServer

/// `/styles.css`, `/styles/NIB.css` and `/assets/PATH`: files for pages.
@Suite struct ServiceStyleTests {
  private static let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"

  private static func target(_ way: Way, _ change: (inout TargetSetup) -> Void = { _ in }) throws
    -> any HTTPTarget
  {
    try way.target { setup in
      setup.templates["shop/feed.html"] =
        "<link rel=stylesheet href=feed.css media=print><style>.a { b: url(i.svg) }</style>"
        + "<div data-cell=feed/news>{{>feed/by}}{{>plain}}</div>"
      setup.templates["by line.html"] = "<style>.by {}</style><b data-cell=feed/by></b>"
      setup.templates["none.html"] = "<i data-cell=feed/none></i>"
      setup.templates["other.html"] = "<style>.other {}</style><i data-cell=feed/other></i>"
      setup.files = ["shop/feed.css": ".f { b: url(i.svg) }", "shop/i.svg": svg]
      change(&setup)
    }
  }

  /// The addresses with versions that `GET /kinds` tells.
  private static func told(_ target: any HTTPTarget) async throws -> (all: String, feed: String) {
    let all = try #require(try await target.ask(.get("/kinds")).json() as? [String: Any])
    let kinds = try #require(all["kinds"] as? [[String: Any]])
    func sheet(_ kind: String) -> String? {
      kinds.first { $0["kind"] as? String == kind }?["stylesheet"] as? String
    }
    #expect(sheet("plain") == nil && sheet("feed/none") == nil)
    #expect(sheet("feed/by")?.hasPrefix("/styles/by%20line.css?v=") == true)
    return (try #require(all["stylesheet"] as? String), try #require(sheet("feed/news")))
  }

  @Test(arguments: Way.allCases) func sheets(way: Way) async throws {
    let target = try Self.target(way)
    let told = try await Self.told(target)
    let sheet = try await target.ask(.get("/styles/shop/feed.css"))
    #expect(sheet.status == 200 && sheet["Content-Type"] == "text/css; charset=utf-8")
    let lines = sheet.text.split(separator: "\n")
    #expect(
      lines.count == 2 && lines[0].hasPrefix("@import url(\"/assets/shop/feed.css?v=")
        && lines[0].hasSuffix("\") print;"))
    #expect(lines[1].hasPrefix(".a { b: url(\"/assets/shop/i.svg?v="))
    #expect(try await target.ask(.get("/styles/shop%2Ffeed.css")).body == sheet.body)
    #expect(try await target.ask(.get("/styles/none.css")).body.isEmpty)
    let scoped = try await target.ask(.get("/styles/shop/feed.css?scope=.x%20%3E%20.y"))
    #expect(scoped.text == "\(lines[0])\n@scope (.x > .y) {\n\(lines[1])\n}\n")
    let by = told.feed.replacing("shop/feed", with: "by%20line")
    #expect(by != told.feed)
    let all = try await target.ask(.get("/styles.css"))
    #expect(
      all.text.split(separator: "\n").count == 3
        && all.text.contains("@import url(\"\(told.feed.dropFirst())\");"))
    // With the nibs of cells that it calls.
    let some = try await target.ask(.get("/styles.css?kinds=feed%2Fnews,plain&scope=.x"))
    #expect(
      some.text.split(separator: "\n").count == 2 && !some.text.contains("other")
        && some.text.contains("by%20line"))
    #expect(some.text.contains("&scope=.x\");"))
    #expect(try await target.ask(.get("/styles.css?kinds=plain")).body.isEmpty)
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func versions(way: Way) async throws {
    let target = try Self.target(way)
    let told = try await Self.told(target)
    let sheet = try await target.ask(.get(told.feed)).text
    let asset = try #require(sheet.firstMatch(of: /"(\/assets\/shop\/i\.svg\?v=[0-9a-f]{32})"/)).1
    for path in [told.all, told.all + "&kinds=plain", told.feed, told.feed + "&scope=.x", String(asset)] {
      for (path, cached) in [(path, true), (String(path.prefix { $0 != "?" }), false), (path + "0", false)]
      where !path.hasSuffix("plain0") && !path.hasSuffix(".x0") {
        let answer = try await target.ask(.get(path))
        #expect(
          answer["Cache-Control"] == (cached ? "public, max-age=31536000, immutable" : "no-cache"), "\(path)")
        let tag = try #require(answer["ETag"])
        for method in ["GET", "HEAD"] {
          let known = try await target.ask(TestRequest(method, path, ["If-None-Match": tag]))
          #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag, "\(method) \(path)")
        }
        let head = try await target.ask(TestRequest("HEAD", path))
        #expect(head.status == 200 && head["Content-Length"] == "\(answer.body.count)", "\(path)")
      }
    }
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func assets(way: Way) async throws {
    let target = try Self.target(way)
    let svg = try await target.ask(.get("/assets/shop/i.svg"))
    #expect(svg.status == 200 && svg.text == Self.svg && svg["Content-Type"] == "image/svg+xml")
    #expect(
      svg["Content-Security-Policy"] == "sandbox; default-src 'none'"
        && svg["X-Content-Type-Options"] == "nosniff")
    #expect(try await target.ask(.get("/assets/shop%2Ffeed.css")).text == ".f { b: url(i.svg) }")
  }

  static let refused: [ServiceCase] = [
    ServiceCase("no nib", .get("/styles/nope.css"), .problem("not-found")),
    ServiceCase("a nib without the ending", .get("/styles/shop/feed"), .problem("not-found")),
    ServiceCase("a kind", .get("/styles/plain.css"), .problem("not-found")),
    ServiceCase("nothing", .get("/styles/"), .problem("bad-request")),
    ServiceCase("no file", .get("/assets/shop/none.svg"), .problem("not-found")),
    ServiceCase("a nib as a file", .get("/assets/shop/feed.html"), .problem("not-found")),
    ServiceCase("steps", .get("/assets/shop/../shop/i.svg"), .problem("not-found")),
    ServiceCase("steps out", .get("/assets/..%2F..%2Fetc%2Fpasswd"), .problem("not-found")),
    ServiceCase("NUL", .get("/assets/shop/i.svg%00"), .problem("bad-request")),
    ServiceCase("NUL in a nib", .get("/styles/a%00.css"), .problem("bad-request")),
    ServiceCase("no kind", .get("/styles.css?kinds=plain,none"), .problem("unknown-kind")),
    ServiceCase("an empty list", .get("/styles.css?kinds="), .problem("unknown-kind")),
    ServiceCase("twice", .get("/styles.css?v=1&v=2"), .problem("bad-request")),
    ServiceCase("another name", .get("/styles.css?kind=plain"), .problem("bad-request")),
    ServiceCase("another name of files", .get("/assets/shop/i.svg?scope=.a"), .problem("bad-request")),
    ServiceCase(
      "the end of a scope", .get("/styles/shop/feed.css?scope=.a)%7B%7D.b%7B"), .problem("bad-request")),
    ServiceCase("a block in a scope", .get("/styles.css?scope=.a%7B"), .problem("bad-request")),
    ServiceCase("a line in a scope", .get("/styles.css?scope=.a%0D%0AX-Y:%20z"), .problem("bad-request")),
    ServiceCase("an empty scope", .get("/styles.css?scope="), .problem("bad-request")),
    ServiceCase(
      "a long scope", .get("/styles.css?scope=" + String(repeating: "a", count: 2000)),
      .problem("bad-request")),
    ServiceCase("POST", .post("/styles.css", ""), .problem("method-not-allowed")),
  ]

  /// Pages of every origin may read all answers, whatever origins are listed.
  @Test(arguments: Way.allCases, [false, true]) func refusals(way: Way, listsOrigins: Bool) async throws {
    let target = try Self.target(way) { setup in
      if !listsOrigins { return }
      var origins = AllowedOrigins()
      try? origins.add("https://app.example.org")
      setup.server.origins = origins
    }
    try await target.check(Self.refused)
    for path in [
      "/styles.css", "/styles/shop/feed.css", "/assets/shop/i.svg", "/assets/none.css", "/styles.css?scope=",
    ] {
      for origin in ["https://app.example.org", "https://other.example", ""] {
        let answer = try await target.ask(.get(path, ["Origin": origin]))
        #expect(
          answer.headers.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value) == ["*"], "\(path)")
        #expect(answer["Vary"]?.contains("Origin") != true)
      }
      let preflight = try await target.ask(
        TestRequest(
          "OPTIONS", path,
          ["Origin": "https://other.example", "Access-Control-Request-Method": "GET"]))
      #expect(preflight.status == 204 && preflight["Access-Control-Allow-Origin"] == "*")
      #expect((preflight["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS") == listsOrigins)
    }
    #expect(await target.heldBytes() == 0)
  }

  /// Large files are sent in pieces, compressed ones not again, and nothing stays.
  @Test(arguments: Way.allCases) func largeFiles(way: Way) async throws {
    let css = String(repeating: ".a { color: red }\n", count: 30_000)
    let target = try Self.target(way) { setup in
      setup.templates["big.html"] =
        "<link rel=stylesheet href=big.css><img src=big.png><style>\(css)</style><p data-cell=big></p>"
      setup.files["big.css"] = css
      setup.files["big.png"] = String(repeating: "p", count: 300_000)
      setup.server.compression = CompressionSettings()
    }
    for path in ["/assets/big.css", "/styles/big.css", "/styles/big.css?scope=.x", "/assets/big.png"] {
      let plain = try await target.ask(.get(path))
      #expect(
        plain.isComplete && plain.body.count > 200_000 && plain["Content-Length"] == "\(plain.body.count)")
      let zipped = try await target.ask(.get(path, ["Accept-Encoding": "gzip"]))
      #expect((zipped["Content-Encoding"] == "gzip") == !path.hasSuffix("png"), "\(path)")
      #expect(zipped["ETag"] == plain["ETag"] && zipped["Vary"] == "Accept-Encoding")
    }
    #expect(await target.heldBytes() == 0)
  }

  /// Clients decide how many scopes there are; the server keeps few of their sheets.
  @Test(arguments: Way.allCases) func manyScopes(way: Way) async throws {
    let documents = ArchiveDocuments()
    let css = String(repeating: ".a { color: red }\n", count: 200)
    let target = try Self.target(way) { setup in
      setup.documents = documents
      setup.templates["shop/feed.html"]! += "<style>\(css)</style>"
    }
    for number in 0..<300 {
      let answer = try await target.ask(.get("/styles/shop/feed.css?scope=.s\(number)"))
      #expect(answer.status == 200 && answer.text.contains("@scope (.s\(number)) {"))
    }
    #expect(documents.heldBytes < 70 * (css.utf8.count + 500))
    let again = try await target.ask(.get("/styles/shop/feed.css?scope=.s0"))
    #expect(again.text.contains("@scope (.s0) {"))
    #expect(await target.heldBytes() == 0)
  }

  @Test(arguments: Way.allCases) func anotherServerHasTheFiles(way: Way) async throws {
    let target = try Self.target(way) { $0.assetsURL = "https://cdn.example/c/" }
    let sheet = try await target.ask(.get("/styles/shop/feed.css")).text
    #expect(
      sheet == "@import url(\"https://cdn.example/c/shop/feed.css\") print;\n"
        + ".a { b: url(\"https://cdn.example/c/shop/i.svg\") }\n")
  }
}
