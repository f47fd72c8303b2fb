import CellServer
import CellTemplates
import Testing

/// HTML that may contain raw values can be opened on the service's origin by a link or a form: as a page, it
/// runs no script.
@Suite struct ServiceRawTests {
  static let templates: [String: String] = [
    "plain.mustache": "<p>{{html}}</p>",
    "raw.mustache": "{{! raw: allow }}\n<p>{{{html}}}</p>",
    "unused.mustache": "{{! raw: allow }}\n<p>{{html}}</p>",
    "nib.html": "<p data-cell=\"nib\" data-raw=\"allow\">{{&html}}</p>",
    "caller.mustache": "<div>{{>middle}}</div>",
    "middle.mustache": "{{#html}}{{>raw}}{{/html}}",
    "loop.mustache": "<i>{{#kid}}{{>loop}}{{/kid}}{{>plain}}</i>",
    "any.mustache": "<div>{{>*kind}}</div>",
    "layout.mustache": "<div>{{$body}}{{/body}}</div>",
    "child.mustache": "{{! raw: allow }}\n{{<layout}}{{$body}}{{{html}}}{{/body}}{{/layout}}",
    "inherits.mustache": "{{<child}}{{/child}}",
    "letter.txt.mustache": "{{{html}}}",
  ]

  static func target(_ way: Way, without dropped: [String] = []) throws -> any HTTPTarget {
    try way.target { $0.templates = templates.filter { !dropped.contains($0.key) } }
  }

  func policy(_ target: any HTTPTarget, _ request: TestRequest) async throws -> String? {
    let answer = try await target.send(request)
    #expect(answer.status == 200, "\(request.target)")
    return answer["Content-Security-Policy"]
  }

  @Test(arguments: Way.allCases, ["raw", "nib", "caller", "middle", "any", "child", "inherits"])
  func kindsThatMayPrintRawValuesAreSandboxed(way: Way, kind: String) async throws {
    let target = try Self.target(way)
    // Three times: the second and third answer share one response object.
    for _ in 0..<3 { #expect(try await policy(target, .get("/cells/\(kind)?html=x")) == "sandbox") }
    #expect(try await policy(target, .post("/cells/\(kind)", #"{"html": "x"}"#)) == "sandbox")
    #expect(try await policy(target, .post("/cells/\(kind)", #"[{"html": "x"}, {}]"#)) == "sandbox")
    #expect(try await policy(target, TestRequest("HEAD", "/cells/\(kind)")) == "sandbox")
    #expect(try await policy(target, .get("/cells/\(kind)?format=json")) == nil)
  }

  @Test(arguments: Way.allCases, ["plain", "unused", "loop", "layout"])
  func othersAreNot(way: Way, kind: String) async throws {
    let target = try Self.target(way)
    // As long as those of a sandboxed kind.
    for name in [kind, "raw", kind, "raw", kind] {
      let expected = name == "raw" ? "sandbox" : nil
      #expect(try await policy(target, .get("/cells/\(name)?html=x")) == expected, "\(name)")
    }
    #expect(try await policy(target, .post("/cells/\(kind)", #"[{"html": "x"}]"#)) == nil)
  }

  @Test(arguments: Way.allCases) func batchesAreSandboxedIfAnyKindMayBe(way: Way) async throws {
    let target = try Self.target(way)
    let items = #"[{"kind": "raw"}, {"kind": "plain"}]"#
    #expect(try await policy(target, .post("/cells", items)) == "sandbox")
    #expect(
      try await policy(target, .post("/cells", #"{"kind": "raw", "rows": [{"data": {}}]}"#)) == "sandbox")
    #expect(try await policy(target, .post("/cells?format=json", items)) == nil)
    let streamed = "[" + Array(repeating: #"{"kind": "raw"}"#, count: 200_000).joined(separator: ",") + "]"
    #expect(try await policy(target, .post("/cells", streamed)) == "sandbox")
    let raw = ["raw.mustache", "nib.html", "child.mustache"]
    let safe = try Self.target(way, without: raw + ["inherits.mustache"])
    #expect(try await policy(safe, .post("/cells", #"[{"kind": "plain"}, {"kind": "any"}]"#)) == nil)
    #expect(try await policy(safe, .get("/cells/any?kind=letter")) == nil)
  }

  @Test(arguments: Way.allCases) func unmodifiedAnswersAreSandboxedToo(way: Way) async throws {
    let target = try Self.target(way)
    let answer = try await target.send(.get("/cells/raw", ["If-None-Match": "*"]))
    #expect(answer.status == 304 && answer["Content-Security-Policy"] == "sandbox")
  }

  /// The flag is derived from the operations, and so also from an archive's file.
  @Test func archivesKnowIt() throws {
    var setup = TargetSetup()
    setup.templates = Self.templates
    let archive = try CellArchive(decoding: setup.archive().encoded())
    let raw = archive.kindNames.filter { archive.printsRaw(archive.kindNumber($0)!) && $0 != "letter" }
    #expect(raw == ["any", "caller", "child", "inherits", "middle", "nib", "raw"])
    #expect(archive.printsRawHTML)
  }
}
