import CellTemplates
import Scaling
import Testing

@testable import Cells

/// Random nibs made of typical pieces: each is refused with positions inside the file, or compiles to an
/// archive that the verifier accepts and that renders every row.
///
/// `CELLFACTORY_MUTATIONS` multiplies their number.
@Suite struct NibFuzzTests {
  private static let pieces = [
    "<q data-include=a>", "<q data-outlet=l data-include=b>", "</q>", " data-include='*x'",
    "<u data-when='x=1 !y'>", "</u>", " data-when=x", " data-bind='class.a:x; class+:l; style.top:y'",
    " data-bind=\"title:'{x}'; disabled:!x\"", " class='a b'",
    "<p data-cell=a>", "<b data-cell=b data-outlet=x>", "<template data-cell=c>", "</template>", "</p>",
    "</b>", "<b>",
    "<i data-outlet=l>", "</i>", "<a data-tag=7 data-bind='href class hidden' href=u", ">", "</a>", "{{#s}}",
    "{{/s}}",
    "{{^x}}", "{{/x}}", "{{x}}", "{{{x}}}", "{{>a}}", "{{>*n}}", "{{=<% %>=}}", "<%x%>", "{{<b}}", "{{$k}}",
    "{{/k}}",
    "{{/b}}", "<img data-outlet=o", " alt=a", " data-embed src=i", " data-design", "<!--", "-->",
    "<script type=application/json data-outlet=x>",
    "</script>", "<style>", "</style>", "<textarea data-outlet=x>", "</textarea>",
    "<input type=checkbox data-outlet=x>",
    "<svg>", "</svg>", "<g data-outlet=l data-bind=d/>", "<path data-outlet=o />", "<tr data-outlet=l>",
    "</tr>", "<table>", "</table>",
    "text", " ", "\n", "\"", "'", "=", "<", "/", "{{", "}}", "&am", "\u{e9}", "\0", " data-action=go",
    " id=\"{{x}}\"", " title='{{#s}}{{y}}{{/s}}'",
  ]

  /// Balanced content; `#` is replaced by more of it.
  private static let wholes = [
    "<q data-outlet=l data-include=b>d</q>", "<q data-outlet=x data-include='*y'>d</q>",
    "<q data-include=a>d</q>",
    "<u data-when='x=1,{y} !l'>#</u>", "<u data-when='x<{y}' data-outlet=l>#</u>",
    "<img data-bind='src:x; alt:y' src=a>",
    "<em class='a b' data-bind='class.a:x; class+:l; style.top:y; hidden:s'>#</em>",
    "<em data-outlet=l class=a data-bind=\"title:'{.}{x}'; class.a:x>1; lang:@index; src:x\">#</em>",
    "<em data-outlet=l class=a data-bind=\"title:'{.}{x}'; class.a:x>1; class.b:y; lang:@index; hidden:.\">#</em>",
    "<b data-outlet=x>#</b>", "<i data-outlet=l title='{{.}}'>#</i>",
    "<b data-tag=7 data-bind='title class hidden' class=c>#</b>",
    "{{#s}}#{{/s}}", "{{^x}}#{{/x}}", "{{x}}", "{{>a}}", "<img data-outlet=x alt=a>", "<i data-design>#</i>",
    "<!-- # -->", "t",
    "<input type=checkbox data-outlet=x checked>", "<svg><g data-outlet=l data-bind=d>#</g></svg>",
    "<u data-outlet='.'>#</u>",
    "{{$k}}#{{/k}}", "<textarea data-outlet=x>\n</textarea>", "<q data-outlet=owner.x>#</q>",
    "{{<a}}{{$k}}#{{/k}}{{/a}}", " ", "\n",
  ]

  private static func content(_ depth: Int, _ numbers: inout SeededNumbers) -> String {
    (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
      let whole = wholes.randomElement(using: &numbers)!
      return whole.replacing("#", with: depth == 0 ? "" : content(depth - 1, &numbers), maxReplacements: 1)
    }.joined()
  }

  private static let rows = [
    "{}", "[[]]",
    #"{"x":1,"l":[{},[1,"a"],null,true],"s":[{"y":1}],"7":{"href":"/","class":["c"],"hidden":1},"o":{"d":"M0"},"n":"b"}"#,
  ]

  @Test(arguments: 1...8) func randomNibsAreRefusedOrRendered(_ seed: UInt64) throws {
    var numbers = SeededNumbers(state: seed)
    var compiled = 0
    for _ in 0..<150 * (try #require(Int(TestEnvironment["CELLFACTORY_MUTATIONS"] ?? "1"))) {
      var text = ""
      if Bool.random(using: &numbers) {
        text = "<p data-cell=a>" + Self.content(3, &numbers) + "</p>"
        // Mostly valid, with an extra piece.
        if Int.random(in: 0..<4, using: &numbers) == 0 { text += Self.pieces.randomElement(using: &numbers)! }
      } else {
        for _ in 0..<Int.random(in: 1...12, using: &numbers) {
          text += Self.pieces.randomElement(using: &numbers)!
        }
      }
      let nib = TemplateSource(file: "n.html", kind: "n", mode: .html, bytes: Array(text.utf8))
      let archive: CellArchive
      do throws(TemplateErrors) {
        archive = try TemplateCompiler.compile([], nibs: [nib]).archive
      } catch {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(
          error.diagnostics.allSatisfy { (1...lines).contains($0.line) && $0.column >= 1 },
          "\(text.debugDescription)")
        continue
      }
      compiled += archive.kindCount
      let harness = RenderHarness(archive: try CellArchive(decoding: archive.encoded()))
      var limits = RenderLimits()
      limits.outputBytes = 10_000
      let rows = archive.kindNames.flatMap { kind in Self.rows.map { (kind: kind, json: $0) } }
      #expect(try harness.outcomes(rows, limits: limits).count == rows.count)
    }
    #expect(compiled > 20, "\(compiled)")
  }
}
