import CellTemplates
import Testing

@testable import Cells

/// Links in cells to files that another server has: `--assets-url`.
@Suite struct MovedLinkTests {
  private static let files = ["shop/a.png": "a", "shop/b c.png": "b", "x.svg": "x", "shop/n.css": ""]

  private static func render(_ cell: String, _ row: String = "{}", at url: String? = "https://cdn.example/c/")
    throws -> String
  {
    let archive = try RenderHarness.archive(
      ["shop/n.html": "<link rel=stylesheet href=n.css><p data-cell=n>\(cell)</p>"], assets: files,
      assetsURL: url)
    return try RenderHarness(archive: archive).render("n", row)
  }

  @Test(arguments: [
    ("<img src=a.png>", "<img src=\"https://cdn.example/c/shop/a.png\">"),
    (
      "<img src='./a.png?x=1&amp;y=2#z' alt=x>",
      "<img src=\"https://cdn.example/c/shop/a.png?x=1&amp;y=2#z\" alt=x>"
    ),
    ("<img src=\"b%20c.png\">", "<img src=\"https://cdn.example/c/shop/b%20c.png\">"),
    (
      "<img srcset=\"a.png 1x, no.png 2x,../x.svg\">",
      "<img srcset=\"https://cdn.example/c/shop/a.png 1x, no.png 2x,https://cdn.example/c/x.svg\">"
    ),
    (
      "<svg><use href=\"../x.svg#i\"></use></svg>",
      "<svg><use href=\"https://cdn.example/c/x.svg#i\"></use></svg>"
    ),
    (
      "<i style=\"background: url(a.png)\"></i>",
      "<i style=\"background: url(&quot;https://cdn.example/c/shop/a.png&quot;)\"></i>"
    ),
    (
      "<i style=\"font-family: 'Caf&eacute;'; background: url(a.png)\"></i>",
      "<i style=\"font-family: 'Caf\u{E9}'; background: url(&quot;https://cdn.example/c/shop/a.png&quot;)\"></i>"
    ),
    // What stays: files that are not there, links that people follow, other addresses, and what data makes.
    ("<img src=no.png>", "<img src=no.png>"), ("<a href=a.png>x</a>", "<a href=a.png>x</a>"),
    ("<img src=/a.png>", "<img src=/a.png>"),
    ("<img src=https://e.example/a.png>", "<img src=https://e.example/a.png>"),
    ("<img src=\"{{x}}\">", "<img src=\"\">"), ("<img title=a.png>", "<img title=a.png>"),
  ])
  func links(_ cell: String, _ expected: String) throws {
    #expect(try Self.render(cell) == "<p>\(expected)</p>")
    #expect(try Self.render(cell, at: nil).contains("cdn.example") == false)
  }

  @Test func drawnValuesOfOutletsToo() throws {
    let cell = "<img data-outlet=x src=a.png data-missing=keep>"
    #expect(try Self.render(cell) == "<p><img src=\"https://cdn.example/c/shop/a.png\"></p>")
    #expect(try Self.render(cell, "{\"x\":\"b.png\"}") == "<p><img src=\"b.png\"></p>")
  }
}
