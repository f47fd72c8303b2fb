import Scaling
import Testing

@testable import CellTemplates

/// Errors for outlets and other attributes of nibs, each with its position.
@Suite struct NibErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let html: String
    let found: [String]

    init(_ html: String, _ found: String...) {
      self.html = html
      self.found = found
    }

    var testDescription: String { html }
  }

  private static func diagnostics(_ html: String, _ files: NibFiles = .none) -> [String] {
    let nib = TemplateSource(file: "a/nib.html", kind: "a/nib", mode: .html, bytes: Array(html.utf8))
    let found: [Diagnostic]
    do throws(TemplateErrors) {
      found = try TemplateCompiler.compile([], nibs: [nib], with: TemplateSettings(files: files)).warnings
    } catch {
      found = error.diagnostics
    }
    return found.map { "\($0.line):\($0.column) \($0.code.rawValue)" }
  }

  @Test(arguments: [
    // Control characters, and names or cells that are too long.
    Case("<a data-cell=a data-outlet='a\u{1}'>d</a>", "1:16 invalid-outlet"),
    Case("<a data-cell=a data-action='a\u{1F}'>d</a>", "1:16 invalid-name"),
    Case("<a data-cell=a data-class='A \u{80}'>d</a>", "1:16 invalid-name"),
    Case("<a data-cell=a data-class='A&#1;'>d</a>", "1:16 invalid-name"),
    Case("<a data-cell='a\u{1}'>d</a>", "1:4 invalid-kind"),
    Case("<a data-cell=\(String(repeating: "a", count: 1025))>d</a>", "1:4 invalid-kind"),
    Case(
      "<a data-cell=a data-class='\((0...256).map { "C\($0)" }.joined(separator: " "))'>d</a>",
      "1:16 misplaced-attribute"),
    Case("<a data-cell=a data-when='x=\(String(repeating: "1", count: 1024))'>d</a>"),
    Case(
      "<a data-cell=a data-when='x=\(String(repeating: "1", count: 1025))'>d</a>", "1:29 invalid-condition"),
    Case("<a data-cell=a data-when=\"x='\(String(repeating: "1", count: 1025))'\">d</a>"),
    Case(
      "<p data-cell=a data-plural=n><b data-case='=\(String(repeating: "1", count: 1024))'>d</b></p>",
      "1:44 invalid-format"),
    // Invalid names of attributes, and names of nib attributes.
    Case("<a data-cell=a data-outlet=x data-bind='data-a/onclick'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-bind='class.a\u{1}b:x'>d</a>", "1:27 invalid-binding"),
    Case("<a data-cell=a data-bind='class.a\u{9B}b:x'>d</a>", "1:27 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='aria-a/onclick'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='data-a=1/onclick'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='data-x/style'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='DATA-A/ONCLICK'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='data-<b'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='aria-\"x'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='data-a&gt;q'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind='data-\u{212a}'>d</a>", "1:41 invalid-binding"),
    Case("<a data-cell=a data-outlet=x data-bind=data-class>d</a>", "1:30 refused-attribute"),
    Case("<a data-cell=a data-outlet=x data-bind=title data-html=true>d</a>", "1:30 refused-attribute"),
    Case("<a data-cell=a data-bs-html data-outlet=x data-bind=data-title>d</a>", "1:43 refused-attribute"),
    Case("<a data-cell=a data-outlet=x data-bind=DATA-Outlet>d</a>", "1:30 refused-attribute"),
    Case("<a data-cell=a data-outlet=x data-bind='Href data-a.b'>d</a>"),
    // An attribute that is both in the tag and set by its outlet.
    Case(
      "<a data-cell=a data-outlet=o data-bind=href {{#t}}href='q'{{/t}}>z</a>", "1:51 duplicate-attribute"),
    Case("<img data-cell=a data-outlet=s {{#t}}src='a'{{/t}}>", "1:38 duplicate-attribute"),
    Case("<input data-cell=a data-outlet=s {{^t}}VALUE='a'{{/t}}>", "1:40 duplicate-attribute"),
    Case(
      "<input type=checkbox data-cell=a data-outlet=s {{#t}}checked{{/t}}>", "1:54 duplicate-attribute"),
    Case("<img data-cell=a data-outlet=s src='{{#t}}a{{/t}}' {{#t}}alt='a'{{/t}}>"),
    // Attributes that were probably misspelt.
    Case(
      "<a data-cell=a data-outlets=x data-tags=1 data-Whens=x>d</a>",
      "1:16 near-attribute", "1:31 near-attribute", "1:43 near-attribute"),
    Case(
      "<a data-cell=a data-outlte=x data-desgin data-misssing=x>d</a>",
      "1:16 near-attribute", "1:30 near-attribute", "1:42 near-attribute"),
    Case(
      "<a data-cell=a data-call=x data-bin=y data-then=z data-classes=C data-outer=a data-glass=x>d</a>",
      "1:51 near-attribute", "1:79 near-attribute"),
    // Elements that cannot be filled by a value.
    Case("<b data-cell=a><br data-outlet=x></b>", "1:20 outlet-element"),
    Case("<b data-cell=a><hr data-tag=1></b>", "1:20 outlet-element"),
    Case("<p data-cell=a>\n <select data-outlet=x></select></p>", "2:10 outlet-element"),
    Case("<p data-cell=a><video data-outlet=x></video></p>", "1:23 outlet-element"),
    Case("<p data-cell=a><iframe data-outlet=x></iframe></p>", "1:24 outlet-element"),
    Case("<p data-cell=a><object data-outlet=x></object></p>", "1:24 outlet-element"),
    Case("<p data-cell=a><style data-outlet=x></style></p>", "1:23 outlet-element"),
    Case("<p data-cell=a><script data-outlet=x></script></p>", "1:24 outlet-element"),
    Case("<p data-cell=a><script type=module data-outlet=x></script></p>", "1:36 outlet-element"),
    Case("<link data-cell=a data-outlet=x>", "1:19 outlet-element"),
    // Names.
    Case("<p data-cell=a data-outlet>d</p>", "1:16 invalid-outlet"),
    Case("<p data-cell=a data-outlet=a..b>d</p>", "1:16 invalid-outlet"),
    Case("<p data-cell=a data-outlet='a b'>d</p>", "1:16 invalid-outlet"),
    Case("<p data-cell=a data-outlet=.a>d</p>", "1:16 invalid-outlet"),
    Case("<p data-cell=a data-tag=0>d</p>", "1:16 invalid-outlet"),
    Case("<p data-cell=a data-tag=01>d</p>", "1:16 invalid-outlet"),
    Case("<p data-cell=a data-tag=x>d</p>", "1:16 invalid-outlet"),
    // Words of other languages.
    Case(
      "<p data-cell=a><b data-when='x and y'>d</b><i data-when='not x'>d</i></p>", "1:19 foreign-text",
      "1:47 foreign-text"),
    Case(
      "<p data-cell=a><b data-when='x && y'>d</b><i data-when='x or y'>d</i></p>", "1:19 foreign-text",
      "1:46 foreign-text"),
    Case("<p data-cell=a><b data-when='and'>d</b><i data-when='x or=1 !not'>d</i></p>"),
    Case(
      "<p data-cell=a><b data-bind='class.x:a:b'>d</b><i data-bind='class:x?a:b'>d</i></p>",
      "1:19 foreign-text", "1:51 foreign-text"),
    Case("<p data-cell=a><b data-bind='title:dc:title; class.x:a'>d</b></p>"),
    // A style is no list, wherever the entry is.
    Case("<p data-cell=a data-bind='style+:x; style.color:c'>d</p>", "1:16 invalid-binding"),
    Case("<p data-cell=a data-bind='style.color:c; style+:x'>d</p>", "1:16 invalid-binding"),
    Case(
      "<p data-cell=a><b data-bind='title:{x}'>d</b><i data-bind='title:\"x\"'>d</i></p>",
      "1:36 invalid-binding", "1:66 invalid-binding"),
    Case(
      "<p data-cell=a><b data-when='x =< 5'>d</b><i data-when='x=>5'>d</i></p>", "1:19 foreign-text",
      "1:46 foreign-text"),
    Case(
      "<p data-cell=a><b data-when='x is null'>d</b><i data-when='x gt 5'>d</i></p>", "1:19 foreign-text",
      "1:49 foreign-text"),
    Case(
      "<p data-cell=a><b data-when=\"x='<5' is=1 in\">d</b><i data-when='is'>d</i></p>", "1:19 foreign-text"),
    Case(
      "<p data-cell=a><b data-outlet=a[0].b>d</b><i data-outlet=this>d</i><u data-outlet=!a>d</u></p>",
      "1:19 foreign-text", "1:46 foreign-text", "1:71 foreign-text"),
    Case(
      "<p data-cell=a><b data-when='b a?.c=1'>d</b><i data-bind=\"title:'{a} {b[0].c}'; id:@key\">d</i></p>",
      "1:19 foreign-text", "1:48 foreign-text"),
    Case("<p data-cell=a><b data-outlet=a?>d</b><i data-outlet=a[].b[]>d</i><u data-outlet=@id>d</u></p>"),
    // Without a value, they are told where they are, not at the value of another.
    Case(
      "<p data-cell=a><b data-when></b><b data-bind></b><u data-outlet=x data-format>d</u><i data-when = '!'>d</i>"
        + "<i title='='></i></p>",
      "1:19 invalid-condition", "1:36 invalid-binding", "1:67 invalid-format", "1:101 invalid-condition"),
    // What follows from an error of a plural is not told.
    Case("<p data-cell=a><b data-plural='n x'><i data-case=one>d</i></b></p>", "1:19 invalid-format"),
    Case(
      "<p data-cell=a><b data-plural=n data-outlet=x><i data-case=one>d</i></b></p>",
      "1:19 misplaced-attribute"),
    Case("<p data-cell=a><b data-plural=n><i data-case=won>d</i></b></p>", "1:46 invalid-format"),
    // Conditions where values are expected, and parts that are set twice.
    Case(
      "<p data-cell=a><b data-bind='title:!x'>d</b><i data-bind='aria-hidden:x =y'>d</i></p>",
      "1:36 invalid-binding", "1:73 invalid-binding"),
    Case("<p data-cell=a><b data-bind='class.:x'>d</b></p>", "1:30 invalid-binding"),
    Case("<p data-cell=a><b data-bind=':title:x'>d</b></p>", "1:30 invalid-binding"),
    Case("<p data-cell=a><b data-bind='style.width:x; style.width:y'>d</b></p>", "1:19 duplicate-attribute"),
    Case("<p data-cell=a data-outlet='{{x}}'>d</p>", "1:16 misplaced-attribute"),
    Case("<p data-cell=a {{#x}}data-outlet='y'{{/x}}>d</p>", "1:22 misplaced-attribute"),
    // Attributes that values must not set.
    Case("<a data-cell=a data-outlet=x data-bind='href onclick'>d</a>", "1:30 refused-attribute"),
    Case("<a data-cell=a data-bind='href:y; data-toggle:z'>d</a>", "1:16 refused-attribute"),
    Case("<div data-cell=a data-bind=\"class+:'ng-{x}form'; name:u\"></div>", "1:18 refused-attribute"),
    Case("<a data-cell=a data-bind=\"data-toggle:'modal'; href:y\">d</a>", "1:16 refused-attribute"),
    Case("<a data-cell=a href='{{y}}' data-bind='data-toggle:z'>d</a>", "1:29 refused-attribute"),
    Case("<a data-cell=a data-outlet=o data-bind='href data-toggle'>d</a>", "1:30 refused-attribute"),
    Case("<input data-cell=a data-bind='data-provide:p; data-source:s'>", "1:20 refused-attribute"),
    Case(
      "<div data-cell=a data-html=1 data-selector=b><b data-bind='title:u'></b></div>",
      "1:49 refused-attribute"),
    Case("<div data-cell=a data-html=1 data-bind='data-selector:u'></div>", "1:30 refused-attribute"),
    Case("<div data-cell=a hx-boost=true><form data-bind='action:u'></form></div>", "1:38 refused-attribute"),
    Case(
      "<div data-cell=a hx-boost=true><form data-bind=\"action:'https://{u}/'\"></form></div>",
      "1:38 refused-attribute"),
    Case(
      "<div data-cell=a><a data-remote=true data-bind=\"href:'//{u}.example/'\">x</a></div>",
      "1:38 refused-attribute"),
    Case("<div data-cell=a><a data-remote=true data-bind=\"href:'//a.example/{u}'\">x</a></div>"),
    Case("<div data-cell=a><form data-bind=name:n></form></div>", "1:24 refused-attribute"),
    Case(
      "<div data-cell=a hx-boost=true><i data-outlet=o data-include=*k></i></div>",
      "1:32 dynamic-partial-outside-text"),
    Case("<div data-cell=a><div ng-form data-bind=name:n></div></div>", "1:31 refused-attribute"),
    Case("<div data-cell=a><div ng-form data-bind=data-name:n></div></div>", "1:31 refused-attribute"),
    Case("<div data-cell=a><div data-bind='class.ng-form:y; name:n'></div></div>", "1:23 refused-attribute"),
    Case(
      "<div data-cell=a><div class=ng-form data-bind='class.b:y; name:n'></div></div>",
      "1:37 refused-attribute"),
    Case(
      "<div data-cell=a><div data-bind=\"class:'a ngForm {y}'; data-name:n\"></div></div>",
      "1:23 refused-attribute"),
    Case(
      "<div data-cell=a><div data-bind=\"class+:'ng-form {y}'; name:n\"></div></div>",
      "1:23 refused-attribute"),
    Case(
      "<div data-cell=a><div data-bind=class.ng-form:y name='{{n}}'></div></div>", "1:23 refused-attribute"),
    Case("<div data-cell=a><ng-messages data-bind=data-for:n></ng-messages></div>", "1:31 refused-attribute"),
    Case("<div data-cell=a><form data-bind=data-name:n></form></div>", "1:24 refused-attribute"),
    Case("<img data-cell=a alt='' ng-include data-bind=src:u>", "1:36 refused-attribute"),
    Case("<img data-cell=a alt='' data-bind='class.ngInclude:y; src:u'>", "1:25 refused-attribute"),
    Case("<p data-cell=a><img alt='' ng-include data-outlet=o></p>", "1:39 refused-attribute"),
    Case(
      "<p data-cell=a><img alt='' data-outlet=o data-bind='class.ng-include:y'></p>", "1:42 refused-attribute"
    ),
    Case(
      "<p data-cell=a><img alt='' data-outlet=o data-bind='class.ngInclude:y; title:t'></p>",
      "1:42 refused-attribute"),
    Case("<p data-cell=a><img alt='' data-outlet=o data-bind='class.ng-if:y; title:t'></p>"),
    Case("<p data-cell=a><input data-dojo-type=b data-outlet=o></p>", "1:40 refused-attribute"),
    Case("<div data-cell=a ng-non-bindable data-bind=data-name:n></div>"),
    Case("<div data-cell=a uk-sticky data-bind=data-sel-target:n></div>", "1:28 refused-attribute"),
    Case("<img data-cell=a uk-img alt='' data-bind=data-src:n>"),
    Case("<div data-cell=a ic-enhance=true><a data-bind=href:u>x</a></div>", "1:37 refused-attribute"),
    Case("<div data-cell=a ic-enhance=true><a data-bind=\"href:'/{u}'\">x</a></div>"),
    Case("<input data-cell=a data-bind=data-msg:m>", "1:20 refused-attribute"),
    Case("<button data-cell=a data-bind=data-turbo-submits-with:x>x</button>", "1:21 refused-attribute"),
    Case("<meta data-cell=a name=csrf-token data-bind=content:t>", "1:35 refused-attribute"),
    Case("<meta data-cell=a name=csrf-token data-bind=content:owner.t>"),
    Case("<meta data-cell=a name=csrf-token data-bind=\"content:'{owner.t}{t}'\">", "1:35 refused-attribute"),
    Case("<a data-cell=a data-ajax=true data-bind='href:y'>d</a>", "1:31 refused-attribute"),
    Case("<a data-cell=a data-ajax=true data-bind=\"href:' {y}'\">d</a>", "1:31 refused-attribute"),
    Case("<a data-cell=a data-ajax=true data-bind=\"href:'/o/{y}'\">d</a>"),
    Case("<a data-cell=a data-bind=data-bstemplate:y>d</a>", "1:16 refused-attribute"),
    Case("<a data-cell=a data-bshtml=true title='{{x}}'>d</a>", "1:33 refused-attribute"),
    Case("<a data-cell=a data-outlet=x data-bind=target>d</a>", "1:30 refused-attribute"),
    Case("<a data-cell=a data-outlet=x data-bind=style>d</a>", "1:30 unsafe-style"),
    Case("<a data-cell=a data-outlet=x data-bind=data-action>d</a>", "1:30 refused-attribute"),
    Case("<a data-cell=a data-outlet=x data-bind=data-cell>d</a>", "1:30 refused-attribute"),
    Case("<svg data-cell=a><set data-outlet=x data-bind=to></set></svg>", "1:37 refused-attribute"),
    Case(
      "<p data-cell=a><script type=application/json data-outlet=x data-bind=id></script></p>",
      "1:60 misplaced-attribute"),
    Case("<input data-cell=a data-outlet=x {{#y}}type='radio'{{/y}}>", "1:20 conditional-attribute"),
    // Attributes in the wrong place.
    Case("<p data-cell=a><b data-class=B>d</b></p>", "1:19 misplaced-attribute"),
    Case("<p data-cell=a><b data-raw=allow>d</b></p>", "1:19 misplaced-attribute"),
    Case("<p data-cell=a data-design>d</p>", "1:16 misplaced-attribute"),
    // The element of a template is not printed, and takes data-missing only.
    Case(
      "<template data-cell=a data-when=x data-missing=keep data-class=A data-raw=allow>d</template>",
      "1:23 misplaced-attribute"),
    Case(
      "<template data-cell=a data-design data-outlet=x data-tag=1 data-bind=title:x data-include=b>d</template>",
      "1:23 misplaced-attribute", "1:35 misplaced-attribute", "1:49 misplaced-attribute",
      "1:60 misplaced-attribute",
      "1:78 misplaced-attribute"),
    Case(
      "<template data-cell=a data-format=date data-plural=n data-case=one data-embed data-action=go>d</template>",
      "1:23 misplaced-attribute", "1:40 misplaced-attribute", "1:54 misplaced-attribute",
      "1:68 misplaced-attribute",
      "1:79 misplaced-attribute"),
    // In its tags, Mustache does nothing.
    Case(
      "<template data-cell=a {{#x}}data-raw='allow'{{/x}} title='{{z}}'>{{{y}}}</template>",
      "1:23 refused-place"),
    Case("<template data-cell=a title='{{z}}'>d</template>", "1:30 refused-place"),
    Case("<template data-cell=a lang='{{z}}'>d</template>", "1:29 refused-place"),
    Case("<template data-cell=a data-missing={{y}}keep>d</template>", "1:36 refused-place"),
    Case("<template data-cell=a data-missing='{{y}}'>d</template>", "1:37 refused-place"),
    Case("<template data-cell=a {{=<% %>=}}>d</template>", "1:23 refused-place"),
    Case(
      "<template {{>b}} data-cell=a>d</template {{x}}>", "1:11 refused-place", "1:42 refused-place"),
    Case("<template data-cell=a {{! c }} data-missing='{{! c }}keep'>d</template {{! c }}>"),
    Case("<template data-cell=a data-class='{{x}}'>d</template>", "1:23 misplaced-attribute"),
    // Outside of cells they do nothing: the first of each element is told.
    Case(
      "<p data-outlet=x data-bind=title:y>d</p><b data-cell=a>d</b><img data-when=x><i data-class=C>d</i>",
      "1:4 scenery-attribute", "1:66 scenery-attribute", "1:81 scenery-attribute"),
    Case(
      "<b data-cell=a>d</b><ul data-design data-when=x><li data-outlet=x><i data-tag=1>d</i></li></ul><u data-format=date>d</u>",
      "1:99 scenery-attribute"),
    Case(
      "<template data-design><p data-include=a>d</p></template><b data-cell=a>d</b><p data-action=go>d</p>"),
    // Of what is not printed, they do nothing.
    Case(
      "<div data-cell=a><p data-design data-outlet=a..b data-when='='><img data-embed src=no.svg data-bind=onclick:x>"
        + "<i data-case=one data-outlets=x>d</i></p><b data-tag=0>d</b></div>",
      "1:\(17 + 1 + "<p data-design data-outlet=a..b data-when='='><img data-embed src=no.svg data-bind=onclick:x>".utf8.count + "<i data-case=one data-outlets=x>d</i></p><b ".utf8.count) invalid-outlet"
    ),
    Case(
      "<div data-cell=a><p data-include=b><i data-when='=' data-outlet=a..b>d</i></p></div><i data-cell=b>d</i>"
    ),
    Case(
      "<div data-cell=a><p data-include=b data-plural=n>d</p></div><i data-cell=b>d</i>",
      "1:36 misplaced-attribute"),
    Case(
      "<div data-cell=a><img data-include=b data-embed src=no.svg></div><i data-cell=b>d</i>",
      "1:38 misplaced-attribute"),
    Case("<p data-cell=a data-action=''>d</p>", "1:16 misplaced-attribute"),
    Case("<p data-cell=a data-action='{{x}}'>d</p>", "1:16 misplaced-attribute"),
    Case(
      "<p data-cell=a>\n\((0...257).map { "<b data-action=a\($0)>d</b>" }.joined())</p>",
      "2:\((0..<256).map { "<b data-action=a\($0)>d</b>".utf8.count }.reduce(4, +)) misplaced-attribute"),
    Case("<p data-cell=a>\((0..<600).map { "<b data-action=a\($0 % 256)>d</b>" }.joined())</p>"),
    Case("<p data-cell=a>{{{x}}}</p>", "1:16 raw-not-allowed"),
    Case("<p data-cell=a data-raw=allow>{{{x}}}</p>"),
    Case("<p data-cell=a><!-- {{x}} --></p>", "1:21 unfillable-hole"),
    // The rules for markup apply, with positions in the nib's file.
    Case("scenery\n\n <p data-cell=a>\n<b>{{x}}</p>", "4:1 unclosed-element"),
    Case("\n<p data-cell=a>{{#x}}</p>", "2:16 unclosed-section"),
    Case("<p>\u{e9}</p><p data-cell=a onclick='{{x}}'>d</p>", "1:34 refused-attribute"),
    Case("<b data-cell=a>{{>b}}</b><b data-cell=b>{{x}}</b>"),
    Case("<b data-cell=a>{{>c}}</b>", "1:16 unknown-partial"),
    // Elements in every place that HTML allows.
    Case("<table><tbody><tr data-cell=a><td data-outlet=x>d</td></tr></tbody></table>"),
    Case("<table><tr><td data-cell=a>{{x}}</td></tr></table>"),
    Case("<ul><li data-cell=a data-outlet=x>d</ul>", "1:5 unclosed-cell"),
    Case("<ul><li data-cell=a data-outlet=x>d</li></ul>"),
    Case("<select><option data-cell=a data-outlet=x data-bind='value selected'>d</option></select>"),
    Case(
      "<svg><g data-cell=a><path data-outlet=x data-bind=d d='M0'/><a href='{{u}}'><circle r={{r}} /></a></g></svg>",
      "1:87 unquoted-value"),
    Case("<svg><a data-cell=a href='{{u}}'><path d='{{d}}'/></a></svg>"),
    Case("<math><mi data-cell=a>{{x}}</mi></math>"),
    Case("<math><style data-cell=a>{{x}}</style></math>", "1:26 refused-place"),
    Case("<math><noscript data-cell=a>{{x}}</noscript></math>", "1:29 refused-place"),
    Case("<svg><style data-cell=a><g data-outlet=x>d</g></style></svg>", "1:25 misplaced-element"),
    Case("<math><annotation-xml data-cell=a>{{x}}</annotation-xml></math>", "1:7 misplaced-element"),
    Case("<dl><dt data-cell=a>{{x}}</dt><dd data-cell=b>{{x}}</dd></dl>"),
  ])
  func placesAndCodes(_ row: Case) {
    #expect(Self.diagnostics(row.html) == row.found)
  }

  @Test func aPartialBringsNoAttributeOfAnOutlet() {
    let nib = TemplateSource(
      file: "n.html", kind: "n", mode: .html,
      bytes: Array("<a data-cell=a data-outlet=o data-bind=href {{>p}}>z</a>".utf8))
    let errors = #expect(throws: TemplateErrors.self) {
      try TemplateCompiler.compile(Templates.sources(["p.mustache": "href=\"q\""]), nibs: [nib])
    }
    let found = errors?.diagnostics.filter { $0.code == .duplicateAttribute }
    #expect(found?.map { "\($0.file):\($0.line):\($0.column)" } == ["n.html:1:45"])
  }

  /// A frame of the debug build takes a multiple of the stack.
  @Test(arguments: [201, 3500, DailySample.isWhole ? 100_000 : 20_000])
  func outletsAreNestedSoDeep(_ depth: Int) {
    let nested = { (count: Int) in
      String(repeating: "<b data-outlet=a>", count: count) + "x" + String(repeating: "</b>", count: count)
    }
    #expect(Self.diagnostics("<p data-cell=c>\(nested(200))</p>") == [])
    let position = 16 + 200 * "<b data-outlet=a>".count
    #expect(Self.diagnostics("<p data-cell=c>\(nested(depth))</p>") == ["1:\(position) nested-too-deep"])
  }

  @Test func outletsAndSectionsAreNestedTogether() {
    let step = "<b data-outlet=a>{{#x}}"
    let nested = { (count: Int) in
      String(repeating: step, count: count) + "x" + String(repeating: "{{/x}}</b>", count: count)
    }
    #expect(Self.diagnostics("<p data-cell=c>\(nested(100))</p>") == [])
    #expect(
      Self.diagnostics("<p data-cell=c>\(nested(101))</p>") == [
        "1:\(16 + 100 * step.count) nested-too-deep", "1:\(33 + 100 * step.count) nested-too-deep",
      ])
  }

  @Test func aTagHoldsSoManyAttributes() {
    let attributes = { (count: Int) in (0..<count).map { " a\($0 + 10_000)" }.joined() }
    #expect(Self.diagnostics("<p data-cell=c\(attributes(999))></p>") == [])
    #expect(
      Self.diagnostics("<p data-cell=c\(attributes(20_000))></p>") == ["1:\(16 + 999 * 7) invalid-markup"])
  }

  /// Shapes whose cost would be quadratic if every step looked at all others. In a release build they take
  /// well under a second.
  @Test(
    arguments: [
      ("<p data-cell=c>" + String(repeating: "{{x}} ", count: 10_000) + "</p>", []),
      (String(repeating: "{{x}} ", count: 10_000), []),
      ("<a " + String(repeating: "{{x}} ", count: 10_000), []),
      (
        "<p data-cell=c>" + String(repeating: "<b>", count: 10_000) + String(repeating: "</b>", count: 10_000)
          + "</p>", []
      ),
      (String(repeating: "<b>", count: 10_000), []),
      ("<p><button>" + String(repeating: "<div>", count: 10_000), []),
      (String(repeating: "<b>", count: 5000) + String(repeating: "</i>", count: 10_000), []),
      ("<p data-cell=c>" + String(repeating: "{{!x", count: 10_000), ["1:1 unclosed-cell"]),
    ] as [(String, [String])])
  func costIsLinear(_ html: String, _ found: [String]) {
    let time = ProcessorTime.measure { #expect(Self.diagnostics(html) == found) }
    // Enough for a debug build on a slow machine; quadratic cost would take minutes there.
    #expect(time < .seconds(20))
  }

  @Test func everyHintTeaches() throws {
    let html =
      "<p data-cell=a><br data-outlet=x><b data-tag=0>d</b><b data-bind=onclick>d</b><img data-embed src=x></p>"
    let nib = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(html.utf8))
    let errors = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [nib]) }
    #expect(errors?.diagnostics.count == 4)
    #expect(errors?.diagnostics.allSatisfy { !$0.hint.isEmpty && !$0.message.hasSuffix(".") } == true)
  }

  @Test(
    arguments: [
      "outlet", "tag", "cell", "bind", "design", "when", "missing", "include", "format", "plural", "case",
      "class",
      "raw", "embed",
    ].map { "data-" + $0 })
  func outletsAreOfNibsAlone(_ attribute: String) {
    let source = Templates.source("a.mustache", Array("<p \(attribute)=x>d</p>".utf8))
    #expect(Templates.diagnostics([source]) == ["1:4 outlet-in-mustache"])
  }

  private static let files = NibFiles { path throws(NibFiles.Fault) in
    switch path {
    case "a/star.svg": return Array("<svg/>".utf8)
    case "star.gif": return Array("GIF89a".utf8)
    case "a/text.png": return Array("text".utf8)
    case "a/large.gif": return Array("GIF89a".utf8) + [UInt8](repeating: 0, count: NibFiles.limitBytes)
    case "a/link.svg": throw .outside
    case "a/locked.svg": throw .unreadable("permission denied")
    default: throw .missing
    }
  }

  @Test(arguments: [
    Case("<p data-cell=a><img data-embed src=star.svg><img src='../star.gif' data-embed></p>"),
    Case("<p data-cell=a><img data-embed src='missing.svg'></p>", "1:32 invalid-image"),
    Case("<p data-cell=a><img data-embed src='../../star.gif'></p>", "1:32 outside-folder"),
    Case("<p data-cell=a><img data-embed src=link.svg></p>", "1:32 outside-folder"),
    Case("<p data-cell=a><img data-embed src=text.png></p>", "1:32 invalid-image"),
    Case("<p data-cell=a><img data-embed src=large.gif></p>", "1:32 invalid-image"),
    Case("<p data-cell=a><img data-embed src=locked.svg></p>", "1:32 invalid-image"),
    Case("<p data-cell=a><img data-embed src='https://example.com/a.png'></p>", "1:32 invalid-image"),
    Case("<p data-cell=a><img data-embed></p>", "1:21 invalid-image"),
    Case("<p data-cell=a><img data-embed src='{{x}}'></p>", "1:21 invalid-image"),
    Case("<p data-cell=a><b data-embed>d</b></p>", "1:19 invalid-image"),
  ])
  func imagesAreEmbedded(_ row: Case) {
    #expect(Self.diagnostics(row.html, Self.files) == row.found)
  }

  /// The archived content of a cell: the static text of its program, with `{}` for data.
  @Test(arguments: [
    ("<p data-cell=a data-class=A data-raw=allow id=i>x</p>", "<p id=i>x</p>"),
    ("<p\n  data-cell=a\n  id=i\n>x</p>", "<p\n  id=i>x</p>"),
    (
      "<p data-cell=a data-action=share>x<button data-action='save it'>y</button></p>",
      "<p data-action=share>x<button data-action='save it'>y</button></p>"
    ),
    ("<p data-cell=a><i>1</i><i data-design>2<b data-outlet=x>3</b></i></p>", "<p><i>1</i></p>"),
    (
      "<p data-cell=a><img alt=s data-embed src=star.svg></p>",
      "<p><img alt=s src=\"data:image/svg+xml;base64,PHN2Zy8+\"></p>"
    ),
    ("<p data-cell=a><img src=/x.png></p>", "<p><img src=/x.png></p>"),
    // Parts that are removed or may be left out never join the text around them.
    ("<p data-cell=c><<b data-design>k</b>{{x}}</p>", "<p>&lt;</p>"),
    ("<p data-cell=c><<b data-outlet=n></b>{{x}}</p>", "<p>&lt;<b></b></p>"),
    ("<p data-cell=c>&<b data-design>k</b>{{x}}</p>", "<p>&amp;</p>"),
    ("<p data-cell=c>&am<i data-outlet=n></i>{{x}}</p>", "<p>&amp;am<i></i></p>"),
    ("<p data-cell=c>&copy<i data-design></i>y</p>", "<p>&copy;y</p>"),
    // A slash in a start tag never ends up before its end.
    ("<svg / data-cell=a><g/></svg>", "<svg><g/></svg>"),
    ("<svg /data-cell=a><g/></svg>", "<svg><g/></svg>"),
    ("<svg data-cell=a / ><g/></svg>", "<svg><g/></svg>"),
    ("<svg data-cell=a><g x=y/ data-outlet=z></g></svg>", "<svg><g x=y/></g></svg>"),
    ("<svg data-cell=a><g x=y data-outlet=z /></svg>", "<svg><g x=y /></svg>"),
  ])
  func textOfTheProgram(_ html: String, _ output: String) throws {
    let nib = TemplateSource(file: "a/nib.html", kind: "a/nib", mode: .html, bytes: Array(html.utf8))
    let archive = try TemplateCompiler.compile([], nibs: [nib], with: TemplateSettings(files: Self.files))
      .archive
    let text = archive.tables.$ops.array.map { archive.text($0.literal) }.joined()
    #expect(text == output)
  }

  @Test func anImageIsPartOfItsKindsVersion() throws {
    func version(_ image: String) throws -> ContentHash {
      let nib = TemplateSource(
        file: "n.html", kind: "n", mode: .html, bytes: Array("<img data-cell=a data-embed src=i.svg>".utf8))
      let files = NibFiles { _ throws(NibFiles.Fault) in Array(image.utf8) }
      return try TemplateCompiler.compile([], nibs: [nib], with: TemplateSettings(files: files)).archive
        .tables.$kinds[0].version
    }
    #expect(try version("<svg/>") == version("<svg/>"))
    #expect(try version("<svg/>") != version("<svg />"))
  }

  @Test func theOrderOfNibsDoesNotChangeTheBytes() throws {
    func source(_ name: String, _ text: String) -> TemplateSource {
      TemplateSource(file: "x/\(name).html", kind: name, mode: .html, bytes: Array(text.utf8))
    }
    let nibs = [
      source("b", "<style>a</style><b data-cell=z data-class=C data-outlet=x>d</b>"),
      source("a/c", "<i data-cell=y data-class=C>d</i>"),
      source("a-b", "<i data-cell=x data-class='D C'>d</i><i data-cell=w data-class=D>d</i>"),
    ]
    let archive = try TemplateCompiler.compile([], nibs: nibs).archive
    for _ in 0..<10 {
      #expect(try TemplateCompiler.compile([], nibs: nibs.shuffled()).archive.encoded() == archive.encoded())
    }
    #expect(try CellArchive(decoding: archive.encoded()).encoded() == archive.encoded())
    func first(_ nib: String?, _ cellClass: String?) -> String? {
      func bytes<Result>(_ text: String?, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return Array(text.utf8).withUnsafeBytes { body($0) }
      }
      let number = bytes(nib) { nib in bytes(cellClass) { archive.firstKind(nib: nib, class: $0) } }
      return number.map { archive.text(archive.tables.$kinds[Int($0)].name) }
    }
    // Nibs in the order of the folder: a/c, a-b, b.
    #expect(first(nil, "C") == "y" && first(nil, "D") == "x" && first(nil, "E") == nil)
    #expect(first("b", nil) == "z" && first("a-b", nil) == "x" && first("c", nil) == nil)
    #expect(first("a-b", "C") == "x" && first("a-b", "D") == "x" && first("b", "D") == nil)
  }

  @Test func aNibsNameHoldsNoControlCharacter() {
    let nib = TemplateSource(
      file: "n", kind: "n\u{1B}", mode: .html, bytes: Array("<p data-cell=a>x</p>".utf8))
    let error = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [nib]) }
    #expect(error?.diagnostics.map(\.code) == [.invalidName])
  }
}
