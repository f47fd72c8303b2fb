import CellTemplates
import Cells
import Testing

/// A block in an override may have the name of another one. What overrides it there is judged there.
@Suite struct OverridePlaceTests {
  private static func page(base: String, override: String, content: String) -> [String: String] {
    [
      "base.mustache": "<main>\(base){{$content}}{{/content}}</main>",
      "section.mustache": "{{<base}}{{$t}}\(override){{/t}}{{/base}}",
      "page.mustache": "{{<section}}{{$content}}\(content){{/content}}{{/section}}",
    ]
  }

  /// A block in an override is overridden by the cells between that override and the block that it replaces, so it is judged there.
  @Test(arguments: [
    ("<a href=\"{{$t}}{{/t}}#x\">q</a>", "", "<a href=\"{{$t}}https://h.example/{{/t}}{{v}}\">go</a>"),
    ("<form action=\"{{$t}}{{/t}}?x\">q</form>", "", "<form action=\"{{$t}}/a/{{/t}}{{v}}\">go</form>"),
    (
      "<p style=\"{{$t}}{{/t}}color: red\">q</p>", "",
      "<p style=\"{{$t}}background: url({{/t}}{{v}})\">go</p>"
    ),
    ("<p>{{$t}}{{/t}}</p>", "<a href=\"/s\">S</a>", "<a href=\"/x\">{{$t}}d{{/t}}</a>"),
    ("<div>{{$t}}{{/t}}</div>", "<div>S</div>", "<p>{{$t}}d{{/t}}</p>"),
    ("<svg>{{$t}}{{/t}}</svg>", "{{v}}", "<svg><script>{{$t}}d{{/t}}</script></svg>"),
    ("", "<a href=\"{{v}}\">S</a>", "<div hx-boost=\"true\">{{$t}}d{{/t}}</div>"),
  ])
  func blocksInOverridesAreJudged(base: String, override: String, content: String) throws {
    let templates = Self.page(base: base, override: override, content: content)
    #expect(throws: TemplateErrors.self) { try RenderHarness(templates) }
    var alone = templates
    alone["page.mustache"] = nil
    #expect(throws: Never.self) { try RenderHarness(alone) }
  }

  /// HTML cells print what text cells print: the outermost cell decides.
  @Test(arguments: [
    // The block is only in the override.
    (
      [
        "a": "{{$x}}{{/x}}", "b": "{{<a}}{{$t}}B{{/t}}{{/a}}", "c": "{{<b}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{/b}}",
      ], "[B]"
    ),
    // An override without content.
    (
      ["a": "{{$x}}{{/x}}", "b": "{{<a}}{{$t}}{{/t}}{{/a}}", "c": "{{<b}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{/b}}"],
      "[]"
    ),
    // Through a cell in between.
    (
      [
        "a": "{{$x}}{{/x}}", "a1": "{{<a}}{{/a}}", "b": "{{<a1}}{{$t}}B{{/t}}{{/a1}}",
        "b1": "{{<b}}{{/b}}", "c": "{{<b1}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{/b1}}",
      ], "[B]"
    ),
    // Not through a cell beside it.
    (
      [
        "a": "{{$x}}{{/x}}", "e": "{{$y}}{{/y}}", "b": "{{<e}}{{$t}}B{{/t}}{{/e}}{{<a}}{{/a}}",
        "c": "{{<b}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{/b}}",
      ], "[d]"
    ),
    // In a parent inside the override.
    (
      [
        "a": "{{$x}}{{/x}}", "p": "({{$t}}p{{/t}})", "b": "{{<a}}{{$t}}B{{/t}}{{/a}}",
        "c": "{{<b}}{{$x}}[{{<p}}{{/p}}]{{/x}}{{/b}}",
      ], "[(B)]"
    ),
    (
      [
        "a": "{{$x}}{{/x}}", "p": "({{$t}}p{{/t}})", "b": "{{<a}}{{$t}}B{{/t}}{{/a}}",
        "c": "{{<b}}{{$x}}[{{<p}}{{$t}}c{{/t}}{{/p}}]{{/x}}{{/b}}",
      ], "[(B)]"
    ),
    // What it prints has a block, too, which a cell further in overrides.
    (
      [
        "a": "{{$x}}{{/x}}", "a1": "{{<a}}{{$u}}U{{/u}}{{/a}}",
        "b": "{{<a1}}{{$t}}B{{$u}}e{{/u}}{{/t}}{{/a1}}",
        "c": "{{<b}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{/b}}",
      ], "[BU]"
    ),
    // Around a tag that another override of the same tag puts there.
    (
      [
        "c0": "{{$w}}{{/w}}", "c1": "{{$u}}{{/u}}", "c2": "{{<c0}}{{/c0}}",
        "c": "{{<c1}}{{$w}}{{$u}}b{{/u}}{{/w}}{{$u}}{{<c2}}{{$u}}U{{/u}}{{/c2}}{{/u}}{{/c1}}",
      ], "U"
    ),
    (
      [
        "d0": "{{$t}}{{/t}}", "d1": "{{<d0}}{{/d0}}", "c3": "{{$w}}{{/w}}",
        "c": "{{<c3}}{{$w}}{{<d1}}{{$w}}b{{/w}}{{/d1}}{{/w}}{{$t}}{{$w}}d{{/w}}{{/t}}{{/c3}}",
      ], "b"
    ),
    // The outermost comes first.
    (
      [
        "a": "{{$x}}{{/x}}", "b": "{{<a}}{{$t}}B{{/t}}{{/a}}",
        "c": "{{<b}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{$t}}C{{/t}}{{/b}}",
      ], "[C]"
    ),
    // A cell that is found by its name.
    (
      [
        "a": "{{$x}}{{/x}}", "b": "{{<a}}{{$t}}B{{/t}}{{/a}}",
        "c": "{{<*k}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{/*k}}",
      ], "[B]"
    ),
    // A cell that inherits from itself.
    (["c": "{{$x}}e{{/x}}{{#l}}{{<c}}{{$x}}[{{$t}}d{{/t}}]{{/x}}{{$t}}C{{/t}}{{/c}}{{/l}}"], "e[C]"),
  ])
  func htmlAndTextAgree(cells: [String: String], printed: String) throws {
    let row = #"{"k":"b","l":[{"l":false}]}"#
    for ending in [".mustache", ".txt.mustache"] {
      let harness = try RenderHarness(Dictionary(uniqueKeysWithValues: cells.map { ($0 + ending, $1) }))
      #expect(try harness.render("c", row) == printed, "\(ending)")
    }
    // In a tag and in a value.
    for (start, end) in [("<p title=\"", "\"></p>"), ("<p>", "</p>"), ("<textarea>x", "</textarea>")] {
      var templates = Dictionary(uniqueKeysWithValues: cells.map { ($0 + ".mustache", $1) })
      templates["page.mustache"] = start + "{{>c}}" + end
      guard !cells.values.contains(where: { $0.contains("{{<*") }) else { continue }
      #expect(try RenderHarness(templates).render("page", row) == start + printed + end)
    }
  }

  /// While an override is running, it does not replace a block of its name: not in another place of the markup either, and it is not
  /// judged there.
  @Test(arguments: [
    (
      [
        "p": "<b title=\"{{$x}}{{/x}}\">z</b>", "a": "[{{$x}}r{{/x}}]",
        "page": "{{<p}}{{$x}}{{<a}}{{/a}}{{/x}}{{/p}}",
      ],
      "<b title=\"[r]\">z</b>"
    ),
    (
      [
        "card": "<div>{{$x}}{{/x}}</div>", "icon": "<g>{{$x}}r{{/x}}</g>",
        "page": "{{<card}}{{$x}}x<svg>{{<icon}}{{/icon}}</svg>{{/x}}{{/card}}",
      ], "<div>x<svg><g>r</g></svg></div>"
    ),
    (
      [
        "card": "<div>{{$body}}{{/body}}</div>", "note": "<p>{{$body}}{{/body}}</p>",
        "layout": "<main>{{<card}}{{$body}}{{$main}}{{/main}}{{/body}}{{/card}}</main>",
        "page": "{{<layout}}{{$main}}{{<note}}{{$body}}text{{/body}}{{/note}}{{/main}}{{/layout}}",
      ], "<main><div><p>text</p></div></main>"
    ),
    (
      [
        "card": "<div>{{$body}}{{/body}}</div>", "note": "<p>{{$body}}{{/body}}</p>",
        "page": "<main>{{<card}}{{$body}}{{<note}}{{$body}}text{{/body}}{{/note}}{{/body}}{{/card}}</main>",
      ], "<main><div><p>text</p></div></main>"
    ),
    // The override of another name is not running.
    (
      [
        "card": "<div>{{$body}}{{/body}}</div>", "note": "<p>{{$text}}{{/text}}</p>",
        "page": "<main>{{<card}}{{$body}}{{<note}}{{/note}}{{/body}}{{$text}}T{{/text}}{{/card}}</main>",
      ], "<main><div><p>T</p></div></main>"
    ),
  ])
  func runningOverridesDoNotApply(_ templates: [String: String], _ printed: String) throws {
    for ending in ["mustache", "txt.mustache"] {
      let files = Dictionary(uniqueKeysWithValues: templates.map { ("\($0).\(ending)", $1) })
      #expect(try RenderHarness(files).render("page", "{}") == printed)
    }
  }

  /// Pages of one layout are never open at the same time, so none of them overrides what is in another one.
  @Test func pagesDoNotMeet() throws {
    let harness = try RenderHarness([
      "card.mustache": "<div>{{$body}}{{/body}}</div>",
      "base.mustache": "<main>{{$content}}{{/content}}</main>",
      "layout.mustache":
        "{{<base}}{{$content}}{{<card}}{{$body}}{{$main}}{{/main}}{{/body}}{{/card}}{{/content}}{{/base}}",
      "a.mustache":
        "{{<layout}}{{$main}}{{<card}}{{$body}}<h1>{{$title}}{{/title}}</h1>{{/body}}{{/card}}{{/main}}"
        + "{{$title}}<b class=\"k\">T</b>{{/title}}{{/layout}}",
      "b.mustache":
        "{{<layout}}{{$main}}{{<card}}{{$body}}<a title=\"{{$title}}{{/title}}\" href=\"/\">x</a>{{/body}}{{/card}}{{/main}}"
        + "{{$title}}T{{/title}}{{/layout}}",
    ])
    #expect(
      try harness.render("a", "{}") == "<main><div><div><h1><b class=\"k\">T</b></h1></div></div></main>")
    #expect(
      try harness.render("b", "{}") == "<main><div><div><a title=\"T\" href=\"/\">x</a></div></div></main>")
  }

  /// In the same context, the name means the same.
  @Test func theSamePlaceHasTheSameOverride() throws {
    let templates = Self.page(base: "<p>{{$t}}Site{{/t}}</p>", override: "S", content: "<p>{{$t}}d{{/t}}</p>")
    #expect(try RenderHarness(templates).render("page", "{}") == "<main><p>S</p><p>S</p></main>")
  }

  /// What a text cell overrides is in element text, however many blocks there are.
  @Test(arguments: [1, 40]) func textCellsOverrideBlocksOfMarkup(count: Int) throws {
    let blocks = (0..<count).map { "<p>{{$b\($0)}}y{{/b\($0)}}</p>" }.joined()
    let overrides = (0..<count).map { "{{$b\($0)}}<2>{{/b\($0)}}" }.joined()
    let harness = try RenderHarness([
      "base.mustache": blocks, "t.txt.mustache": "{{<base}}\(overrides){{/base}}",
    ])
    #expect(try harness.render("t", "{}") == String(repeating: "<p><2></p>", count: count))
  }
}
