import Scaling
import Testing

@testable import CellTemplates

/// Style sheets of nibs, made ready to stand among others.
@Suite struct StyleTextTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let styles: String
    let imports: String
    let rules: String
    var media = ""

    var testDescription: String { styles }

    init(_ styles: String, media: String = "", imports: String = "", _ rules: String) {
      (self.styles, self.imports, self.rules, self.media) = (styles, imports, rules, media)
    }
  }

  /// The sheet of a nib named `shop/feed` in an archive without files.
  private static func sheet(_ nib: String, scope: String? = nil) throws -> String {
    let source = TemplateSource(
      file: "shop/feed.html", kind: "shop/feed", mode: .html, bytes: Array(nib.utf8))
    let archive = try TemplateCompiler.compile([], nibs: [source]).archive
    return String(decoding: try #require(NibStyles(of: 0, in: archive)).sheet(scope: scope), as: UTF8.self)
  }

  @Test(arguments: [1000, 700_000]) func aSheetHasABound(rules: Int) throws {
    let styles = String(repeating: "a{b:c}\n", count: rules)
    let source = TemplateSource(
      file: "n.html", kind: "n", mode: .html,
      bytes: Array("<style>\(styles)</style><p data-cell=\"c\">a</p>".utf8))
    let archive = try TemplateCompiler.compile([], nibs: [source]).archive
    #expect((NibStyles(of: 0, in: archive) == nil) == (styles.utf8.count > NibStyles.limitBytes))
  }

  @Test(arguments: [
    Row(".a { color: red }", ".a { color: red }"),
    Row(".a{}", media: "print", "@media print {\n.a{}\n}\n"),
    Row(".a{}", media: " ALL ", ".a{}"),
    Row(
      ".a{}", media: "screen and (min-width: 1px), print",
      "@media screen and (min-width: 1px), print {\n.a{}\n}\n"),
    // What would end the rule around the sheet.
    Row(".a{}", media: "print { .x {} } @media all", "@media not all {\n.a{}\n}\n"),
    Row(".a{}", media: "(a", "@media not all {\n.a{}\n}\n"),
    Row(".a{} } .b{}", ".a{}  .b{}"),
    Row(".a{ color: red", ".a{ color: red}"),
    Row(".a{ width: calc((1px", ".a{ width: calc((1px))}"),
    Row(".a{ x: (} .b {", ".a{ x: (} .b {})}"),
    Row("/* open", "/* open*/"),
    Row(".a::before { content: \"x", ".a::before { content: \"x\"}"),
    Row(".a::before { content: \"x\\", ".a::before { content: \"x\\\n\"}"),
    Row(".a { b: url(x", ".a { b: url(\"/assets/shop/x\")}"),
    Row(".a { b: c\\", ".a { b: c\\ }"),
    Row(".a { content: \"} /*\" } .b {}", ".a { content: \"} /*\" } .b {}"),
    Row("<!-- .a{} -->", ".a{} "),
    // What is taken out joins nothing.
    Row("i)url(a\"b) {}", "i/**/url(a\"b) {}"),
    Row("u<!--rl(a\"b)", "u/**/rl(a\"b)\")"),
    Row("/)* a\\26]) url(b\"c) {}", "//**/* a\\26/**/ url(b\"c) {}"),
    Row("@layer}a;", imports: "@layer/**/a;\n", ""),
    Row(
      "@import 'x.css' screen/**/and (color);",
      imports: "@import url(\"/assets/shop/x.css\") screen and (color);\n", ""),
    // What must come first.
    Row("@charset \"utf-8\"; .a{}", ".a{}"),
    Row("@import \"x.css\"; .a{}", imports: "@import url(\"/assets/shop/x.css\");\n", ".a{}"),
    Row("@import url(x.css) print; .a{}", imports: "@import url(\"/assets/shop/x.css\") print;\n", ".a{}"),
    Row("@import url( 'x.css' );", imports: "@import url(\"/assets/shop/x.css\");\n", ""),
    Row("@IMPORT 'x.css'", imports: "@import url(\"/assets/shop/x.css\");\n", ""),
    Row("@\\69mport 'x.css';", imports: "@import url(\"/assets/shop/x.css\");\n", ""),
    Row(
      "@import 'x.css' layer(a.b) supports(display: grid) screen;",
      imports: "@import url(\"/assets/shop/x.css\") layer(a.b) supports(display: grid) screen;\n", ""),
    Row("@layer a, b; @import 'x.css';", imports: "@layer a, b;\n@import url(\"/assets/shop/x.css\");\n", ""),
    Row("@layer a { .a{} }", "@layer a { .a{} }"),
    Row("@import 'x.css';", media: "print", imports: "@import url(\"/assets/shop/x.css\") print;\n", ""),
    Row(
      "@import 'x.css' (min-width: 1px);", media: "print, screen",
      imports:
        "@import url(\"/assets/shop/x.css\") print and (min-width: 1px), screen and (min-width: 1px);\n", ""),
    Row(
      "@import 'x.css' print;", media: "screen", imports: "@import url(\"/assets/shop/x.css\") not all;\n", ""
    ),
    Row("@import 'x.css", imports: "@import url(\"/assets/shop/x.css\");\n", ""),
    Row("@import url(\"x.css", imports: "@import url(\"/assets/shop/x.css\");\n", ""),
    Row("@import url(x.css", imports: "@import url(\"/assets/shop/x.css\");\n", ""),
    Row("@import 'x.css' layer", imports: "@import url(\"/assets/shop/x.css\") layer;\n", ""),
    Row("@import 'x.css' layer(a", imports: "@import url(\"/assets/shop/x.css\") layer(a);\n", ""),
    Row("@import;.a{}", ".a{}"),
    Row(".a{} @import 'x.css';", ".a{} @import \"/assets/shop/x.css\";"),
    // References.
    Row("a{b:url(https://e.example/x.png)}", "a{b:url(https://e.example/x.png)}"),
    Row("a{b:url(data:image/png,x)}", "a{b:url(data:image/png,x)}"),
    Row("a{b:url(/x.png)}", "a{b:url(/x.png)}"),
    Row("a{b:url(#x)}", "a{b:url(#x)}"),
    Row("a{b:url(../x.png)}", "a{b:url(\"/assets/x.png\")}"),
    Row("a{b:url(../../x.png)}", "a{b:url(../../x.png)}"),
    Row("a{b:url(x.svg?1#y)}", "a{b:url(\"/assets/shop/x.svg?1#y\")}"),
    Row("a{b:url(\"a b%22.png\")}", "a{b:url(\"/assets/shop/a%20b%22.png\")}"),
    Row("a{b:url(a\\\"b.png)}", "a{b:url(\"/assets/shop/a%22b.png\")}"),
    Row("a{b:url(x y)}", "a{b:url(x y)}"),
    Row(
      "a{b:image-set('x.png' 1x, \"y.png\" type('image/png'))}",
      "a{b:image-set(\"/assets/shop/x.png\" 1x, \"/assets/shop/y.png\" type('image/png'))}"),
    Row("a{b:url('x.png", "a{b:url(\"/assets/shop/x.png\")}"), Row("a{b:url('/x", "a{b:url('/x')}"),
    Row("a{content:'x.png'}", "a{content:'x.png'}"),
  ])
  func styles(_ row: Row) {
    let links = AssetLinks(base: AssetLinks.ownBase) { _ in nil }
    let text = StyleText(row.styles.utf8, media: MediaQueries(row.media)) {
      links.url(of: $0, from: "shop/feed")
    }
    #expect(String(decoding: text.imports, as: UTF8.self) == row.imports)
    #expect(String(decoding: text.rules, as: UTF8.self) == row.rules)
  }

  @Test func linkedSheetsComeFirst() throws {
    let nib = """
      <style>.a{}</style><link rel="stylesheet" href="x.css" media=print><link rel="alternate stylesheet" href=y.css>
      <link rel=stylesheet href="z&amp;.css" type="text/less"><link rel=stylesheet href="https://e.example/a&amp;b.css">
      <style type="text/plain">.no{}</style><style data-design>.no{}</style><link data-design rel=stylesheet href=no.css>
      <style media="(">.b{}</style><style>.c{</style><style>.d{}</style>
      """
    #expect(
      try Self.sheet(nib) == """
        @import url("/assets/shop/x.css") print;
        @import url("https://e.example/a&b.css");
        .a{}
        @media not all {
        .b{}
        }
        .c{}
        .d{}

        """)
    #expect(try Self.sheet("<style>.a{} }</style>", scope: ".x") == "@scope (.x) {\n.a{} \n}\n")
    #expect(try Self.sheet("<p data-cell=a></p>") == "")
  }

  @Test(arguments: [
    ".feed", "#a .b > c + d ~ e", "a[href=\"x)}\"]", ":is(.a, .b)", "*", "a|b", ".a\\:b", "article, .über",
    "[data-x^='{']", ":nth-child(2n+1)",
  ])
  func selectors(_ selector: String) { #expect(ScopeSelector.fault(in: selector) == nil) }

  @Test(arguments: [
    "", " ", ")", ".a) { } @scope (.b", ".a{", ".a}", ".a;", "@media", "/* */", ".a/*", "(", "[", "[a=\"",
    "[a=']",
    ".a\\", ".a\u{0}", ".a\n.b", ".a\u{85}", "url(x)", "url(\"x", "<!-- a", "-->", "a & b", ".a)]", "(]",
    "a%", "\u{7F}",
    String(repeating: "a", count: 1025), "[a='\\", "a\\\n",
  ])
  func noSelectors(_ selector: String) { #expect(ScopeSelector.fault(in: selector) != nil) }

  /// Unclosed quotes, brackets and comments are not searched again and again.
  @Test(arguments: [
    "a{b:url(x)}", "url('", "(", "@import 'x' ", "@layer a,", "/*", "}", "\\", "image-set('x' ",
    "@import url(x) layer(",
  ])
  func theCostIsLinear(_ piece: String) { checkCost(of: piece) }

  @Test(arguments: [" /**/", "  ", " x", " layer", " layer(a)", "(", " supports(", ","])
  func theCostOfAnImportIsLinear(_ piece: String) { checkCost(of: piece, after: "@import url(a)") }

  /// A list with as many queries as there are imports, each kept or not.
  @Test(arguments: ["not a,", "(a),", "(b: \(String(repeating: "c", count: 2000))),"])
  func mediaAndImportsAreReadInLinearTime(query: String) throws {
    let fault = try Scaling.fault(from: 100) { count in
      "<style media='\(String(repeating: query, count: count))a'>"
        + String(repeating: "@import 'a' screen;", count: count) + "</style><p data-cell=a></p>"
    } work: { nib in
      _ = try Self.sheet(nib)
    }
    #expect(fault == nil)
  }

  @Test func longQueriesAreNotJoined() {
    let long = "(a: \(String(repeating: "b", count: 2000)))"
    #expect(MediaQueries(long).and(MediaQueries("screen")).text == "not all")
    #expect(MediaQueries("\(long), print").and(MediaQueries("(c)")).text == "print and (c)")
    #expect(MediaQueries(long).and(MediaQueries(long)).text == long)
    // The white space after the digits of an escape belongs to it.
    for (text, name) in [("\\29 url(", ")url"), ("u\\000072 l(", "url"), ("u\\72\r\nl(", "url")] {
      var scanner = StyleScanner(Array(text.utf8))
      #expect(scanner.next() == .function || name == "url")
      #expect(scanner.name == name)
    }
    // Commas inside of brackets and comments end no query.
    let function = "(min-width: max(10em, 200px))"
    #expect(MediaQueries("print").and(MediaQueries(function)).text == "print and \(function)")
    #expect(
      MediaQueries("print, screen /* a, b */").and(MediaQueries("(c)")).text
        == "print and (c), screen /* a, b */ and (c)")
  }

  private func checkCost(of piece: String, after start: String = "") {
    let links = AssetLinks(base: AssetLinks.ownBase) { _ in nil }
    let fault = Scaling.fault(from: 1000) {
      Array((start + String(repeating: piece, count: $0)).utf8)
    } work: { styles in
      _ = StyleText(styles) { links.url(of: $0, from: "n") }
    }
    #expect(fault == nil)
  }
}
