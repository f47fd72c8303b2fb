/// The elements opened by a template, innermost last; found by name without searching.
struct OpenElementStack {
  struct Element {
    let name: ExactString
    let at: Int
    /// The context around the element, restored after it.
    let outer: ElementContext
    let depth: Int
    let contentStart: Int
    let startTag: StartTag
    /// The number of outlets around its content.
    let outlets: Int
  }

  private(set) var all: [Element] = []
  /// The indexes of the elements with each name.
  private var places: [ExactString: [Int]] = [:]

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }
  var last: Element? { all.last }

  subscript(place: Int) -> Element { all[place] }

  /// The index of the innermost element with a name.
  func place(of name: ExactString) -> Int? { places[name]?.last }

  mutating func append(_ element: Element) {
    places[element.name, default: []].append(all.count)
    all.append(element)
  }

  mutating func remove(from place: Int) {
    while all.count > place { places[all.removeLast().name]?.removeLast() }
  }
}
