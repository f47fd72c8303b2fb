import Testing

@testable import Cells

@Suite(
  "JSONTestSuite",
  .enabled(if: JSONTestSuite.folder != nil, "set CELLFACTORY_JSON_TEST_SUITE to its test_parsing folder"))
struct JSONTestSuiteTests {
  private static func refusal(_ bytes: [UInt8]) -> JSONFault? { fault(of: bytes) }

  @Test func everyValidTextIsAccepted() throws {
    let names = try JSONTestSuite.names(withPrefix: "y_")
    #expect(names.count == 95)
    for name in names {
      let bytes = try JSONTestSuite.bytes(of: name)
      guard let parsed = try? ParsedJSON(bytes) else {
        Issue.record("\(name) is refused")
        continue
      }
      #expect(parsed.printed == JSONReference(bytes, depthLimit: 512)?.printed, "\(name)")
    }
  }

  @Test func everyInvalidTextIsRefusedWithItsPlace() throws {
    let names = try JSONTestSuite.names(withPrefix: "n_")
    #expect(names.count == 188)
    for name in names {
      let bytes = try JSONTestSuite.bytes(of: name)
      guard let fault = Self.refusal(bytes) else {
        Issue.record("\(name) is accepted")
        continue
      }
      let position = bytes.withUnsafeBytes { lineAndColumn(of: fault.offset, in: $0) }
      #expect((0...bytes.count).contains(fault.offset), "\(name)")
      #expect(position.line >= 1 && position.column >= 1, "\(name)")
      #expect(!fault.reason.isEmpty, "\(name)")
    }
  }

  /// The cases that RFC 8259 leaves open, with the reason for refusing them, nil if accepted. Numbers of any
  /// size are accepted, because their digits are kept; text that is not valid Unicode is refused.
  static let choices: [String: String?] = [
    "i_number_double_huge_neg_exp.json": nil,
    "i_number_huge_exp.json": nil,
    "i_number_neg_int_huge_exp.json": nil,
    "i_number_pos_double_huge_exp.json": nil,
    "i_number_real_neg_overflow.json": nil,
    "i_number_real_pos_overflow.json": nil,
    "i_number_real_underflow.json": nil,
    "i_number_too_big_neg_int.json": nil,
    "i_number_too_big_pos_int.json": nil,
    "i_number_very_big_negative_int.json": nil,
    "i_object_key_lone_2nd_surrogate.json": "a lone surrogate",
    "i_string_1st_surrogate_but_2nd_missing.json": "a lone surrogate",
    "i_string_1st_valid_surrogate_2nd_invalid.json": "a lone surrogate",
    "i_string_UTF-16LE_with_BOM.json": "invalid UTF-8",
    "i_string_UTF-8_invalid_sequence.json": "invalid UTF-8",
    "i_string_UTF8_surrogate_U+D800.json": "invalid UTF-8",
    "i_string_incomplete_surrogate_and_escape_valid.json": "a lone surrogate",
    "i_string_incomplete_surrogate_pair.json": "a lone surrogate",
    "i_string_incomplete_surrogates_escape_valid.json": "a lone surrogate",
    "i_string_invalid_lonely_surrogate.json": "a lone surrogate",
    "i_string_invalid_surrogate.json": "a lone surrogate",
    "i_string_invalid_utf-8.json": "invalid UTF-8",
    "i_string_inverted_surrogates_U+1D11E.json": "a lone surrogate",
    "i_string_iso_latin_1.json": "invalid UTF-8",
    "i_string_lone_second_surrogate.json": "a lone surrogate",
    "i_string_lone_utf8_continuation_byte.json": "invalid UTF-8",
    "i_string_not_in_unicode_range.json": "invalid UTF-8",
    "i_string_overlong_sequence_2_bytes.json": "invalid UTF-8",
    "i_string_overlong_sequence_6_bytes.json": "invalid UTF-8",
    "i_string_overlong_sequence_6_bytes_null.json": "invalid UTF-8",
    "i_string_truncated-utf-8.json": "invalid UTF-8",
    "i_string_utf16BE_no_BOM.json": "expected a value",
    "i_string_utf16LE_no_BOM.json": "expected a value or ']'",
    "i_structure_500_nested_arrays.json": nil,
    "i_structure_UTF-8_BOM_empty_object.json": "a byte order mark, which JSON does not allow",
  ]

  @Test func unspecifiedCasesAreDecided() throws {
    let names = try JSONTestSuite.names(withPrefix: "i_")
    #expect(names == Self.choices.keys.sorted())
    for name in names {
      let reason = fault(of: try JSONTestSuite.bytes(of: name))?.reason
      #expect(reason == Self.choices[name] ?? "not listed", "\(name)")
    }
  }
}
