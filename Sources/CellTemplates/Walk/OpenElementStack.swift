/// The elements that a template has opened, the innermost last; found by name without a search.
struct OpenElementStack {
  struct Element {
    let name: String
    let at: Int
    /// The context the element stands in, which is there again behind it.
    let outer: ElementContext
    let depth: Int
    let contentStart: Int
    let startTag: StartTag
    /// The outlets around its content.
    let outlets: Int
  }

  private(set) var all: [Element] = []
  /// Where elements of each name stand.
  private var places: [String: [Int]] = [:]

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }
  var last: Element? { all.last }

  subscript(place: Int) -> Element { all[place] }

  /// Where the innermost element of a name stands.
  func place(of name: String) -> Int? { places[name]?.last }

  mutating func append(_ element: Element) {
    places[element.name, default: []].append(all.count)
    all.append(element)
  }

  mutating func remove(from place: Int) {
    while all.count > place { places[all.removeLast().name]?.removeLast() }
  }
}
