import CellTemplates
import Testing

@testable import Cells

/// The output in each place: one value per row, attacks as well as ordinary values.
@Suite struct EscaperTableTests {
  typealias Row = (input: String, output: String)

  private static let refused = "about:invalid#cell"

  private static let markup: [Row] = [
    ("", ""), ("plain", "plain"), ("a & b", "a &amp; b"), ("&amp;", "&amp;amp;"),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("\" onclick=\"alert(1)", "&quot; onclick=&quot;alert(1)"), ("' onclick='x", "&#39; onclick=&#39;x"),
    ("``", "``"), ("a=b/c", "a=b/c"), ("äöü €😀", "äöü €😀"),
    ("\u{2028}\u{FEFF}\u{7F}", "\u{2028}\u{FEFF}\u{7F}"),
    ("\u{1}\t\n\u{B}\u{C}\u{1F}", "\u{1}\t\n\u{B}\u{C}\u{1F}"), ("-->", "--&gt;"), ("]]>", "]]&gt;"),
    ("{{x}}", "{{x}}"),
    ("<<<<<<<<", "&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;"),
  ]

  /// URLs at the start of an attribute, for any attribute.
  private static let anyURL: [Row] = [
    ("", ""), ("   ", ""), ("a.png", "a.png"), ("/a/b?c=d#e", "/a/b?c=d#e"), ("?a=b&c=d", "?a=b&amp;c=d"),
    ("#top", "#top"),
    ("../a b", "../a%20b"), ("ä", "%C3%A4"), ("a%20b%2", "a%20b%252"), ("%", "%25"), ("%zz%4", "%25zz%254"),
    ("%Ff%41", "%Ff%41"),
    ("\u{0} \u{1F}a.png\u{0}\r\n ", "a.png"), ("a'b(c)d", "a%27b%28c%29d"),
    ("a\"b<c>d`e", "a%22b%3Cc%3Ed%60e"),
    ("a\\b", "a%5Cb"), ("a{b}|c^", "a%7Bb%7D%7Cc%5E"), ("a\tb\nc\rd\u{0}e", "a%09b%0Ac%0Dd%00e"),
    ("!$*+,:;=@[]", refused), ("/!#$*+,/:;=?@[]", "/!#$*+,/:;=?@[]"), ("😀", "%F0%9F%98%80"),
    ("\u{A0}x", "%C2%A0x"),
    ("./javascript:alert(1)", "./javascript:alert%281%29"),
    ("?javascript:alert(1)", "?javascript:alert%281%29"),
    ("javascript:alert(1)", refused), ("JaVaScRiPt:alert(1)", refused),
    (" \u{1}javascript:alert(1)", refused),
    ("java\tscript:alert(1)", refused), ("java\nscript\r:alert(1)", refused),
    ("\u{0}javascript:alert(1)", refused),
    ("java\u{0}script:alert(1)", refused), ("javascript\u{A0}:x", refused), ("\u{A0}javascript:x", refused),
    ("vbscript:x", refused), ("data:text/html,<script>alert(1)</script>", refused), ("blob:x", refused),
    ("about:blank", refused), ("view-source:x", refused), ("file:///etc/passwd", refused),
    ("ftp://x", refused),
    ("c:/windows", refused), (":", refused), (":x", refused), ("myapp:x", refused),
    ("javascript&colon;alert(1)", "javascript&amp;colon;alert%281%29"),
    ("javascript%3Aalert(1)", "javascript%3Aalert%281%29"), ("http\u{130}:x", refused),
    ("\u{212A}:x", refused),
    ("httpx:", refused), ("htt:", refused), ("http s:", refused), ("a\\b:c", refused),
  ]

  private static let links: [Row] = [
    ("https://example.com/a?b=c&d=e#f", "https://example.com/a?b=c&amp;d=e#f"),
    ("HTTP://Example.COM/", "HTTP://Example.COM/"),
    ("mailto:a@example.com?subject=a b", "mailto:a@example.com?subject=a%20b"), ("tel:+49-30", "tel:+49-30"),
    ("//cdn.example/a", "//cdn.example/a"), ("\thttps://x\n", "https://x"), ("ht\ntps://x", "ht%0Atps://x"),
    ("http:", "http:"),
  ]

  private static let tables: [(escaper: Escaper, rows: [Row])] = [
    (.none, [("<&>\"'\0\r", "<&>\"'\0\r")]),
    (.rawHTML, [("<b>&\"'\r</b>", "<b>&\"'\r</b>"), ("\0", "\u{FFFD}"), ("a\0\0b", "a\u{FFFD}\u{FFFD}b")]),
    (.text, markup + [("\0", "\0"), ("\r", "\r")]),
    (.html, markup + [("\0", "\u{FFFD}"), ("\r\n", "\r\n"), ("a\0<\0", "a\u{FFFD}&lt;\u{FFFD}")]),
    (.attribute, markup + [("\0", "\u{FFFD}"), ("\r\n", "&#13;\n"), ("\t\r\u{E}", "\t&#13;\u{E}")]),
    (.url, anyURL + links),
    (
      .urlPart,
      [
        ("", ""), ("a b", "a%20b"), (" a ", "%20a%20"), ("../a", "../a"), ("javascript:x", "javascript:x"),
        ("a&b", "a&amp;b"),
        ("\" onload=\"x", "%22%20onload=%22x"), ("'", "%27"), ("/?#", "/?#"), ("%41%4", "%41%254"),
        ("\0", "%00"), ("\r", "%0D"),
        ("ä", "%C3%A4"), ("&amp;", "&amp;amp;"), ("&#x6A;", "&amp;#x6A;"),
      ]
    ),
    (
      .urlComponent,
      [
        ("", ""), ("a-b._~Z9", "a-b._~Z9"), ("a b+c", "a%20b%2Bc"), ("a&b=c", "a%26b%3Dc"),
        ("#?/:", "%23%3F%2F%3A"),
        ("%41", "%2541"), ("<\"'>", "%3C%22%27%3E"), ("ä€😀", "%C3%A4%E2%82%AC%F0%9F%98%80"),
        ("\0\r\n", "%00%0D%0A"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
      ]
    ),
    (
      .urlAfterSlash,
      [
        ("", ""), ("a/b", "a/b"), ("/evil.example", "%2Fevil.example"), ("\\evil.example", "%5Cevil.example"),
        ("/\\/x", "%2F%5C%2Fx"), ("\t/x", "%09/x"), ("./x", "./x"), ("a//b", "a//b"), ("ä\\", "%C3%A4%5C"),
        ("?/", "?/"),
      ]
    ),
    (
      .urlPathComponent,
      [
        ("", ""), (".", "%EF%BF%BD"), ("..", "%EF%BF%BD"), ("...", "..."), ("..a", "..a"), (" ..", "%20.."),
        ("../a", "..%2Fa"), ("..\\", "..%5C"), ("%2e%2e", "%252e%252e"), ("a.b", "a.b"), ("..?", "..%3F"),
      ]
    ),
    (.urlSegment, [("", "."), ("a", "a"), ("/", "%2F"), (".", "."), ("..", ".."), ("\\/a/", "%5C%2Fa/")]),
    (
      .sameOriginURL,
      anyURL + [
        ("/items/7?a=b", "/items/7?a=b"), ("//evil.example", refused), ("/\\evil.example", refused),
        ("\\\\evil", "%5C%5Cevil"),
        ("\\/evil", "%5C/evil"), (" //evil", refused), ("/\t/evil", refused), ("\u{1}/\r\n\\evil", refused),
        ("/", "/"),
        ("https://example.com", refused), ("http:a", refused), ("mailto:x", refused), ("a//b", "a//b"),
        ("/a//b", "/a//b"),
      ]
    ),
    (
      .fragmentURL,
      [
        ("#icon", "#icon"), (" #icon ", "#icon"), ("#a b", "#a%20b"), ("#\"><script>", "#%22%3E%3Cscript%3E"),
        ("", refused),
        (" ", refused), ("icons.svg#a", refused), ("//x#a", refused), ("javascript:#", refused),
        ("data:image/svg+xml,x#a", refused),
        ("?#a", refused),
      ]
    ),
    (
      .urlList,
      [
        ("", ""), ("  ", ""), ("/a", "/a"), ("/a  /b\t/c", "/a /b /c"),
        ("https://x/ javascript:y", "https://x/ " + refused),
        ("javascript:x\n//y", refused + " //y"), ("\u{1} /a", "/a"), ("/a,/b", "/a,/b"),
        ("java script:x", "java " + refused),
      ]
    ),
    (
      .srcset,
      [
        ("", ""), (" , ,", ""), ("a.png", "a.png"), ("a.png 2x", "a.png 2x"),
        ("a.png 1x, b.png 2x", "a.png 1x, b.png 2x"),
        ("a.png 1x,b.png 2x", "a.png 1x, b.png 2x"), ("a.png,b.png", "a.png,b.png"),
        ("a.png, b.png", "a.png, b.png"),
        ("a.png,,, b.png", "a.png, b.png"), ("/a(b).png 100w 50h", "/a%28b%29.png 100w 50h"),
        ("a.png 1.5x", "a.png 1.5x"),
        ("javascript:x 1x, b.png", refused + " 1x, b.png"), ("a.png, javascript:x", "a.png, " + refused),
        ("a.png 1x, data:text/html,x 2x", "a.png 1x, " + refused + " 2x"), ("a.png (x, y), b", "a.png, b"),
        ("a.png 1x\" onerror=\"x", "a.png"), ("a.png <", "a.png"), (",javascript:x", refused),
        ("\u{1},javascript:x", refused),
        ("a.png\t1x\n,\u{C}b.png", "a.png 1x, b.png"), ("https://x/a,b 1x", "https://x/a,b 1x"),
        ("a.png \t", "a.png"),
      ]
    ),
    (
      .srcsetDescriptor,
      [
        ("", ""), ("2x", "2x"), ("100w 50h", "100w 50h"), ("1.5x", "1.5x"), ("2x, javascript:x", ""),
        ("-1x", ""), ("2x\"", ""), ("1e3x\n", ""),
      ]
    ),
    (
      .urlHost,
      [
        ("a", "a"), ("shop-1", "shop-1"), ("80", "80"), ("", refused), ("a.b", refused), ("a/b", refused),
        ("@evil.example", refused), (":80", refused), ("a_b", refused), ("a b", refused), ("\t", refused),
        ("ä", refused), ("%41", refused), ("?", refused), ("\\", refused), ("\0", refused),
      ]
    ),
    (
      .selectorName,
      [
        ("", ""), ("a_1-B", "a_1-B"), ("ä", "ä"), ("7,style", "invalid"), ("a b", "invalid"),
        ("a>b", "invalid"),
        ("7+style", "invalid"), ("#a", "invalid"), ("a:b", "invalid"), ("a\\", "invalid"), ("\"", "invalid"),
        ("a.b", "invalid"), ("~", "invalid"), ("\0", "invalid"),
      ]
    ),
    (
      .srcsetURL,
      [
        ("", ""), ("a.png", "a.png"), ("a.png 1x, javascript:x", refused), ("a, b", "a%2C%20b"),
        (" a\t", "a"), ("/a\tb,", "/a%09b%2C"), (",", "%2C"), ("https://x/a,b", "https://x/a%2Cb"),
        ("javascript:x", refused), ("java,script:x", refused),
      ]
    ),
    (
      .srcsetPart,
      [
        ("", ""), ("a/b", "a/b"), ("a, //evil 2x", "a%2C%20//evil%202x"), (",,", "%2C%2C"),
        ("%4,1", "%254%2C1"),
        ("%2C", "%2C"), ("a&,\"", "a&amp;%2C%22"), ("\n\u{C}", "%0A%0C"),
      ]
    ),
    (.srcsetAfterSlash, [("", ""), ("/a,", "%2Fa%2C"), ("\\/,/b", "%5C%2F%2C/b"), ("a b", "a%20b")]),
    (.srcsetSegment, [("", "."), ("a,", "a%2C"), ("/", "%2F"), (",", "%2C")]),
    (
      .style,
      [
        ("", ""), ("red", "red"), ("#ff0000", "#ff0000"), ("12.5px", "12.5px"), ("50%", "50%"),
        ("-1em", "-1em"), ("+3", "+3"),
        ("--x", "--x"), ("red;color:blue", "invalid"), ("url(x)", "invalid"), ("expression(x)", "invalid"),
        ("a b", "invalid"),
        ("\\72 ed", "invalid"), ("/**/", "invalid"), ("\"x\"", "invalid"), ("'", "invalid"),
        ("a:b", "invalid"), ("}", "invalid"),
        ("@import", "invalid"), ("ä", "invalid"), ("\0", "invalid"), ("a,b", "invalid"),
        ("!important", "invalid"), ("a_b", "invalid"),
      ]
    ),
    (
      .json,
      [
        ("null", "null"), ("-1.50e+3", "-1.50e+3"), ("\"\"", "\"\""), ("{\"a\":[true]}", "{\"a\":[true]}"),
        ("\"</script><!--\"", "\"\\u003c/script\\u003e\\u003c!--\""), ("\"a&b\"", "\"a\\u0026b\""),
        ("\"\u{2028}\u{2029}\"", "\"\\u2028\\u2029\""),
        ("\"\u{2027}\u{202A}€\u{E2}\"", "\"\u{2027}\u{202A}€\u{E2}\""),
        ("\"\\u0000'\"", "\"\\u0000'\""), ("{\"<\":\">\"}", "{\"\\u003c\":\"\\u003e\"}"),
      ]
    ),
    (.discard, [("", ""), ("-->", ""), ("x", "")]),
  ]

  @Test(arguments: Escaper.allCases)
  func outputOfAPlace(_ escaper: Escaper) throws {
    let rows = try #require(Self.tables.first { $0.escaper == escaper }?.rows, "no row for \(escaper)")
    let archive = try TemplateCompiler.compile([]).archive
    for row in rows {
      let output = EscaperHarness.escape(Array(row.input.utf8), escaper, in: archive)
      #expect(
        String(decoding: output, as: UTF8.self) == row.output, "\(escaper) of \(row.input.debugDescription)")
    }
  }

  @Test(arguments: [
    ("myapp:open?id=1", "myapp:open?id=1"), ("MyApp:x", "MyApp:x"), ("my\tapp:x", "my%09app:x"),
    ("web+tea:x", "web+tea:x"),
    ("web+te:x", refused), ("myappx:x", refused), ("https:x", "https:x"), ("javascript:x", refused),
  ])
  func theArchivesOwnSchemesAreAllowed(_ input: String, _ output: String) throws {
    let archive = try TemplateCompiler.compile(
      [], with: TemplateSettings(schemes: URLSchemes(list: "myapp,web+tea"))
    ).archive
    let found = EscaperHarness.escape(Array(input.utf8), .url, in: archive)
    #expect(String(decoding: found, as: UTF8.self) == output)
  }
}
