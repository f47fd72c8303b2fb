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

    /// Whether its content is shown with white space as written.
    let keepsWhiteSpace: Bool

    /// The memory that the element takes while it is open, in pieces.
    var pieces: Int { LoadBudget.elementPieces + startTag.attributes.count + startTag.positions.count }
  }

  private(set) var all: [Element] = []
  /// The indexes of the elements with each name.
  private var positions: [ExactString: [Int]] = [:]

  var count: Int { all.count }
  var isEmpty: Bool { all.isEmpty }
  var last: Element? { all.last }

  subscript(index: Int) -> Element { all[index] }

  /// The index of the innermost element with a name.
  func index(of name: ExactString) -> Int? { positions[name]?.last }

  mutating func append(_ element: Element) {
    positions[element.name, default: []].append(all.count)
    all.append(element)
  }

  // MARK: What follows from an error

  /// The number of elements with each name that were reported although the other tag of theirs is somewhere.
  private var reported: [ExactString: (starts: Int, ends: Int)] = [:]

  /// Notes that a start tag was reported as not closed: its end tag may follow, and is not reported.
  mutating func noteStart(_ name: ExactString) { reported[name, default: (0, 0)].starts += 1 }

  /// Notes that an end tag was reported in a section: the element around the section is not reported as not closed.
  mutating func noteEnd(_ name: ExactString) { reported[name, default: (0, 0)].ends += 1 }

  /// Whether the end tag belongs to a start tag that was reported.
  mutating func takeStart(of name: ExactString) -> Bool {
    guard let count = reported[name]?.starts, count > 0 else { return false }
    reported[name]?.starts -= 1
    return true
  }

  /// Whether the start tag belongs to an end tag that was reported.
  mutating func takeEnd(of name: ExactString) -> Bool {
    guard let count = reported[name]?.ends, count > 0 else { return false }
    reported[name]?.ends -= 1
    return true
  }

  /// Returns the pieces that the removed elements took.
  mutating func remove(from index: Int) -> Int {
    var pieces = 0
    while all.count > index {
      let element = all.removeLast()
      positions[element.name]?.removeLast()
      pieces += element.pieces
    }
    return pieces
  }
}
