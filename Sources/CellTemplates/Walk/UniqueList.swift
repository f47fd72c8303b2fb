/// Distinct values in order of first insertion. Their numbers are indexes into the list and never change.
struct UniqueList<Element: Hashable> {
  private(set) var elements: [Element] = []
  /// Empty as long as there are at most `searchedCount`.
  private var numbers: [Element: Int] = [:]

  /// Lists of up to this many are searched value by value. Most are as short, and a table takes more memory.
  private static var searchedCount: Int { 6 }

  var count: Int { elements.count }

  /// Adds a value if it is new. Returns its number.
  @discardableResult
  mutating func add(_ element: Element) -> Int {
    if let known = number(of: element) { return known }
    elements.append(element)
    if numbers.isEmpty {
      if count > Self.searchedCount {
        for (number, element) in elements.enumerated() { numbers[element] = number }
      }
    } else {
      numbers[element] = count - 1
    }
    return count - 1
  }

  func contains(_ element: Element) -> Bool { number(of: element) != nil }

  private func number(of element: Element) -> Int? {
    numbers.isEmpty ? elements.firstIndex(of: element) : numbers[element]
  }

  /// Adds a value. Returns false if it was already there.
  mutating func insert(_ element: Element) -> Bool {
    let known = count
    return add(element) == known
  }

  mutating func add(_ others: UniqueList) {
    for element in others.elements { add(element) }
  }
}
