import Cells
import Testing

@testable import CellServer

@Suite struct HTTPPercentDecodingTests {
  private func decode(_ text: String, plusIsSpace: Bool = false) -> Result<String, PercentDecoding.Fault> {
    let bytes = Array(text.utf8)
    let span = bytes.span
    do throws(PercentDecoding.Fault) {
      return .success(try PercentDecoding.string(span, 0..<span.count, plusIsSpace: plusIsSpace))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [
    ("", ""),
    ("plain", "plain"),
    ("a%20b", "a b"),
    ("%41%6a%4A", "AjJ"),
    ("%2525", "%25"),
    ("a%00b", "a\0b"),
    ("caf%C3%A9", "café"),
    ("%f0%9f%8d%8c", "🍌"),
    ("%EF%BF%BF%F4%8F%BF%BF", "\u{FFFF}\u{10FFFF}"),
    ("café%21", "café!"),
  ])
  func decodesOnce(_ text: String, _ expected: String) {
    #expect(decode(text) == .success(expected))
  }

  @Test func plusIsASpaceInFieldsOnly() {
    #expect(decode("a+b%2B") == .success("a+b+"))
    #expect(decode("a+b%2B", plusIsSpace: true) == .success("a b+"))
  }

  @Test(arguments: [
    ("%", 0), ("a%", 1), ("%4", 0), ("%zz", 0), ("%4g", 0), ("%g4", 0), ("ok%20%", 5), ("%%41", 0),
    ("%+1", 0),
    ("%-1", 0), ("% 41", 0), ("%0x", 0), ("%u0041", 0), ("%é", 0),
  ])
  func reportsThePositionOfABadEscape(_ text: String, _ offset: Int) {
    #expect(decode(text) == .failure(.badEscape(offset: offset)))
  }

  @Test(arguments: [
    "%FF", "%80", "%C3", "%C3%28", "%C0%AF", "%C0%80", "%C1%BF", "%E0%80%AF", "%E2%82", "%ED%A0%80",
    "%ED%BF%BF",
    "%F0%80%80%AF", "%F0%9F%8D", "%F4%90%80%80", "%F8%88%80%80%80", "a%C3b",
  ])
  func refusesWhatIsNotUTF8(_ text: String) {
    #expect(decode(text) == .failure(.notUTF8))
  }

  @Test func anEscapeDoesNotReachBeyondItsRange() {
    let bytes = Array("a%41".utf8)
    let span = bytes.span
    #expect(throws: PercentDecoding.Fault.badEscape(offset: 1)) {
      try PercentDecoding.string(span, 0..<3, plusIsSpace: false)
    }
  }
}
