import Testing

@testable import CellTemplates

/// The brackets of JSON are a stack whose copies are independent of each other.
@Suite struct JSONBracketsTests {
  private static func brackets(_ all: some Sequence<UInt8>) -> JSONBrackets {
    var brackets = JSONBrackets()
    for bracket in all { brackets.append(bracket) }
    return brackets
  }

  @Test func theLastOneIsClosedFirst() {
    let all = (0..<1000).map { $0 % 3 == 0 ? UInt8(ascii: "{") : UInt8(ascii: "[") }
    var brackets = Self.brackets(all)
    for bracket in all.reversed() {
      #expect(!brackets.isEmpty && brackets.last == bracket)
      brackets.removeLast()
    }
    #expect(brackets.isEmpty && brackets.last == nil && brackets == JSONBrackets())
  }

  @Test(arguments: [0, 1, 255, 256, 257, 511, 512, 513, 1000])
  func copiesAreIndependent(_ depth: Int) {
    let first = Self.brackets([UInt8](repeating: UInt8(ascii: "["), count: depth))
    var second = first
    for _ in 0..<min(depth, 300) { second.removeLast() }
    #expect((first == second) == (depth == 0))
    for _ in 0..<min(depth, 300) { second.append(UInt8(ascii: "[")) }
    #expect(first == second && first.hashValue == second.hashValue)
    second.append(UInt8(ascii: "{"))
    #expect(first != second && first.last != second.last)
  }

  @Test func bracketsDifferAnywhere() {
    let all = [UInt8](repeating: UInt8(ascii: "["), count: 1000)
    for position in [0, 255, 256, 767, 768, 999] {
      var other = all
      other[position] = UInt8(ascii: "{")
      #expect(Self.brackets(all) != Self.brackets(other))
    }
  }

  /// Each run is released without the stack of those around it.
  @Test func millionsAreReleased() {
    var brackets = Self.brackets(repeatElement(UInt8(ascii: "["), count: 16 << 20))
    #expect(!brackets.isEmpty)
    brackets = JSONBrackets()
    #expect(brackets.isEmpty)
  }
}
