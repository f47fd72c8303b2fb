/// Locales that CLDR does not have: what they print begins with characters that are escaped somewhere. No locale of CLDR 47
/// prints one of them.
public enum MadeUpLocale {
  /// Puts a text before everything that the locales of a pack print of their own: separators, signs, symbols, patterns, names,
  /// the words of relative dates and lists. Digits, sizes of groups, codes and the rules of plurals stay.
  /// - Parameter pack: as `Sources/CFormats/tables.h` shows it.
  public static func pack(_ pack: [UInt8], printing text: String) -> [UInt8] {
    var tables = PackTables(pack)
    for (group, kinds) in tables.kindsOfGroups {
      tables.groups[group] = tables.groups[group].enumerated().map { slot, string in
        kinds.contains { isPrinted($0, slot) } ? changed(string, kinds, Array(text.utf8)) : string
      }
    }
    return tables.bytes
  }

  private static func changed(_ string: [UInt8], _ kinds: Set<GroupKind>, _ text: [UInt8]) -> [UInt8] {
    // A symbol begins with the digit that tells its spacing; one that is missing is the code.
    guard kinds.contains(.symbols) else { return text + string }
    return string.isEmpty ? string : string.prefix(1) + text + string.dropFirst()
  }

  private static func isPrinted(_ kind: GroupKind, _ slot: Int) -> Bool {
    switch kind {
    case .numbers, .latinNumbers: ![0, 9, 16, 25].contains(slot)
    case .symbols: slot % 3 != 0
    case .ownPatterns: slot % 10 != 0 && slot % 10 != 9
    case .and, .or: slot != 0
    case .patterns, .months, .weekdays, .dayPeriods, .relativeLong, .relativeShort: true
    case .cardinal, .ordinal, .codes: false
    }
  }
}

/// The groups of a locale, in their order.
enum GroupKind: Int, CaseIterable {
  case numbers, latinNumbers, symbols, ownPatterns, patterns, months, weekdays, dayPeriods, relativeLong
  case relativeShort, and, or, cardinal, ordinal, codes
}

/// A pack, taken apart.
struct PackTables {
  /// The first bytes, with the version of CLDR.
  private let head: [UInt8]
  /// The strings of each group.
  var groups: [[[UInt8]]]
  /// Of each locale its tag, and the numbers behind that of the tag: parent, flags, groups.
  private let locales: [(tag: [UInt8], numbers: [Int])]

  init(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes, position: 12)
    let (stringCount, groupCount, idCount, localeCount) = (
      reader.word(), reader.word(), reader.word(), reader.word()
    )
    head = Array(bytes[..<48])
    reader.position = 48
    let strings = (0...stringCount).map { _ in reader.word() }
    let starts = (0...groupCount).map { _ in reader.word() }
    let ids = (0..<idCount).map { _ in reader.half() }
    let rows = (0..<localeCount).map { _ in (0..<3 + GroupKind.allCases.count).map { _ in reader.half() } }
    let texts = (0..<stringCount).map {
      Array(bytes[reader.position + strings[$0]..<reader.position + strings[$0 + 1]])
    }
    groups = (0..<groupCount).map { group in ids[starts[group]..<starts[group + 1]].map { texts[$0] } }
    locales = rows.map { (texts[$0[0]], Array($0[1...])) }
  }

  /// What each group is to the locales that have it.
  var kindsOfGroups: [Int: Set<GroupKind>] {
    var kinds: [Int: Set<GroupKind>] = [:]
    for locale in locales {
      for kind in GroupKind.allCases { kinds[locale.numbers[2 + kind.rawValue], default: []].insert(kind) }
    }
    return kinds
  }

  var bytes: [UInt8] {
    var numbers: [[UInt8]: Int] = [[]: 0]
    var strings: [[UInt8]] = [[]]
    func number(_ string: [UInt8]) -> Int {
      if let known = numbers[string] { return known }
      numbers[string] = strings.count
      strings.append(string)
      return strings.count - 1
    }
    let ids = groups.map { $0.map(number) }
    let rows = locales.map { [number($0.tag)] + $0.numbers }
    var writer = Writer()
    for start in starts(of: strings) { writer.put(start, bytes: 4) }
    for start in starts(of: ids) { writer.put(start, bytes: 4) }
    for id in ids.joined() { writer.put(id, bytes: 2) }
    for number in rows.joined() { writer.put(number, bytes: 2) }
    writer.bytes += strings.joined()
    var start = Writer(bytes: Array(head[..<8]))
    let counts = [ids.count, ids.joined().count, locales.count, strings.joined().count]
    for count in [head.count + writer.bytes.count, strings.count] + counts { start.put(count, bytes: 4) }
    return start.bytes + head[32...] + writer.bytes
  }

  private func starts<Item>(of rows: [[Item]]) -> [Int] {
    rows.reduce(into: [0]) { $0.append($0.last! + $1.count) }
  }

  private struct Reader {
    let bytes: [UInt8]
    var position: Int

    mutating func half() -> Int { number(2) }
    mutating func word() -> Int { number(4) }

    private mutating func number(_ count: Int) -> Int {
      defer { position += count }
      return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }

  private struct Writer {
    var bytes: [UInt8] = []

    mutating func put(_ number: Int, bytes count: Int) {
      for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
  }
}
