import Testing

@testable import CellTemplates

/// Places of everyday pages, each beside what an attacker would make of it.
@Suite struct EverydayMarkupTests {
  typealias Case = EscapingContextTests.Case

  @Test(
    arguments: [
      Case("rgb({{r}}, {{g}}, {{b}})", "style", "style", "style"), Case("translate({{x}}px)", "style"),
      Case("repeat({{n}}, 1fr)", "style"), Case("calc(100% - ({{x}}px + 2px))", "style"),
      Case("linear-gradient({{a}}deg, {{b}} {{c}}%)", "style", "style", "style"),
      Case("var(--x, {{v}})", "style"), Case("min(max({{a}}, 1px), 2px)", "style"),
      Case("RGB({{r}})", "style"), Case("rgb(1 2 3 / {{a}})", "style"),
      // What loads or runs, however it is written.
      Case("image-set({{u}} 1x)", "1:24 unsafe-style"), Case("image({{u}})", "1:20 unsafe-style"),
      Case("src({{u}})", "1:18 unsafe-style"), Case("expression({{x}})", "1:25 unsafe-style"),
      Case("-webkit-image-set(calc({{u}}))", "1:37 unsafe-style"),
      Case("element(#{{u}})", "1:23 unsafe-style"),
      Case("URL-prefix({{u}})", "1:25 unsafe-style"), Case("i\\6dage({{u}})", "1:22 unsafe-style"),
      Case("image-set('{{u}}')", "1:25 unsafe-style"), Case("{{f}}(1)", "1:19 unsafe-style"),
      Case("rotate{{f}}(1)", "1:25 unsafe-style"), Case("rgb({{f}}(1))", "1:23 unsafe-style"),
      Case("u{{#x}}rl{{/x}}({{f}})", "1:30 unsafe-style"),
      Case("{{#x}}url{{/x}}{{^x}}rgb{{/x}}({{f}})", "1:45 unsafe-style"),
      Case("[{{x}}]", "1:15 unsafe-style"), Case("rgb(1 /{{a}})", "1:21 unsafe-style"),
      Case("calc(/*{{x}}*/1)", "1:21 unsafe-style"), Case("rgb(\\{{x}})", "1:19 unsafe-style"),
    ] as [Case])
  func functions(_ row: Case) {
    #expect(EscapingContextTests.judge("<i style=\"a: \(row.template)\"></i>") == row.expected)
  }

  @Test(
    arguments: [
      Case("url({{u}})", "url"), Case("url( {{u}} )", "url"), Case("url('{{u}}')", "url"),
      Case("url(&quot;{{u}}&quot;)", "url"), Case("URL({{u}})", "url"), Case("url(/i/{{u}}.png)", "urlPart"),
      Case("url('/{{u}}/a')", "urlSegment"), Case("url(#{{id}})", "urlComponent"),
      Case("url(/a?b={{u}})", "urlComponent"), Case("url(https://h/{{u}})", "urlPart"),
      Case("image-set(url({{u}}) 1x, url({{v}}) 2x)", "url", "url"),
      Case("url({{#u}}{{u}}{{/u}})", "1:24 ambiguous-url"),
      Case("url(/a{{#u}}/{{u}}{{/u}}) {{w}}", "urlPart", "style"),
      Case("url(/{{u}}/a)", "urlSegment"), Case("url(/{{u}}\\2f a)", "1:24 unsafe-style"),
      Case("url('/{{u}}\\/a');b:{{c}}", "1:25 unsafe-style", "1:33 unsafe-style"),
      Case("url({{u}}) no-repeat {{p}}%", "url", "style"),
      // Another scheme or host.
      Case("url(java{{u}})", "1:22 unsafe-url-start"), Case("url(javascript:{{u}})", "1:29 unsafe-url-start"),
      Case("url('data:{{u}}')", "1:24 unsafe-url-start"), Case("url(https://h{{u}})", "1:27 ambiguous-url"),
      Case("url(https://h{{u}}", "1:27 ambiguous-url"), Case("url({{u}}:x)", "1:23 unsafe-url-start"),
      Case("url({{u}}{{v}})", "1:23 ambiguous-url"),
      // What CSS reads differently than it looks.
      Case("url(/\\2f{{u}})", "1:22 unsafe-style"), Case("url('/\\2f{{u}}')", "1:23 unsafe-style"),
      Case("url('/a\n{{u}}')", "2:1 unsafe-style"), Case("url(/a {{u}})", "1:21 unsafe-style"),
      Case("url({{u}}'{{v}}')", "1:24 unsafe-style"), Case("url('a' {{u}})", "1:22 unsafe-style"),
      Case("url(a(b);c:{{u}})", "1:25 unsafe-style"), Case("#url({{u}})", "1:19 unsafe-style"),
      Case("@url({{u}})", "1:19 unsafe-style"), Case("u\\72l({{u}})", "1:20 unsafe-style"),
      Case("'x\n';b:{{u}}", "2:5 unsafe-style"), Case("url({{#u}}'{{/u}}a{{v}})", "1:32 unsafe-style"),
    ] as [Case])
  func urlsOfStyles(_ row: Case) {
    #expect(EscapingContextTests.judge("<i style=\"a: \(row.template)\"></i>") == row.expected)
  }

  @Test(
    arguments: [
      Case("<svg><rect fill=\"url(#{{g}})\" stroke=\"{{c}}\"/></svg>", "urlComponent", "style"),
      Case(
        "<svg><g clip-path=\"url(#{{c}})\" mask=\"url(#{{m}})\" filter=\"blur({{f}}px)\"/></svg>",
        "urlComponent", "urlComponent", "style"),
      Case(
        "<svg><linearGradient href=\"#{{g}}\"/><radialGradient xlink:href=\"#{{g}}\"/></svg>",
        "urlComponent", "urlComponent"),
      Case(
        "<svg><textPath href=\"#{{g}}\"></textPath><pattern href=\"{{p}}\"/></svg>", "urlComponent",
        "fragmentURL"),
      Case("<svg><textPath href=\"/x#{{g}}\"></textPath></svg>", "1:25 unsafe-url-start"),
      Case("<svg><use href=\"{{u}}\"/></svg>", "fragmentURL"),
      Case("<svg><use href=\"/s.svg#{{u}}\"/></svg>", "urlComponent"),
      Case("<svg><use href=\"https://h/s.svg?v={{v}}#{{u}}\"/></svg>", "urlComponent", "urlComponent"),
      Case("<svg><use href=\"/icons/{{u}}.svg#a\"/></svg>", "urlPathComponent"),
      Case("<svg><use href=\"/{{u}}\"/></svg>", "1:18 unsafe-url-start"),
      Case("<svg><use href=\"s{{u}}\"/></svg>", "1:18 unsafe-url-start"),
      Case("<svg><use href=\"data:{{u}}\"/></svg>", "1:22 unsafe-url-start"),
      Case("<svg><use href=\"https://{{u}}/s.svg\"/></svg>", "1:25 unsafe-url-start"),
      Case("<svg><use href=\"https://h{{u}}/s.svg\"/></svg>", "1:26 unsafe-url-start"),
      Case("<iframe src=\"https://player.example/embed/{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/embed/{{id}}?t={{t}}\"></iframe>", "urlPathComponent", "urlComponent"),
      Case("<iframe src=\"//h/{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"#{{id}}\"></iframe>", "urlComponent"),
      Case(
        "<iframe src=\"/v{{a}}.{{b}}.{{c}}/x\"></iframe>", "urlPathComponent", "urlPathComponent",
        "urlPathComponent"),
      Case("<iframe src=\"/v/{{a}}.{{b}}\"></iframe>", "urlPathComponent", "urlPathComponent"),
      Case("<iframe src=\"/v/{{a}}...{{b}}\"></iframe>", "urlPathComponent", "urlPathComponent"),
      Case("<iframe src=\"/v/?a={{a}}..\"></iframe>", "urlComponent"),
      Case("<iframe src=\"/a/../{{b}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"{{#a}}/b/{{/a}}{{^a}}/c/{{/a}}{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"{{u}}\"></iframe>", "1:14 unsafe-url-start"),
      Case("<iframe src=\"/{{u}}\"></iframe>", "1:15 unsafe-url-start"),
      Case("<iframe src=\"mailto:{{u}}\"></iframe>", "1:21 unsafe-url-start"),
      Case("<iframe src=\"https:{{u}}\"></iframe>", "1:20 unsafe-url-start"),
      Case("<iframe src=\"https://h{{u}}\"></iframe>", "1:23 unsafe-url-start"),
      Case("<iframe src=\"{{#a}}/b/{{/a}}{{id}}\"></iframe>", "1:29 ambiguous-url"),
      Case("<iframe src=\"/v/{{a}}.{{b}}.{{c}}/x\"></iframe>", "1:34 ambiguous-url"),
      Case("<iframe src=\"/v/{{a}}.{{b}}.\"></iframe>", "1:29 ambiguous-url"),
      Case("<svg><use href=\"/v/.{{#a}}{{b}}{{/a}}.#i\"/></svg>", "1:38 ambiguous-url"),
      Case("<iframe src=\"java&Tab;script:{{u}}\"></iframe>", "1:30 unsafe-url-start"),
      // Sections that may print nothing, one dot, or several.
      Case("<iframe src=\"/v/{{a}}{{#b}}.{{/b}}./z\"></iframe>", "1:35 ambiguous-url"),
      Case("<iframe src=\"/v/.{{#b}}.{{/b}}{{a}}/z\"></iframe>", "1:36 ambiguous-url"),
      Case("<iframe src=\"/v/{{#b}}.{{/b}}./z\"></iframe>", "1:30 ambiguous-url"),
      Case("<iframe src=\"/v/{{#l}}.{{/l}}/z\"></iframe>", "1:30 ambiguous-url"),
      Case("<iframe src=\"/v/{{a}}{{#l}}.{{/l}}\"></iframe>", "1:35 ambiguous-url"),
      Case("<iframe src=\"/v/{{#l}}{{#m}}.{{/m}}{{/l}}?\"></iframe>", "1:42 ambiguous-url"),
      Case("<iframe src=\"/v/w{{#b}}/..{{/b}}/z\"></iframe>", "1:24 ambiguous-url"),
      Case("<iframe src=\"/v/{{#b}}..{{/b}}{{^b}}w{{/b}}/z\"></iframe>", "1:44 ambiguous-url"),
      Case("<iframe src=\"/v/{{#b}}w{{/b}}{{#c}}..{{/c}}\\z\"></iframe>", "1:44 ambiguous-url"),
      Case("<iframe src=\" .{{#b}}.{{/b}}/z\"></iframe>", "1:29 ambiguous-url"),
      Case("<iframe src=\"/v/{{a}}.. \"></iframe>", "1:25 ambiguous-url"),
      Case("<iframe src=\"/v/{{a}}.&Tab;.\"></iframe>", "1:29 ambiguous-url"),
      Case("<iframe src=\"{{#a}}../b/{{/a}}{{^a}}/c/{{/a}}{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/{{#l}}../{{/l}}{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/{{#b}}w/..{{/b}}{{^b}}..{{/b}}/{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/{{#b}}.{{/b}}w/{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/{{#b}}...{{/b}}/{{id}}\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/{{a}}.. /{{id}}\"></iframe>", "urlPathComponent", "urlPathComponent"),
      Case("<iframe src=\"/v/?{{#l}}.{{/l}}{{a}}\"></iframe>", "urlComponent"),
      Case("<iframe src=\"/v/w\">{{#l}}.{{/l}}</iframe>"),
      // A dot may be written %2e.
      Case("<iframe src=\"/v/{{a}}%2e%2E/z\"></iframe>", "1:22 ambiguous-url"),
      Case("<iframe src=\"/v/{{a}}.%2E/z\"></iframe>", "1:22 ambiguous-url"),
      Case("<iframe src=\"/v/%2e{{a}}.\"></iframe>", "1:26 ambiguous-url"),
      Case("<svg><use href=\"/v/{{#b}}%2e{{/b}}./{{a}}.svg#i\"/></svg>", "1:35 ambiguous-url"),
      Case("<iframe src=\"/v/{{#b}}%{{/b}}2e./z\"></iframe>", "1:30 ambiguous-url"),
      Case("<iframe src=\"/v/%{{a}}%{{a}}/z\"></iframe>", "1:18 ambiguous-url"),
      Case("<svg><use href=\"/v/.%2{{a}}/z.svg#i\"/></svg>", "1:23 ambiguous-url"),
      Case("<iframe src=\"/v/.{{#b}}%2{{/b}}{{a}}/z\"></iframe>", "1:32 ambiguous-url"),
      Case("<iframe src=\"/v/w%{{a}}%2{{a}}/z\"></iframe>", "urlPathComponent", "urlPathComponent"),
      Case("<iframe src=\"/v/%2f{{a}}.%20./z\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/%2e%2e/{{a}}.%2e%2e\"></iframe>", "urlPathComponent"),
      Case("<iframe src=\"/v/w?%{{a}}\"></iframe>", "urlComponent"),
    ] as [Case])
  func whatBecomesPartOfThePage(_ row: Case) {
    #expect(EscapingContextTests.judge(row.template) == row.expected)
  }

  @Test(
    arguments: [
      Case("<link rel=\"canonical\" href=\"{{u}}\">", "url"), Case("<link href=\"{{u}}\" rel=NEXT>", "url"),
      Case("<link rel=\" shortcut\ticon \" href=\"/{{u}}\">", "urlAfterSlash"),
      Case("<link rel=\"apple-touch-icon\" href=\"{{u}}\" sizes=\"{{s}}\">", "url", "attribute"),
      Case("<link rel=\"stylesheet\" href=\"{{u}}\">", "1:24 refused-attribute"),
      Case("<link rel=\"alternate stylesheet\" href=\"{{u}}\">", "1:34 refused-attribute"),
      Case("<link rel=\"style&#115;heet\" href=\"{{u}}\">", "1:29 refused-attribute"),
      Case("<link rel=\"\" href=\"{{u}}\">", "1:14 refused-attribute"),
      Case("<link rel=\"preload\" href=\"{{u}}\">", "1:21 refused-attribute"),
      Case("<link rel=\"icon\" rel=\"stylesheet\" href=\"{{u}}\">", "1:18 duplicate-attribute"),
      Case("<link {{#x}}rel=\"icon\"{{/x}} href=\"{{u}}\">", "1:13 conditional-attribute"),
      Case("<script nonce=\"{{owner.nonce}}\">x()</script>", "attribute"),
      Case("<style nonce=\"{{nonce}}\"></style>", "1:15 refused-attribute"),
      Case("<style nonce=\"{{#owner}}{{nonce}}{{/owner}}\"></style>", "1:25 refused-attribute"),
      Case("<track kind=\"{{k}}\" srclang=\"{{l}}\">", "attribute", "attribute"),
      Case(
        "<area shape=\"{{s}}\" coords=\"{{c}}\"><img usemap=\"#{{m}}\">", "attribute", "attribute",
        "urlComponent"),
      Case("<img usemap=\"/{{m}}\">", "1:15 unsafe-url-start"),
      Case("<button popovertarget=\"{{p}}\" commandfor=\"{{c}}\"></button>", "attribute", "attribute"),
      Case(
        "<table bgcolor=\"{{c}}\" align=\"{{a}}\"><tr valign=\"{{v}}\"></tr></table>",
        "attribute", "attribute", "attribute"),
    ] as [Case])
  func attributes(_ row: Case) { #expect(EscapingContextTests.judge(row.template) == row.expected) }

  /// Elements of Turbo.
  @Test(
    arguments: [
      Case(
        "<turbo-frame id=\"f-{{i}}\" loading=\"{{l}}\" target=\"{{t}}\"></turbo-frame>",
        "attribute", "attribute", "attribute"),
      Case("<turbo-frame disabled=\"{{d}}\" autoscroll=\"{{a}}\"></turbo-frame>"),
      Case("<turbo-frame {{#t}}target=\"_top\"{{/t}}></turbo-frame>"),
      Case("<turbo-frame src=\"{{u}}\"></turbo-frame>", "sameOriginURL"),
      Case("<turbo-frame src=\"/f/{{u}}?p={{p}}\"></turbo-frame>", "urlPart", "urlComponent"),
      Case("<TURBO-STREAM action=append target=\"cart-{{i}}\"></TURBO-STREAM>", "attribute"),
      // Another origin, other actions, and what is no element of Turbo.
      Case("<turbo-frame src=\"//{{u}}\"></turbo-frame>", "1:21 unsafe-url-start"),
      Case("<turbo-frame src=\"https://h/{{u}}\"></turbo-frame>", "1:29 unsafe-url-start"),
      Case("<turbo-frame src=\"javascript:{{u}}\"></turbo-frame>", "1:30 unsafe-url-start"),
      Case("<turbo-frame autoscroll=\"a{{a}}\"></turbo-frame>", "1:14 mixed-boolean"),
      Case("<turbo-frame onclick=\"{{a}}\"></turbo-frame>", "1:23 refused-attribute"),
      Case("<turbo-stream action=\"{{a}}\"></turbo-stream>", "1:23 refused-attribute"),
      Case("<turbo-stream targets=\"{{t}}\"></turbo-stream>", "1:24 refused-attribute"),
      Case("<turbo-stream src=\"{{t}}\"></turbo-stream>", "1:20 refused-attribute"),
      Case("<turbo-stream-source src=\"{{u}}\"></turbo-stream-source>", "1:27 refused-attribute"),
      Case("<turbo-stream-source src=\"/{{u}}\"></turbo-stream-source>", "1:28 refused-attribute"),
      Case("<turbo-frames target=\"{{t}}\"></turbo-frames>", "1:23 refused-attribute"),
      Case("<p autoscroll=\"{{t}}\"></p>", "1:16 refused-attribute"),
    ] as [Case])
  func turbo(_ row: Case) { #expect(EscapingContextTests.judge(row.template) == row.expected) }

  @Test(
    arguments: [
      Case("[{{#l}}{\"a\": {{a}}}{{^@last}},{{/@last}}{{/l}}]", "json"),
      Case("[{{#l}}{{^@first}},{{/@first}}{{.}}{{/l}}]", "json"),
      Case("[{{#l}}{\"t\": [{{#t}}{{.}}{{^@last}},{{/@last}}{{/t}}]}{{^@last}},{{/@last}}{{/l}}]", "json"),
      Case("{\"a\": 1{{#b}}, \"b\": {{b}}{{/b}}{{^b}}, \"c\": 2{{/b}}}", "json"),
      Case("{ {{#b}}\"b\": {{b}},{{/b}} \"c\": 1}", "json"), Case("[1{{#l}}, {{.}}{{/l}}]", "json"),
      Case("[{{#l}}{{.}}{{/l}}]", "1:40 invalid-json-block"),
      Case("[{{#l}}1,{{/l}}]", "1:49 invalid-json-block"),
      Case("[{{#l}}1{{/l}}, 2]", "1:51 invalid-json-block"),
      Case("{{#a}}{{a}}{{/a}}", "1:39 invalid-json-block"),
      Case("[\"{{#a}}b{{/a}}\"]", "1:35 invalid-json-block"),
      Case("{\"{{#a}}b{{/a}}\": 1}", "1:35 invalid-json-block"),
      Case("[{{#a}}[{{/a}}]", "1:34 invalid-json-block"), Case("[1{{#a}}2{{/a}}]", "1:49 invalid-json-block"),
      Case("[{{#a}}\"{{/a}}b\"]", "1:34 invalid-json-block"),
      Case("[{{#l}}{{.}}{{#@last}},{{/@last}}{{/l}}]", "1:40 invalid-json-block"),
      Case("[{{>p}}]", "1:34 invalid-json-block"),
    ] as [Case])
  func sectionsOfJSON(_ row: Case) {
    let found = EscapingContextTests.judge("<script type=\"application/json\">\(row.template)</script>")
    #expect(
      found.first == row.expected.first && (found.count == row.expected.count || found[0].contains(":")),
      "\(found)")
  }

  /// What is left of comments.
  @Test(
    arguments: [
      Case(
        "<!--[if mso]><table><tr><td><![endif]-->a<!--[if mso]></td></tr></table><![endif]-->",
        "<!--[if mso]><table><tr><td><![endif]-->a<!--[if mso]></td></tr></table><![endif]-->"),
      Case("<!--[if !mso]><!--><b>x</b><!--<![endif]-->", "<!--[if !mso]><!--><b>x</b><!--<![endif]-->"),
      Case(
        "<!--[if gte mso 9]>\n  <xml>\n</xml><![endif]-->{{x}}",
        "<!--[if gte mso 9]>\n  <xml>\n</xml><![endif]-->"),
      Case("<![if !mso]>x<![endif]>", "<![if !mso]>x<![endif]>"), Case("<!-- [if mso]> --><!-- x -->", ""),
      Case("<noscript><!--[if mso]>x<![endif]--></noscript>", "<noscript></noscript>"),
      // Mustache comments in them print nothing.
      Case("<!--[if mso]>{{! --><b> }}<br><![endif]-->x", "<!--[if mso]><br><![endif]-->x"),
      Case(
        "<!--[if mso]>\n  {{! c }}\n<br>\n{{=<% %>=}}\n<%! d %><![endif]-->",
        "<!--[if mso]>\n<br>\n<![endif]-->"),
      Case(
        "<![if{{! c }} !mso]>x<!--{{! d }}[if mso]>y<![endif]--><!--[if mso]>z{{! e }}-{{! f }}->",
        "<![if !mso]>x<!--[if mso]>z-->"),
      Case("{{=[if ]=}}<!--[if$t]-->a<!--[if/t]--><!--[if! c ]-->b", "ab"),
      Case(
        "<!--{{$t}}--><!--[if mso]>x<![endif]-->c<!--{{/t}}-->d", "<!--[if mso]>x<![endif]-->cd"),
      Case("a<!--{{$t}}--><b>c</b><!--{{/t}}-->d", "a<b>c</b>d"), Case("<!--{{$t}}{{/t}}-->d", "d"),
      Case("<!-- {{$t}}-->c<!--{{/t}} -->d", "d"),
    ] as [Case])
  func comments(_ row: Case) throws {
    let archive = try Templates.archive(["c.mustache": row.template])
    #expect([archive.tables.$ops.array.map { archive.text($0.literal) }.joined()] == row.expected)
  }

  /// Tags in a comment that print nothing are reported.
  @Test(arguments: [
    ("<!--{{x}}-->", ["1:5 unfillable-hole"]), ("<!-- {{>c}} -->", ["1:6 unfillable-hole"]),
    ("<!--{{>c}} -->", ["1:5 unfillable-hole"]), ("<!-- {{<c}}{{/c}}-->", ["1:6 unfillable-hole"]),
    ("<!-- {{$t}}-->x<!--{{/t}} -->", ["1:6 unfillable-hole"]),
    ("<!--{{>c}}--><!--{{$t}}-->x<!--{{/t}}-->", []),
    ("<!-- {{#x}} -->x<!-- {{/x}} -->", []),
  ])
  func tagsInComments(template: String, found: [String]) {
    let sources = Templates.sources(["a.mustache": template, "c.mustache": "c"])
    #expect(Templates.diagnostics(sources) == found.map { "a.mustache:" + $0 })
  }

  @Test(
    arguments: [
      Case("<!--[if mso]>{{x}}<![endif]-->", "1:14 refused-place"),
      Case("<!--[if mso]>{{#x}}a{{/x}}<![endif]-->", "1:14 refused-place"),
      Case("<!--[if mso]>{{>c}}<![endif]-->", "1:14 refused-place"),
      Case("<!--[if {{x}}]>a<![endif]-->", "1:9 refused-place"), Case("<![if {{x}}]>", "1:7 refused-place"),
    ] as [Case])
  func holesInConditionalComments(_ row: Case) {
    #expect(EscapingContextTests.judge(row.template) == row.expected)
  }
}
