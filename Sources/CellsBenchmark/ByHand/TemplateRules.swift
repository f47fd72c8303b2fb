import Cells

/// The rules of the template language, for rows that are not as one expects them: any kind of value in any place. Not
/// fast, and complete.
struct TemplateRules {
  /// The contexts that names are looked up in: the objects and lists of sections and outlets, innermost last, and the
  /// row. Names that are numbers, and so could find something in a list, no cell of ours has.
  struct Scope {
    let row: Int
    var inner: [Int] = []

    func adding(_ value: Int) -> Scope { Scope(row: row, inner: inner + [value]) }
  }

  /// What an outlet's value makes of its element.
  enum Content {
    case missing
    case designed
    case scalar(Int)
    case object(Int)
  }

  typealias Kind = ParsedRows.Kind

  let rows: ParsedRows

  // MARK: Looking up

  /// What a name finds, from the innermost object outward; 0: nothing.
  func find(_ name: UInt32, in scope: Scope) -> Int {
    for object in scope.inner.reversed() {
      let found = rows.member(name, of: object)
      if found != 0 { return found }
    }
    return rows.member(name, of: scope.row)
  }

  /// What two names with a dot between find.
  func find(_ name: UInt32, _ second: UInt32, in scope: Scope) -> Int {
    let first = find(name, in: scope)
    return first == 0 ? 0 : rows.member(second, of: first)
  }

  /// What an outlet's name finds: in the innermost object alone.
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

  /// Draws the body of a section as often as its value wants.
  /// - Parameter draw: takes the contexts, and the item.
  func section(
    _ value: Int, in scope: Scope, _ draw: (Scope, Int) throws(OutputTooLarge) -> Void
  ) throws(OutputTooLarge) {
    if !isTruthy(value) { return }
    switch rows.kind(value) {
    case Kind.object: try draw(scope.adding(value), value)
    case Kind.array:
      var item = value + 1
      while item < rows.end(value) {
        try draw(rows.kind(item) >= Kind.array ? scope.adding(item) : scope, item)
        item = rows.end(item)
      }
    default: try draw(scope, value)
    }
  }

  /// Draws the element of an outlet as often as its value wants.
  func outlet(
    _ value: Int, in scope: Scope, _ draw: (Scope, Content) throws(OutputTooLarge) -> Void
  ) throws(OutputTooLarge) {
    if value == 0 { return try draw(scope, .missing) }
    switch rows.kind(value) {
    case Kind.null, Kind.false: return
    case Kind.true: try draw(scope, .designed)
    case Kind.object: try draw(scope.adding(value), .object(value))
    case Kind.array:
      // A list in it stands for its items, which follow it at once.
      var item = value + 1
      while item < rows.end(value) {
        if rows.kind(item) == Kind.array {
          item += 1
        } else {
          try outlet(item, in: scope, draw)
          item = rows.end(item)
        }
      }
    default: try draw(scope, .scalar(value))
    }
  }
}

/// Writing where nothing is known of the room.
extension DrawnOutput {
  mutating func put(_ text: StaticString) throws(OutputTooLarge) {
    let count = text.utf8CodeUnitCount
    if count > limit - target { try makeRoom(for: count) }
    target.update(from: text.utf8Start, count: count)
    target += count
  }

  /// A value; 0: nothing.
  mutating func put(_ value: Int, of rows: ParsedRows, to place: Place) throws(OutputTooLarge) {
    if value != 0 { try append(value, of: rows, to: place) }
  }

  /// What an outlet's element holds: its value, or of an object the member `text`, or what was designed.
  mutating func put(
    _ content: TemplateRules.Content, of rows: ParsedRows, named text: UInt32, designed: StaticString
  ) throws(OutputTooLarge) {
    switch content {
    case .missing, .designed: try put(designed)
    case .scalar(let value): try put(value, of: rows, to: .text)
    case .object(let object):
      let value = rows.member(text, of: object)
      if value == 0 { return try put(designed) }
      switch rows.kind(value) {
      case ParsedRows.Kind.true: try put(designed)
      case ParsedRows.Kind.null, ParsedRows.Kind.false: return
      default: try put(value, of: rows, to: .text)
      }
    }
  }

  /// An attribute that an outlet's value may set.
  /// - Parameters:
  ///   - name: the member of an object that sets it.
  ///   - opening: the attribute up to its value.
  ///   - designed: the whole attribute.
  ///   - takesScalar: a string or number sets it, too.
  mutating func bind(
    _ content: TemplateRules.Content, of rows: ParsedRows, named name: UInt32, _ opening: StaticString,
    designed: StaticString, to place: Place, takesScalar: Bool = false
  ) throws(OutputTooLarge) {
    switch content {
    case .scalar(let value) where takesScalar:
      try put(opening)
      try put(value, of: rows, to: place)
      try put("\"")
    case .missing, .designed, .scalar: try put(designed)
    case .object(let object):
      let value = rows.member(name, of: object)
      if value == 0 { return try put(designed) }
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
}
