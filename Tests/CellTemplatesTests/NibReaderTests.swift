import Testing

@testable import CellTemplates

/// The cells of a nib, where each starts and ends, and the errors.
@Suite struct NibReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let html: String
    /// `kind=content` of each cell.
    let cells: [String]

    init(_ name: String, _ html: String, _ cells: String...) {
      testDescription = name
      self.html = html
      self.cells = cells
    }
  }

  private static func nib(_ html: String, file: String = "feed.html") -> Nib {
    Nib(TemplateSource(file: file, kind: String(file.dropLast(5)), mode: .html, bytes: Array(html.utf8)))
  }

  @Test(arguments: [
    Case("nothing", ""),
    Case("scenery alone", "<!doctype html><p>a <b>b"),
    Case(
      "an element is the cell", "x<article data-cell=\"a\">y</article>z",
      "a=<article data-cell=\"a\">y</article>"),
    Case(
      "a template's content is the cell, trimmed", "<template data-cell=a>\n\t <b>y</b> z\r\n</template>",
      "a=<b>y</b> z"),
    Case(
      "a template in a template", "<template data-cell=a><template>x</template></template>",
      "a=<template>x</template>"),
    Case(
      "several, in order", "<b data-cell=b>1</b><p><i data-cell='a/c'>2</i>", "b=<b data-cell=b>1</b>",
      "a/c=<i data-cell='a/c'>2</i>"),
    Case(
      "elements of its name in it", "<div data-cell=a><div><div></div></div></div><div></div>",
      "a=<div data-cell=a><div><div></div></div></div>"),
    Case("upper case", "<DIV Data-Cell=a></DiV>", "a=<DIV Data-Cell=a></DiV>"),
    Case("a void element", "<p><img data-cell=a src=x>y", "a=<img data-cell=a src=x>"),
    Case(
      "rows", "<table><tr><td>x<tr data-cell=r><td>1</td></tr></table>", "r=<tr data-cell=r><td>1</td></tr>"),
    Case("SVG groups", "<svg><g data-cell=a><g/><path/></g></svg>", "a=<g data-cell=a><g/><path/></g>"),
    Case(
      "an SVG shape that closes itself", "<svg><circle data-cell=a r=1 /><circle></circle></svg>",
      "a=<circle data-cell=a r=1 />"),
    Case(
      "HTML does not close itself", "<div data-cell=a><div/></div></div>",
      "a=<div data-cell=a><div/></div></div>"),
    Case(
      "HTML in SVG", "<svg><foreignObject><p data-cell=a><br/>x</p></foreignObject></svg>",
      "a=<p data-cell=a><br/>x</p>"),
    Case(
      "comments", "<!-- <b data-cell=x></b> --><i data-cell=a><!-- </i> --></i>",
      "a=<i data-cell=a><!-- </i> --></i>"),
    Case(
      "comments of any ending", "<!--><b data-cell=a></b><!--x--!><b data-cell=b></b>",
      "a=<b data-cell=a></b>", "b=<b data-cell=b></b>"),
    Case(
      "scripts and styles are no markup",
      "<script>'<b data-cell=x></b>'</script><style><b data-cell=y></style><b data-cell=a></b>",
      "a=<b data-cell=a></b>"),
    Case(
      "a script in a cell", "<b data-cell=a><script type=application/json>\"</b>\"</script></b>",
      "a=<b data-cell=a><script type=application/json>\"</b>\"</script></b>"),
    Case(
      "a text area", "<b data-cell=a><textarea></b></textarea></b>",
      "a=<b data-cell=a><textarea></b></textarea></b>"),
    Case(
      "quoted tag ends", "<b title='</b>' data-cell=a title=\"<b>\"></b>",
      "a=<b title='</b>' data-cell=a title=\"<b>\"></b>"),
    Case(
      "braces in scenery are text", "{{<p>}} <p title=\"{{\"> {{{{ <b data-cell=a>{{x}}</b> {{",
      "a=<b data-cell=a>{{x}}</b>"),
    Case(
      "a partial holds a tag's end", "<b data-cell=a>{{>c}}{{>b}}</b>", "a=<b data-cell=a>{{>c}}{{>b}}</b>"),
    Case(
      "a parent looks like a tag", "<b data-cell=a>{{<b}}{{$x}}{{/x}}{{/b}}</b>",
      "a=<b data-cell=a>{{<b}}{{$x}}{{/x}}{{/b}}</b>"),
    Case(
      "a Mustache comment holds anything", "<b data-cell=a>{{! </b> \" <b> }}</b>",
      "a=<b data-cell=a>{{! </b> \" <b> }}</b>"),
    Case(
      "a partial before the identifier", "<b {{>attributes}} data-cell=a>x</b>",
      "a=<b {{>attributes}} data-cell=a>x</b>"),
    Case(
      "a section in the cell's tag", "<b {{#x}}title=\"{{>y}}\"{{/x}} data-cell=a>x</b>",
      "a=<b {{#x}}title=\"{{>y}}\"{{/x}} data-cell=a>x</b>"),
    Case(
      "delimiters end with the cell",
      "<b data-cell=a>{{=<% %>=}}<%! </b> %></b><i data-cell=c>{{! </i> }}<% </i>",
      "a=<b data-cell=a>{{=<% %>=}}<%! </b> %></b>", "c=<i data-cell=c>{{! </i> }}<% </i>"),
    Case(
      "a tag that is not closed is text", "<b data-cell=a>{{x</b><i data-cell=c>{{y}}</i>",
      "a=<b data-cell=a>{{x</b>", "c=<i data-cell=c>{{y}}</i>"),
    Case("a byte order mark, CRLF", "\u{FEFF}<b data-cell=a>\r\n</b>", "a=<b data-cell=a>\r\n</b>"),
    Case(
      "a template that is no cell, not at the top",
      "<div><template>x</template></div><p>a<template></template>"),
    Case("a template for the designer", "<template data-design>x</template>"),
    Case(
      "of several identifiers the first", "<b data-cell=a data-cell=c></b>",
      "a=<b data-cell=a data-cell=c></b>"),
  ])
  func cellsAreFound(_ row: Case) {
    let nib = Self.nib(row.html)
    #expect(nib.cells.map { "\($0.kind)=\($0.text($0.content))" } == row.cells)
    #expect(nib.diagnostics == [])
  }

  @Test(arguments: [
    Case("no name", "a\n <b data-cell>x</b>", "2:5 missing-identifier"),
    Case("an empty name", "<b data-cell=\"\">x</b>", "1:4 missing-identifier"),
    Case("a template at the top", "<p></p>\n<template>x</template>", "2:1 missing-identifier"),
    Case("a template in the body", "<html><body><p>x</p><template></template>", "1:21 missing-identifier"),
    Case(
      "a template behind what closes a paragraph", "<p>x<div></div><template></template>",
      "1:16 missing-identifier"),
    Case(
      "no kind", "<b data-cell=\"my cell\"></b><i data-cell=a/../b></i>", "1:4 invalid-kind",
      "1:31 invalid-kind"),
    Case("a dynamic name", "<b data-cell=\"{{x}}\"></b>", "1:4 invalid-kind"),
    Case("a cell in a cell", "<b data-cell=a>\n<i data-cell=c></i></b>", "2:4 nested-cell"),
    Case(
      "a cell in a template cell", "<template data-cell=a><i data-cell=c></i></template>", "1:26 nested-cell"),
    Case("never closed", "x<b data-cell=a>", "1:2 unclosed-cell"),
    Case("closed in a comment", "<b data-cell=a><!-- </b>", "1:1 unclosed-cell"),
    Case("raw of another kind", "<b data-cell=a data-raw=yes></b>", "1:16 misplaced-attribute"),
    Case("dynamic classes", "<b data-cell=a data-class=\"A {{b}}\"></b>", "1:16 misplaced-attribute"),
  ])
  func errorsAreReportedWithPositions(_ row: Case) {
    #expect(Self.nib(row.html).diagnostics.map { "\($0.line):\($0.column) \($0.code.rawValue)" } == row.cells)
  }

  @Test func aFileThatIsNotUTF8IsToldOnce() {
    let bytes = Array("<b data-cell=a></b>\n".utf8) + [0xFF] + Array("<i data-cell=b></i>".utf8)
    let nib = Nib(TemplateSource(file: "a.html", kind: "a", mode: .html, bytes: bytes))
    #expect(nib.diagnostics.map { "\($0.line):\($0.column) \($0.code.rawValue)" } == ["2:1 invalid-encoding"])
    #expect(nib.cells.isEmpty)
  }

  @Test func classesAndRawBelongToTheCell() {
    let nib = Self.nib(
      "<b data-cell=a data-class=' NewsCell  Cell NewsCell' data-raw=allow></b><i data-cell=b></i>")
    #expect(nib.cells.map { $0.cell?.classes } == [["NewsCell", "Cell"], []])
    let referring = Self.nib("<b data-cell=a data-class='c&amp;d e&#32;f g&#9;&lt;'></b>")
    #expect(referring.cells.map { $0.cell?.classes } == [["c&d", "e", "f", "g", "<"]])
    #expect(nib.cells.map { $0.cell?.allowsRaw } == [true, false])
    #expect(nib.cells.map { $0.cell?.nib } == ["feed", "feed"])
  }

  @Test func stylesAreKeptWithTheNib() {
    let nib = Self.nib(
      "<head><link rel=\"preload Stylesheet\" href=a.css><link rel=icon href=b><style>p > b {}</style></head>"
        + "<style data-design>x</style><link rel=stylesheet><link data-design rel=stylesheet href=c>"
        + "<b data-cell=a><style>own{}</style></b>")
    #expect(nib.styles == ["<link rel=\"preload Stylesheet\" href=a.css>", "<style>p > b {}</style>"])
  }

  @Test func duplicatesNameBothPlaces() throws {
    func source(_ file: String, _ text: String) -> TemplateSource {
      TemplateSource(
        file: file, kind: String(file.prefix { $0 != "." }), mode: .html, bytes: Array(text.utf8))
    }
    let nibs = [
      source("z.html", "<b data-cell=a></b>\n <i data-cell=a></i>"),
      source("b.html", "\n<b data-cell=c></b>"),
      source("m.html", "<b data-cell=n></b>"),
    ]
    let errors = #expect(throws: TemplateErrors.self) {
      try TemplateCompiler.compile([source("c.mustache", ""), source("n.mustache", "")], nibs: nibs)
    }
    #expect(
      errors?.diagnostics.map { "\($0.file):\($0.line):\($0.column) \($0.message)" } == [
        "c.mustache:1:1 the kind \"c\" is already defined at b.html:2:4",
        "n.mustache:1:1 the kind \"n\" is already defined at m.html:1:4",
        "z.html:2:5 the kind \"a\" is already defined at z.html:1:4",
      ])
  }

  @Test(
    arguments: [
      ("star.svg", "feed", "star.svg"), ("./a/star.svg", "feed", "a/star.svg"),
      ("star.svg", "shop/price", "shop/star.svg"),
      ("../star.svg", "shop/price", "star.svg"), ("big%20star.svg", "a", "big star.svg"),
      ("a//b.png", "x", "a/b.png"),
      ("https://example.com/a.png", "a", nil), ("/star.svg", "a", nil), ("a.svg#b", "a", nil),
      ("a.svg?x", "a", nil),
      ("data:,", "a", nil), ("", "a", nil), ("a%", "a", nil), ("a%00", "a", nil), ("a\\b", "a", nil),
      (".", "a", nil),
    ] as [(String, String, String?)])
  func filesAreNamedAsBrowsersDo(_ reference: String, _ nib: String, _ path: String?) throws {
    #expect(try NibFiles.path(of: reference, in: nib) == path)
  }

  @Test(arguments: [("../a", "feed"), ("../../a", "shop/price"), ("a/../../b", "feed"), ("%2e%2e/a", "feed")])
  func filesOutsideAreRefused(_ reference: String, _ nib: String) {
    #expect(throws: NibFiles.Fault.outside) { try NibFiles.path(of: reference, in: nib) }
  }

  @Test(
    arguments: [
      ("<svg xmlns=\"\">", "image/svg+xml"),
      ("\u{FEFF}<?xml version='1'?>\n<!-- x --><!DOCTYPE svg>\n<svg/>", "image/svg+xml"),
      ("GIF89a", "image/gif"), ("RIFF1234WEBPVP8", "image/webp"), ("\0\0\0\u{1c}ftypavif", "image/avif"),
      ("<svgx>", nil), ("<html>", nil), ("", nil), ("RIFF1234WAVE", nil), ("<!-- <svg>", nil),
    ] as [(String, String?)])
  func imagesAreKnownByTheirContent(_ text: String, _ type: String?) {
    #expect(EmbeddedImage.mediaType(of: Array(text.utf8)) == type)
  }

  @Test func imagesOfBytesAreKnown() {
    #expect(EmbeddedImage.mediaType(of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == "image/png")
    #expect(EmbeddedImage.mediaType(of: [0xFF, 0xD8, 0xFF, 0xE0]) == "image/jpeg")
    #expect(EmbeddedImage.dataURI(of: Array("GIF87a".utf8)) == Array("data:image/gif;base64,R0lGODdh".utf8))
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
  func base64IsThatOfItsSpecification(_ text: String, _ encoded: String) {
    #expect(EmbeddedImage.base64(Array(text.utf8)) == Array(encoded.utf8))
  }
}
