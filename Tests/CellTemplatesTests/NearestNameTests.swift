import Testing

@testable import CellTemplates

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("nwes", "news"), ("News", "news"), ("newss", "news"), ("new", "news"), ("mews", "news"),
    ("news_card", "news-card"),
    ("nesw-crad", "news-card"), ("x", nil), ("n", nil), ("card", nil), ("nbcs", nil), ("", nil),
    (String(repeating: "n", count: 65), nil),
  ])
  func namesAreFoundByFewEdits(_ name: String, _ nearest: String?) {
    #expect(NearestName.find(name, among: ["news", "news-card", "a", ""]) == nearest)
  }

  @Test func theNearestIsFoundAndOfEquallyNearTheFirst() {
    #expect(
      NearestName.find("shop/price", among: ["shop/pricing", "shop/prices", "shop/prize"]) == "shop/prices")
  }

  @Test func lastByteOfTheLongestNameCounts() {
    let name = String(repeating: "n", count: 64)
    #expect(NearestName.find(name.dropLast() + "m", among: [name]) == name)
    #expect(NearestName.find(name, among: [name + "n"]) == nil)
  }

  /// Whether the index finds what a comparison with each name finds.
  @Test func indexFindsEveryEdit() {
    let name = "shop/price-7"
    let letters = Array(name)
    var edited: [String] = []
    for position in letters.indices {
      edited.append(String(letters[..<position] + letters[(position + 1)...]))
      edited.append(String(letters[..<position] + "z" + letters[position...]))
      edited.append(String(letters[..<position] + "z" + letters[(position + 1)...]))
      if position > 0 {
        var swapped = letters
        swapped.swapAt(position, position - 1)
        edited.append(String(swapped))
      }
    }
    let index = NearNameIndex(["a", "other", name, "shop/other"])
    for wrong in edited { #expect(index.nearest(to: wrong) == name, "\(wrong)") }
    for wrong in ["shop/pri", "b", "", "othre/shop"] { #expect(index.nearest(to: wrong) == nil, "\(wrong)") }
  }

  @Test func manyNamesAreSearchedWithoutComparingAll() {
    let index = NearNameIndex((0..<10_000).map { "kind-\($0 * 7)-of-many" })
    let time = ProcessorTime.measure {
      for number in 0..<10_000 { #expect(index.nearest(to: "kinds-\(number * 7)-of-many") != nil) }
    }
    // A comparison with each takes minutes.
    #expect(time < .seconds(60))
  }
}
