/// Values in the order in which they came first, each once. Numbers are places in the list and never change.
struct UniqueList<Element: Hashable> {
  private(set) var elements: [Element] = []
  private var numbers: [Element: Int] = [:]

  var count: Int { elements.count }

  /// The number of a value, which is added if it is new.
  @discardableResult
  mutating func add(_ element: Element) -> Int {
    if let known = numbers[element] { return known }
    numbers[element] = elements.count
    elements.append(element)
    return elements.count - 1
  }

  /// Adds a value; false where it is there.
  mutating func insert(_ element: Element) -> Bool {
    let known = count
    return add(element) == known
  }

  mutating func add(_ others: UniqueList) {
    for element in others.elements { add(element) }
  }
}
