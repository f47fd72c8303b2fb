import CellTemplates
import Testing

@testable import Cells

/// What is kept of the formats of many locales is bounded.
@Suite struct FormatShelfTests {
  /// Locales whose rows have printed one format do not keep out of the bound those whose rows print all.
  @Test(arguments: [0, 2000]) func manyLocalesTakeLittle(smallLocales: Int) throws {
    let formats = UInt32(400)
    let harness = try FormatHarness([
      "a.mustache": (0..<formats).map { "{{x | currency c\($0)}}" }.joined()
    ])
    let shelf = FormatShelf(harness.archive)
    let count = UInt32(try #require(harness.archive.pack).count)
    func locale(_ number: Int) -> LocaleInForce {
      LocaleInForce(index: 1 + UInt32(number / 2) % (count - 1), usesLatinDigits: number % 2 == 1)
    }
    for number in 0..<smallLocales { _ = shelf.formats(for: locale(number)).make(0) }
    var most = 0
    var large = 0
    for number in 0..<40 {
      let used = shelf.formats(for: locale(2 * number + number % 2))
      let before = shelf.heldBytes
      for format in 0..<formats { _ = used.make(format) }
      large = max(large, shelf.heldBytes - before)
      most = max(most, shelf.heldBytes)
    }
    #expect(large > 400_000)
    // The limit, and what the last two have grown by.
    #expect(most < (8 << 20) + 2 * large, "\(most), \(large)")
  }
}
