import CellTemplates
import Testing

@testable import Cells

/// The bits of an enumeration are its raw value, which `verifiedCode` relies on.
@Suite struct VerifiedCodeTests {
  @Test func everyEscaperIsStoredAsItsRawValue() {
    check(Escaper.self, count: Escaper.allCases.count) { Int($0.rawValue) }
    for escaper in Escaper.allCases { #expect(UInt32(escaper.index) == UInt32(escaper.rawValue)) }
  }

  @Test func everyKindOfJSONIsStoredAsItsRawValue() {
    check(JSONKind.self, count: JSONKind.allCases.count) { Int($0.rawValue) }
  }

  @Test func everyRootAndFormIsStoredAsItsRawValue() {
    check(PathEntry.Root.self, count: cases(PathEntry.Root.init)) { Int($0.rawValue) }
    check(OutletEntry.Form.self, count: cases(OutletEntry.Form.init)) { Int($0.rawValue) }
    check(BindEntry.Form.self, count: cases(BindEntry.Form.init)) { Int($0.rawValue) }
  }

  /// How many raw values from 0 on have a case; at least two.
  private func cases<Code>(_ make: (UInt32) -> Code?) -> Int {
    let count = (0..<UInt32(64)).prefix { make($0) != nil }.count
    #expect(count > 1 && (UInt32(count)..<256).allSatisfy { make($0) == nil })
    return count
  }

  private func check<Code: RawRepresentable>(_: Code.Type, count: Int, _ rawValue: (Code) -> Int) {
    for number in 0..<count { #expect(rawValue(verifiedCode(UInt8(number))) == number) }
  }
}
