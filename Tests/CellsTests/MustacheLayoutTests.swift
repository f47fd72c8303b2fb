import CellTemplates
import Testing

@testable import Cells

/// Partials, parents and blocks: line starts, indentation, and which override wins. Cases beyond the
/// specification.
@Suite struct MustacheLayoutTests {
  /// The cell `c` and the cells it calls, all of them text cells.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let cell: String
    let others: [String: String]
    let json: String
    let expected: String

    init(_ name: String, _ cell: String, _ expected: String) {
      self.init(name, cell, [:], "{}", expected)
    }

    init(_ name: String, _ cell: String, _ others: [String: String], _ expected: String) {
      self.init(name, cell, others, "{}", expected)
    }

    init(_ name: String, _ cell: String, _ others: [String: String], _ json: String, _ expected: String) {
      testDescription = name
      self.cell = cell
      self.others = others
      self.json = json
      self.expected = expected
    }
  }

  private func check(_ row: Case) throws {
    var templates = ["c.txt.mustache": row.cell]
    for (kind, text) in row.others { templates[kind + ".txt.mustache"] = text }
    let harness = try RenderHarness(templates)
    #expect(try harness.outcomes("c", row.json) == [.rendered(row.expected)])
  }

  @Test(arguments: [
    Case(
      "every line is indented, but blank ones", "a\n  {{>p}}\nb", ["p": "1\n\n2\n\r\n"],
      "a\n  1\n\n  2\n\r\nb"),
    Case("CRLF ends a line", "a\r\n\t{{>p}}\r\nb", ["p": "1\r\n2\r\n"], "a\r\n\t1\r\n\t2\r\nb"),
    Case("newlines of values are left alone", "  {{>p}}\n", ["p": "{{{v}}}\n"], #"{"v":"1\n2"}"#, "  1\n2\n"),
    Case("a partial without a last newline joins what follows", "  {{>p}}\nb", ["p": "x"], "  xb"),
    Case("beside other text there is no indentation", "a {{>p}}", ["p": "1\n2"], "a 1\n2"),
    Case("two partials on a line stand not alone", "  {{>p}}{{>p}}\n", ["p": "1\n2"], "  1\n21\n2\n"),
    Case("a partial that does not exist leaves with its line", "a\n  {{>nothing}}\nb", "a\nb"),
    Case("indentations add up", "  {{>p}}\nz", ["p": "\t{{>q}}\nx\n", "q": "y\n"], "  \ty\n  x\nz"),
    Case(
      "a partial in running text starts anew", "  {{>p}}.", ["p": "x\n  {{>q}}\n", "q": "1\n2\n"],
      "  x\n  1\n  2\n."),
    Case("indentation ends with the partial", "  {{>p}}\n{{>q}}", ["p": "1\n", "q": "2\n3"], "  1\n2\n3"),
    Case(
      "sections of a partial are indented in every turn", "  {{>p}}\n", ["p": "{{#s}}\n{{.}}\n{{/s}}\n"],
      #"{"s":[1,2]}"#, "  1\n  2\n"),
    Case(
      "a line begun in a section begins in every turn", " {{>p}}\n", ["p": "{{#s}}\nx\n{{/s}}y\n"],
      #"{"s":[1,2]}"#, " x\n  x\n y\n"),
    Case("text only spaces wide is a line", "  {{>p}}\n", ["p": "1\n \n2"], "  1\n   \n  2"),
    Case("a tag between lines is a line", "  {{>p}}\n", ["p": "{{x}}\n{{x}}"], #"{"x":""}"#, "  \n  "),
    Case(
      "delimiters stay where they were set", "{{=<% %>=}}<%>p%>{{x}}", ["p": "{{x}}<%x%>"], #"{"x":1}"#,
      "1<%x%>{{x}}"),
    Case("a dynamic partial is indented too", "  {{>*k}}\n", ["p": "1\n2\n"], #"{"k":"p"}"#, "  1\n  2\n"),
    Case(
      "dynamic in indented", "  {{>p}}\n", ["p": " {{>*k}}\n", "q": "1\n2\n"], #"{"k":"q"}"#, "   1\n   2\n"),
    Case("a partial at the very end", "a\n {{>p}}", ["p": "1\n2"], "a\n 1\n 2"),
    Case(
      "recursion indents deeper and deeper", "{{n}}\n{{#c}}\n  {{>c}}\n{{/c}}\n", [:],
      #"{"n":1,"c":[{"n":2,"c":[{"n":3,"c":[]}]},{"n":4,"c":0}]}"#, "1\n  2\n    3\n  4\n"),
  ])
  func partials(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case("a name that is no kind prints nothing", "[{{>*k}}]", ["p": "x"], #"{"k":"nothing"}"#, "[]"),
    Case("a name that is missing prints nothing", "[{{>*k}}]", ["p": "x"], "[]"),
    Case(
      "a name that is no string prints nothing", "[{{>*a}}{{>*b}}{{>*c}}{{>*@index}}]",
      ["1": "x", "true": "y", "0": "z"],
      #"{"a":1,"b":true,"c":["1"]}"#, "[]"),
    Case("a name is looked up once", "[{{>*k}}]", ["p": "P", "k2": "K"], #"{"k":"k2","k2":"p"}"#, "[K]"),
    Case(
      "a name by index, in a section", "{{#a}}{{>*.}}{{/a}}{{>*a.1}}", ["p": "P", "q": "Q"],
      #"{"a":["p","q","r"]}"#, "PQQ"),
    Case(
      "a dynamic parent takes overrides", "{{<*k}}{{$b}}o{{/b}}{{/*k}}", ["p": "[{{$b}}d{{/b}}]"],
      #"{"k":"p"}"#, "[o]"),
    Case("a dynamic parent that is none prints nothing", "{{<*k}}{{$b}}o{{/b}}{{/*k}}.", ["p": ""], "."),
  ])
  func dynamicNames(_ row: Case) throws { try check(row) }

  @Test func aDynamicNameOfATextCellPrintsNothingInAnHTMLCell() throws {
    let harness = try RenderHarness([
      "h.mustache": "[{{>*k}}{{<*k}}{{/*k}}]", "t.txt.mustache": "{{{a}}}[{{>*k}}]", "p.mustache": "{{a}}",
    ])
    let rows = [#"{"k":"t","a":"<"}"#, #"{"k":"p","a":"<"}"#]
    #expect(try harness.outcomes("h", rows[0], rows[1]) == [.rendered("[]"), .rendered("[&lt;&lt;]")])
    #expect(try harness.outcomes("t", rows[1]) == [.rendered("<[&lt;]")])
  }

  @Test(arguments: [
    Case(
      "an override counts at every place of its block", "{{<p}}{{$b}}o{{/b}}{{/p}}",
      ["p": "{{$b}}1{{/b}}{{$b}}2{{/b}}{{#s}}{{$b}}3{{/b}}{{/s}}"], #"{"s":[1,2]}"#, "oooo"),
    Case(
      "of two overrides of one name the last counts", "{{<p}}{{$b}}1{{/b}}{{$b}}2{{/b}}{{/p}}",
      ["p": "{{$b}}d{{/b}}"], "2"),
    Case(
      "an override of no block prints nothing", "{{<p}}{{$x}}1{{/x}}{{/p}}", ["p": "[{{$b}}d{{/b}}]"], "[d]"),
    Case("an empty override empties its block", "{{<p}}{{$b}}{{/b}}{{/p}}", ["p": "[{{$b}}d{{/b}}]"], "[]"),
    Case(
      "blocks that differ in canonically equal names differ", "{{<p}}{{$\u{E9}}}o{{/\u{E9}}}{{/p}}",
      ["p": "{{$\u{E9}}}1{{/\u{E9}}}{{$e\u{301}}}2{{/e\u{301}}}"], "o2"),
    Case(
      "a partial does not see its caller's overrides", "{{<p}}{{$b}}o{{/b}}{{/p}}",
      ["p": "{{>q}}{{$b}}p{{/b}}{{>q}}", "q": "{{$b}}q{{/b}}"], "qoq"),
    Case(
      "a parent in an override has overrides of its own",
      "{{<p}}{{$b}}<{{<p}}{{$b}}i{{/b}}{{/p}}>{{/b}}{{/p}}",
      ["p": "[{{$b}}d{{/b}}]"], "[<[i]>]"),
    Case(
      "an override in a section of the parent tag is no override", "{{<p}}{{#s}}{{$b}}o{{/b}}{{/s}}{{/p}}",
      ["p": "[{{$b}}d{{/b}}]"], #"{"s":1}"#, "[d]"),
    Case(
      "an override may use blocks of its own", "{{<p}}{{$b}}{{$c}}default{{/c}}!{{/b}}{{/p}}",
      ["p": "{{$b}}{{/b}}"], "default!"),
    Case(
      "inside an override its block is the default", "{{<p}}{{$a}}x{{$a}}y{{/a}}{{/a}}{{/p}}",
      ["p": "{{$a}}{{/a}}"], "xy"),
    Case(
      "… also where two hold one another", "{{<p}}{{$a}}1{{$b}}2{{/b}}{{/a}}{{$b}}3{{$a}}4{{/a}}{{/b}}{{/p}}",
      ["p": "{{$a}}{{/a}}|{{$b}}{{/b}}|{{$a}}{{/a}}"], "134|312|134"),
    Case(
      "an override reaches into the override of another block",
      "{{<p}}{{$b}}{{$c}}d{{/c}}{{/b}}{{$c}}o{{/c}}{{/p}}",
      ["p": "{{$b}}{{/b}}"], "o"),
    Case(
      "the outermost override wins over three levels", "{{<p}}{{$a}}3{{/a}}{{/p}}",
      [
        "p": "{{<q}}{{$a}}2{{/a}}{{$b}}2{{/b}}{{/q}}", "q": "{{<r}}{{$a}}1{{/a}}{{$c}}1{{/c}}{{/r}}",
        "r": "{{$a}}0{{/a}}{{$b}}0{{/b}}{{$c}}0{{/c}}{{$d}}0{{/d}}",
      ], "3210"),
    Case(
      "an override runs where it is expanded", "{{#o}}{{<p}}{{$b}}{{n}}{{@index}}{{/b}}{{/p}}{{/o}}",
      ["p": "{{#l}}{{$b}}{{/b}}{{/l}}"], #"{"o":{"n":"o"},"l":[{},{"n":"l"}]}"#, "o0l1"),
    Case(
      "overrides end with their parent", "{{<p}}{{$b}}o{{/b}}{{/p}}{{$b}}d{{/b}}{{<p}}{{/p}}",
      ["p": "{{$b}}p{{/b}}"], "odp"),
  ])
  func overrides(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case(
      "a parent alone on its line indents", "a\n  {{<p}}\n    {{$b}}o{{/b}}\n  {{/p}}\nz",
      ["p": "1\n{{$b}}d{{/b}}\n"], "a\n  1\n  o\nz"),
    Case("a parent in running text does not", "a {{<p}}{{/p}} z", ["p": "1\n2"], "a 1\n2 z"),
    Case(
      "an override that starts with a blank line", "{{<p}}{{$b}}\n\n    x\n{{/b}}{{/p}}",
      ["p": "  {{$b}}{{/b}}\n"], "  \n  x\n\n"),
    Case(
      "… for a block on a line of its own", "{{<p}}{{$b}}\n\n    x\n{{/b}}{{/p}}",
      ["p": "  {{$b}}\n  {{/b}}\n"], "\n  x\n"),
    Case(
      "an override that starts with a partial", "{{<p}}{{$b}}\n{{>q}}\ny\n{{/b}}{{/p}}",
      ["p": "  {{$b}}{{/b}}\n", "q": "1\n2\n"], "  1\n  2\n  y\n\n"),
    Case(
      "an override that starts with an empty partial", "{{<p}}{{$b}}\n{{>q}}\ny\nz\n{{/b}}{{/p}}",
      ["p": "  {{$b}}{{/b}}\n", "q": ""], "  y\n  z\n\n"),
    Case(
      "an override that starts with a section left out", "{{<p}}{{$b}}\n{{#s}}\nx\n{{/s}}\ny\n{{/b}}{{/p}}",
      ["p": "  {{$b}}{{/b}}\n"], "  y\n\n"),
    Case(
      "an override that starts with a section", "{{<p}}{{$b}}\n{{#s}}\nx\n{{/s}}\ny\n{{/b}}{{/p}}",
      ["p": "  {{$b}}{{/b}}\n"], #"{"s":[1,2]}"#, "  x\n  x\n  y\n\n"),
    Case(
      "an override that starts with a block", "{{<p}}{{$b}}\n{{$c}}\nd\n{{/c}}\ny\n{{/b}}{{/p}}",
      ["p": "  {{$b}}{{/b}}\n"], "  d\n  y\n\n"),
    Case(
      "… which is overridden", "{{<q}}{{$c}}\nn\n{{/c}}{{/q}}",
      ["q": "{{<p}}{{$b}}\n{{$c}}\nd\n{{/c}}\ny\n{{/b}}{{/p}}", "p": "  {{$b}}{{/b}}\n"], "  n\n  y\n\n"),
    Case(
      "… by text that starts no line", "{{<q}}{{$c}}n{{/c}}{{/q}}",
      ["q": "{{<p}}{{$b}}\n{{$c}}\nd\n{{/c}}\ny\n{{/b}}{{/p}}", "p": "  {{$b}}{{/b}}\n"], "  n  y\n\n"),
    Case(
      "an empty override leaves the line behind it alone", "  {{>m}}\n",
      ["m": "{{<p}}{{$b}}\n{{/b}}{{/p}}\n", "p": "foo {{$b}}x{{/b}}\nbar\n"], "  foo \n  bar\n"),
    Case(
      "an override that starts no line, in a block with a line", "{{<p}}{{$b}}x{{/b}}{{/p}}",
      ["p": "<\n  {{$b}}\n  d\n  {{/b}}\n>"], "<\n  x>"),
    Case(
      "the default sets the indentation of its place", "{{<p}}{{$b}}\nx\ny\n{{/b}}{{/p}}",
      ["p": "{{$b}}\n    d\n{{/b}}\n"], "    x\n    y\n"),
    Case(
      "an override gives up its first line's indentation alone",
      "{{<p}}{{$b}}\n    x\n      y\n  z\n{{/b}}{{/p}}",
      ["p": "-\n{{$b}}{{/b}}"], "-\nx\n  y\nz\n"),
    Case(
      "tabs and spaces are taken as they are", "{{<p}}{{$b}}\n\tx\n    y\n{{/b}}{{/p}}",
      ["p": "\t\t{{$b}}\n\t\t{{/b}}\n"], "\t\tx\n\t\t    y\n"),
    Case(
      "an override with CRLF", "{{<p}}{{$b}}\r\n  x\r\n\r\n  y\r\n{{/b}}{{/p}}",
      ["p": " {{$b}}\r\n {{/b}}\r\nz"], " x\r\n\r\n y\r\nz"),
    Case("a block in an indented partial", "  {{>p}}\n", ["p": "{{$b}}\n d\n{{/b}}\ne\n"], "   d\n  e\n"),
    Case(
      "a parent in an indented partial", " {{>m}}\n",
      ["m": "{{<p}}{{$b}}\nx\ny\n{{/b}}{{/p}}\n", "p": "1\n  {{$b}}\n  {{/b}}\n2\n"],
      " 1\n   x\n   y\n 2\n"),
  ])
  func indentationOfParentsAndBlocks(_ row: Case) throws { try check(row) }

  @Test(arguments: [
    Case("comments alone on a line leave with it", "a\n  {{! x\n y }}  \nb", "a\nb"),
    Case("sections alone on their lines", "{{#s}}\nx\n{{/s}}\n", [:], #"{"s":[1,2]}"#, "x\nx\n"),
    Case("a line of two tags stays", "{{#s}}{{/s}}\n", [:], #"{"s":1}"#, "\n"),
    Case("a comment before a section on a line", "{{! x }} {{#s}}\ny\n{{/s}}", [:], #"{"s":1}"#, " \ny\n"),
    Case("values are never alone", " {{a}}\n {{{a}}}\n {{&a}}\n", " \n \n \n"),
    Case(
      "form feed and no-break space are text", "\u{0C}{{#s}}\n\u{A0}{{/s}}\n", [:], #"{"s":1}"#,
      "\u{0C}\n\u{A0}\n"),
    Case("a carriage return alone ends no line", "{{#s}}\rx{{/s}}\r", [:], #"{"s":1}"#, "\rx\r"),
  ])
  func tagsAloneOnALineLeaveWithIt(_ row: Case) throws { try check(row) }
}
