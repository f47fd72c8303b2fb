import CellTemplates
import Testing

/// Markup that a browser would close, move or drop is an error; markup that it keeps is not.
@Suite struct ElementRuleTests {
  typealias Case = EscapingContextTests.Case

  private static func diagnostics(_ template: String) -> [String] {
    Templates.diagnostics(Templates.sources(["c.mustache": template]))
  }

  @Test(arguments: [
    "<tr><td>{{a}}</td></tr>", "<td>{{a}}</td>", "<li>{{a}}</li>", "<option>{{a}}</option>",
    "<caption>x</caption>",
    "<tbody><tr><th>x</th></tr></tbody>", "<col><col>", "<optgroup label=x><option>y</option></optgroup>",
    "<dt>a</dt><dd>b</dd>", "<g><path d='M0'/><text>{{a}}</text></g>", "<circle r=\"1\"/>",
    "<table><tr><td>{{a}}</td></tr></table>", "<table><col><tr></tr></table>",
    "<table>\n {{#r}}\n <tr>\n {{#c}}<td>{{.}}</td>{{/c}} </tr>{{/r}}</table>",
    "<ul><li><ul><li>x</li></ul></li></ul>", "<p><span>a</span><br><img alt=''></p>",
    "<button><b>x</b></button>",
    "<select><option>a</option><hr><optgroup><option>{{b}}</option></optgroup></select>",
    "<svg><a href='#'><circle r=1 /></a><foreignObject><p>x</p></foreignObject></svg>",
    "<math><mi>x</mi></math>",
    "<template><tr></tr></template>", "<br/><img/><input />", "<TABLE><TR><TD>x</td></tr></table>",
    "<p></p\n><i></I>", "<a><table><tr><td><a>x</a></td></tr></table></a>",
    "<dl><div><dt>a</dt><dd>b</dd></div></dl>", "<details><summary>x</summary><p>y</p></details>",
    "<h1><span>x</span></h1><h2>y</h2>", "<label>x <input></label>", "<p>a</p>{{#x}}<p>b</p>{{/x}}",
    "<video><source src=a><track></video>", "<form><label><input name=a></label><button>ok</button></form>",
    "<ruby>a<rt>b</rt></ruby>", "<p><ruby>a<rp>(</rp><rt>b<ruby>c<rt>d</rt></ruby></rt><rp>)</rp></ruby></p>",
    "<svg {{#t}}{{/t}}/>", "<svg {{#t}}class=\"a\"{{/t}} / ></svg>", "<td>{{>*x}}</td>",
    "\u{FEFF}<b>x</b>\r\n", "<object><p>x</p></object>",
    "<textarea>\n<p></textarea>", "<p><button><p>x</p></button></p>",
  ])
  func isTaken(_ template: String) {
    #expect(Self.diagnostics(template) == [])
  }

  @Test(
    arguments: [
      Case("<p>{{x}}", "1:1 unclosed-element"), Case("a\n <div><b>x</b>", "2:2 unclosed-element"),
      Case("<ul><li>a<li>b</ul>", "1:5 unclosed-element", "1:10 unclosed-element"),
      Case("<p>a<p>b", "1:1 unclosed-element", "1:5 unclosed-element"),
      Case("<select><option>a<option>b</select>", "1:9 unclosed-element", "1:18 unclosed-element"),
      Case(
        "<table><tr><td>a<td>b</table>", "1:8 unclosed-element", "1:12 unclosed-element",
        "1:17 unclosed-element"),
      Case("<ul><li>a{{#x}}<li>b</li>{{/x}}</li></ul>", "1:16 misplaced-element"),
      Case("<ul><li>a<ul><li>b</li></ul><li>c</li></ul>", "1:5 unclosed-element"),
      Case("<div><br></br></div>", "1:10 unexpected-end-tag"),
      Case("<b><i>x</b></i>", "1:4 unclosed-element"),
      Case("<b><i>x</b></i></i>", "1:4 unclosed-element", "1:16 unexpected-end-tag"),
      Case("<p><ul><li><div>x</div></li></ul></p>", "1:4 misplaced-element"),
      Case("</p>", "1:1 unexpected-end-tag"),
      Case("</br>", "1:1 unexpected-end-tag"), Case("<div></span></div>", "1:6 unexpected-end-tag"),
      Case("<i></i class=x>", "1:8 unexpected-end-tag"), Case("<div/>", "1:1 self-closing-element"),
      Case("<p><div></div></p>", "1:4 misplaced-element"),
      Case("<p><b><ul></ul></b></p>", "1:7 misplaced-element"),
      Case("<p><table></table></p>", "1:4 misplaced-element"),
      Case("<a><b><a></a></b></a>", "1:7 misplaced-element"),
      Case("<button><button></button></button>", "1:9 misplaced-element"),
      Case("<form><div><form></form></div></form>", "1:12 misplaced-element"),
      Case("<h1><h2></h2></h1>", "1:5 misplaced-element"),
      Case("<nobr><nobr></nobr></nobr>", "1:7 misplaced-element"),
      Case("<li><p><li></li></p></li>", "1:8 misplaced-element"),
      Case("<dd><dt></dt></dd>", "1:1 unclosed-element"),
      Case("<option><option></option></option>", "1:1 unclosed-element"),
      Case("<select><div></div></select>", "1:9 misplaced-element"),
      Case("<option><b></b></option>", "1:9 misplaced-element"),
      Case("<div><tr></tr></div>", "1:6 misplaced-element"),
      Case("<table><td></td></table>", "1:8 misplaced-element"),
      Case("<table><div></div></table>", "1:8 misplaced-element"),
      Case("<tr><p></p></tr>", "1:5 misplaced-element"),
      Case("<table>x</table>", "1:8 misplaced-text"), Case("<table>{{x}}</table>", "1:8 misplaced-text"),
      Case("<tr> \n x</tr>", "2:2 misplaced-text"),
      Case("<tbody>{{#a}}{{b}}{{/a}}</tbody>", "1:14 misplaced-text"),
      Case("<tr></tr>x", "1:10 misplaced-element"), Case("{{a}}<tr></tr>", "1:6 misplaced-element"),
      Case(
        "<script type=\"application/json\">{{a}}</script>x<tr></tr>", "1:48 misplaced-element"),
      Case("<p></p><td></td>", "1:8 misplaced-element"),
      Case("<svg><div></div></svg>", "1:6 misplaced-element"), Case("<body></body>", "1:1 page-element"),
      Case("<!DOCTYPE html><p></p>", "1:1 page-element"),
      Case("<plaintext>", "1:1 misplaced-element", "1:1 unclosed-element"),
      Case("{{#a}}<b>{{/a}}</b>", "1:7 unclosed-element"),
      Case("{{#a}}<b>{{/a}}{{#a}}</b>{{/a}}</b>", "1:7 unclosed-element", "1:32 unexpected-end-tag"),
      Case("<b>{{#a}}</b>{{/a}}", "1:10 crossing-section"),
      Case("<b>{{#a}}</b>{{/a}}<b>", "1:10 crossing-section", "1:20 unclosed-element"),
      Case("<li {{#a}}>{{/a}}{{^a}}>{{/a}}x</li>", "1:11 crossing-section"),
      Case("<li {{#a}}>{{/a}}x</li></li>", "1:11 crossing-section", "1:24 unexpected-end-tag"),
      Case("<i title=\"{{#a}}x\"{{/a}}></i>", "1:11 crossing-section"), Case("<b", "1:3 unfinished-cell"),
      Case("<!-- x", "1:7 unfinished-cell"), Case("<b title=\"", "1:11 unfinished-cell"),
      Case("<b =x></b>", "1:4 invalid-markup"),
      Case("<b a=></b>", "1:6 invalid-markup"),
      Case("<b a\"b></b>", "1:5 invalid-markup"), Case("a\u{0}b", "1:2 invalid-markup"),
      Case("<![CDATA[x]]>", "1:1 invalid-markup"),
      Case("<b data-outlet=\"x\"></b>", "1:4 outlet-in-mustache"),
      Case("<title>{{>*x}}</title>", "1:8 dynamic-partial-outside-text"),
      Case("<b {{>*x}}></b>", "1:4 dynamic-partial-outside-text"),
      Case("<table>{{>*x}}</table>", "1:8 dynamic-partial-outside-text"),
      Case("<tbody>{{>*x}}</tbody>", "1:8 dynamic-partial-outside-text"),
      Case("<tr>{{>*x}}</tr>", "1:5 dynamic-partial-outside-text"),
      Case("<thead>{{>*x}}</thead>", "1:8 dynamic-partial-outside-text"),
      Case("<tfoot>{{>*x}}</tfoot>", "1:8 dynamic-partial-outside-text"),
      Case("<colgroup>{{>*x}}</colgroup>", "1:11 dynamic-partial-outside-text"),
      Case("<select>{{>*x}}</select>", "1:9 dynamic-partial-outside-text"),
      Case("<svg {{#t}}/{{/t}}></svg>", "1:12 invalid-markup"),
      Case("<svg /{{#t}}{{/t}}></svg>", "1:6 invalid-markup"),
      Case("<math><annotation-xml></annotation-xml></math>", "1:7 misplaced-element"),
      Case("<math><mi><mglyph></mglyph></mi></math>", "1:11 misplaced-element"),
      Case("<svg><style><g></g></style></svg>", "1:13 misplaced-element"),
      Case("<ruby><rt><rp></rp></rt></ruby>", "1:11 misplaced-element"),
      Case("<ruby><rb><rt></rt></rb></ruby>", "1:11 misplaced-element"),
      Case("<ruby><p><rt></rt></p></ruby>", "1:10 misplaced-element"),
    ] as [Case])
  func isRefused(_ row: Case) {
    #expect(Self.diagnostics(row.template) == row.expected)
  }
}
