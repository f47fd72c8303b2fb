import CellTemplates
import Testing

@testable import Cells

/// Boolean attributes that a Mustache name decides.
@Suite struct BooleanAttributeTests {
  @Test(arguments: [
    NibCase("<b hidden=\"{{x}}\">d</b>", #"{"x":true}"#, "<b hidden>d</b>"),
    NibCase("<b hidden='{{x}}' id=a>d</b>", #"{"x":"\""}"#, "<b hidden id=a>d</b>"),
    NibCase("<b hidden=\"{{x}}\" id=a>d</b>", #"{"x":false}"#, "<b  id=a>d</b>"),
    NibCase("<b hidden = \"{{x}}\">d</b>", #"{"x":""}"#, "<b >d</b>"),
    NibCase("<b hidden=\"{{x}}\">d</b>", #"{"x":0}"#, "<b >d</b>"),
    NibCase("<b hidden=\"{{x}}\">d</b>", #"{"x":null}"#, "<b >d</b>"),
    NibCase("<b hidden=\"{{x}}\">d</b>", #"{"x":[]}"#, "<b >d</b>"),
    // Once for a list, however many items it has.
    NibCase("<b hidden=\"{{x}}\">d</b>", #"{"x":[1,2,3]}"#, "<b hidden>d</b>"),
    NibCase("<b hidden=\"{{x.y.0}}\">d</b>", #"{"x":{"y":[1]}}"#, "<b hidden>d</b>"),
    // Missing: left out, and not counted.
    NibCase("<b hidden=\"{{x}}\">d</b>", "{}", "<b >d</b>", tally: (0, 0)),
    NibCase("<b hidden=\"{{x}}\">d</b>", "{}", "<b >d</b>", missing: .keep, tally: (0, 0)),
    NibCase("<b hidden=\"{{x}}\">d</b>", "{}", "<b >d</b>", missing: .error, tally: (0, 0)),
    // In sections, looked up like other names, and in a tag whose nib attributes are removed.
    NibCase(
      "{{#l}}<b hidden=\"{{.}}\"></b><i hidden=\"{{x}}\"></i>{{/l}}", #"{"x":1,"l":[true,false]}"#,
      "<b hidden></b><i hidden></i><b ></b><i hidden></i>"),
    NibCase("{{#l}}<i hidden=\"{{x}}\"></i>{{/l}}", #"{"x":1,"l":[{},{"x":0}]}"#, "<i hidden></i><i ></i>"),
    NibCase("<b{{#x}} hidden=\"{{y}}\"{{/x}}>d</b>", #"{"x":1,"y":1}"#, "<b hidden>d</b>"),
    NibCase(
      "<input type=checkbox data-outlet=x disabled=\"{{y}}\" data-bind=\"title:x\">", #"{"x":true,"y":1}"#,
      "<input type=checkbox disabled checked title=\"\">"),
    NibCase(
      "<video autofocus=\"{{x}}\" controls=\"{{x}}\" inert=\"{{y}}\" loop=\"{{y}}\" muted=\"{{x}}\"></video>",
      #"{"x":1}"#, "<video autofocus controls   muted></video>"),
  ])
  func attributesAreThereIfTheNameIsTruthy(_ row: NibCase) throws { try row.check() }

  /// A static value stays as it is.
  @Test func staticValuesStay() throws {
    try NibCase(
      "<b hidden=\"until-found\" class=\"{{x}}\">d</b>", "{}", "<b hidden=\"until-found\" class=\"\">d</b>"
    ).check()
  }

  @Test(arguments: [
    "a{{x}}", "{{x}}a", " {{x}}", "{{x}} ", "{{x}}{{y}}", "{{#x}}{{/x}}", "{{^x}}hidden{{/x}}",
    "{{#x}}{{x}}{{/x}}",
    "{{>p}}", "{{$x}}{{/x}}", "&#32;{{x}}", "'{{x}}",
  ])
  func everythingElseIsRefused(_ value: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.mustache", Array("<b hidden=\"\(value)\"></b>".utf8))
    try folder.write("p.mustache", Array("x".utf8))
    let check = FolderCheck(folder.path, executor: InlineExecutor())
    #expect(check.diagnostics.map { "\($0.line):\($0.column) \($0.code.rawValue)" } == ["1:4 mixed-boolean"])
  }
}
