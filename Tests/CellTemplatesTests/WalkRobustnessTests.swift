import Testing

@testable import CellTemplates

/// No template harms the compiler, and what it accepts is a sound archive.
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

  private static func template(_ random: inout SplitMix) -> String {
    (0..<random.next(below: 7)).map { _ in pieces[random.next(below: pieces.count)] }.joined()
  }

  @Test(arguments: 0..<8)
  func anyTemplateIsJudged(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(seed + 1) &* 0x9E37)
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

  @Test(arguments: [
    String(repeating: "{{#a}}", count: 190) + "/x{{b}}?" + String(repeating: "{{/a}}", count: 190),
    String(repeating: "{{#a}}{{b}}{{/a}}", count: 3000), String(repeating: "{{#a}} {{>c}}{{/a}}", count: 190),
    String(repeating: "{{#a}}", count: 190) + "{{>c}}" + String(repeating: "{{/a}}", count: 190),
  ])
  func nestedLoopsInAValueAreJudgedInTime(_ value: String) {
    let sources = Templates.sources([
      "c.mustache": value, "d.mustache": "<a title=\"\(value)\" href=\"\(value)\"></a>",
    ])
    let codes = Set(Templates.diagnostics(sources).map { String($0.split(separator: " ")[1]) })
    #expect(codes.isSubset(of: ["nested-too-deep", "ambiguous-url", "crossing-partial"]))
  }

  @Test func thousandsOfElementsAreOpenAtOnce() {
    let text =
      String(repeating: "<div>", count: 20_000) + "{{a}}" + String(repeating: "</div>", count: 20_000)
    #expect(Templates.diagnostics(Templates.sources(["c.mustache": text])) == [])
  }

  private struct SplitMix {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
  }
}
