/// Distinct values in order of first insertion. Their numbers are indexes into the list and never change.
struct UniqueList<Element: Hashable> {
  private(set) var elements: [Element] = []
  private var numbers: [Element: Int] = [:]

  var count: Int { elements.count }

  /// Adds a value if it is new. Returns its number.
  @discardableResult
  mutating func add(_ element: Element) -> Int {
    if let known = numbers[element] { return known }
    numbers[element] = elements.count
    elements.append(element)
    return elements.count - 1
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
