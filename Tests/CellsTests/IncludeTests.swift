import CellTemplates
import Testing

@testable import Cells

/// `data-include`: cells in place of drawn stand-ins.
@Suite struct IncludeTests {
  private static let cells = """
    <template data-cell=by>[<b data-outlet=n>N</b>{{o}}]</template><template data-cell=dot>({{.}}{{z}})</template>\
    <template data-cell=tree><i data-outlet=n>n</i><u data-outlet=kids data-include=tree>drawn</u></template>\
    <template data-cell=pos>{{@index}}{{@number}}{{#@first}}f{{/@first}}{{#@last}}l{{/@last}};</template>\
    <template data-cell=me>{{@row.n}}{{owner.u}}</template>
    """

  @Test(arguments: [
    NibCase(
      "<p>a <q data-include=by>drawn <b>x</b></q>.</p>", #"{"n":1,"o":2}"#, "<p>a [<b>1</b>2].</p>",
      cells: cells),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", #"{"x":{"n":1},"o":2}"#, "<p>a [<b>1</b>].</p>",
      cells: cells),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", #"{"x":[{"n":1},null,{"n":2,"o":3}],"o":2}"#,
      "<p>a [<b>1</b>] [<b>2</b>3].</p>", cells: cells),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", #"{"x":true,"n":5,"o":2}"#,
      "<p>a [<b>5</b>2].</p>", cells: cells),
    // The name of the kind begins in the outlet's value.
    NibCase(
      "<p>a <q data-outlet=x data-include=*k>drawn</q>.</p>", #"{"x":"s","k":"dot"}"#, "<p>a .</p>",
      cells: cells,
      tally: (1, 0)),
    NibCase(
      "<p><q data-outlet=x data-include=*k>drawn</q></p>", #"{"x":{"k":"dot"},"k":"by"}"#,
      "<p>({&quot;k&quot;:&quot;dot&quot;})</p>", cells: cells),
    NibCase(
      "<p><q data-outlet=x data-include=*k>drawn</q></p>", #"{"x":true,"k":"by","n":1}"#, "<p>[<b>1</b>]</p>",
      cells: cells),
    NibCase(
      "<p><q data-outlet=x data-include=*k>drawn</q></p>", #"{"x":"s","k":"dot"}"#, lacks: ["k"], cells: cells
    ),
    NibCase(
      "<p><q data-outlet=x data-include=*k>drawn</q></p>", #"{"k":"dot"}"#, lacks: ["x", "x.k"], cells: cells),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", #"{"x":null}"#, "<p>a.</p>", cells: cells,
      tally: (0, 0)),
    NibCase(
      "<p>{{#l}}{{#@number}}a <q data-outlet=. data-include=by>drawn</q>.{{/@number}}{{/l}}</p>",
      #"{"l":[{}]}"#, "<p>a.</p>", cells: cells),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", #"{"x":false}"#, "<p>a.</p>", cells: cells),
    NibCase("<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", #"{"x":[]}"#, "<p>a.</p>", cells: cells),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", "{}", "<p>a.</p>", cells: cells, tally: (1, 0)),
    NibCase(
      "<p>a <q data-outlet=x data-include=by>drawn</q>.</p>", "{}", "<p>a.</p>", missing: .keep, cells: cells,
      tally: (1, 0)),
    NibCase(
      "<p>a <q data-missing=blank data-outlet=x data-include=by>drawn</q>.</p>", "{}", "<p>a.</p>",
      cells: cells, tally: (1, 0)),
    NibCase("<p><q data-outlet=x data-include=by>drawn</q></p>", "{}", lacks: ["x"], cells: cells),
    NibCase(
      "<p><q data-outlet=x data-include=by>drawn</q></p>", #"{"x":{}}"#, lacks: ["n", "o"], cells: cells),
    NibCase(
      "<p><q data-outlet=x data-include=dot>drawn</q></p>", #"{"x":["a<",2,{"z":3}]}"#,
      "<p>(a&lt;)(2)({&quot;z&quot;:3}3)</p>", cells: cells),
    NibCase(
      "<ul><li data-outlet=l><b data-outlet=n>d</b><q data-outlet=x data-include=by>d</q></li></ul>",
      #"{"l":[{"n":1,"x":{"n":2}},{"n":3}],"o":9}"#, "<ul><li><b>1</b>[<b>2</b>]</li><li><b>3</b></li></ul>",
      cells: cells),
    NibCase(
      "<p><q data-when=y data-outlet=x data-include=by>d</q></p>", #"{"y":1,"x":{"n":2}}"#,
      "<p>[<b>2</b>]</p>", cells: cells),
    NibCase("<p>a <q data-when=y data-include=by>d</q></p>", #"{"x":{"n":2}}"#, "<p>a</p>", cells: cells),
    NibCase(
      "<p><q data-outlet=t data-include=tree>d</q></p>",
      #"{"t":{"n":1,"kids":[{"n":2,"kids":[{"n":3}]},{"n":4}]}}"#, "<p><i>1</i><i>2</i><i>3</i><i>4</i></p>",
      cells: cells),
    NibCase(
      "<p>{{@index}}<q data-outlet=t data-include=pos>d</q>{{@index}}</p>", #"{"t":[1,2,3]}"#,
      "<p>001f;12;23l;0</p>", cells: cells),
    NibCase("<p><q data-outlet=t data-include=pos>d</q></p>", #"{"t":7}"#, "<p>01fl;</p>", cells: cells),
    NibCase(
      "<p><q data-outlet=t data-include=me>d</q>{{@row.n}}</p>", #"{"t":[{"n":1},{"n":2}],"n":3}"#,
      "<p>1u2u3</p>", owner: #"{"u":"u"}"#, cells: cells),
    NibCase(
      "<p><q data-include='*k'>d</q>.</p>", #"{"k":"dot","z":1}"#,
      "<p>({&quot;k&quot;:&quot;dot&quot;,&quot;z&quot;:1}1).</p>", cells: cells),
    NibCase(
      "<p><q data-outlet=x data-include='*k'>d</q>.</p>",
      #"{"x":[{"k":"by","n":1},{"k":"none"},{"n":2},{"k":"pos"}],"k":"by"}"#, "<p>[<b>1</b>]34l;.</p>",
      cells: cells, tally: (2, 0)),
    NibCase("<p><q data-include='*k'>d</q></p>", "{}", lacks: ["k"], cells: cells),
    NibCase(
      "<p><q data-missing=blank data-include='*k'>d</q></p>", "{}", "<p></p>", missing: .error, cells: cells,
      tally: (1, 0)),
    NibCase(
      "<p data-missing=error><q data-include='*k'>d</q></p>", "{}", lacks: ["k"], missing: .drop, cells: cells
    ),
    NibCase(
      "<p><q data-include='*k'>d</q></p>", #"{"k":"none"}"#, "<p></p>", missing: .error, cells: cells,
      tally: (1, 0)),
    NibCase("<p><q data-outlet=x data-include=by data-design>d</q></p>", "{}", "<p></p>", cells: cells),
    NibCase(
      "<table><tr><td><img src=x data-outlet=x data-include=by></td></tr></table>", #"{"x":{"n":1}}"#,
      "<table><tr><td>[<b>1</b>]</td></tr></table>", cells: cells),
    NibCase(
      "<p><q data-include=by><b data-outlet=gone data-action=go>d</b></q></p>", #"{"n":1}"#,
      "<p>[<b>1</b>]</p>", cells: cells, tally: (0, 0)),
  ])
  func values(_ row: NibCase) throws { try row.check() }

  /// Rows of a table by a cell of their own.
  @Test func rowsOfATable() throws {
    let harness = try RenderHarness([
      "n.html": """
      <table data-cell=t><tbody><tr data-outlet=rows data-include=r><td>drawn</td></tr></tbody></table>\
      <table><tr data-cell=r><td data-outlet=a>1</td></tr></table>
      """
    ])
    #expect(
      try harness.render("t", #"[{"rows":[{"a":1},{"a":2}]}]"#)
        == "<table><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>")
  }

  /// A value that the cell would refuse as a row makes the row bad.
  @Test(arguments: ["5", "\"x\"", "[[1],2]", #"{"data":{"n":1},"id":2}"#])
  func valuesThatAreNoRows(_ value: String) throws {
    let harness = try RenderHarness([
      "n.html":
        "<p data-cell=a><q data-outlet=x data-include=b>d</q></p><i data-cell=b><b data-outlet=n>n</b></i>"
    ])
    let outcomes = try harness.outcomes("a", "{\"x\":\(value)}")
    #expect(outcomes == [.notIncluded("b")])
  }

  @Test(arguments: [
    ("<p data-cell=a><q data-include=b>{{x}}</q></p>", DiagnosticCode.misplacedAttribute),
    ("<p data-cell=a><q data-include=b title='{{x}}'>d</q></p>", .misplacedAttribute),
    ("<p data-cell=a><q data-include=b data-bind=title:x>d</q></p>", .misplacedAttribute),
    ("<p data-cell=a data-include=b>d</p>", .misplacedAttribute),
    ("<p data-cell=a><q data-outlet=@index data-include=b>d</q></p>", .misplacedAttribute),
    ("<p data-cell=a><q data-include='b c'>d</q></p>", .invalidKind),
    ("<p data-cell=a><q data-include='*'>d</q></p>", .invalidKind),
    ("<p data-cell=a><q data-include=''>d</q></p>", .invalidKind),
    ("<table data-cell=a><tr data-include=b><td>d</td></tr></table>", .misplacedElement),
    ("<svg data-cell=a><g data-include='*k'></g></svg>", .dynamicPartialOutsideText),
  ])
  func refused(_ html: String, _ code: DiagnosticCode) throws {
    let nib = html + "<i data-cell=b>b</i>"
    let source = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(nib.utf8))
    let errors = #expect(throws: TemplateErrors.self) { try TemplateCompiler.compile([], nibs: [source]) }
    #expect(errors?.diagnostics.map(\.code) == [code], "\(errors?.diagnostics ?? [])")
  }

  @Test func unknownKindsAreWarnings() throws {
    let nib = "<p data-cell=byline>a<q data-include=none>d</q><q data-include=bylin>d</q></p>"
    let source = TemplateSource(file: "nib.html", kind: "nib", mode: .html, bytes: Array(nib.utf8))
    let warnings = try TemplateCompiler.compile([], nibs: [source]).warnings
    #expect(warnings.map(\.code) == [.unknownPartial, .unknownPartial])
    #expect(
      warnings.map(\.hint) == ["fix the name, or add the cell", "did you mean data-include=\"byline\"?"])
  }

  /// The limit of partials holds for cells that include themselves.
  @Test func recursionEnds() throws {
    let harness = try RenderHarness(["n.html": "<div data-cell=a>a<q data-include=a>d</q></div>"])
    #expect(try harness.outcomes("a", "{}") == [.tooDeep(kind: "a", limit: 64)])
  }

  /// Members of a large included row are looked up in parts.
  @Test func largeRowsPause() throws {
    let members = (0..<50_000).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    let row = "{\"x\":[{\(members),\"n\":1},{\(members),\"n\":2,\"o\":3}]}"
    try NibCase(
      "<p><q data-outlet=x data-include=by>d</q></p>", row, "<p>[<b>1</b>][<b>2</b>3]</p>", cells: Self.cells
    ).check(leastPauses: 2)
  }
}
