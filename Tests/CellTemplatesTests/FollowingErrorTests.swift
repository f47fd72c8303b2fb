import Testing

@testable import CellTemplates

/// What follows from an error is not reported as another.
@Suite struct FollowingErrorTests {
  typealias Case = EscapingContextTests.Case

  @Test(
    arguments: [
      // One URL is one error.
      Case("<a href=\"{{s}}://x/{{y}}\">a</a>", "1:15 unsafe-url-start"),
      Case("<a href=\"{{p}}//{{h}}/{{y}}\">a</a>", "1:17 ambiguous-url"),
      Case("<iframe src=\"{{u}}/{{x}}\"></iframe>", "1:14 unsafe-url-start"),
      Case(
        "<a href=\"java{{x}}\">a</a><a href=\"java{{x}}\">b</a>", "1:14 unsafe-url-start",
        "1:39 unsafe-url-start"),
      // An attribute that takes no values.
      Case(
        "<b onclick=\"f({{a}}, {{b}})\" x-data=\"{{c}}\"></b>", "1:15 refused-attribute",
        "1:38 refused-attribute"),
      Case("<b onclick=\"{{#a}}{{b}}{{/a}}{{c}}\"></b>", "1:19 refused-attribute"),
      Case("<link rel=\"{{r}}\" href=\"{{u}}\">", "1:12 refused-attribute"),
      Case("<link {{#r}}rel=\"icon\"{{/r}} href=\"{{u}}\">", "1:13 conditional-attribute"),
      // Declarations and candidates are judged one by one.
      Case("<b style=\"{{a}}: 1px; x: '{{b}}'\"></b>", "1:11 unsafe-style", "1:27 unsafe-style"),
      Case(
        "<img srcset=\"java{{a}} 1x, java{{b}} 2x\" alt=\"\">", "1:18 unsafe-url-start",
        "1:32 unsafe-url-start"),
      Case(
        "<b style=\"a: url({{a}}{{b}}); c: url({{c}}{{d}})\"></b>", "1:23 ambiguous-url", "1:43 ambiguous-url"
      ),
      // Text in a table is one error for each table.
      Case(
        "<table>a {{x}}<tr><td>b</td></tr> c</table><table>d</table>", "1:8 misplaced-text",
        "1:51 misplaced-text"),
    ] as [Case])
  func values(_ row: Case) { #expect(EscapingContextTests.judge(row.template) == row.expected) }

  @Test func rawValuesThatAreNotAllowedAreReportedOnce() {
    let template = Array("<p title=\"{{{x}}}\">{{{y}}}</p>".utf8)
    let found = Templates.diagnostics([Templates.source("a.mustache", template)])
    #expect(found == ["1:11 raw-not-allowed", "1:20 raw-not-allowed"])
  }
}
