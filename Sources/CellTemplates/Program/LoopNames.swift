extension PathEntry.Root {
  /// The names that loops provide, with what each stands for. `MemberLookup` in `Cells` has their values.
  static let loopNames: [(name: String, root: PathEntry.Root)] = [
    ("@index", .index), ("@first", .first), ("@last", .last), ("@odd", .odd), ("@even", .even),
    ("@number", .number), ("@row", .row), ("@locale", .locale), ("@dir", .direction),
  ]

  /// What a name that loops provide stands for; nil for any other name.
  init?(loopName: some Sequence<UInt8>) {
    guard let known = Self.loopNames.first(where: { $0.name.utf8.elementsEqual(loopName) }) else {
      return nil
    }
    self = known.root
  }

  /// Whether loops provide the name, or the request does: `@index`, `@locale`.
  package static func isLoopName(_ name: some Sequence<UInt8>) -> Bool { Self(loopName: name) != nil }
}

extension NameEntry {
  /// The name as an index into a list: `0`, `7`, `123`, decimal, without leading zeros, small enough for any
  /// list. `noIndex` for any other name.
  package static func listIndex(of name: some Collection<UInt8>) -> UInt32 {
    let isDigits = name.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard isDigits, name.first != UInt8(ascii: "0") || name.count == 1,
      let number = UInt32(String(decoding: name, as: UTF8.self)), number < UInt32(Int32.max)
    else { return noIndex }
    return number
  }
}
