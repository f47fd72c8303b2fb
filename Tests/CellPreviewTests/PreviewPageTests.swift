@testable import CellPreview
import CellServer
import CellTemplates
import Testing

/// The preview's own pages.
@Suite struct PreviewPageTests {
  private static func target() throws -> PreviewTarget {
    try PreviewTarget([
      "feed.html": #"<main><article data-cell="news"><h2 data-outlet="title">Drawn</h2></article></main>"#,
      "news.sample.json": "[\n  {\n    \"title\": \"It's <b>\"\n  },\n  {\"title\": \"two\"}\n]",
      "events.mustache": "<p>{{x}}</p>", "frame/x.mustache": "<p>{{x}}</p>", "page.js.mustache": "<p></p>",
    ])
  }

  @Test func theNibsOfThePagesAreInOrder() throws {
    let nibs = PreviewResources.nibs.map {
      TemplateSource(file: $0.name + ".html", kind: $0.name, mode: .html, bytes: $0.bytes)
    }
    let compiled = try TemplateCompiler.compile([], nibs: nibs)
    #expect(compiled.warnings.isEmpty)
    #expect(compiled.archive.kindNames == ["diagnostics", "index", "kind"])
  }

  @Test func theFirstPageHasEveryKindWithItsPage() async throws {
    let target = try Self.target()
    let answer = await target.get("/")
    #expect(answer.status == 200 && answer["Content-Type"] == "text/html; charset=utf-8")
    for (kind, page) in [
      ("news", "/preview/news"), ("events", "/?kind=events"), ("frame/x", "/?kind=frame/x"),
      ("page.js", "/?kind=page.js"),
    ] {
      #expect(answer.text.contains("<a href=\"\(page)\">\(kind)</a>"), "\(kind)")
      let own = await target.get(page)
      #expect(own.status == 200 && own.text.contains("<h1>\(kind)</h1>"), "\(kind)")
    }
    #expect(answer.text.contains(">2</span> sample rows"))
  }

  @Test(arguments: [
    ("[]", "no sample rows"), (#"[{"x": 1}]"#, "1 sample row"), (#"[{"x": 1}, {}]"#, "2 sample rows"),
  ])
  func theFirstPageCountsSampleRows(sample: String, told: String) async throws {
    let text = try await PreviewTarget(["a.mustache": "<p>{{x}}</p>", "a.sample.json": sample]).get("/").text
    let count = try #require(text.firstMatch(of: /<p class="count">(.*?)<\/p>/)).1
    #expect(count.replacing(/<[^>]*>/, with: "") == told)
  }

  /// Where and when rows are read is a switch of those cells that depend on it.
  @Test func cellsWithFormatsHaveSwitches() async throws {
    let target = try PreviewTarget(
      [
        "a.mustache": "<b>{{n | number}}</b>", "b.mustache": "<b>{{n}}</b>",
        "c.html": #"<html lang="ar"><p data-cell="c">{{d | date}}</p></html>"#,
      ], locales: "de")
    var switches: [String] = []
    for kind in ["a", "b", "c"] {
      let text = await target.get("/preview/\(kind)").text
      guard let start = text.firstRange(of: #"<span class="reading">"#) else {
        switches.append("none")
        continue
      }
      let part = text[start.upperBound...].prefix(700)
      let positions = part.matches(of: /placeholder="([^"]*)"/).map { String($0.1) }
      let tags = part.matches(of: /<option value="([^"]*)">/).map { String($0.1) }
      switches.append((positions.first ?? "") + ": " + tags.joined(separator: " "))
    }
    #expect(switches == ["en: en de", "none", "ar: ar en de"])
  }

  /// What the server does with missing names is chosen at first.
  @Test(arguments: MissingPolicy.allCases)
  func aPageBeginsWithThePolicyOfTheServer(missing: MissingPolicy) async throws {
    let target = try PreviewTarget(["a.mustache": "<p>{{x}}</p>"], missing: missing)
    let text = await target.get("/preview/a").text
    let start = try #require(text.firstRange(of: #"<select id="missing">"#)).upperBound
    let options = text[start...].prefix(300).matches(of: /<option( selected)?>(\w+)<\/option>/)
    #expect(options.map { String($0.2) } == MissingPolicy.allCases.map(\.rawValue))
    #expect(options.filter { $0.1 != nil }.map { String($0.2) } == [missing.rawValue])
  }

  @Test func aPageHasItsRowsAsWritten() async throws {
    let text = try await Self.target().get("/preview/news").text
    // The indentation that the lines share in the file is gone.
    #expect(
      text.contains(
        "<option value=\"{\n  &quot;title&quot;: &quot;It&#39;s &lt;b&gt;&quot;\n}\">1: It&#39;s &lt;b&gt;</option>"
      ), "\(text)")
    #expect(text.contains("2: two</option>"))
  }

  @Test func pagesRunOnlyTheirOwnScript() async throws {
    let target = try Self.target()
    for page in ["/", "/preview/news"] {
      let answer = await target.get(page)
      let policy = try #require(answer["Content-Security-Policy"])
      #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(!policy.contains("unsafe") && !policy.contains("http"))
      #expect(answer["Cache-Control"] == "no-store")
      #expect(!answer.text.contains("style=") && !answer.text.contains("onclick"))
    }
    for (path, type) in [("/preview/page.js", "text/javascript"), ("/preview/page.css", "text/css")] {
      let answer = await target.get(path)
      #expect(answer.status == 200 && answer["Content-Type"]?.hasPrefix(type) == true)
      let known = try #require(answer["ETag"])
      #expect(await target.get(path, headers: [("If-None-Match", known)]).status == 304)
    }
  }

  @Test(arguments: [
    ("/preview/nothing", 404), ("/preview/frame/nothing", 404), ("/preview/files/nothing.css", 404),
    ("/preview", 404),
    ("/preview/", 400), ("/?kind=nothing", 404), ("/?x=1", 400), ("/preview/news?x=1", 400),
    ("/preview/frame", 404),
    ("/preview/files/../feed.html", 404), ("/preview/files/%2e%2e/feed.html", 404),
    ("/preview/files/feed.html", 404),
    ("/preview/files/news.sample.json", 404), ("/preview/files/a%00b", 400), ("/index.html", 404),
  ])
  func otherPathsAreRefused(path: String, status: Int) async throws {
    #expect(try await Self.target().get(path).status == status)
  }

  @Test func pagesCanBeAskedForWithoutTheirBody() async throws {
    let target = try Self.target()
    for path in ["/", "/preview/news", "/preview/frame/news", "/preview/page.css", "/preview/events"] {
      let answer = await target.get(path, method: "HEAD")
      #expect(answer.status == 200 && answer.body.isEmpty, "\(path)")
      #expect(await target.get(path, method: "PUT").status == 405, "\(path)")
    }
  }

  /// Its list has all files, in their order, also with as many kinds as no project has.
  @Test func aThousandKindsFitOnOnePage() async throws {
    let cells = (0..<1000).map { "<p data-cell=\"k\($0)\"><b data-outlet=\"x\">y</b></p>\n" }.joined()
    let target = try PreviewTarget(["many.html": cells])
    let index = await target.get("/")
    #expect(index.text.split(separator: "<li class=\"card\"").count == 1001)
    #expect(index.body.count < 600_000)
    #expect(await target.get("/preview/k999").text.contains("<h1>k999</h1>"))
  }

  @Test func anEmptyFolderSaysWhatToDo() async throws {
    #expect(
      try await PreviewTarget(["notes.txt": "x"]).get("/").text.contains(
        "There is no cell in this folder yet."))
  }

  @Test(arguments: [
    ("[]", []), ("[1]", ["1"]), ("[ \"a,]\" , {\"b\":[1,{}]},null ]", ["\"a,]\"", "{\"b\":[1,{}]}", "null"]),
    (#"["\\\"]","x"]"#, [#""\\\"]""#, #""x""#]), ("{}", []), ("[1", []), ("", []),
    ("[[1,2],[3]]", ["[1,2]", "[3]"]), ("[\n  {\n    \"a\": 1\n  }\n]", ["{\n  \"a\": 1\n}"]),
    ("[\r\n  {\r\n    \"a\": 1\r\n  },\r\n  [1,\r2]\r\n]", ["{\n  \"a\": 1\n}", "[1,2]"]),
  ])
  func samplesAreCutIntoRows(sample: String, rows: [String]) {
    #expect(SampleRow.rows(of: Array(sample.utf8)).map(\.json) == rows)
  }
}
