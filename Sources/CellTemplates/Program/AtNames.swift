/// The names that begin with `@`, as in `{{@index}}`. Some belong to a loop, some to the row or the request.
///
/// To add one: add its case to `PathEntry.Root`, last, because archives have the numbers; its line here; and whose value it is in
/// `isOfLoop`. `MemberLookup+AtNames` in `Cells` has the value.
package enum AtNames {
  private static let all: [(name: String, root: PathEntry.Root)] = [
    ("@index", .index), ("@first", .first), ("@last", .last), ("@odd", .odd), ("@even", .even),
    ("@number", .number), ("@row", .row), ("@locale", .locale), ("@dir", .direction),
  ]

  /// What such a name means; nil for any other name.
  static func root(of name: some Sequence<UInt8>) -> PathEntry.Root? {
    all.first { $0.name.utf8.elementsEqual(name) }?.root
  }

  package static func contains(_ name: some Sequence<UInt8>) -> Bool { root(of: name) != nil }
}

extension PathEntry {
  /// What the first name of a path means.
  package enum Root: UInt32, Sendable {
    /// A name, looked up from the innermost context outward.
    case name = 0
    /// `.`
    case item = 1
    case index = 2
    case first = 3
    case last = 4
    case odd = 5
    case even = 6
    /// The index from 1.
    case number = 7
    /// The row, or what an include was given.
    case row = 8
    /// The tag of the locale in force.
    case locale = 9
    /// The direction of its script: `ltr` or `rtl`.
    case direction = 10
  }
}

extension PathEntry.Root {
  /// Whether the value is that of a loop, and not of a row or a request.
  package var isOfLoop: Bool {
    switch self {
    case .index, .number, .first, .last, .odd, .even: true
    case .name, .item, .row, .locale, .direction: false
    }
  }
}
