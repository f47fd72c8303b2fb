import CellTemplates
import Testing

@testable import Cells

/// A `url()` with values in it is written as a quoted string.
@Suite struct StyleURLTests {
  private static let row = #"{"u":"/a'(b) c","c":"red","yes":1}"#
  private static let written = "/a%27%28b%29%20c"

  @Test(arguments: [
    ("b: url({{u}})", "b: url('U')"), ("b: url( {{u}} )", "b: url( 'U' )"),
    ("b: URL({{u}}) x", "b: URL('U') x"),
    ("b:url(/i/{{c}}.png)", "b:url('/i/red.png')"), ("b:url(/i/{{c}} )", "b:url('/i/red' )"),
    ("b:url(/{{c}}/a);color:{{c}}", "b:url('/red/a');color:red"),
    ("b:url(/a?b={{c}}&#41;", "b:url('/a?b=red'&#41;"), ("b:url(/a?b={{c}}&)", "b:url('/a?b=red&')"),
    ("b:image-set(url({{u}}) 1x, url(/{{c}}) 2x)", "b:image-set(url('U') 1x, url('/red') 2x)"),
    // In sections, and around them.
    ("{{#yes}}b:url({{u}});{{/yes}}", "b:url('U');"), ("b:url(/a{{#yes}}/{{c}}{{/yes}})", "b:url('/a/red')"),
    ("b:url({{#yes}}/x{{/yes}}{{^yes}}/y{{/yes}})", "b:url('/x')"), ("b:url({{#no}}/x{{/no}})", "b:url('')"),
    ("{{#yes}}b:url(/x{{/yes}}{{^yes}}b:url(/y{{/yes}})", "b:url('/x')"),
    ("b:url({{$block}}/x{{/block}})", "b:url('/x')"), ("b:url(/i/{{! why }}x.png)", "b:url('/i/x.png')"),
    // The quote is written before a reference, not into it.
    ("b:url(&semi;/{{c}})", "b:url('&semi;/red')"), ("b:url(&amp&sol;{{c}})", "b:url('&amp&sol;red')"),
    ("b:url(&uuml;/{{c}})", "b:url('&uuml;/red')"),
    // As they are drawn.
    ("b:url('{{u}}')", "b:url('U')"), ("b:url(&quot;{{u}}&quot;)", "b:url(&quot;U&quot;)"),
    ("b:url(/s.png);color:{{c}}", "b:url(/s.png);color:red"), ("b:url( /s.png )", "b:url( /s.png )"),
    ("b:url(\\66 oo{{#yes}}{{/yes}})", "b:url(\\66 oo)"), ("b:url(#{{c}})", "b:url(#red)"),
  ])
  func areQuoted(_ style: String, _ expected: String) throws {
    let url = expected.replacing("U'", with: "\(Self.written)'").replacing("U&", with: "\(Self.written)&")
    try NibCase("<b style=\"\(style)\">x</b>", Self.row, "<b style=\"\(url)\">x</b>").check()
    if style.contains("'") { return }
    try NibCase(
      "<b style='\(style)'>x</b>", Self.row, "<b style='\(url.replacing("'", with: "\""))'>x</b>"
    ).check()
  }

  @Test(arguments: [
    NibCase(
      "<b data-bind=\"style.background:'url({u})'; style.color:c\" style='border:url(/x)'>x</b>", row,
      "<b style=\"border:url(/x);background:url('\(written)');color:red\">x</b>"),
    NibCase(
      "<b data-bind=\"style.background:'url(/i/{c}.png) {c}'\">x</b>", row,
      "<b style=\"background:url('/i/red.png') red\">x</b>"),
    NibCase(
      "<b data-bind=\"style.background:'url(/s.png) {c}'\">x</b>", row,
      "<b style=\"background:url(/s.png) red\">x</b>"),
    NibCase(
      "<svg><path fill=\"url({{u}})\" data-bind=\"stroke:'url(#{c})'; mask:'url({u})'\" /></svg>", row,
      "<svg><path fill=\"url('\(written)')\" stroke=\"url(#red)\" mask=\"url('\(written)')\" /></svg>"),
  ])
  func areQuotedInEntries(_ row: NibCase) throws { try row.check() }

  @Test func partialsGoOnInThem() throws {
    let templates = [
      "a.mustache": "<b style=\"b:url({{>u}}) {{>v}} {{>w}}{{c}})\">x</b>", "u.mustache": "{{u}}",
      "v.mustache": "url(/v/{{c}})", "w.mustache": "url(/w/",
    ]
    let harness = try RenderHarness(templates)
    #expect(
      try harness.render("a", Self.row)
        == "<b style=\"b:url('\(Self.written)') url('/v/red') url('/w/red')\">x</b>")
  }
}
