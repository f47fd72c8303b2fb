/// The open elements in a nib's scenery, as in a parser: an element with an optional end tag is closed by
/// what it cannot contain.
///
/// Source: HTML standard, 13.1.2.4 "Optional tags". Elements that a browser would move are not tracked,
/// because scenery is not printed.
struct OpenElements {
  private struct Element {
    let name: ExactString
    /// The namespace of the elements inside it.
    let namespace: ElementContext.Namespace
    let isTop: Bool
    /// Whether it, or an element around it, is for the designer alone.
    let isForDesigner: Bool
  }

  private var elements: [Element] = []
  /// The indexes of the elements with each name, so that none is searched for.
  private var positions: [ExactString: [Int]] = [:]
  /// The index of the current cell's first element: a cell closes no elements around it.
  private var floor = 0
  private let budget: LoadBudget

  init(budget: LoadBudget) { self.budget = budget }

  /// Whether the place is inside nothing but the document and its body.
  var isTop: Bool { elements.last?.isTop ?? true }

  /// Whether the place is in an element that is for the designer alone.
  var isForDesigner: Bool { elements.last?.isForDesigner ?? false }

  /// Whether the place is in SVG or MathML.
  var isForeign: Bool { namespace != .html }

  /// The namespace of elements at the place.
  var namespace: ElementContext.Namespace { elements.last?.namespace ?? .html }

  private mutating func append(_ name: ExactString, of tag: HTMLTag) {
    let inner: ElementContext.Namespace =
      switch name {
      case "svg": .svg
      case "math": .math
      default: Self.entersHTML(name) ? .html : namespace
      }
    budget.keep(pieces: 1)
    positions[name, default: []].append(elements.count)
    elements.append(
      Element(
        name: name, namespace: inner, isTop: isTop && (name == "html" || name == "body"),
        isForDesigner: isForDesigner || tag.attribute(.design) != nil))
  }

  /// Whether the element's content is HTML wherever the element itself is foreign.
  private static func entersHTML(_ name: ExactString) -> Bool {
    name == "annotation-xml" || name == "template"
      || !Elements.traits(of: name).isDisjoint(with: [.svgIntegration, .mathIntegration])
  }

  /// Starts a cell. Cells do not nest.
  mutating func beginCell() { floor = elements.count }

  /// Ends the cell and closes what it left open.
  mutating func endCell() {
    remove(from: floor)
    floor = 0
  }

  /// Forgets all, at the end of the nib.
  mutating func releaseAll() { remove(from: 0) }

  private static let paragraphBounds = Elements.names(with: .buttonScope)

  mutating func open(_ tag: HTMLTag) {
    let name = ExactString(decoding: tag.name)
    if isForeign {
      if !tag.isSelfClosing { append(name, of: tag) }
      return
    }
    if Elements.has(.closesParagraph, name) { close("p", within: Self.paragraphBounds) }
    switch name {
    case "li": close("li", within: ["ul", "ol", "menu", "template"])
    case "dt", "dd":
      close("dt", within: ["dl", "template"])
      close("dd", within: ["dl", "template"])
    case "option", "optgroup": close("option", within: ["select", "datalist", "optgroup", "template"])
    case "td", "th":
      for cell: ExactString in ["td", "th"] { close(cell, within: ["tr", "table", "template"]) }
    case "tr": close("tr", within: ["tbody", "thead", "tfoot", "table", "template"])
    case "tbody", "thead", "tfoot":
      for group: ExactString in ["tbody", "thead", "tfoot", "colgroup", "caption"] {
        close(group, within: ["table", "template"])
      }
    case "body": close("head", within: [])
    default: break
    }
    if !Self.isVoid(name) { append(name, of: tag) }
  }

  mutating func close(_ tag: HTMLTag) {
    close(ExactString(decoding: tag.name), within: tag.isNamed("template") ? [] : ["template"])
  }

  private mutating func close(_ name: ExactString, within bounds: Set<ExactString>) {
    guard let position = positions[name]?.last, position >= floor else { return }
    if bounds.contains(where: { positions[$0]?.last ?? -1 > position }) { return }
    remove(from: position)
  }

  private mutating func remove(from position: Int) {
    budget.release(pieces: elements.count - position)
    while elements.count > position { positions[elements.removeLast().name]?.removeLast() }
  }

  /// Parsers treat `image` as `img`.
  static func isVoid(_ name: ExactString) -> Bool { name == "image" || Elements.has(.void, name) }
}
