/// A nib as a page: where its cells are drawn, so that others can take their places.
package struct NibPage: Sendable {
  /// One cell of the page.
  package struct Cell: Sendable {
    package let kind: String
    /// Its element, with its tags.
    package let element: Range<Int>
    /// Whether nothing before it opens the page's body, which browsers then do at its first tag.
    package let opensBody: Bool
    /// The position of its identifier, counted from 1; the column in bytes.
    package let line: Int
    package let column: Int
  }

  package let bytes: [UInt8]
  /// In document order.
  package private(set) var cells: [Cell] = []
  /// Where elements can be added that must come first in the page's head.
  package let headStart: Int

  /// - Parameters:
  ///   - nib: the file. Cells with errors are left out.
  ///   - budget: the work that reading may do.
  package init(_ nib: TemplateSource, budget: LoadBudget) {
    bytes = nib.bytes
    let sources = Nib(nib, budget: budget).cells
    var start = SceneryStart(nib.bytes)
    var end = 0
    for source in sources {
      guard let cell = source.cell else { continue }
      start.read(end..<cell.element.lowerBound)
      let position = source.position(of: cell.at)
      cells.append(
        Cell(
          kind: source.kind, element: cell.element, opensBody: !start.isInBody, line: position.line,
          column: position.column))
      start.readCell(at: cell.element.lowerBound)
      end = cell.element.upperBound
    }
    start.read(end..<nib.bytes.count)
    headStart = start.headStart ?? nib.bytes.count
  }
}

/// Follows a page from its start to its body, as an HTML parser does.
private struct SceneryStart {
  /// Elements that browsers leave in the head, where cells must not be.
  private static let headElements: Set<String> = [
    "html", "head", "base", "link", "meta", "title", "style", "script", "noscript", "template",
  ]

  private let bytes: [UInt8]
  private(set) var isInBody = false
  /// After the start tag of the head; without one, after that of the page, or before any other tag.
  private(set) var headStart: Int?
  /// Whether a tag was found that ends the search for the head.
  private var isHeadFound = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ range: Range<Int>) {
    if isInBody { return }
    var tokenizer = HTMLTokenizer()
    var collector = HTMLTagCollector()
    var position = range.lowerBound
    while position < range.upperBound, !isInBody {
      let next =
        bytes[position..<range.upperBound].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
        ?? range.upperBound
      tokenizer.feed(position..<next, of: bytes, &collector)
      position = next
      if let tag = collector.take(), !tag.isEnd { note(tag) }
    }
  }

  /// A cell is scenery for those after it.
  mutating func readCell(at start: Int) {
    if headStart == nil { headStart = start }
    isHeadFound = true
    let name: StaticString = "<template"
    let isTemplate = bytes[start...].prefix(name.utf8CodeUnitCount).lazy.map(HTMLTokenizer.lowercased)
      .elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    if !isTemplate { isInBody = true }
  }

  private mutating func note(_ tag: HTMLTag) {
    if !isHeadFound {
      if tag.isNamed("html"), headStart == nil {
        headStart = tag.range.upperBound
      } else {
        if tag.isNamed("head") { headStart = tag.range.upperBound }
        headStart = headStart ?? tag.range.lowerBound
        isHeadFound = true
      }
    }
    if !Self.headElements.contains(String(decoding: tag.name, as: UTF8.self)) { isInBody = true }
  }
}
