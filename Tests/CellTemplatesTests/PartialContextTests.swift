import Testing

@testable import CellTemplates

/// Partials, parents and blocks are compiled for every context in which they are used.
@Suite struct PartialContextTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let templates: [String: String]
    /// `template: escapers` for every program of a template, or the diagnostics.
    let expected: [String]

    init(_ name: String, _ templates: [String: String], _ expected: String...) {
      self.name = name
      self.templates = templates
      self.expected = expected
    }

    var testDescription: String { name }
  }

  /// The escapers of each program, as `KIND: escaper …`, sorted.
  private static func judge(_ templates: [String: String]) -> [String] {
    let sources = templates.map { Templates.source($0.key + ".mustache", Array($0.value.utf8)) }
    do throws(TemplateErrors) {
      let archive = try TemplateCompiler.compile(sources).archive
      return archive.tables.$programs.array.map { program in
        let ops = archive.tables.$ops.array[Int(program.opStart)..<Int(program.opStart + program.opCount)]
        let escapers = ops.filter { $0.code == OpCode.value.rawValue }.map { " \(Escaper(rawValue: $0.b)!)" }
        return archive.text(archive.tables.$kinds.array[Int(program.kind)].name) + ":" + escapers.joined()
      }.sorted()
    } catch {
      return error.diagnostics.map { "\($0.file.dropLast(9)):\($0.line):\($0.column) \($0.code.rawValue)" }
    }
  }

  /// The place of a block is a separate field, which no name can imitate.
  @Test func blocksWithOneNameAreDistinguishedByPlace() throws {
    let archive = try Templates.archive([
      "base.mustache": "<i>{{$x}}{{/x}}</i><a title=\"{{$x}}{{/x}}\">t</a>{{$x}}{{/x}}",
      "child.mustache": "{{<base}}{{$x}}a{{/x}}{{/base}}",
    ])
    let x = archive.tables.$names.array.firstIndex { archive.text($0.text) == "x" }.map(UInt32.init)
    #expect(archive.tables.$blocks.array.map(\.name) == [x, x, x])
    #expect(archive.tables.$blocks.array.map(\.place) == [0, 1, 0])
    #expect(archive.tables.$overrides.array.map(\.blockName) == [x, x])
    #expect(archive.tables.$overrides.array.map(\.place) == [0, 1])
    #expect(!archive.tables.$literals.array.contains(0))
  }

  @Test(arguments: [
    Case("text", ["a": "<p>{{>b}}</p>", "b": "{{x}}"], "a:", "b: html"),
    Case("value", ["a": "<p title=\"{{>b}}\">{{>b}}</p>", "b": "{{x}}"], "a:", "b: attribute", "b: html"),
    Case(
      "URL", ["a": "<a href=\"/x?{{>b}}{{y}}\"></a>", "b": "{{x}}&amp;"], "a: urlComponent", "b: html",
      "b: urlComponent"),
    Case(
      "its end", ["a": "<a href=\"{{>b}}{{y}}\"></a>", "b": "/x/{{x}}?"], "a: urlComponent", "b: html",
      "b: urlPart"),
    Case(
      "attributes", ["a": "<i {{>b}}>{{y}}</i>", "b": "id=\"{{x}}\""], "a: html", "b: attribute", "b: html"),
    Case(
      "attributes twice", ["a": "<i id=\"y\" {{>b}}></i>", "b": "id=\"{{x}}\""], "a:1:11 duplicate-attribute"),
    Case(
      "attributes behind it", ["a": "<i {{>b}} id=\"y\"></i>", "b": "id=\"{{x}}\""],
      "a:1:11 duplicate-attribute"),
    Case(
      "in a loop", ["a": "<i {{#z}}{{>b}}{{/z}}></i>", "b": "id=\"{{x}}\""], "a:", "b: attribute", "b: html"),
    Case("title", ["a": "<title>{{>b}}</title>", "b": "{{x}}"], "a:", "b: html", "b: html"),
    Case("script", ["a": "<script>{{>b}}</script>", "b": "{{x}}"], "b:1:1 refused-place"),
    Case("div in p", ["a": "<p>{{>b}}</p>", "b": "<div>{{x}}</div>"], "b:1:1 misplaced-element"),
    Case("text in table", ["a": "<table>{{>b}}</table>", "b": "{{x}}"], "b:1:1 misplaced-text"),
    Case(
      "row in table", ["a": "<table>{{#l}}{{>b}}{{/l}}</table>", "b": "<tr><td>{{x}}</td></tr>"], "a:",
      "b: html"),
    Case("recursion", ["a": "<div>{{x}}{{#l}}{{>a}}{{/l}}</div>"], "a: html"),
    Case(
      "recursion in a value", ["a": "{{x}}{{#l}} {{>a}}{{/l}}", "b": "<i title=\"{{>a}}\"></i>"],
      "a: attribute", "a: html", "b:"),
    Case("crossing", ["a": "<i title=\"{{>b}}\"></i>", "b": "x\" id=\"y"], "a:1:11 crossing-partial"),
    Case("joined", ["a": "<{{>b}}>", "b": "b"], "a:1:2 joined-markup"),
    Case("unquoted", ["a": "<i id={{>b}}></i>", "b": "b"], "a:1:7 unquoted-value"),
    Case("a block", ["a": "<i title=\"{{$t}}{{x}}{{/t}}\">{{$u}}{{y}}{{/u}}</i>"], "a: attribute html"),
    Case(
      "overrides",
      [
        "a": "<i title=\"{{$t}}{{x}}{{/t}}\">{{$t}}{{y}}{{/t}}</i>", "b": "{{<a}}{{$t}}{{z}}{{/t}}{{/a}}",
      ], "a: attribute html", "b: attribute html"),
    Case(
      "an override that cannot",
      ["a": "<title>{{$t}}{{/t}}</title>", "b": "{{! raw: allow }}{{<a}}{{$t}}{{{z}}}{{/t}}{{/a}}"],
      "b:1:30 raw-outside-text"),
    Case(
      "an override that moves", ["a": "<p>{{$t}}{{/t}}</p>", "b": "{{<a}}{{$t}}<div></div>{{/t}}{{/a}}"],
      "b:1:13 misplaced-element"),
    Case(
      "an override that ends elsewhere",
      ["a": "<a href=\"/x{{$t}}{{/t}}\"></a>", "b": "{{<a}}{{$t}}?{{/t}}{{/a}}"],
      "b:1:7 crossing-section"),
    Case(
      "through a parent's parent",
      [
        "a": "<i title=\"{{$t}}{{/t}}\"></i>", "b": "{{<a}}{{/a}}", "c": "{{<b}}{{$t}}{{z}}{{/t}}{{/b}}",
      ], "a:", "b:", "c: attribute"),
    Case(
      "a block in an override",
      [
        "a": "<i title=\"{{$t}}{{/t}}\"></i>", "b": "{{<a}}{{$t}}{{$u}}{{/u}}{{/t}}{{$u}}{{z}}{{/u}}{{/a}}",
      ], "a:", "b: attribute"),
    Case(
      "no host behind what is empty, 1", ["a": "<a href=\"/{{>b}}/{{x}}\"></a>", "b": ""],
      "a:1:18 ambiguous-url"),
    Case(
      "no host behind what is empty, 2", ["a": "<a href=\"/{{<b}}{{/b}}/{{x}}\"></a>", "b": ""],
      "a:1:24 ambiguous-url"),
    Case(
      "no host behind what is empty, 3", ["a": "<a href=\"/{{#t}}{{>b}}{{/t}}/{{x}}\"></a>", "b": ""],
      "a:1:30 ambiguous-url"),
    Case(
      "no host behind what is empty, 4", ["a": "<a href=\"/{{>b}}/x\"></a>", "b": ""], "a:1:17 ambiguous-url"),
    Case(
      "no host behind a slash of another", ["a": "<a href=\"{{>b}}/x\"></a>", "b": "/"],
      "a:1:16 ambiguous-url"),
    Case(
      "no host behind a slash of a block",
      ["a": "<a href=\"{{$t}}/{{/t}}/x\"></a>", "b": "{{<a}}{{$t}}/{{/t}}{{/a}}"], "a:1:23 ambiguous-url"),
    Case(
      "an override behind a start, 1",
      ["a": "<a href=\"/x/{{$t}}{{/t}}\"></a>", "b": "{{<a}}{{$t}}de{{/t}}{{/a}}"], "a:", "b:"),
    Case(
      "an override behind a start, 2",
      ["a": "<a href=\"/x/{{$t}}{{/t}}\"></a>", "b": "{{<a}}{{$t}}de/{{x}}{{/t}}{{/a}}"], "a:", "b: urlPart"),
    Case(
      "an override behind a start, 3",
      ["a": "<a href=\"https://x.example/{{$t}}{{/t}}\"></a>", "b": "{{<a}}{{$t}}de{{/t}}{{/a}}"], "a:", "b:"),
    Case(
      "an override behind a start, 4",
      ["a": "<a href=\"https://x.example/{{$t}}{{/t}}\"></a>", "b": "{{<a}}{{$t}}de/{{x}}{{/t}}{{/a}}"], "a:",
      "b: urlPart"),
    Case(
      "an override behind a start, 5",
      ["a": "<a href=\"https://x.example/{{$t}}{{/t}}\"></a>", "b": "{{<a}}{{$t}}de/{{/t}}{{/a}}"], "a:", "b:"
    ),
    Case(
      "a word of a class with its end", ["a": "<div class=\"ng-{{>b}}\" name=\"{{x}}\"></div>", "b": "form"],
      "a:1:24 refused-attribute"),
    Case(
      "a word of a class with its start",
      ["a": "<div class=\"{{>b}}orm\" name=\"{{x}}\"></div>", "b": "ng-f"], "a:1:24 refused-attribute"),
    Case(
      "a word of a class that is no directive",
      ["a": "<div class=\"ng-{{>b}}\" name=\"{{x}}\"></div>", "b": "hide"], "a: attribute", "b:", "b:"),
    Case(
      "an override that completes a word of a class",
      [
        "a": "<div class=\"ng-{{$t}}zz{{/t}}\" name=\"{{x}}\"></div>", "b": "{{<a}}{{$t}}form{{/t}}{{/a}}",
      ], "b:1:7 crossing-section"),
    Case(
      "overrides in a word of a class",
      [
        "a": "<div class=\"ng-{{$t}}hide{{/t}}-x\" name=\"{{x}}\"></div>", "b": "{{<a}}{{$t}}{{/t}}{{/a}}",
        "c": "{{<a}}{{$t}}show data-x{{/t}}{{/a}}",
      ], "a: attribute", "b:", "c:"),
    Case(
      "a part of a script that is markup elsewhere", ["a": "<script>i<n{{>b}}</script>", "b": "x"],
      "a:1:10 invalid-markup"),
    Case(
      "an override of no block", ["a": "{{$t}}{{/t}}", "b": "{{<a}}{{$u}}<bad>{{x}}{{/u}}{{/a}}"],
      "b:1:7 unknown-block", "b:1:13 unclosed-element"),
    Case(
      "an override of no block in a value",
      ["a": "{{$t}}{{/t}}", "b": "<a href=\"{{<a}}{{$u}}{{x}}{{y}}{{/u}}{{/a}}\"></a>"],
      "b:1:16 unknown-block", "b:1:27 ambiguous-url"),
    Case(
      "an override of no block that ends elsewhere",
      ["a": "", "b": "<i title=\"{{<a}}{{$u}}\" id=\"{{/u}}{{/a}}\"></i>"],
      "b:1:17 unknown-block", "b:1:17 crossing-section"),
    Case(
      "overrides in an override of no block",
      [
        "a": "<a href=\"java{{$t}}{{/t}}\"></a>",
        "b": "{{<a}}{{$u}}{{<a}}{{$t}}{{x}}{{/t}}{{/a}}{{/u}}{{/a}}",
      ], "b:1:7 unknown-block", "b:1:25 unsafe-url-start"),
    Case(
      "an override of nobody's", ["b": "{{<a}}{{$u}}<b id={{x}}></b>{{/u}}{{/a}}"], "b:1:1 unknown-partial",
      "b:1:19 unquoted-value"),
    Case(
      "an override for a dynamic parent",
      ["a": "{{<*x}}{{$t}}<p>{{y}}{{/t}}{{$u}}<b>{{z}}{{/u}}{{/*x}}", "b": "{{$t}}{{/t}}"],
      "a:1:14 unclosed-element", "a:1:34 unclosed-element"),
    Case(
      "an override through a dynamic parent",
      ["a": "<i title=\"{{$t}}{{/t}}\"></i>", "b": "{{<*x}}{{/*x}}", "c": "{{<b}}{{$t}}{{z}}{{/t}}{{/b}}"],
      "a:", "b:", "c: attribute"),
    Case(
      "a parent twice in one place",
      [
        "a": "<i title=\"{{$t}}{{/t}}\">{{$t}}{{/t}}</i>", "q": "{{$t}}{{/t}}{{$t}}{{/t}}",
        "b": "{{<a}}{{$t}}{{<q}}{{$t}}{{z}}{{/t}}{{/q}}{{/t}}{{/a}}",
      ], "a:", "b: attribute html", "q:", "q:"),
    Case(
      "refresh", ["a": "<meta http-equiv=\"refresh\" {{>b}}>", "b": "content=\"{{x}}\""],
      "b:1:10 refused-attribute"),
    Case(
      "refresh behind it", ["a": "<meta {{>b}} http-equiv=\"refresh\">", "b": "content=\"{{x}}\""],
      "a:1:7 refused-attribute"),
    Case("a slash before it", ["a": "<svg /{{>b}}></svg>", "b": "id=\"x\""], "a:1:6 invalid-markup"),
    Case("a slash at its end", ["a": "<svg {{>b}}></svg>", "b": "id=\"x\"/"], "b:1:7 invalid-markup"),
    Case("its end dropped", ["a": "<p>{{>b}}{{x}}</p>", "b": "<<!-- -->"], "a: html", "b:"),
    Case(
      "dynamic in code", ["a": "<svg><style><g>{{>*b}}</g></style></svg>"], "a:1:13 misplaced-element",
      "a:1:16 dynamic-partial-outside-text"),
    Case("svg", ["a": "<svg>{{>b}}</svg>", "b": "<style>{{x}}</style>"], "b:1:8 refused-place"),
  ])
  func partials(_ row: Case) {
    #expect(Self.judge(row.templates) == row.expected)
  }
}
