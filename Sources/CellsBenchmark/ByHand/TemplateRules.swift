import Cells

/// The rules of the template language for rows that do not have the expected form: any value in any place.
/// Complete but not fast.
struct TemplateRules {
  /// The contexts for look-ups: the objects and lists of sections and outlets, innermost last, and the row.
  /// Names that are numbers, which could be indexes of a list, do not occur in these cells.
  struct Scope {
    let row: Int
    var inner: [Int] = []
    /// Whether it is that of a list's item, which has no names if it is no object.
    var isOfItem = false

    func adding(_ value: Int) -> Scope { Scope(row: row, inner: inner + [value]) }
  }

  /// The effect of an outlet's value on its element.
  enum Content {
    case designed
    /// The element stays without content.
    case empty
    case scalar(Int)
    case object(Int)
  }

  typealias Kind = ParsedRows.Kind

  let rows: ParsedRows

  // MARK: Looking up

  /// Looks up a name from the innermost object outward; returns 0 if it is missing.
  func find(_ name: UInt32, in scope: Scope) -> Int {
    for object in scope.inner.reversed() {
      let found = rows.member(name, of: object)
      if found != 0 { return found }
    }
    return rows.member(name, of: scope.row)
  }

  /// Looks up two names joined by a dot.
  func find(_ name: UInt32, _ second: UInt32, in scope: Scope) -> Int {
    let first = find(name, in: scope)
    return first == 0 ? 0 : rows.member(second, of: first)
  }

  /// Looks up the name of an outlet, only in the innermost object.
  func findOutlet(_ name: UInt32, in scope: Scope) -> Int {
    rows.member(name, of: scope.inner.last { rows.kind($0) == Kind.object } ?? scope.row)
  }

  // MARK: Sections and outlets

  func isTruthy(_ value: Int) -> Bool {
    if value == 0 { return false }
    return switch rows.kind(value) {
    case Kind.null, Kind.false: false
    case Kind.true, Kind.object: true
    case Kind.array: rows.count(value) > 0
    default: rows.isTruthyText(value)
    }
  }

  /// Renders the body of a section as often as its value requires.
  /// - Parameter render: receives the contexts and the item.
  func section(
    _ value: Int, in scope: Scope, _ render: (Scope, Int) throws(OutputTooLarge) -> Void
  ) throws(OutputTooLarge) {
    if !isTruthy(value) { return }
    switch rows.kind(value) {
    case Kind.object: try render(scope.adding(value), value)
    case Kind.array:
      var item = value + 1
      while item < rows.end(value) {
        try render(rows.kind(item) >= Kind.array ? scope.adding(item) : scope, item)
        item = rows.end(item)
      }
    default: try render(scope, value)
    }
  }

  /// Looks up two names of an outlet, joined by a dot.
  func findOutlet(_ name: UInt32, _ second: UInt32, in scope: Scope) -> Int {
    let first = findOutlet(name, in: scope)
    return first == 0 ? 0 : rows.member(second, of: first)
  }

  /// Looks up a name that sets an attribute beside an outlet: in its value if that is an object, else around it.
  func beside(_ content: Content, _ name: UInt32, in scope: Scope) -> Int {
    if case .object(let object) = content { return rows.member(name, of: object) }
    return scope.isOfItem ? 0 : findOutlet(name, in: scope)
  }

  /// Looks up two names beside an outlet, joined by a dot.
  func beside(_ content: Content, _ name: UInt32, _ second: UInt32, in scope: Scope) -> Int {
    let first = beside(content, name, in: scope)
    return first == 0 ? 0 : rows.member(second, of: first)
  }

  /// Renders the element of an outlet as often as its value requires.
  /// - Parameter stays: whether the element stays without content where there is no value.
  func outlet(
    _ value: Int, in scope: Scope, stays: Bool = false,
    _ render: (Scope, Content) throws(OutputTooLarge) -> Void
  ) throws(OutputTooLarge) {
    if value == 0 {
      if stays { try render(scope, .empty) }
      return
    }
    switch rows.kind(value) {
    case Kind.null, Kind.false: if stays { try render(scope, .empty) }
    case Kind.true: try render(scope, .designed)
    case Kind.object: try render(scope.adding(value), .object(value))
    case Kind.array:
      var scope = scope
      scope.isOfItem = true
      // A nested list is replaced by its items, which directly follow it.
      var item = value + 1
      while item < rows.end(value) {
        if rows.kind(item) == Kind.array {
          item += 1
        } else {
          try outlet(item, in: scope, stays: stays, render)
          item = rows.end(item)
        }
      }
    default: try render(scope, .scalar(value))
    }
  }
}

/// Writes without assuming that there is room.
extension RenderedOutput {
  mutating func put(_ text: StaticString) throws(OutputTooLarge) {
    let count = text.utf8CodeUnitCount
    if count > limit - target { try makeRoom(for: count) }
    target.update(from: text.utf8Start, count: count)
    target += count
  }

  /// Writes a value; 0 writes nothing.
  mutating func put(_ value: Int, of rows: ParsedRows, to place: Place) throws(OutputTooLarge) {
    if value != 0 { try append(value, of: rows, to: place) }
  }

  /// Writes the content of an outlet's element: its value, the member `text` of an object, or the design.
  /// - Parameter readsNames: whether attributes of the element read names of the object: then it is drawn for them, and one
  ///   without `text` keeps the design.
  mutating func put(
    _ content: TemplateRules.Content, of rows: ParsedRows, named text: UInt32, designed: StaticString,
    readsNames: Bool = false
  ) throws(OutputTooLarge) {
    switch content {
    case .designed: try put(designed)
    case .empty: return
    case .scalar(let value): try put(value, of: rows, to: .text)
    case .object(let object):
      let value = rows.member(text, of: object)
      if value == 0 {
        if readsNames { try put(designed) }
        return
      }
      switch rows.kind(value) {
      case ParsedRows.Kind.true: try put(designed)
      case ParsedRows.Kind.null, ParsedRows.Kind.false: return
      default: try put(value, of: rows, to: .text)
      }
    }
  }

  /// Writes an attribute that an entry of `data-bind` sets; 0 leaves it out.
  /// - Parameters:
  ///   - opening: the attribute up to its value.
  ///   - designed: the whole attribute.
  mutating func bind(
    _ value: Int, of rows: ParsedRows, _ opening: StaticString, designed: StaticString, to place: Place
  ) throws(OutputTooLarge) {
    if value == 0 { return }
    switch rows.kind(value) {
    case ParsedRows.Kind.true: try put(designed)
    case ParsedRows.Kind.null, ParsedRows.Kind.false: return
    default:
      try put(opening)
      try put(value, of: rows, to: place)
      try put("\"")
    }
  }
}

extension TemplateRules {
  /// Renders an image whose own value is its `src`. Without one it is left out. Takes what a template says of it, part by part.
  /// - Parameters:
  ///   - opening: the element up to its `src`.
  ///   - designed: the drawn `src` and `alt`.
  ///   - closing: what follows the `alt`.
  func image(
    _ value: Int, src: UInt32, alt: UInt32, in scope: Scope, _ opening: StaticString,
    designed: (src: StaticString, alt: StaticString), _ closing: StaticString, _ output: inout RenderedOutput
  ) throws(OutputTooLarge) {
    try outlet(value, in: scope) { (scope, content) throws(OutputTooLarge) in
      var source = beside(content, src, in: scope)
      if case .scalar(let value) = content { source = value }
      if source == 0 || rows.kind(source) == Kind.null || rows.kind(source) == Kind.false { return }
      try output.put(opening)
      try output.bind(source, of: rows, " src=\"", designed: designed.src, to: .url)
      let text = beside(content, alt, in: scope)
      try output.bind(text, of: rows, " alt=\"", designed: designed.alt, to: .attribute)
      try output.put(closing)
    }
  }
}
