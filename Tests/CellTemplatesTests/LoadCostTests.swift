import Testing

@testable import CellTemplates

/// The time to load templates is linear in their size, for any shape.
///
/// With faster growth, each shape would take minutes or longer; normally it takes far less than a second. The
/// limit leaves room for a slow and busy machine.
@Suite struct LoadCostTests {
  private static let limit = Duration.seconds(20)

  struct Shape: CustomTestStringConvertible, Sendable {
    let name: String
    let files: [String: String]
    /// The expected codes, each once; empty if the templates are accepted.
    let codes: Set<String>

    init(_ name: String, _ files: [String: String], _ codes: String...) {
      self.name = name
      self.files = files
      self.codes = Set(codes)
    }

    var testDescription: String { name }
  }

  private static func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

  /// Parents nested in each other's overrides.
  private static func nested(_ count: Int, block: String = "a", in parent: String = "p") -> String {
    times(count, "{{<\(parent)}}{{$\(block)}}") + "x" + times(count, "{{/\(block)}}{{/\(parent)}}")
  }

  private static func chain(_ count: Int, _ body: (Int) -> String, end: String) -> [String: String] {
    var files = ["k\(count)": end]
    for number in 0..<count { files["k\(number)"] = body(number) }
    return files
  }

  /// Many parents in an override of a name of megabytes.
  private static func longName() -> [String: String] {
    let name = times(2_000_000, "n")
    let kinds = (0..<5000).map { "k\($0)" }
    var files = Dictionary(uniqueKeysWithValues: kinds.map { ($0, "x") })
    files["p"] = "{{$\(name)}}{{/\(name)}}"
    files["c"] = "{{<p}}{{$\(name)}}" + kinds.map { "{{<\($0)}}{{/\($0)}}" }.joined() + "{{/\(name)}}{{/p}}"
    // Few names are compared one by one.
    files["a"] = (0..<8).map { "{{$b\($0)}}{{/b\($0)}}" }.joined()
    return files
  }

  @Test(arguments: [
    Shape("parents in overrides", ["p": "<i>{{$a}}{{/a}}</i>", "c": nested(90)]),
    Shape("of several places", ["p": "{{$a}}{{/a}}<i>{{$a}}{{/a}}</i><b>{{$a}}{{/a}}</b>", "c": nested(90)]),
    Shape(
      "of text and values",
      [
        "p": "<i title=\"{{$a}}{{/a}}\" class=\"{{$a}}{{/a}}\">{{$a}}{{/a}}</i>",
        "q": "{{$a}}{{/a}}.{{$a}}{{/a}}", "c": "{{<p}}{{$a}}\(nested(60, in: "q")){{/a}}{{/p}}",
      ]),
    Shape(
      "in a value that each makes longer",
      ["p": "x{{$a}}{{/a}}y{{$a}}{{/a}}z", "c": "<a href=\"\(nested(90))\"></a>"],
      "nested-too-deep", "crossing-section"),
    Shape(
      "that cannot stand there",
      ["p": "<i {{$a}}{{/a}} title=\"{{$a}}{{/a}}\">{{$a}}{{/a}}</i>", "c": nested(60)],
      "crossing-section", "nested-too-deep", "crossing-partial", "unexpected-end-tag", "invalid-markup"),
    Shape(
      "blocks in blocks",
      ["p": times(190, "{{$a}}") + times(190, "{{/a}}"), "c": "{{<p}}{{$a}}x{{/a}}{{/p}}"]),
    Shape("partials called twice", chain(40, { "<b>{{>k\($0 + 1)}}{{>k\($0 + 1)}}</b>" }, end: "{{x}}")),
    Shape(
      "in values",
      chain(40, { "{{>k\($0 + 1)}}{{>k\($0 + 1)}}" }, end: "{{x}}")
        .merging(["c": "<a href=\"/{{>k0}}\" title=\"{{>k0}}\"></a>"]) { $1 }),
    Shape(
      "in many elements",
      chain(
        40,
        { n in
          ["b", "i", "object", "td"].map {
            "<\($0 == "td" ? "table><tr><td" : $0)>{{>k\(n + 1)}}"
              + "</\($0 == "td" ? "td></tr></table" : $0)>"
          }.joined()
        }, end: "{{x}}")),
    Shape(
      "parents of parents, each with a block",
      chain(
        300, { "{{<k\($0 + 1)}}{{$b\($0 + 1)}}{{/b\($0 + 1)}}{{/k\($0 + 1)}}" }, end: "{{$b300}}{{/b300}}"),
      "unknown-block", "nested-too-deep"),
    Shape(
      "parents of one another",
      chain(
        60,
        {
          "{{<k\(($0 + 1) % 60)}}{{$a}}<b>{{$a}}{{/a}}</b>{{<k\(($0 * 7 + 3) % 60)}}{{$a}}{{$b}}{{/b}}{{/a}}"
            + "{{/k\(($0 * 7 + 3) % 60)}}{{/a}}{{/k\(($0 + 1) % 60)}}{{$a}}{{/a}}"
        }, end: "")),
    Shape(
      "parents in a ring, with blocks in their overrides",
      chain(
        2000,
        {
          let next = ($0 + 1) % 2000
          return "{{$x}}{{/x}}{{#l}}{{<k\(next)}}{{$x}}{{$t}}d{{/t}}{{/x}}{{$t}}T{{/t}}{{/k\(next)}}{{/l}}"
        }, end: "")),
    Shape(
      "dynamic parents, with blocks in their overrides",
      chain(
        2000, { _ in "{{$x}}{{/x}}{{<*k}}{{$x}}{{$t}}d{{/t}}{{/x}}{{$t}}T{{/t}}{{/*k}}" }, end: "")),
    Shape("parents in an override of a long name", longName(), "invalid-name"),
    Shape("blocks", ["c": (0..<4000).map { "{{$a\($0)}}x{{/a\($0)}}" }.joined()]),
    Shape("parents", ["p": "<i>{{$a}}{{/a}}</i>", "c": times(4000, "{{<p}}{{$a}}x{{/a}}{{/p}}")]),
    Shape("sections", ["c": times(20_000, "{{#a}}{{/a}}") + "<i \(times(20_000, "{{#a}}{{/a}}"))></i>"]),
    Shape("dynamic parents", ["c": times(4000, "{{<*x}}{{$a}}y{{/a}}{{/*x}}{{$a}}{{/a}}")]),
    Shape(
      "a URL's start that each partial makes longer",
      chain(60, { "{{>k\($0 + 1)}}x{{>k\($0 + 1)}}y" }, end: "z")
        .merging(["c": "<a href=\"{{>k0}}\"></a>"]) { $1 }),
    Shape("a reference without an end", ["c": "&\(times(300_000, "a"))"]),
    Shape(
      "end tags that close nothing",
      ["c": times(20_000, "<b>") + times(20_000, "</i>") + times(20_000, "</b>")],
      "unexpected-end-tag"),
    Shape(
      "end tags of an outer element", ["c": times(20_000, "<b>") + "{{#a}}\(times(20_000, "</b>")){{/a}}"],
      "crossing-section"),
    Shape(
      "elements that sections leave open", ["c": times(20_000, "{{#a}}<b>{{/a}}</b>")], "unclosed-element"),
  ])
  func costGrowsWithSize(_ shape: Shape) {
    let sources = shape.files.map { Templates.source($0.key + ".mustache", Array($0.value.utf8)) }
    var found: [String] = []
    let time = ProcessorTime.measure { found = Templates.diagnostics(sources) }
    #expect(time < Self.limit, "\(time)")
    #expect(Set(found.compactMap { $0.split(separator: " ").last.map(String.init) }) == shape.codes)
  }

  @Test func elementsForTheDesignerAreDroppedInTime() throws {
    let content = Self.times(10_000, "<b data-action=\"x\">a</b><i data-design data-action=\"y\">d</i>")
    let nib = TemplateSource(
      file: "n.html", kind: "n", mode: .html, bytes: Array("<p data-cell=\"c\">\(content)</p>".utf8))
    var archive: CellArchive?
    let time = try ProcessorTime.measure {
      archive = try TemplateCompiler.compile([], nibs: [nib]).archive
    }
    #expect(time < Self.limit, "\(time)")
    #expect(archive?.tables.$kinds[0].partCount == 10_000)
  }

  /// Each has a parent, partials, links and a loop.
  @Test func aThousandCellsLoadInTime() throws {
    var files = [
      "base":
        "<article class=\"{{$class}}{{/class}}\"><h2>{{$title}}{{/title}}</h2>{{$body}}{{/body}}</article>"
    ]
    for number in 0..<999 {
      files["cell\(number)"] = """
        {{<base}}{{$class}}c{{kind}}{{/class}}{{$title}}{{title}}
        <a href="/items/{{id}}?q={{q}}">{{link}}</a>{{/title}}{{$body}}<ul>{{#items}}
        <li title="{{name}}" style="width: {{width}}px">{{name}}{{^@last}}, {{/@last}}</li>{{/items}}
        </ul>{{#more}}{{>cell\((number * 31 + 7) % 999)}}{{/more}}<img src="{{image}}" alt="{{>label}}">
        {{/body}}{{/base}}
        """
    }
    files["label"] = "{{label}} by {{author.name}}"
    let sources = files.map { Templates.source($0.key + ".mustache", Array($0.value.utf8)) }
    var archive: CellArchive?
    let time = try ProcessorTime.measure { archive = try TemplateCompiler.compile(sources).archive }
    #expect(time < Self.limit, "\(time)")
    #expect(archive?.tables.$kinds.count == 1001)
  }
}
