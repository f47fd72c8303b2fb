// What a name in a tag means. To add one like `@index`, add its case last (archives have the numbers) and its line in `atNames`,
// and say in `isOfLoop` whose value it is. `MemberLookup` in `Cells` has the value.

extension PathEntry {
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
  /// The names that begin with `@`, with what each means: of a loop, the row or the request. `MemberLookup` in `Cells` has
  /// their values.
  static let atNames: [(name: String, root: PathEntry.Root)] = [
    ("@index", .index), ("@first", .first), ("@last", .last), ("@odd", .odd), ("@even", .even),
    ("@number", .number), ("@row", .row), ("@locale", .locale), ("@dir", .direction),
  ]

  /// What a name with `@` means; nil for any other name.
  init?(atName: some Sequence<UInt8>) {
    guard let known = Self.atNames.first(where: { $0.name.utf8.elementsEqual(atName) }) else {
      return nil
    }
    self = known.root
  }

  /// Whether it is one of these names: `@index`, `@locale`.
  package static func isAtName(_ name: some Sequence<UInt8>) -> Bool { Self(atName: name) != nil }

  /// Whether the value is that of a loop, and not of a row or a request.
  package var isOfLoop: Bool {
    switch self {
    case .index, .number, .first, .last, .odd, .even: true
    case .name, .item, .row, .locale, .direction: false
    }
  }
}
