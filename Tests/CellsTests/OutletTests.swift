import CellTemplates
import Testing

@testable import Cells

/// The effect of an outlet on its element for each type of value: the table of the contract.
@Suite struct OutletTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let html: String
    let row: String
    let output: String
    var missing = MissingPolicy.keep
    var owner: String?

    init(
      _ html: String, _ row: String, _ output: String, missing: MissingPolicy = .keep, owner: String? = nil
    ) {
      self.html = html
      self.row = row
      self.output = output
      self.missing = missing
      self.owner = owner
    }

    var testDescription: String { "\(html) with \(row)" }
  }

  /// Renders a cell with the content, with and without reuse, twice each.
  private func render(_ row: Case) throws -> RenderHarness.Outcome {
    let nib = ["nib.html": "<template data-cell=cell>\(row.html)</template>", "part.mustache": "({{x}})"]
    var limits = RenderLimits()
    limits.missing = row.missing
    var outcomes: [RenderHarness.Outcome] = []
    for reuse in [ReusePolicy(), .off] {
      let harness = try RenderHarness(nib, reuse: reuse)
      // Another row in between: state kept from it changes nothing.
      outcomes += try harness.outcomes("cell", row.row, owner: row.owner, limits: limits)
      // Rendered only for its side effects.
      _ = try harness.outcomes("cell", "{\"z\":{\"x\":1,\"y\":2},\"x\":[{\"y\":1}]}", limits: limits)
      outcomes += try harness.outcomes("cell", row.row, owner: row.owner, limits: limits)
    }
    #expect(outcomes.dropFirst().allSatisfy { $0 == outcomes[0] })
    return outcomes[0]
  }

  private func check(_ row: Case) throws {
    let outcome = try render(row)
    #expect(outcome == .rendered(row.output))
  }

  private static let design = "<p data-outlet=x class=c>design</p>"

  /// In the attributes of the element, `.` is the value, whatever it is; in its content it is what is around, if the value is
  /// `true` or nothing.
  @Test(arguments: [
    Case(
      "<p data-outlet=x title='{{.}}'>{{y}}{{#.}}{{y}}{{/.}}</p>", #"{"x":true,"y":1}"#,
      "<p title='true'>11</p>"),
    Case("<td data-outlet=x title='{{.}}{{y}}'>a</td>", #"{"x":false,"y":1}"#, "<td title='false1'></td>"),
    Case(
      "<td data-outlet=x title='{{.}}{{y}}' hidden='{{.}}'>a</td>", #"{"x":null,"y":1}"#,
      "<td title='1' ></td>"),
    Case(
      "<td data-outlet=x title='{{.}}' hidden='{{.}}'>a</td>", "{}", "<td title='' ></td>", missing: .drop),
    Case("<input data-outlet=x title='{{.}}' value=v>", #"{"x":true}"#, "<input title='true' value=v>"),
    Case(
      "<input data-outlet=x title='{{.}}' type=checkbox>", #"{"x":false}"#,
      "<input title='false' type=checkbox>"),
    Case(
      "<u data-outlet=l title='{{.}}{{@index}}'>{{#.}}{{y}}{{/.}}{{@index}}</u>", #"{"l":[true,true],"y":1}"#,
      "<u title='true0'>10</u><u title='true1'>11</u>"),
    Case(
      "<td data-outlet=x data-bind='class.none:.=null'>a</td>", "{}", "<td class=\"none\"></td>",
      missing: .drop),
    Case(
      "<p data-outlet=y><u><textarea data-outlet=x data-missing=drop data-bind='class.none:.=null'>a</textarea></u></p>",
      "{}", "<p><u><textarea class=\"none\"></textarea></u></p>"),
    // Names that it is compared with find nothing there; the value itself is known.
    Case(
      "<p data-outlet=y><textarea data-outlet=x data-missing=drop data-bind='"
        + "class.name:.={z}; class.row:.={@row.z}; class.other:.!={z}; class.self:.={.}; class.own:.={owner.z}"
        + "'>a</textarea></p>",
      #"{"z":null}"#, "<p><textarea class=\"other self\"></textarea></p>", owner: #"{"z":null}"#),
  ])
  func theItemInAttributes(_ row: Case) throws { try check(row) }

  /// Parsers drop a newline directly after such a start tag, so one more is printed.
  @Test(arguments: [
    Case("<pre><b data-outlet=n>q</b>{{y}}</pre>", #"{"n":null,"y":"\nz"}"#, "<pre>\n\nz</pre>"),
    Case("<pre><b data-outlet=n>q</b>{{y}}</pre>", #"{"n":"m","y":"\nz"}"#, "<pre>\n<b>m</b>\nz</pre>"),
    Case("<pre><b data-outlet=n>q</b>\nz</pre>", #"{"n":null}"#, "<pre>\n\nz</pre>"),
    Case("<pre><b data-design>q</b>{{y}}</pre>", #"{"y":"\nz"}"#, "<pre>\n\nz</pre>"),
    Case("<listing><img data-outlet=n>{{y}}</listing>", #"{"n":null,"y":"z"}"#, "<listing>\nz</listing>"),
    Case(
      "<pre><b data-plural=n><i data-case=other>q</i></b>\nz</pre>", "{}", "<pre>\n\nz</pre>", missing: .drop),
    Case("<pre><img data-bind=src:n>\nz</pre>", #"{"n":null}"#, "<pre>\n\nz</pre>"),
    Case("<pre>a<b data-outlet=n>q</b>{{y}}</pre>", #"{"n":null,"y":"\nz"}"#, "<pre>a\nz</pre>"),
    // Comments are omitted, too.
    Case("<pre><!-- c -->\nz</pre>", "{}", "<pre>\n\nz</pre>"),
    Case("<listing><!-- c --><!-- d -->\nz</listing>", "{}", "<listing>\n\nz</listing>"),
    Case("<pre><!-- c -->{{y}}</pre>", #"{"y":"\nz"}"#, "<pre>\n\nz</pre>"),
    Case("<pre><!--{{#n}}-->a<!--{{/n}}-->\nz</pre>", "{}", "<pre>\n\nz</pre>"),
    Case("<pre><!--{{#n}}-->a<!--{{/n}}-->\nz</pre>", #"{"n":true}"#, "<pre>\na\nz</pre>"),
    Case("<pre><!--{{#n}}-->\na<!--{{/n}}-->\nz</pre>", #"{"n":[1,1]}"#, "<pre>\n\na\na\nz</pre>"),
    Case("<pre><!--{{$n}}-->\nz<!--{{/n}}--></pre>", "{}", "<pre>\n\nz</pre>"),
    Case("<pre><b><!-- c -->\nz</b></pre>", "{}", "<pre><b>\nz</b></pre>"),
    Case(
      "<p><!-- c -->\nz</p><textarea><!-- c -->\nz</textarea>", "{}",
      "<p>\nz</p><textarea>&lt;!-- c -->\nz</textarea>"),
  ])
  func aNewlineIsKeptWhenElementsAreOmitted(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case(design, "{}", "<p class=c>design</p>"),
    Case(design, #"{"x":null}"#, ""),
    Case(design, #"{"x":false}"#, ""),
    Case(design, #"{"x":true}"#, "<p class=c>design</p>"),
    Case(design, #"{"x":"a<b>&"}"#, "<p class=c>a&lt;b&gt;&amp;</p>"),
    Case(design, #"{"x":""}"#, "<p class=c></p>"),
    Case(design, #"{"x":0}"#, "<p class=c>0</p>"),
    Case(design, #"{"x":1.50}"#, "<p class=c>1.50</p>"),
    Case(design, #"{"x":{}}"#, "<p class=c>design</p>"),
    Case(design, #"{"x":{"text":"t<"}}"#, "<p class=c>t&lt;</p>"),
    Case(design, #"{"x":{"text":7}}"#, "<p class=c>7</p>"),
    Case(design, #"{"x":{"text":null}}"#, "<p class=c></p>"),
    Case(design, #"{"x":{"text":true}}"#, "<p class=c>design</p>"),
    Case(design, #"{"x":{"text":[1,{"a":2}]}}"#, "<p class=c>[1,{&quot;a&quot;:2}]</p>"),
    Case(design, #"{"x":[]}"#, ""),
    Case(design, #"{"x":["a","b"]}"#, "<p class=c>a</p><p class=c>b</p>"),
    Case(
      design, #"{"x":[null,"a",false,true,{"text":"t"},{}]}"#,
      "<p class=c>a</p><p class=c>design</p><p class=c>t</p><p class=c>design</p>"),
    Case(design, #"{"x":[["a",["b"]],[],[[]],"c"]}"#, "<p class=c>a</p><p class=c>b</p><p class=c>c</p>"),
    Case(design, #"{"x":[[],[[]]]}"#, ""),
    Case(design, #"{"x":"first","x":"last"}"#, "<p class=c>last</p>"),
    // Rows that are not objects have no names.
  ])
  func theTable(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    // Dotted paths, lists by index, broken chains; the first name is looked up only in the innermost object.
    Case("<b data-outlet=a.b.c>d</b>", #"{"a":{"b":{"c":1}}}"#, "<b>1</b>"),
    Case("<b data-outlet=a.1.c>d</b>", #"{"a":[0,{"c":2}]}"#, "<b>2</b>"),
    Case("<b data-outlet=a.9>d</b>", #"{"a":[0]}"#, "<b>d</b>"),
    Case("<b data-outlet=a.b.c>d</b>", #"{"a":{"b":1}}"#, "<b>d</b>"),
    Case("<b data-outlet=a.b>d</b>", #"{"a.b":1}"#, "<b>d</b>"),
    Case("<p data-outlet=o><b data-outlet=n>d</b></p>", #"{"o":{},"n":1}"#, "<p><b>d</b></p>"),
    Case("<p data-outlet=o><b data-outlet=n>d</b></p>", #"{"o":{"n":1}}"#, "<p><b>1</b></p>"),
    Case("<p data-outlet=o>{{n}}</p>", #"{"o":{},"n":1}"#, "<p>1</p>"),
    // Scalars and lists are skipped: the object around them is the innermost.
    Case("{{#l}}<b data-outlet=n>d</b>{{/l}}", #"{"l":[1,2],"n":3}"#, "<b>3</b><b>3</b>"),
    Case("{{#l}}<b data-outlet=n>d</b>{{/l}}", #"{"l":[{},{"n":4}],"n":3}"#, "<b>d</b><b>4</b>"),
    Case(
      "{{#l}}{{#.}}<b data-outlet=n>d</b>{{/.}}{{/l}}", #"{"l":[[{"n":1}],[2]],"n":3}"#, "<b>1</b><b>3</b>"),
    // The current item.
    Case("<b data-outlet='.'>d</b>", #""row""#, "<b>row</b>"),
    Case("<b data-outlet='.'>d</b>", #"{"text":"t"}"#, "<b>t</b>"),
    Case("{{#l}}<b data-outlet='.'>d</b>{{/l}}", #"{"l":["a","b"]}"#, "<b>a</b><b>b</b>"),
    Case(
      "<p data-outlet=l><b data-outlet='.'>d</b></p>", #"{"l":[{"text":"a"},[{"text":"b"}]]}"#,
      "<p><b>a</b></p><p><b>b</b></p>"),
    Case(
      "{{#@index}}<b data-outlet='.'>d</b>{{/@index}}{{#@first}}<i data-outlet='.'>d</i>{{/@first}}", "{}",
      "<i>d</i>"),
    // Tags.
    Case("<b data-tag=7>d</b>", #"{"7":"x"}"#, "<b>x</b>"),
    Case("<b data-tag=7 data-outlet=n>d</b>", #"{"7":"x","n":"y"}"#, "<b>y</b>"),
    Case("<b data-tag=1>d</b>", "[[\"a\",\"b\"]]", "<b>d</b>"),
    // The owner belongs to the request, even if the row has a member with that name.
    Case("<b data-outlet=owner.n>d</b>", #"{"owner":{"n":1}}"#, "<b>d</b>"),
    Case("<b data-outlet=owner.n>d</b>", #"{"owner":{"n":1}}"#, "<b>2</b>", owner: #"{"n":2}"#),
    Case("<b data-outlet=owner><i data-outlet=n>d</i></b>", "{}", "<b><i>2</i></b>", owner: #"{"n":2}"#),
    Case(
      "<p data-outlet=o><b data-outlet=owner.l.1>d</b></p>", #"{"o":{}}"#, "<p><b>y</b></p>",
      owner: #"{"l":["x","y"]}"#),
  ])
  func pathsAreLookedUp(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    // Inside an outlet without a value, outlets find nothing but Mustache does.
    Case(
      "<p data-outlet=o><b data-outlet=n>d</b>{{n}}{{#s}}<i data-outlet=n>e</i>{{/s}}</p>",
      #"{"n":1,"s":{"n":2}}"#, "<p><b>d</b>1<i>e</i></p>"),
    Case("<p data-outlet=o><b data-outlet=owner.n>d</b></p>", "{}", "<p><b>d</b></p>", owner: #"{"n":2}"#),
    Case(
      "<p data-outlet=o><b data-outlet=n>d</b></p><i data-outlet=n>e</i>", #"{"n":1}"#,
      "<p><b>d</b></p><i>1</i>"),
    // `true` shows the design in the surrounding context.
    Case(
      "<p data-outlet=o><b data-outlet=n>d</b>{{.}}</p>", #"{"o":true,"n":1}"#,
      "<p><b>1</b>{&quot;o&quot;:true,&quot;n&quot;:1}</p>"),
    Case("<p data-outlet=o title='{{n}}'>{{n}}</p>", #"{"o":true,"n":1}"#, "<p title='1'>1</p>"),
    // For attributes, a scalar is `.`, and other names are looked up outward.
    Case(
      "<p data-outlet=o title='{{.}} {{n}}'>d</p>", #"{"o":"a\"","n":1}"#, "<p title='a&quot; 1'>a&quot;</p>"),
    Case("<p data-outlet=o title='{{.}}'>d</p>", #"{"o":["a","b"]}"#, "<p title='a'>a</p><p title='b'>b</p>"),
    Case(
      "<p data-outlet=o title='{{n}}'>{{n}} {{m}}</p>", #"{"o":{"n":1},"n":2,"m":3}"#, "<p title='1'>1 3</p>"),
    // `text` is used only if the content has no outlet or tag; attributes and comments do not matter.
    Case("<p data-outlet=o>{{n}}</p>", #"{"o":{"text":"t","n":1}}"#, "<p>1</p>"),
    Case("<p data-outlet=o><b data-outlet=n>d</b></p>", #"{"o":{"text":"t","n":1}}"#, "<p><b>1</b></p>"),
    Case(
      "<p data-outlet=o title='{{n}}'>d<!--{{x}}-->{{! x }}</p>", #"{"o":{"text":"t","n":1}}"#,
      "<p title='1'>t</p>"),
    Case("<p data-outlet=o>{{>part}}</p>", #"{"o":{"text":"t","x":1}}"#, "<p>(1)</p>"),
    // Sections and outlets inside each other, and the names of loops.
    Case(
      "<p data-outlet=l>{{@index}}{{@first}}{{@last}} </p>", #"{"l":[{},[{},[]],[[{}]],[]]}"#,
      "<p>0truefalse </p><p>1falsefalse </p><p>2falsetrue </p>"),
    Case(
      "<p data-outlet=l>{{@index}}{{@last}}{{n}}</p>", #"{"l":[null,true,false],"n":"n"}"#, "<p>1falsen</p>"),
    Case(
      "{{#s}}<p data-outlet=l>{{@index}}{{#m}}{{@index}}{{/m}}</p>{{@index}}{{/s}}",
      #"{"s":[{"l":[{"m":[1,2]},{}]}]}"#, "<p>001</p><p>1</p>0"),
    Case(
      "<ul data-outlet=o><li data-outlet=l>{{^x}}<b data-outlet=n>d</b>{{/x}}</li></ul>",
      #"{"o":{"l":[{"n":1},{"x":1,"n":2}]}}"#,
      "<ul><li><b>1</b></li><li></li></ul>"),
    Case("{{#o}}<p data-outlet=o>{{.}}</p>{{/o}}", #"{"o":{"o":"x"}}"#, "<p>x</p>"),
    Case(
      "<p data-outlet=l><b data-outlet=m>d</b></p>", #"{"l":[{"m":["a","b"]},{},{"m":[]}]}"#,
      "<p><b>a</b><b>b</b></p><p><b>d</b></p><p></p>"),
    // Design-only elements are removed.
    Case(
      "<ul><li data-outlet=l>d</li><li data-design onclick='x()'>e {{n}}</li></ul>", #"{"l":["a"]}"#,
      "<ul><li>a</li></ul>"),
    Case("a<br data-design>b", "{}", "ab"),
    Case("<b data-design>q</b>x", "{}", "x"),
  ])
  func contextsAndNesting(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case("<img data-outlet=x src=a.png alt=A>", #"{"x":"/b c.png"}"#, "<img src=\"/b%20c.png\" alt=A>"),
    Case("<img data-outlet=x src=a.png alt=A>", "{}", "<img src=a.png alt=A>"),
    Case(
      "<img data-outlet=x alt=A>", #"{"x":"javascript:alert(1)"}"#, "<img alt=A src=\"about:invalid#cell\">"),
    Case("<img data-outlet=x src=a.png>", #"{"x":["1","2"]}"#, "<img src=\"1\"><img src=\"2\">"),
    Case("<img data-outlet=x src=a.png>", #"{"x":null}"#, ""),
    Case("<img data-outlet=x src=a.png>", #"{"x":{"src":"b"}}"#, "<img src=a.png>"),
    Case(
      "<img data-outlet=x data-bind='src alt' src=a.png>", #"{"x":{"src":"b","alt":"\"q\""}}"#,
      "<img src=\"b\" alt=\"&quot;q&quot;\">"),
    Case("<img data-outlet=x data-bind='src alt' src=a.png>", #"{"x":"c"}"#, "<img src=\"c\">"),
    Case("<img data-outlet=x src=a.png />", #"{"x":7}"#, "<img src=\"7\" />"),
    Case("<img data-outlet='x'/>", #"{"x":7}"#, "<img src=\"7\" />"),
    Case("<img alt=a data-outlet='x'/>", "{}", "<img alt=a />"),
    Case(
      "<picture><source data-outlet=x srcset='a b'></picture>", #"{"x":"c"}"#,
      "<picture><source srcset='a b' src=\"c\"></picture>"),
    Case("<input data-outlet=x value=a>", #"{"x":"b\"\r"}"#, "<input value=\"b&quot;&#13;\">"),
    Case("<input data-outlet=x name=n>", #"{"x":0}"#, "<input name=n value=\"0\">"),
    Case("<input data-outlet=x value=a>", #"{"x":true}"#, "<input value=a>"),
    Case("<input data-outlet=x value=a>", #"{"x":false}"#, "<input>"),
    // Checkboxes, radio buttons and options are selected by booleans and stay.
    Case("<input type=CheckBox data-outlet=x>", #"{"x":true}"#, "<input type=CheckBox checked>"),
    Case("<input type=checkbox checked data-outlet=x>", #"{"x":true}"#, "<input type=checkbox checked>"),
    Case(
      "<input type=checkbox data-outlet=x checked='' name=n>", #"{"x":false}"#, "<input type=checkbox name=n>"
    ),
    Case("<input type=radio checked data-outlet=x>", #"{"x":null}"#, "<input type=radio>"),
    Case("<input type=checkbox checked data-outlet=x>", "{}", "<input type=checkbox checked>"),
    Case(
      "<input type=checkbox checked data-outlet=x value=v>", #"{"x":"w"}"#,
      "<input type=checkbox checked value=\"w\">"),
    Case(
      "<input type=checkbox data-outlet=x data-bind='checked value'>",
      #"{"x":[{"checked":1,"value":"a"},{"checked":0},true]}"#,
      "<input type=checkbox value=\"a\" checked><input type=checkbox><input type=checkbox checked>"),
    Case(
      "<select><option data-outlet=x>d</option></select>", #"{"x":true}"#,
      "<select><option selected>d</option></select>"),
    Case(
      "<select><option data-outlet=x selected>d</option></select>", #"{"x":false}"#,
      "<select><option>d</option></select>"),
    Case(
      "<select><option data-outlet=x selected>d</option></select>", #"{"x":"a&b"}"#,
      "<select><option selected>a&amp;b</option></select>"),
    Case(
      "<select><option data-outlet=x data-bind='value selected'>d</option><option data-design>e</option></select>",
      #"{"x":[{"text":"A","value":"a"},{"text":"B","value":"b","selected":true},{"text":"C","selected":false}]}"#,
      "<select><option value=\"a\">A</option><option selected value=\"b\">B</option><option>C</option></select>"
    ),
  ])
  func voidElementsAndControls(_ row: Case) throws { try check(row) }

  private static let link =
    "<a data-outlet=x data-bind='href title class hidden' href=/d class='c d' hidden>t</a>"

  @Test(arguments: [
    Case(link, "{}", "<a href=/d class='c d' hidden>t</a>"),
    Case(link, #"{"x":true}"#, "<a href=/d class='c d'>t</a>"),
    Case(link, #"{"x":"s"}"#, "<a href=/d class='c d'>s</a>"),
    Case(link, #"{"x":"s","href":"/e","hidden":1}"#, "<a href=\"/e\" class='c d' hidden>s</a>"),
    Case(link, #"{"x":{}}"#, "<a href=/d class='c d'>t</a>"),
    Case(
      link, #"{"x":{"href":true,"title":true,"class":true,"hidden":true}}"#,
      "<a href=/d class='c d' hidden title=\"\">t</a>"),
    Case(link, #"{"x":{"href":null,"title":false,"class":null,"hidden":null}}"#, "<a>t</a>"),
    Case(
      link, #"{"x":{"href":"/a?b&c","title":"<t>","class":"e","hidden":""}}"#,
      "<a href=\"/a?b&amp;c\" class=\"e\" title=\"&lt;t&gt;\">t</a>"),
    Case(
      link, #"{"x":{"href":"data:x","title":1,"class":["a","b",3,["c"],null,true,{}],"hidden":"no"}}"#,
      "<a href=\"about:invalid#cell\" class=\"a b 3 c\" hidden title=\"1\">t</a>"),
    Case(
      link, #"{"x":{"class":[],"title":[1],"text":"u"}}"#, "<a href=/d class=\"\" title=\"[1]\">u</a>"),
    Case(
      link, #"{"x":{"title":{"a":"\""}},"title":"outer"}"#,
      "<a href=/d class='c d' title=\"{&quot;a&quot;:&quot;\\&quot;&quot;}\">t</a>"),
    Case(
      link, #"{"x":[{"href":"1"},{"href":"2"},{}]}"#,
      "<a href=\"1\" class='c d'>t</a><a href=\"2\" class='c d'>t</a><a href=/d class='c d'>t</a>"
    ),
    Case(
      "<a data-outlet=x {{#h}}hidden{{/h}} data-bind=title id=i>t</a>", #"{"x":{"h":1,"title":"T"}}"#,
      "<a hidden id=i title=\"T\">t</a>"),
    Case(
      "<b data-outlet=x id='i'class='c'data-bind='id hidden'title='t'>d</b>", #"{"x":{"id":1,"hidden":1}}"#,
      "<b id=\"1\" class='c' title='t' hidden>d</b>"),
    Case(
      "<svg><circle data-outlet=x data-bind='cx r' cx=1 /></svg>", #"{"x":[{"cx":2,"r":3},{}]}"#,
      "<svg><circle cx=\"2\" r=\"3\" /><circle cx=1 /></svg>"),
    Case(
      "<svg data-outlet=x data-bind=viewBox viewBox='0 0 1 1'></svg>", #"{"x":{"viewBox":"0 0 2 2"}}"#,
      "<svg viewBox=\"0 0 2 2\"></svg>"),
  ])
  func boundAttributes(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    // Parsers drop a newline at the start of these elements.
    Case("<pre data-outlet=x>d</pre>", #"{"x":"\nv"}"#, "<pre>\n\nv</pre>"),
    Case("<pre data-outlet=x>d</pre>", #"{"x":{"text":"v"}}"#, "<pre>\nv</pre>"),
    Case("<textarea data-outlet=x>\nd</textarea>", #"{"x":"<"}"#, "<textarea>\n&lt;</textarea>"),
    Case("<textarea data-outlet=x>\nd</textarea>", "{}", "<textarea>\nd</textarea>"),
    // These cannot contain text, so a scalar empties them.
    Case(
      "<table><tbody><tr data-outlet=x><td>d</td></tr></tbody></table>", #"{"x":"v"}"#,
      "<table><tbody><tr></tr></tbody></table>"),
    Case(
      "<table><tbody><tr data-outlet=x><td>d</td></tr></tbody></table>", #"{"x":{"text":"v"}}"#,
      "<table><tbody><tr><td>d</td></tr></tbody></table>"),
    Case(
      "<table><tbody><tr data-outlet=x><td data-outlet=y>d</td></tr></tbody></table>",
      #"{"x":[{"y":1},{"y":2}]}"#,
      "<table><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>"),
    // Any value, as JSON.
    Case(
      "<script type=application/json data-outlet=x>{\"d\":1}</script>",
      #"{"x":{"a":"</script>","b":[1,null]}}"#,
      #"<script type=application/json>{"a":"\u003c/script\u003e","b":[1,null]}</script>"#),
    Case(
      "<script type=application/ld+json data-outlet=x>1</script>", #"{"x":null}"#,
      "<script type=application/ld+json>null</script>"),
    Case(
      "<script type=application/json data-outlet=x>1</script>", #"{"x":false}"#,
      "<script type=application/json>false</script>"),
    Case(
      "<script type=application/json data-outlet=x>1</script>", #"{"x":[]}"#,
      "<script type=application/json>[]</script>"),
    Case(
      "<script type=application/json data-outlet=x>1</script>", #"{"x":"s"}"#,
      "<script type=application/json>\"s\"</script>"),
    Case(
      "<script type=application/json data-outlet=x>1</script>", "{}",
      "<script type=application/json>1</script>"),
    Case(
      "<script type=application/json data-outlet=x>1</script>", "{}",
      "<script type=application/json>null</script>", missing: .blank),
  ])
  func elementsOfTheirOwnKind(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case(design, "{}", "<p class=c></p>", missing: .blank),
    Case(design, #"{"x":true}"#, "<p class=c>design</p>", missing: .blank),
    Case(design, #"{"x":{}}"#, "<p class=c></p>", missing: .blank),
    Case("<p data-outlet=x>a {{n}}</p>", #"{"n":1}"#, "<p></p>", missing: .blank),
    Case("<p data-outlet=x>a <b data-outlet=n>d</b></p>", #"{"n":1}"#, "<p>a <b></b></p>", missing: .blank),
    Case(
      "<p data-outlet=x>a {{#n}}<b data-outlet=n>d</b>{{/n}}</p>", #"{"n":1}"#, "<p>a <b></b></p>",
      missing: .blank),
    Case(
      "<img data-outlet=x src=a><input data-outlet=x value=b>", "{}", "<img src=a><input value=b>",
      missing: .blank),
    Case(
      "<select><option data-outlet=x selected>d</option></select>", "{}",
      "<select><option selected></option></select>", missing: .blank),
  ])
  func missingNamesAreBlank(_ row: Case) throws { try check(row) }

  @Test(
    arguments: [
      ("<p data-outlet=x>d</p><b data-outlet=y.z>d</b>{{n}}", "{}", ["x", "y.z", "n"]),
      ("<p data-outlet=o><b data-outlet=n>d</b></p>", "{}", ["o.n"]),
      ("<p data-outlet=o><b data-outlet=n>d</b></p>", #"{"n":1}"#, ["o.n"]),
      ("<p data-outlet=o>{{n}}</p>", #"{"n":1}"#, ["o"]),
      ("<p data-outlet=l><b data-outlet=n>d</b></p>", #"{"l":[{},{"n":1},{}]}"#, ["n", "n"]),
      (
        "<img data-outlet=x src=a>{{#s}}{{/s}}<p data-outlet=y data-bind=title>d</p>", #"{"y":{}}"#,
        ["x", "title"]
      ),
      ("<b data-tag=3>d</b><b data-outlet='.'>d</b>", "{}", ["3", "text"]),
      ("<script type=application/json data-outlet=x>1</script>", "{}", ["x"]),
    ] as [(String, String, [String])])
  func missingNamesAreErrors(_ html: String, _ row: String, _ names: [String]) throws {
    let outcome = try render(Case(html, row, "", missing: .error))
    #expect(outcome == .missing(names))
  }

  /// Iterations are counted, even if they print nothing.
  @Test func workIsBounded() throws {
    let harness = try RenderHarness([
      "nib.html": "<template data-cell=cell><p data-outlet=a><b data-outlet=owner.l></b></p></template>",
      "words.html": "<b data-cell=words data-outlet=a><i data-outlet=owner.o data-bind=class></i></b>",
    ])
    let nulls = "[" + Array(repeating: "null", count: 500).joined(separator: ",") + "]"
    let items = "{\"a\":[" + Array(repeating: "{}", count: 100).joined(separator: ",") + "]}"
    var limits = RenderLimits()
    for (kind, owner) in [
      ("cell", "{\"l\":\(nulls)}"), ("cell", "{\"l\":\(nulls.replacing("null", with: "[]"))}"),
      ("cell", "{\"l\":\(nulls.replacing("null", with: "{}"))}"), ("words", "{\"o\":{\"class\":\(nulls)}}"),
    ] {
      limits.iterations = 40_000
      #expect(
        try harness.outcomes(kind, items, owner: owner, limits: limits) == [.tooMuchWork(limit: 40_000)])
      limits.iterations = 120_000
      guard case .rendered = try harness.outcomes(kind, items, owner: owner, limits: limits)[0] else {
        Issue.record("\(kind) with \(owner.prefix(20))")
        continue
      }
    }
    limits.outputBytes = 1000
    #expect(
      try harness.outcomes("cell", items, owner: "{\"l\":[1,2]}", limits: limits) == [
        .outputTooLarge(limit: 1000)
      ])
  }

  @Test func outletsOfPartialsSeeTheCallersContext() throws {
    let harness = try RenderHarness([
      "a.html":
        "<p data-cell=a data-outlet=o data-missing=keep>{{>b}}</p><b data-cell=b data-outlet=n data-missing=keep>d</b>",
      "m.mustache": "<ul>{{#l}}\n  {{>li}}\n{{/l}}</ul>\n",
      "li.html": "<li data-cell=li\n  data-outlet=n data-missing=keep>\n d</li>",
    ])
    #expect(
      try harness.render("a", #"[{"o":{"n":1},"n":2},{"n":3},{"o":true,"n":4}]"#)
        == "<p><b>1</b></p><p><b>d</b></p><p><b>4</b></p>")
    #expect(try harness.render("m", #"{"l":[{"n":1},{}]}"#) == "<ul>\n  <li>1</li>\n  <li>\n   d</li></ul>\n")
  }
}
