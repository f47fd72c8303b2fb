@testable import CellPreview
import CellServer
import CellTemplates
import Foundation
import Testing

/// Frames: a cell in its nib's page.
@Suite struct PreviewFrameTests {
  private static let nib = """
    <!doctype html>
    <html lang=en>
    <head><title>Shop</title><link rel=stylesheet href="shop.css"></head>
    <body><table><tbody>
    <tr data-cell="row" class="r"><td data-outlet="name">drawn</td></tr>
    <tr data-cell="other"><td data-outlet="name">other as drawn</td></tr>
    </tbody></table></body></html>
    """
  private static let sample = #"[{"name": "A & B"}, {"name": "<script>alert(1)</script>"}, {"name": 1.50}]"#

  private static func target() throws -> PreviewTarget {
    try PreviewTarget([
      "shop/table.html": nib, "row.sample.json": sample, "shop/shop.css": "td { color: red }",
    ])
  }

  @Test func aCellStandsInItsPageAndAllElseIsAsDrawn() async throws {
    let answer = try await Self.target().get("/preview/frame/row")
    #expect(answer.status == 200)
    #expect(
      answer.text
        == Self.nib.replacing("<head>", with: "<head><base href=\"/preview/files/shop/\">").replacing(
          #"<tr data-cell="row" class="r"><td data-outlet="name">drawn</td></tr>"#,
          with: #"<!--cells--><tr class="r"><td>A &amp; B</td></tr><!--/cells-->"#))
  }

  @Test(arguments: [
    ("row=1", #"<!--cells--><tr class="r"><td>&lt;script&gt;alert(1)&lt;/script&gt;</td></tr><!--/cells-->"#),
    ("row=2", #"<!--cells--><tr class="r"><td>1.50</td></tr><!--/cells-->"#),
    ("row=3", "<!--cells--><!--/cells-->"), ("row=none", "<!--cells--><!--/cells-->"),
    ("as=designed", #"<tr data-cell="row" class="r"><td data-outlet="name">drawn</td></tr>"#),
  ])
  func aQueryChoosesTheRow(query: String, part: String) async throws {
    let answer = try await Self.target().get("/preview/frame/row?" + query)
    #expect(answer.status == 200 && answer.text.contains(part), "\(answer.text)")
    #expect(query == "as=designed" || answer.text.contains("other as drawn"))
  }

  @Test func allRowsStandUnderOneAnother() async throws {
    let text = try await Self.target().get("/preview/frame/row?row=all").text
    #expect(text.split(separator: #"<tr class="r">"#).count == 4)
  }

  @Test(arguments: [
    "row=x", "row=-1", "row=", "missing=gone", "as=drawn", "rows=1", "row=0&row=1", "row=%zz",
  ])
  func aWrongQueryIsRefused(query: String) async throws {
    let answer = try await Self.target().get("/preview/frame/row?" + query)
    #expect(answer.status == 400)
  }

  @Test func missingNamesFollowTheChosenPolicy() async throws {
    let target = try PreviewTarget([
      "a.html": #"<p data-cell="a"><b data-outlet="x">drawn</b></p>"#, "a.sample.json": "[{}]",
    ])
    #expect(await target.get("/preview/frame/a").text.contains("<!--cells--><p></p><!--/cells-->"))
    #expect(await target.get("/preview/frame/a?missing=keep").text.contains("<b>drawn</b>"))
    // A bad row draws nothing; the page says why.
    #expect(await target.get("/preview/frame/a?missing=error").text.contains("<!--cells--><!--/cells-->"))
  }

  @Test func aFrameThatSaysNoPolicyHasTheServers() async throws {
    let target = try PreviewTarget(
      ["a.html": #"<p data-cell="a"><b data-outlet="x">drawn</b></p>"#, "a.sample.json": "[{}]"],
      missing: .keep)
    #expect(await target.get("/preview/frame/a").text.contains("<b>drawn</b>"))
    #expect(
      await target.get("/preview/frame/a?missing=drop").text.contains("<!--cells--><p></p><!--/cells-->"))
  }

  @Test(arguments: [
    ("", "<b>1,234.5</b>"), ("locale=de", "<b>1.234,5</b>"), ("locale=de-CH", "<b>1’234.5</b>"),
    ("locale=fr", "<b>1,234.5</b>"),
  ])
  func aQueryChoosesTheLocale(query: String, part: String) async throws {
    let target = try PreviewTarget(
      ["a.mustache": "<b>{{n | number}}</b>", "a.sample.json": #"[{"n": 1234.5}]"#], locales: "de,ja")
    #expect(await target.get("/preview/frame/a?" + query).text.contains(part))
  }

  /// The clock counts where no time is given.
  @Test(arguments: [
    ("now=2025-10-09T12:00:00Z", "3 days ago at 9:00\u{202F}AM"),
    ("now=2025-10-07T12:00:00Z&time_zone=Asia/Tokyo", "1 day ago at 6:00\u{202F}PM"),
    ("", " years ago at 9:00\u{202F}AM"),
  ])
  func aQueryChoosesZoneAndTime(query: String, part: String) async throws {
    let day = query.isEmpty ? "0001-10-06" : "2025-10-06"
    let target = try PreviewTarget([
      "a.mustache": "<b>{{d | relative}} at {{d | time}}</b>",
      "a.sample.json": #"[{"d": "\#(day)T09:00:00Z"}]"#,
    ])
    #expect(await target.get("/preview/frame/a?" + query).text.contains(part))
  }

  @Test(arguments: ["locale=x--", "time_zone=Nowhere/Here", "now=today", "now=2025-10-09"])
  func noLocaleZoneOrTimeIsRefused(query: String) async throws {
    let answer = try await Self.target().get("/preview/frame/row?" + query)
    #expect(answer.status == 400)
  }

  @Test func framesRunNothingAndStayHere() async throws {
    let policy = try #require(try await Self.target().get("/preview/frame/row")["Content-Security-Policy"])
    for directive in [
      "default-src 'none'", "style-src 'self' 'unsafe-inline' https:", "img-src 'self' data: https:",
      "font-src 'self' https:", "media-src 'self' https:", "frame-ancestors 'self'", "form-action 'none'",
      "sandbox allow-same-origin",
    ] {
      #expect(policy.split(separator: "; ").contains { $0 == directive }, "\(directive)")
    }
    #expect(!policy.contains("script"))
  }

  @Test(arguments: [
    ("t.mustache", "<li>{{x}}</li>", "<body><ul><!--cells--><li>1</li><!--/cells--></ul></body>"),
    ("t.mustache", "<td>{{x}}</td>", "<tr><!--cells--><td>1</td><!--/cells--></tr>"),
    ("t.mustache", "<p>{{x}}</p>", "<body><!--cells--><p>1</p><!--/cells--></body>"),
    ("t.txt.mustache", "<{{x}}> & more", "<pre><!--cells-->&lt;1> &amp; more<!--/cells--></pre>"),
  ])
  func aCellWithoutANibHasAPageOfItsOwn(file: String, template: String, part: String) async throws {
    let target = try PreviewTarget([:])
    try target.write(template, to: file)
    try target.write(#"[{"x": 1}]"#, to: "t.sample.json")
    try target.reload()
    let text = await target.get("/preview/frame/t").text
    #expect(text.hasPrefix("<!doctype html>") && text.contains(part), "\(text)")
    #expect(text.contains("<base href=\"/preview/files/\">"))
  }

  /// The head is where browsers look for a base, whatever else a file has.
  @Test(arguments: [
    ("<p data-cell=a>x</p>", "<base href=\"/preview/files/\"><body><!--cells-->"),
    (
      "<!doctype html><p data-cell=a>x</p>",
      "<!doctype html><base href=\"/preview/files/\"><body><!--cells-->"
    ),
    (
      "<!-- <head> --><html><body><p data-cell=a>x</p>",
      "<!-- <head> --><html><base href=\"/preview/files/\"><body>"
    ),
    (
      "<HTML><HEAD lang=x><p data-cell=a>x</p>",
      "<HTML><HEAD lang=x><base href=\"/preview/files/\"><body><!--cells-->"
    ),
  ])
  func theBaseComesFirst(nib: String, start: String) async throws {
    let target = try PreviewTarget(["a.html": nib])
    let text = await target.get("/preview/frame/a").text
    #expect(text.hasPrefix(start), "\(text)")
  }

  /// Marks in the head would not be shown: the first cell opens the body, where nothing else does.
  @Test(arguments: [
    ("<style>p { color: red }</style><p data-cell=a>x</p>", true),
    ("<title><p></title>\n<p data-cell=a>x</p>", true),
    ("<template data-cell=b><p>x</p></template><p data-cell=a>x</p>", true),
    ("<main><p data-cell=a>x</p></main>", false),
    ("<p data-cell=b>x</p><p data-cell=a>x</p>", false),
    ("<html><head></head><body><p data-cell=a>x</p>", false),
    ("<script>'<p>'</script><!-- <p> --><p data-cell=a>x</p>", true),
  ])
  func aCellOpensTheBodyIfNothingElseDoes(nib: String, opens: Bool) async throws {
    let text = try await PreviewTarget(["n.html": nib]).get("/preview/frame/a?row=none").text
    #expect(text.contains("<body><!--cells-->") == (opens || nib.contains("<body><p")), "\(text)")
    #expect(text.components(separatedBy: "<body>").count <= 2)
  }

  /// A folder's name has what means more in HTML and in URLs.
  @Test func theBaseIsEncoded() async throws {
    let target = try PreviewTarget([#"a "b"<c>/é?/n.html"#: #"<p data-cell="k">x</p>"#])
    #expect(
      await target.get("/preview/frame/k").text.hasPrefix(
        "<base href=\"/preview/files/a%20%22b%22%3Cc%3E/%C3%A9%3F/\">"))
  }
}
