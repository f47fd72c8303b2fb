import CellTemplates
import Testing

@testable import Cells

/// A folder for each `DiagnosticCode` that causes it, and the position at which it is reported.
@Suite struct DiagnosticCodeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let code: DiagnosticCode
    let files: [String: String]
    /// `FILE:LINE:COLUMN` of each diagnostic with the code.
    let positions: [String]
    /// Symbolic links with their targets.
    var links: [String: String] = [:]

    init(_ code: DiagnosticCode, _ files: [String: String], _ positions: String...) {
      self.code = code
      self.files = files
      self.positions = positions
    }

    /// The text of a Mustache file.
    init(_ code: DiagnosticCode, _ text: String, _ positions: String...) {
      self.code = code
      files = ["a.mustache": text]
      self.positions = positions.map { "a.mustache:" + $0 }
    }

    /// The text of a nib.
    static func nib(_ code: DiagnosticCode, _ text: String, _ position: String) -> Case {
      Case(code, ["n.html": text], "n.html:" + position)
    }

    var testDescription: String { code.rawValue }
  }

  static let cases: [Case] = [
    // Mustache.
    Case(.unclosedTag, "<p>\n {{title</p>", "2:2"),
    Case(.emptyName, "{{ }}", "1:1"),
    Case(.invalidName, "x {{first name}}", "1:3"),
    Case(.foreignTag, "{{#if a}}x{{/if}} {{else}}", "1:1", "1:19"),
    Case(.foreignText, "<p>{% if a %}${a} ${b} {% endif %}</p>", "1:4", "1:14"),
    Case(.unclosedSection, "\n{{#items}}…", "2:1"),
    Case(.unexpectedEnd, "…{{/items}}", "1:4"),
    Case(.mismatchedEnd, "{{#a}}{{/b}}{{/a}}", "1:7"),
    Case(.invalidDelimiters, "{{=<% %>}}", "1:1"),
    Case(.rawNotAllowed, "<p>{{{html}}}</p>", "1:4"),
    Case(.textInHTML, ["a.mustache": "<p>{{>digest}}</p>", "digest.txt.mustache": ""], "a.mustache:1:4"),
    Case(.unknownPartial, "<p>{{>nothing}}</p>", "1:4"),
    Case(
      .unknownBlock,
      ["a.mustache": "{{$title}}{{/title}}", "b.mustache": "{{<a}}\n{{$titel}}x{{/titel}}{{/a}}"],
      "b.mustache:2:1"),
    Case(
      .nestedTooDeep, String(repeating: "{{#a}}", count: 201) + String(repeating: "{{/a}}", count: 201),
      "1:1201"),
    Case(.unfillableHole, "<p>{{^a}}{{a.b}}{{/a}}</p>", "1:10"),
    // Files.
    Case(
      .missingAsset,
      ["shop/n.html": "<link rel=stylesheet href='a.css'>", "shop/a.css": "\n a { b: url(x.png) }"],
      "shop/a.css:2:13"),
    Case(
      .assetLimit,
      ["n.html": "<img src=a.png>", "a.png": String(repeating: "x", count: AssetOptions().limitBytes + 1)],
      "n.html:1:10"),
    Case(
      .invalidManifest,
      [
        "a.mustache": "",
        "custom-elements.json": "{\"modules\":\n[{\"declarations\": [{\"tagName\": \"card\"}]}]}",
      ],
      "custom-elements.json:2:32"),
    Case(.duplicateKind, ["a.mustache": "", "a.txt.mustache": ""], "a.txt.mustache:1:1"),
    Case(.invalidKind, ["my cell.mustache": ""], "my cell.mustache:1:1"),
    Case(.unknownFormat, "<p>{{n |  nubmer}}</p>", "1:11"),
    Case(.reservedField, "<p>{{n}} {{#now}}{{x}}{{/now}}</p>", "1:10"),
    Case(
      .sampleMisfit,
      ["a.mustache": "<p>{{n | number}}</p>", "a.sample.json": "[{\"n\": 1},\n {\"n\": \"n/a\"}]"],
      "a.sample.json:2:8"),
    Case(.invalidFormat, "<p>{{d | date\n lang}}</p>", "2:2"),
    Case(
      .invalidFormat,
      ["a.mustache": "", "formats.json": "{\"p\": \"number\",\n \"p@de\": \"list\"}"],
      "formats.json:2:2"),
    Case(
      .invalidFormat,
      ["a.mustache": "", "formats.json": "{\"p\": \"list\",\n \"p@de\": \"number\"}"],
      "formats.json:2:2"),
    Case(
      .invalidFormat,
      [
        "a.mustache": "",
        "formats.json": "{\"p\": \"number\", \"p@DE\": \"integer\",\n \"p@de\": \"percent\"}",
      ],
      "formats.json:2:2"),
    Case(.formatInMachinePlace, "<a href=\"/{{n | number}}\">x</a>", "1:11"),
    Case(
      .unknownLocale,
      ["a.mustache": "", "formats.json": "{\"day\": \"date\",\n \"day@jp\": \"date full\"}"],
      "formats.json:2:2"),
    .nib(.pluralLacksOther, "<p data-cell=a><b data-plural=n><i data-case=one>x</i></b></p>", "1:19"),
    .nib(.misplacedCase, "<p data-cell=a><b data-case=one>x</b></p>", "1:19"),
    Case(.invalidEncoding, ["a.mustache": "<p>\n\u{FF}</p>"], "a.mustache:2:1"),
    Case(.noCell, ["page.html": "<p>x</p>"], ":0:0"),
    Case(.unreadTemplate, ["a.mustache": "x", "b.hbs": "{{x}}"], "b.hbs:0:0"),
    link(.unreadable, "a.mustache", to: "nothing", "a.mustache:0:0"),
    link(.outsideFolder, "a.mustache", to: "/", "a.mustache:0:0"),
    Case(
      .loadLimit,
      [
        "n.html": "<style>\(String(repeating: "x", count: 1 << 20))</style>"
          + (0..<80).map { "<b data-cell=k\($0)>x</b>" }.joined()
      ],
      "n.html:0:0"),
    // Samples.
    Case(.invalidSample, ["a.mustache": "", "a.sample.json": "[\n1,\n oops]"], "a.sample.json:3:2"),
    Case(
      .badSampleRow,
      ["a.mustache": "<i>{{#deep}}{{>a}}{{/deep}}</i>", "a.sample.json": "[\n{\"deep\": true}]"],
      "a.sample.json:2:1"),
    Case(.sampleWithoutKind, ["b.sample.json": "[{}]"], "b.sample.json:1:1"),
    Case(
      .sampleMismatch,
      ["a.mustache": "<p>{{author.name}}</p>", "a.sample.json": "[{},\n {\"author\": \"Ada\"}]"],
      "a.sample.json:2:13"),
    Case(
      .sampleLacksName, ["a.mustache": "<p>{{title}} {{text}}</p>", "a.sample.json": "[\n{\"title\": 1}]"],
      "a.sample.json:2:1"),
    Case(
      .unusedSampleName,
      [
        "a.mustache": "<p>{{title}}</p>", "a.sample.json": "[{\"title\": 1},\n {\"title\": 2, \"titel\": 3}]",
      ],
      "a.sample.json:2:15"),
    Case(
      .escapedText, ["a.txt.mustache": "To\n {{name}}", "a.sample.json": "[{\"name\": \"AT&T\"}]"],
      "a.txt.mustache:2:2"),
    // Nibs.
    .nib(.missingIdentifier, "<main>\n <article data-cell></article></main>", "2:11"),
    .nib(.nestedCell, "<p data-cell=a><b data-cell=b></b></p>", "1:19"),
    .nib(.unclosedCell, "<article data-cell=\"news\">", "1:1"),
    .nib(.invalidOutlet, "<p data-cell=a data-tag=0></p>", "1:16"),
    .nib(.outletElement, "<p data-cell=a><br data-outlet=x></p>", "1:20"),
    .nib(.invalidBinding, "<p data-cell=a><b data-bind='title:x y'></b></p>", "1:38"),
    .nib(.invalidCondition, "<p data-cell=a><b data-when='x y=='></b></p>", "1:33"),
    .nib(.outerLoopName, "<p data-cell=a><b data-outlet=x data-when=@last></b></p>", "1:33"),
    .nib(.sceneryAttribute, "<b data-outlet=x></b><p data-cell=a></p>", "1:4"),
    .nib(.nearAttribute, "<p data-cell=a><b data-outlets=x></b></p>", "1:19"),
    .nib(.invalidMissing, "<p data-cell=a><b data-missing=skip></b></p>", "1:19"),
    .nib(.invalidImage, "<p data-cell=a><img data-embed src=\"missing.svg\"></p>", "1:32"),
    .nib(.misplacedAttribute, "<p data-cell=a><b data-class=B></b></p>", "1:19"),
    Case(.outletInMustache, "<b data-outlet=\"x\"></b>", "1:4"),
    // HTML.
    Case(.unclosedElement, "\n<p>{{x}}", "2:1"),
    Case(.unexpectedEndTag, "<b>x</b></i>", "1:9"),
    Case(.selfClosingElement, "<div/>", "1:1"),
    Case(.misplacedElement, "<p><div></div></p>", "1:4"),
    Case(.misplacedText, "<table>{{x}}</table>", "1:8"),
    Case(.pageElement, "<!DOCTYPE html>", "1:1"),
    Case(.crossingSection, "<b>{{#a}}</b>{{/a}}", "1:10"),
    Case(.joinedMarkup, "<{{x}}", "1:2"),
    Case(.dynamicName, "<div {{x}}></div>", "1:6"),
    Case(.unquotedValue, "<a href={{x}}></a>", "1:9"),
    Case(.duplicateAttribute, "<a id=\"x\" id=\"{{y}}\"></a>", "1:11"),
    Case(.unfinishedReference, "<p>&{{x}}</p>", "1:5"),
    Case(.mixedBoolean, "<p>\n<b hidden=\"a{{x}}\"></b></p>", "2:4"),
    Case(.refusedAttribute, "<div onclick=\"{{x}}\"></div>", "1:15"),
    Case(.conditionalAttribute, "<a {{#x}}target=\"_blank\"{{/x}}></a>", "1:10"),
    Case(.unsafeURLStart, "<a href=\"java{{x}}\"></a>", "1:14"),
    Case(.ambiguousURL, "<a href=\"{{a}}{{b}}\"></a>", "1:15"),
    Case(.unsafeStyle, "<p style=\"{{x}}: 1px\"></p>", "1:11"),
    Case(.invalidJSONBlock, "<script type=\"application/json\">{\"a\": \"{{x}}\"}</script>", "1:40"),
    Case(.refusedPlace, "<script>var x = {{x}}</script>", "1:17"),
    Case(.rawOutsideText, "{{! raw: allow }}<a title=\"{{{x}}}\"></a>", "1:28"),
    Case(.dynamicPartialOutsideText, "<a title=\"{{>*x}}\"></a>", "1:11"),
    Case(.invalidMarkup, "<a =x></a>", "1:4"),
    Case(.unfinishedCell, "<b", "1:3"),
    Case(
      .crossingPartial, ["a.mustache": "<i title=\"{{>b}}\"></i>", "b.mustache": "x\" id=\"y"],
      "a.mustache:1:11"),
  ]

  private static func link(_ code: DiagnosticCode, _ file: String, to target: String, _ position: String)
    -> Case
  {
    var row = Case(code, [:], position)
    row.links[file] = target
    return row
  }

  @Test(arguments: DiagnosticCode.allCases)
  func everyCodeHasATemplateThatCausesIt(_ code: DiagnosticCode) {
    #expect(Self.cases.contains { $0.code == code }, "\(code.rawValue) is in no row of the table")
  }

  @Test(arguments: cases)
  func codesAreReportedAtTheirPositions(_ row: Case) throws {
    let folder = try TemporaryFolder()
    for (file, text) in row.files {
      // The only invalid UTF-8 here.
      try folder.write(
        file,
        text.utf8.split(separator: Array("\u{FF}".utf8), omittingEmptySubsequences: false)
          .map(Array.init).joined(separator: [0xFF]).map { $0 })
    }
    for (file, target) in row.links { try folder.link(file, to: target) }
    let check = FolderCheck(folder.path, executor: InlineExecutor())
    let found = check.diagnostics.filter { $0.code == row.code }
    #expect(
      found.map { "\($0.file.dropFirst(folder.path.utf8.count + 1)):\($0.line):\($0.column)" }
        == row.positions,
      "\(check.diagnostics)")
    #expect(found.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
    for diagnostic in check.diagnostics {
      let position =
        diagnostic.line == 0 ? diagnostic.file : "\(diagnostic.file):\(diagnostic.line):\(diagnostic.column)"
      #expect(diagnostic.description.hasPrefix("\(position): \(diagnostic.severity.rawValue): "))
    }
  }
}
