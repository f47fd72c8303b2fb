import Testing

/// An override runs only where it was judged: at a block that begins and ends in the markup as one of its parents' does. A block in the
/// override of a cell further out may have the same name.
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

  /// Markup in an override is judged where its parents' blocks are, and nowhere else.
  @Test(arguments: [
    (override: "<a href=\"/s\">S</a>", content: "<a href=\"/x\">{{$t}}d{{/t}}</a>"),
    (override: "<div>S</div>", content: "<p>{{$t}}d{{/t}}</p>"),
    (override: "<h2>S</h2>", content: "<h1>{{$t}}d{{/t}}</h1>"),
    (override: "<form>S</form>", content: "<form>{{$t}}d{{/t}}</form>"),
    (override: "<b>S</b>", content: "<select><option>{{$t}}d{{/t}}</option></select>"),
  ])
  func elementsAreNotPutWhereTheyMayNotBe(override: String, content: String) throws {
    let templates = Self.page(base: "{{$t}}Site{{/t}} ", override: override, content: content)
    let harness = try RenderHarness(templates)
    let kept = content.replacing("{{$t}}d{{/t}}", with: "d")
    #expect(try harness.render("page", "{}") == "<main>\(override) \(kept)</main>")
  }

  /// In the same context, the name means the same.
  @Test func theSamePlaceHasTheSameOverride() throws {
    let templates = Self.page(base: "<p>{{$t}}Site{{/t}}</p>", override: "S", content: "<p>{{$t}}d{{/t}}</p>")
    #expect(try RenderHarness(templates).render("page", "{}") == "<main><p>S</p><p>S</p></main>")
  }

  /// A text cell has no markup, so its overrides apply to all blocks of its parents, however many there are.
  @Test(arguments: [1, 40]) func textCellsOverrideBlocksOfMarkup(count: Int) throws {
    let blocks = (0..<count).map { "<p title=\"{{$a\($0)}}x{{/a\($0)}}\">{{$b\($0)}}y{{/b\($0)}}</p>" }
      .joined()
    let overrides = (0..<count).map { "{{$a\($0)}}<1>{{/a\($0)}}{{$b\($0)}}<2>{{/b\($0)}}" }.joined()
    let harness = try RenderHarness([
      "base.mustache": blocks, "t.txt.mustache": "{{<base}}\(overrides){{/base}}",
    ])
    #expect(try harness.render("t", "{}") == String(repeating: "<p title=\"<1>\"><2></p>", count: count))
  }
}
