import Testing

@testable import Cells

/// The search for escapes uses blocks after each escape, and longer steps when there are none.
@Suite("Escapes are found wherever they stand")
struct JSONEscapePlaceTests {
  /// Escapes and their decoded text.
  private static let escapes = [("\\n", "\n"), ("\\\\", "\\"), ("\\\"", "\""), ("\\ud83d\\ude00", "😀")]
  /// More bytes than the number of blocks searched before the longer steps begin.
  private static let mostBetween = 330

  @Test(arguments: [0, 1, 30, 61, 62, 63])
  func everyDistance(before: Int) throws {
    // Backslashes after the text do not belong to it.
    let behind = [UInt8](repeating: UInt8(ascii: "\\"), count: 64)
    for between in 0...Self.mostBetween {
      let (first, firstMeant) = Self.escapes[between % 4]
      let (second, secondMeant) = Self.escapes[between / 4 % 4]
      let start = String(repeating: "é", count: before / 2) + String(repeating: "a", count: before % 2)
      let middle = String(repeating: "b", count: between)
      let parsed = try ParsedJSON(
        Array("[\"\(start)\(first)\(middle)\(second)\",\"\(middle)\",\"\(second)\(first)c\"]".utf8),
        behind: behind)
      let position: Comment = "\(between) bytes behind \(first) there is \(second)"
      #expect(parsed.string(parsed.root + 1) == start + firstMeant + middle + secondMeant, position)
      #expect(parsed.string(parsed.root + 2) == middle, position)
      #expect(parsed.string(parsed.root + 3) == secondMeant + firstMeant + "c", position)
    }
  }

  @Test("A bad one behind a good one is refused where it stands")
  func badEscapes() throws {
    for between in 0...Self.mostBetween {
      let start = "[\"\\t" + String(repeating: "b", count: between)
      #expect(fault(of: start + "\\q\"]")?.offset == start.utf8.count + 1, "\(between) bytes behind it")
      #expect(fault(of: start + "\\\\\"]") == nil, "\(between) bytes behind it")
    }
  }

  @Test func consecutiveEscapes() throws {
    for count in 1...200 {
      let parsed = try ParsedJSON("[\"" + String(repeating: "\\\\", count: count) + "\"]")
      #expect(parsed.string(parsed.root + 1) == String(repeating: "\\", count: count))
    }
  }
}
