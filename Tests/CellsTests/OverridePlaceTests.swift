import Testing

/// In tags and values, an override runs only where it was judged: at a block that begins and ends as one of its parents' does. A block in
/// the override of a cell further out may have the same name.
@Suite struct OverridePlaceTests {
  private static func page(base: String, override: String, content: String) -> [String: String] {
    [
      "base.mustache": "<main>\(base){{$content}}{{/content}}</main>",
      "section.mustache": "{{<base}}{{$t}}\(override){{/t}}{{/base}}",
      "page.mustache": "{{<section}}{{$content}}\(content){{/content}}{{/section}}",
    ]
  }

  /// What follows a block is escaped as its default content asks, so no override may end elsewhere.
  @Test(arguments: [
    (
      base: "<a href=\"{{$t}}{{/t}}#x\">q</a>",
      content: "<a href=\"{{$t}}https://h.example/{{/t}}{{v}}\">go</a>"
    ),
    (base: "<a href=\"{{$t}}{{/t}}#x\">q</a>", content: "<a href=\"{{$t}}/{{/t}}{{v}}\">go</a>"),
    (
      base: "<form action=\"{{$t}}{{/t}}?x\">q</form>",
      content: "<form action=\"{{$t}}/a/{{/t}}{{v}}\">go</form>"
    ),
    (
      base: "<svg><a href=\"{{$t}}{{/t}}#x\"></a></svg>",
      content: "<svg><a href=\"{{$t}}/a/{{/t}}{{v}}\"></a></svg>"
    ),
    (
      base: "<p style=\"{{$t}}{{/t}}color: red\">q</p>",
      content: "<p style=\"{{$t}}background: url({{/t}}{{v}})\">go</p>"
    ),
  ])
  func whatFollowsIsEscapedForWhatIsPrinted(base: String, content: String) throws {
    let harness = try RenderHarness(Self.page(base: base, override: "", content: content))
    let written = content.replacing("{{$t}}", with: "").replacing("{{/t}}", with: "")
    let direct = try RenderHarness([
      "page.mustache": "<main>\(base.replacing("{{$t}}{{/t}}", with: ""))\(written)</main>"
    ])
    for value in ["javascript:alert(1)", "//evil.example/", "a"] {
      let row = "{\"v\":\"\(value)\"}"
      #expect(try harness.render("page", row) == direct.render("page", row))
    }
  }

  /// What is judged in an element of SVG does not come into one whose content is code.
  @Test(arguments: ["script", "style"]) func codeHasOverridesOfItsOwn(element: String) throws {
    let templates = Self.page(
      base: "<svg>{{$t}}{{/t}}</svg>", override: "{{v}}",
      content: "<svg><\(element)>{{$t}}d{{/t}}</\(element)></svg>")
    let harness = try RenderHarness(templates)
    #expect(
      try harness.render("page", "{\"v\":\"alert(1)\"}")
        == "<main><svg>alert(1)</svg><svg><\(element)>d</\(element)></svg></main>")
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
