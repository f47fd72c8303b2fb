@testable import CellPreview
import CellServer
import Testing

/// Who may see the preview.
@Suite struct PreviewVisitorTests {
  private static func target() throws -> PreviewTarget {
    try PreviewTarget(["a.html": #"<p data-cell="a">x</p>"#], hosts: ["Cells.Example"])
  }

  private static let paths = [
    "/", "/preview/a", "/preview/frame/a", "/preview/events", "/preview/page.js", "/preview/files/x.css",
  ]

  /// A name that an attacker's name server points here must not read samples.
  @Test(arguments: [
    ("localhost", true), ("localhost:8080", true), ("LOCALHOST", true), ("127.0.0.1", true),
    ("127.0.0.1:9", true),
    ("[::1]:8080", true), ("192.168.1.20", true), ("cells.example", true), ("CELLS.example:80", true),
    ("evil.example", false), ("localhost.evil.example", false), ("127.0.0.1.evil.example", false),
    ("", false),
    ("1.2.3", false), ("256.1.1.1", false), ("127.0.0.1.", false), ("xcells.example", false),
    ("0x7f.0.0.1", false),
  ])
  func theHostMustBeKnown(host: String, isKnown: Bool) async throws {
    let target = try Self.target()
    for path in Self.paths {
      let answer = await target.get(path, method: "HEAD", host: host)
      #expect((answer.status != 400) == isKnown, "\(host) \(path)")
    }
  }

  @Test(arguments: [
    ("same-origin", true), ("none", true), ("cross-site", false), ("same-site", false), ("", false),
    ("same-origin, cross-site", false),
  ])
  func pagesOfOthersAreRefused(site: String, isOwn: Bool) async throws {
    let target = try Self.target()
    for path in Self.paths {
      let answer = await target.get(path, method: "HEAD", headers: [("Sec-Fetch-Site", site)])
      #expect((answer.status != 400) == isOwn, "\(site) \(path)")
    }
  }

  /// The service answers everyone, but shows samples only to those who may see the preview.
  @Test(
    arguments: [
      ("localhost", [("Sec-Fetch-Site", "same-origin")], true), ("localhost", [], true),
      ("cells.example", [], true),
      ("evil.example", [("Sec-Fetch-Site", "same-origin")], false), ("evil.example", [], false),
      ("localhost", [("Sec-Fetch-Site", "cross-site")], false),
    ] as [(String, [(String, String)], Bool)])
  func schemasShowSamplesToVisitorsAlone(host: String, headers: [(String, String)], showsSamples: Bool)
    async throws
  {
    let target = try PreviewTarget(
      ["a.mustache": "<p>{{x}}</p>", "a.sample.json": #"[{"x": "secret"}]"#], hosts: ["Cells.Example"])
    // Twice: others may ask for the same document before.
    for path in ["/schemas/a", "/schemas/a?strict=true", "/schemas/a", "/schemas/a?strict=true"] {
      let others = await target.get(path, host: showsSamples ? "evil.example" : "localhost")
      #expect(others.status == 200 && others.text.contains("secret") != showsSamples, "\(path)")
      let answer = await target.get(path, host: host, headers: headers)
      #expect(answer.status == 200 && answer.text.contains(#""properties":{"x":"#), "\(path)")
      #expect(answer.text.contains("secret") == showsSamples, "\(path)")
    }
    for path in ["/openapi.json", "/kinds", "/kinds/a"] {
      let answer = await target.get(path, host: host, headers: headers)
      #expect(!answer.text.contains("secret"), "\(path)")
    }
  }

  @Test func aRefusalSaysWhatToDo() async throws {
    let answer = try await Self.target().get("/", host: "evil.example")
    #expect(answer["Content-Type"] == "application/problem+json" && answer.text.contains("--preview-host"))
    // The service itself answers as ever.
    #expect(try await Self.target().get("/kinds", host: "evil.example").status == 200)
  }
}
