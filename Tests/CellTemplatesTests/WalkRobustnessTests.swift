import Scaling
import Testing

@testable import CellTemplates

/// No template crashes the compiler, and every accepted template gives a valid archive.
@Suite struct WalkRobustnessTests {
  private static let pieces = [
    "<", ">", "</", "<!--", "-->", "<!", "<?", "/", "=", "\"", "'", " ", "\n", "\r\n", "&", "&#", "&amp;",
    ";", "x", "a", ":",
    "<b>", "</b>", "<p>", "</p>", "<a href=\"", "<a title='", "<i ", "class", " style=\"a:", "<svg>",
    "</svg>", "<![CDATA[", "]]>",
    "<table>", "<tr>", "</tr>", "<li>", "<pre>", "</pre>", "<textarea>", "</textarea>", "<title>", "</title>",
    "<script>", "<script type=\"application/json\">", "</script>", "<style>", "</style>", "{\"a\":", "}", "[",
    "]", ",", "1",
    "/", "?", "#", "//", "https:", "java", "(", ")", "\\", "\u{0}", "é", "{{x}}", "{{.}}", "{{#s}}", "{{/s}}",
    "{{^s}}",
    "{{>a}}", "{{>b}}", "{{>*d}}", "{{<b}}", "{{/b}}", "{{$k}}", "{{/k}}", "{{! c }}", "<img srcset=\"",
    " 2x", "<meta ",
    "http-equiv=refresh", "content=\"",
  ]

  private static func template(_ random: inout SeededNumbers) -> String {
    (0..<Int.random(in: 0..<7, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  @Test(arguments: 0..<8)
  func anyTemplateIsChecked(_ seed: Int) throws {
    var random = SeededNumbers(state: UInt64(seed + 1) &* 0x9E37)
    var accepted = 0
    for _ in 0..<600 {
      let a = Self.template(&random)
      let b = Self.template(&random)
      let sources = Templates.sources(["a.mustache": a, "b.mustache": b])
      do throws(TemplateErrors) {
        let archive = try TemplateCompiler.compile(sources).archive
        let copy = try? CellArchive(decoding: archive.encoded())
        #expect(copy?.hash == archive.hash, "\(a.debugDescription), \(b.debugDescription)")
        accepted += 1
      } catch {
        let isPlaced = error.diagnostics.allSatisfy { $0.line > 0 && $0.column > 0 && !$0.hint.isEmpty }
        #expect(isPlaced, "\(error)")
        #expect(error.diagnostics.contains { $0.severity == .error })
      }
    }
    #expect(accepted > 20)
  }

  /// Tags and attributes that begin in one section and end in another: offsets into the content of the first are not used
  /// with that of the second.
  @Test(arguments: [
    "{{#a}}x{{y}}<b{{/a}}{{#c}}>{{/c}}", "{{#a}}<i></i>x<b{{/a}}{{#a}}>{{/a}}",
    "<p {{#a}}a=\"1\" b=\"{{y}}\" t=\"{{y}}{{/a}}{{#c}}q\"{{/c}}></p>",
    "{{#a}}x{{y}}<b title=\"{{/a}}{{#c}}\">{{/c}}", "{{#a}}{{y}}x<b{{/a}}{{^a}}{{y}} c=\"{{y}}\"></b>{{/a}}",
  ])
  func tagsAcrossSectionsAreErrors(_ template: String) {
    #expect(
      Templates.diagnostics(Templates.sources(["a.mustache": template])).contains {
        $0.contains("crossing-section")
      })
    let nib = TemplateSource(
      file: "n.html", kind: "n", mode: .html, bytes: Array("<div data-cell=\"k\">\(template)</div>".utf8))
    #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [nib]) }
  }

  /// Sections that are closed, around pieces that need not be.
  @Test(arguments: 0..<8)
  func anySectionsAreChecked(_ seed: Int) {
    var random = SeededNumbers(state: UInt64(seed + 1) &* 0x51ED)
    let pieces = Self.pieces.filter { !$0.hasPrefix("{{#") && !$0.hasPrefix("{{/") && !$0.hasPrefix("{{^") }
    func content(_ depth: Int) -> String {
      (0..<Int.random(in: 1..<5, using: &random)).map { _ in
        if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
          return "{{#\(depth)}}" + content(depth - 1) + "{{/\(depth)}}"
        }
        return pieces.filter { !$0.hasPrefix("{{<") && !$0.hasPrefix("{{$") }.randomElement(using: &random)!
      }.joined()
    }
    for _ in 0..<600 {
      let template = content(3)
      let found = Templates.diagnostics(Templates.sources(["a.mustache": template]))
      #expect(found.allSatisfy { !$0.isEmpty }, "\(template.debugDescription)")
    }
  }

  @Test(arguments: [
    String(repeating: "{{#a}}", count: 190) + "/x{{b}}?" + String(repeating: "{{/a}}", count: 190),
    String(repeating: "{{#a}}{{b}}{{/a}}", count: 3000), String(repeating: "{{#a}} {{>c}}{{/a}}", count: 190),
    String(repeating: "{{#a}}", count: 190) + "{{>c}}" + String(repeating: "{{/a}}", count: 190),
  ])
  func nestedLoopsInAValueAreCheckedInTime(_ value: String) {
    let sources = Templates.sources([
      "c.mustache": value, "d.mustache": "<a title=\"\(value)\" href=\"\(value)\"></a>",
    ])
    let codes = Set(Templates.diagnostics(sources).map { String($0.split(separator: " ")[1]) })
    #expect(codes.isSubset(of: ["nested-too-deep", "ambiguous-url", "crossing-partial"]))
  }

  private static func walk(_ templates: KeyValuePairs<String, String>, passLimit: Int) -> [String] {
    let parsed = Templates.sources(templates).map { ParsedTemplate($0) }
    let walks = WalkSet(parsed, schemes: .standard, passLimit: passLimit)
    walks.walkAll()
    return walks.diagnostics.map { "\($0.file):\($0.line):\($0.column) \($0.code.rawValue)" }
  }

  /// Repeated content is read until it ends in the assumed context. No template is known to take more than a
  /// few passes; one that did would be refused, instead of accepted half-read or trapped.
  @Test func unsettledContextsAreRefused() {
    let partial: KeyValuePairs = [
      "a.mustache": "<p style=\"width: {{>b}}\"></p>", "b.mustache": "{{#x}}{{>b}}{{/x}}{{y}}",
    ]
    #expect(Self.walk(partial, passLimit: 64) == [])
    #expect(Self.walk(partial, passLimit: 1).contains("a.mustache:1:18 nested-too-deep"))
    let loop: KeyValuePairs = ["a.mustache": "<p style=\"width: {{#l}}{{y}}{{/l}}\"></p>"]
    #expect(Self.walk(loop, passLimit: 64) == [])
    #expect(Self.walk(loop, passLimit: 1) == ["a.mustache:1:18 nested-too-deep"])
  }

  /// The template is refused no matter what follows the sections that are given up.
  @Test(arguments: ["{{#t}}x{{/t}}", "<i>x</i>"])
  func abandonedSectionsAreReportedAnywhere(_ rest: String) {
    // Each section takes another pass of what is in it.
    let value =
      String(repeating: "{{#a}};c: ", count: 150) + String(repeating: "d;c: ", count: 10_000) + "{{b}}"
      + String(repeating: "{{/a}}", count: 150)
    let text = "<p style=\"c: \(value)\"></p>" + String(repeating: rest, count: 3)
    #expect(Templates.diagnostics(Templates.sources(["c.mustache": text])).contains("1:1 nested-too-deep"))
  }

  /// Sections in a value, of which each is walked again for those around it, are not walked twice as often for each.
  @Test(arguments: [
    ("<script type=\"application/json\">", "[{{#a}}", "1", "{{^@last}},{{/@last}}{{/a}}]", "</script>"),
    ("<script type=\"application/json\">[1", "{{#a}},1", "", "{{/a}}", "]</script>"),
    ("<a href=\"/p?", "{{#a}}x", "{{b}}", "{{/a}}", "\"></a>"),
    ("<a ping=\"", "{{#a}}/b ", "", "{{/a}}", "\"></a>"),
    ("<p style=\"", "{{#a}}a:b;", "", "{{/a}}", "\"></p>"),
    ("<p title=\"", "{{#a}}x", "{{b}}", "{{/a}}", "\"></p>"),
  ])
  func nestedSectionsAreWalkedOnceMoreEach(
    start: String, open: String, inner: String, close: String, end: String
  ) {
    let depth = 100
    let text =
      start + String(repeating: open, count: depth) + inner + String(repeating: close, count: depth) + end
    #expect(Templates.diagnostics(Templates.sources(["c.mustache": text])) == [])
  }

  /// A load that is cancelled at any point reports this with the name of the file.
  @Test func aLoadThatIsOverEndsWithItsFile() throws {
    let nib = TemplateSource(
      file: "n.html", kind: "n", mode: .html,
      bytes: Array(("<div data-cell=n>{{>base}}<b data-outlet=x>y</b></div>" + ArchiveFormatTests.nib).utf8))
    let sources = Templates.sources(ArchiveFormatTests.templates)
    let whole = try TemplateCompiler.compile(sources, nibs: [nib]).archive.encoded()
    var looks = 0
    func budget(of limit: Int) -> LoadBudget {
      looks = 0
      return LoadBudget(
        isOver: {
          looks += 1
          return looks > limit
        }, message: "over", hint: "mend", stride: 7)
    }
    for limit in 0..<20_000 {
      let budget = budget(of: limit)
      do throws(TemplateErrors) {
        let archive = try TemplateCompiler.compile(
          sources, nibs: [nib], with: TemplateSettings(budget: budget)
        ).archive
        #expect(archive.encoded() == whole)
        break
      } catch {
        try #require(error.diagnostics.map(\.code) == [.loadLimit])
        #expect(error.diagnostics[0].file == "n.html" || error.diagnostics[0].file.hasSuffix(".mustache"))
      }
    }
    #expect(looks > 50, "\(looks)")
    var ends = 0
    for limit in 0..<20_000 {
      let budget = budget(of: limit)
      let error = Result { try CellArchive(decoding: whole, budget: budget) }.failure as? ArchiveError
      if error == nil { break }
      #expect(error == .loadLimit("over", hint: "mend"))
      ends += 1
    }
    #expect(ends > 20, "\(ends)")
  }

  @Test func aFolderThatIsTooLargeEndsWithItsFile() {
    func judge(_ text: String, count: Int = 1) -> [String] {
      let sources = (0..<count).map { Templates.source("c\($0).mustache", Array(text.utf8)) }
      return Templates.diagnostics(sources)
    }
    let half = String(repeating: "\n", count: LoadBudget.pieceLimit / 8)
    #expect(judge(half) == [])
    #expect(judge(half, count: 3).map { $0.split(separator: " ").last } == ["load-limit"])
  }

  @Test func thousandsOfElementsAreOpenAtOnce() {
    let text =
      String(repeating: "<div>", count: 20_000) + "{{a}}" + String(repeating: "</div>", count: 20_000)
    #expect(Templates.diagnostics(Templates.sources(["c.mustache": text])) == [])
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { return error }
    return nil
  }
}
