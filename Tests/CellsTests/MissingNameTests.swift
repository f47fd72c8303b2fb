import CellTemplates
import Testing

@testable import Cells

/// Names that the data does not have: the four modes, `data-missing`, what stays, and white space.
@Suite struct MissingNameTests {
  @Test(arguments: [
    NibCase("<p data-outlet=x>d</p>", "{}", "", tally: (1, 0)),
    NibCase("<p data-outlet=x>d</p>", "{}", "<p>d</p>", missing: .keep, tally: (1, 1)),
    NibCase("<p data-outlet=x>d</p>", "{}", "<p></p>", missing: .blank, tally: (1, 0)),
    NibCase("<p data-outlet=x>d</p>", "{}", lacks: ["x"]),
    NibCase("<p data-outlet=x>d</p>", #"{"x":null}"#, "", missing: .keep, tally: (0, 0)),
    NibCase("<p data-outlet=x.y>d</p>", #"{"x":1}"#, "", tally: (1, 0)),
    // Within an element that stays, all others find nothing.
    NibCase("<p data-outlet=x>a<b data-outlet=y>d</b></p>", #"{"y":1}"#, "", tally: (1, 0)),
    NibCase(
      "<p data-outlet=x>a<b data-outlet=y>d</b></p>", #"{"y":1}"#, "<p>a<b>d</b></p>", missing: .keep,
      tally: (2, 2)),
    NibCase(
      "<p data-outlet=x>a<b data-outlet=y>d</b></p>", #"{"y":1}"#, "<p>a<b></b></p>", missing: .blank,
      tally: (2, 0)),
    NibCase("<img data-outlet=x src=a>", "{}", "<img src=a>", missing: .blank, tally: (1, 1)),
    NibCase("<input data-outlet=x value=a>", "{}", "<input value=a>", missing: .blank, tally: (1, 1)),
  ])
  func modes(_ row: NibCase) throws { try row.check() }

  @Test(arguments: [
    NibCase("<b data-outlet=x data-missing=keep>d</b>", "{}", "<b>d</b>", missing: .error, tally: (1, 1)),
    NibCase("<b data-outlet=x data-missing=drop>d</b>", "{}", "", missing: .keep),
    // An outlet that holds others is counted where these may be missing.
    NibCase(
      "<p data-outlet=x><i data-missing=drop><b data-outlet=y>d</b></i></p>", "{}", "<p><i></i></p>",
      missing: .error,
      tally: (2, 0)),
    NibCase("<b data-outlet=x data-missing=error>d</b>", "{}", lacks: ["x"], missing: .drop),
    NibCase(
      "<p data-missing=keep><b data-outlet=x>d</b><i data-missing=drop><u data-outlet=y>d</u></i></p>", "{}",
      "<p><b>d</b><i></i></p>"),
    NibCase("<p data-missing=error>{{x}}</p>", "{}", lacks: ["x"], missing: .drop),
    NibCase("<p data-missing=error title='{{x}}'></p>", "{}", lacks: ["x"], missing: .drop),
    NibCase("<p data-missing=keep>{{x}}</p>", "{}", "<p></p>", missing: .error),
    // It does not reach into partials.
    NibCase(
      "<p data-missing=keep>{{>other}}</p>", "{}", "<p></p>", cells: "<b data-cell=other data-outlet=x>d</b>"),
    NibCase(
      "{{>other}}", "{}", "<b>d</b>", cells: "<b data-cell=other data-outlet=x data-missing=keep>d</b>"),
    NibCase("{{>other}}", "{}", "d", cells: "<template data-cell=other data-missing=error>d</template>"),
    NibCase(
      "{{>other}}", "{}", lacks: ["x"], missing: .drop,
      cells: "<template data-cell=other data-missing=error><b data-outlet=x>d</b></template>"),
  ])
  func ownModes(_ row: NibCase) throws { try row.check() }

  /// An object without `text`, where what is drawn would be replaced by it.
  @Test(arguments: [
    NibCase("<p data-outlet=x>d</p>", #"{"x":{}}"#, "<p></p>", tally: (1, 0)),
    NibCase("<p data-outlet=x>d</p>", #"{"x":{}}"#, "<p>d</p>", missing: .keep, tally: (1, 1)),
    NibCase("<p data-outlet=x>d</p>", #"{"x":{}}"#, "<p></p>", missing: .blank, tally: (1, 0)),
    NibCase("<p data-outlet=x>d</p>", #"{"x":{}}"#, lacks: ["text"]),
    NibCase("<p data-outlet=x>d</p>", #"{"x":[{"text":"a"},{"a":1}]}"#, "<p>a</p><p></p>", tally: (1, 0)),
    NibCase("<p data-outlet=x>d</p>", #"{"x":{"text":null}}"#, "<p></p>", tally: (0, 0)),
    NibCase("<p data-outlet=x>d<b data-outlet=y>e</b></p>", #"{"x":{}}"#, "<p>d</p>", tally: (1, 0)),
    // Where attributes read names, the object is for these, and what is drawn is a label.
    NibCase(
      "<a data-outlet=x data-bind=href>d</a>", #"{"x":{"href":"/"}}"#, "<a href=\"/\">d</a>", tally: (0, 0)),
    NibCase("<a data-outlet=x href='/{{id}}'>d</a>", #"{"x":{"id":1}}"#, "<a href='/1'>d</a>", tally: (0, 0)),
    NibCase(
      "<a data-outlet=x data-bind=href>d</a>", #"{"x":{"href":"/"}}"#, "<a href=\"/\"></a>", missing: .blank),
    NibCase(
      "<select><option data-outlet=x>d</option></select>", #"{"x":{}}"#, "<select><option></option></select>"),
  ])
  func objectsWithoutText(_ row: NibCase) throws { try row.check() }

  /// What holds others is judged only if it says so itself; what it holds counts as reached.
  @Test(arguments: [
    NibCase("<p data-outlet=x><b data-outlet=y>d</b></p>", "{}", lacks: ["x.y"]),
    NibCase("<p data-outlet=x><b data-outlet=y>d</b></p>", #"{"y":1}"#, lacks: ["x.y"]),
    NibCase("<p data-outlet=x><b data-outlet=.>d</b></p>", "{}", lacks: ["x"]),
    NibCase(
      "<p data-outlet=x data-missing=error><b data-outlet=y data-missing=keep>d</b></p>", "{}", lacks: ["x"],
      missing: .drop),
    NibCase("<p data-outlet=x data-missing=error><b data-outlet=y>d</b></p>", "{}", lacks: ["x", "x.y"]),
    NibCase("<p data-outlet=l><b data-outlet=y>d</b></p>", #"{"l":[{"y":1},{}]}"#, lacks: ["y"]),
    NibCase("<p data-outlet=l><b data-outlet=y>d</b></p>", #"{"l":[]}"#, "", missing: .error),
    // Mustache names go on as if the outlet were not there.
    NibCase("<p data-outlet=x><b data-outlet=y>d</b>{{z}}</p>", "{}", lacks: ["x.y", "z"]),
  ])
  func whatIsReached(_ row: NibCase) throws { try row.check() }

  /// A template may have a name of megabytes, and each row miss it.
  @Test func longNamesAreCut() throws {
    let (long, cut) = (String(repeating: "n", count: 2000), String(repeating: "n", count: 1 << 10))
    let harness = try RenderHarness([
      "names.mustache": "{{\(long)}}{{@row.\(long)}}{{a}}",
      "nib.html": "<p data-cell=outlets><i data-outlet=\(cut)><b data-outlet=b>d</b></i></p>",
    ])
    var limits = RenderLimits()
    limits.missing = .error
    #expect(
      try harness.outcomes("names", "{}", limits: limits) == [.missing([cut, String(cut.dropLast(5)), "a"])])
    #expect(try harness.outcomes("outlets", "{}", limits: limits) == [.missing([cut + ".b"])])
  }

  /// Cells of tables and form controls stay.
  @Test(arguments: [
    NibCase(
      "<table><tr><td data-outlet=x>d</td><th data-outlet=y>d</th></tr></table>", #"{"x":null,"y":false}"#,
      "<table><tr><td></td><th></th></tr></table>"),
    NibCase("<table><tr><td data-outlet=x>d</td></tr></table>", "{}", "<table><tr><td></td></tr></table>"),
    NibCase("<table><tr><td data-outlet=x>d</td></tr></table>", #"{"x":[]}"#, "<table><tr></tr></table>"),
    NibCase(
      "<table><tr><td data-outlet=x>d</td></tr></table>", #"{"x":[1,null,2]}"#,
      "<table><tr><td>1</td><td></td><td>2</td></tr></table>"),
    NibCase(
      "<table><tr><td data-outlet=x><b data-outlet=y>d</b></td></tr></table>", #"{"x":null,"y":1}"#,
      "<table><tr><td></td></tr></table>"),
    NibCase("<dl><dd data-outlet=x>d</dd></dl>", #"{"x":null}"#, "<dl><dd></dd></dl>"),
    NibCase("<textarea data-outlet=x>d</textarea>", #"{"x":null}"#, "<textarea></textarea>"),
    NibCase("<input data-outlet=x value=d name=n>", #"{"x":null}"#, "<input name=n>"),
    NibCase("<input data-outlet=x value=d name=n>", "{}", "<input name=n>"),
    NibCase("<input type=checkbox data-outlet=x checked value=d>", "{}", "<input type=checkbox value=d>"),
    NibCase("<input type=radio data-outlet=x checked>", #"{"x":null}"#, "<input type=radio>"),
    NibCase(
      "<select><option data-outlet=x selected>d</option></select>", #"{"x":null}"#,
      "<select><option>d</option></select>"),
    NibCase("<select><option data-outlet=x selected>d</option></select>", "{}", "<select></select>"),
    NibCase("<p data-outlet=x>d</p>", #"{"x":[null,1,false]}"#, "<p>1</p>"),
    NibCase(
      "<script type=application/json data-outlet=x>1</script>", #"{"x":null}"#,
      "<script type=application/json>null</script>"),
    NibCase("<script type=application/json data-outlet=x>1</script>", "{}", ""),
    NibCase(
      "<script type=application/json data-outlet=x>1</script>", "{}",
      "<script type=application/json>null</script>", missing: .blank),
  ])
  func whatStays(_ row: NibCase) throws { try row.check() }

  /// White space directly before an element belongs to it.
  @Test(arguments: [
    NibCase("<p>\n  <b data-outlet=x>d</b>\n  <i>i</i>\n</p>", "{}", "<p>\n  <i>i</i>\n</p>"),
    NibCase(
      "<ul>\n  <li data-outlet=x>d</li>\n</ul>", #"{"x":[1,2]}"#,
      "<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>"),
    NibCase("<p>a <b data-outlet=x>d</b> z</p>", #"{"x":[1,2]}"#, "<p>a <b>1</b> <b>2</b> z</p>"),
    NibCase("<p>a <b data-design>d</b> z</p>", "{}", "<p>a z</p>"),
    NibCase("<p>a<b data-outlet=x>d</b> z</p>", "{}", "<p>a z</p>"),
    NibCase(
      "<ul>\n  <li data-outlet=x>d</li>\n  <li data-design>e</li>\n</ul>", #"{"x":1}"#,
      "<ul>\n  <li>1</li>\n</ul>"),
    NibCase(
      "<p>\n\n\t<b data-outlet=x>d</b>\n<b data-outlet=y>d</b>.</p>", #"{"y":1}"#, "<p>\n<b>1</b>.</p>"),
    NibCase("<p>{{#s}} <b data-outlet=x>d</b>{{/s}}</p>", #"{"s":true}"#, "<p></p>"),
    NibCase("<p>{{#s}}a{{/s}} <b data-outlet=x>d</b></p>", #"{"s":true}"#, "<p>a</p>"),
    // It is not touched where it is shown as written.
    NibCase("<pre>a <b data-outlet=x>d</b> z</pre>", "{}", "<pre>a  z</pre>"),
    NibCase("<pre><i>a <b data-outlet=x>d</b></i></pre>", "{}", "<pre><i>a </i></pre>"),
    // Lines of a partial are indented where the white space is.
    NibCase(
      "<ul>\n  {{>other}}\n</ul>", #"{"x":[1,2]}"#, "<ul>\n  <li>1</li><li>2</li></ul>",
      cells: "<template data-cell=other>\n<li data-outlet=x>d</li></template>"),
    NibCase(
      "<ul>\n  {{>other}}\n</ul>", #"{"x":[1,2]}"#, "<ul>\n  <i></i>\n   <li>1</li>\n   <li>2</li></ul>",
      cells: "<template data-cell=other><i></i>\n <li data-outlet=x>d</li>\n</template>"),
  ])
  func whiteSpace(_ row: NibCase) throws { try row.check() }
}
