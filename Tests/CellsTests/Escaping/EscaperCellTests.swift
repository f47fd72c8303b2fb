import CellTemplates
import Testing

@testable import Cells

/// Escapers as steps of a cell: every type of JSON value with every escaper.
@Suite struct EscaperCellTests {
  private static let values: [(json: String, text: String)] = [
    ("null", ""), ("true", "true"), ("false", "false"), ("0", "0"), ("-1.50e+3", "-1.50e+3"),
    ("1e400", "1e400"),
    ("\"\"", ""), ("\"a<b>&\\\"'c\"", "a<b>&\"'c"), ("\"javascript:alert(1)\"", "javascript:alert(1)"),
    ("\"\\u0000\\r\\n\\u2028\"", "\0\r\n\u{2028}"), ("[1, \"<\"]", "[1,\"<\"]"),
    ("{\"a\": {\"b\": \"</script>\"}}", "{\"a\":{\"b\":\"</script>\"}}"),
    ("[]", "[]"), ("\"/a b\"", "/a b"),
  ]

  @Test(arguments: Escaper.allCases)
  func everyKindOfValue(_ escaper: Escaper) throws {
    let harness = RenderHarness(archive: try EscaperHarness.archive(escaper))
    for (json, text) in Self.values {
      let outcome = try harness.outcomes("x", "{\"v\":\(json)}")
      #expect(outcome == [.rendered(Self.expected(json, text, escaper))], "\(escaper) of \(json)")
    }
  }

  private static func expected(_ json: String, _ text: String, _ escaper: Escaper) -> [UInt8] {
    switch escaper {
    case .json:
      // As JSON: scalars are printed as sent, strings minimally escaped.
      let compact =
        json.first == "\"" ? json.replacing("\\u2028", with: "\u{2028}") : text.isEmpty ? json : text
      return EscaperReference.escape(Array(compact.utf8), .json)
    default:
      if json != "null" { return EscaperReference.escape(Array(text.utf8), escaper) }
      return Array(nothing(escaper).utf8)
    }
  }

  /// The output for a missing or empty value.
  private static func nothing(_ escaper: Escaper) -> String {
    switch escaper {
    case .urlSegment, .srcsetSegment: "."
    case .urlHost: "about:invalid#cell"
    default: ""
    }
  }

  @Test(arguments: Escaper.allCases)
  func missingValues(_ escaper: Escaper) throws {
    let harness = RenderHarness(archive: try EscaperHarness.archive(escaper))
    let nothing = escaper == .json ? "null" : Self.nothing(escaper)
    for missing in [MissingPolicy.keep, .blank] {
      var limits = RenderLimits()
      limits.missing = missing
      #expect(
        try harness.outcomes("x", "{}", limits: limits) == [.rendered(nothing)], "\(escaper), \(missing)")
    }
    var limits = RenderLimits()
    limits.missing = .error
    let expected: RenderHarness.Outcome = escaper == .discard ? .rendered("") : .missing(["v"])
    #expect(try harness.outcomes("x", "{}", limits: limits) == [expected], "\(escaper)")
  }

  @Test(arguments: Escaper.allCases)
  func theOutputIsBounded(_ escaper: Escaper) throws {
    if escaper == .discard { return }
    let harness = RenderHarness(archive: try EscaperHarness.archive(escaper))
    var limits = RenderLimits()
    limits.outputBytes = 2_000
    let value = [.style, .srcsetDescriptor, .urlHost, .selectorName].contains(escaper) ? "a" : "#&"
    let long = String(repeating: value, count: 2_001)
    let outcome = try harness.outcomes(
      "x", "{\"v\":\"\(long)\"}", "{\"v\":[\"\(long)\"]}", "{\"v\":\"#a\"}", limits: limits)
    #expect(outcome[0] == .outputTooLarge(limit: 2_000))
    #expect(outcome[1] == .outputTooLarge(limit: 2_000))
    guard case .rendered = outcome[2] else {
      Issue.record("\(outcome[2])")
      return
    }
  }
}
