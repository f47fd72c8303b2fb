import CellTemplates

/// Makes the types of a kind's rows.
struct RowTypeBuilder {
  /// What makes two objects one type.
  private enum Key: Hashable {
    /// The levels of the template that look names up in them.
    case levels([Int])
    /// The template looks nothing up in them: the type that holds them, the member's name, and in how many lists they
    /// are.
    case member(Int, [UInt8], depth: Int)
  }

  private enum Naming {
    case given(String)
    /// After the type that holds it, and the member.
    case inside(String, [UInt8])
  }

  private struct Waiting {
    let object: Int
    let levels: [Int]
    let entries: [Int]
  }

  private let shape: DataShape
  private let kind: UInt32
  private let entries: [SampleTypeEntry]
  /// The index in the archive's table of the first of `entries`.
  private let base: Int
  private var children: [[Int]] = []
  /// The entries of objects in which the same levels look names up.
  private var alike: [[Int]: [Int]] = [:]
  private var known: [Key: Int] = [:]
  private var waiting: [Waiting] = []
  private var memberCount = 0
  private var types = RowTypes()
  private var names: TypeNames
  private let kindName: String
  private var closures: [[Int]: [Int]] = [:]
  /// Whether names inside the values of a level may be found around them.
  private var looksOut: [Bool] = []

  /// - Parameters:
  ///   - name: of the rows' type, taken from `names`.
  ///   - names: the names that are taken. Those of the types are added.
  static func types(
    of kind: UInt32, isNamed name: String, in archive: CellArchive, _ names: inout TypeNames
  ) -> RowTypes {
    var builder = RowTypeBuilder(kind, name, archive, names)
    builder.build()
    names = builder.names
    return builder.types
  }

  private init(_ kind: UInt32, _ name: String, _ archive: CellArchive, _ names: TypeNames) {
    kindName = name
    shape = DataShape(of: kind, in: archive)
    self.kind = kind
    self.names = names
    let table = archive.tables.$sampleTypes
    let range = Self.entries(of: kind, in: table)
    base = range.lowerBound
    entries = range.map { table[$0] }
  }

  /// Where the entries of a kind are.
  private static func entries(of kind: UInt32, in table: FrozenArray<SampleTypeEntry>) -> Range<Int> {
    func first(from number: UInt32) -> Int {
      var (low, high) = (0, table.count)
      while low < high {
        let middle = (low + high) / 2
        if table[middle].kind < number { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return first(from: kind)..<first(from: kind + 1)
  }

  private mutating func build() {
    guard let root = shape.roots[kind] else { return }
    readEntries(root)
    noteLooks()
    types.row = row([root])
    if !shape.levels[shape.owner].isEmpty {
      types.owner = object([shape.owner], [], .levels([shape.owner]), .inside(kindName, Array("owner".utf8)))
    }
    var next = 0
    while next < waiting.count {
      fill(waiting[next])
      next += 1
    }
  }

  // MARK: Reading

  /// Finds the children of each entry, and which levels look names up in it.
  private mutating func readEntries(_ root: Int) {
    children = Array(repeating: [], count: entries.count)
    var levels: [[Int]] = Array(repeating: [], count: entries.count)
    for (position, entry) in entries.enumerated() {
      if position == 0 {
        levels[0] = closure([root])
      } else {
        let parent = Int(entry.parent) - base
        children[parent].append(position)
        if entry.knownTypes.contains(.item) {
          levels[position] = levels[parent]
        } else {
          levels[position] = closure(inner(of: bytes(entry.name), in: levels[parent]).levels)
        }
      }
      if entry.knownTypes.contains(.object), !levels[position].isEmpty {
        alike[levels[position], default: []].append(position)
      }
    }
  }

  private func bytes(_ name: LiteralRef) -> [UInt8] { Array(shape.archive.bytes(name)) }

  /// Levels come after those that hold them.
  private mutating func noteLooks() {
    looksOut = Array(repeating: false, count: shape.levels.count)
    for position in shape.levels.indices.reversed() {
      let level = shape.levels[position]
      looksOut[position] =
        !level.calls.isEmpty
        || level.members.contains { member in
          !member.uses.isDisjoint(with: [.value, .section, .inverted, .condition, .path])
            || member.level.map { looksOut[$0] } ?? false
        }
    }
  }

  /// The levels that look names up in a value, given some: with those of cells that are called there. Only those with
  /// names, sorted, and those that may have an owner if no other may, except rows: so objects of recursive cells have one type.
  private mutating func closure(_ levels: [Int]) -> [Int] {
    if let known = closures[levels] { return known }
    var seen = Set(levels)
    var found = levels
    var next = 0
    while next < found.count {
      let level = shape.levels[found[next]]
      next += 1
      for target in level.calls.compactMap({ shape.roots[$0.kind] }) + level.selves
      where seen.insert(target).inserted { found.append(target) }
    }
    var named = found.filter { !shape.levels[$0].members.isEmpty || shape.levels[$0].isPrinted }
    if !named.contains(where: shape.mayHaveOwner) {
      named += found.filter { shape.mayHaveOwner($0) && shape.roots[shape.levels[$0].kind] != $0 }
    }
    named.sort()
    closures[levels] = named
    return named
  }

  /// How levels use a name, and the levels of its values.
  private func inner(of name: [UInt8], in levels: [Int]) -> (uses: DataShape.Uses, levels: [Int]) {
    var uses: DataShape.Uses = []
    var inner: [Int] = []
    for level in levels {
      if name == DataShape.ownerName, shape.mayHaveOwner(level) { uses.insert(.value) }
      guard let position = shape.levels[level].member(named: name) else { continue }
      let member = shape.levels[level].members[position]
      uses.formUnion(member.uses.subtracting([.objectRow, .noItem]))
      uses.formUnion(shape.rowRules(of: member, in: DataShape.LevelCheck(level: level, isLenient: false)))
      if let own = member.level { inner.append(own) }
    }
    return (uses, inner)
  }

  /// How levels show the values of a name, and the items of lists.
  private func formats(
    of name: [UInt8], in levels: [Int]
  ) -> (own: DataShape.Formats, items: DataShape.Formats) {
    var (own, items) = (DataShape.Formats(), DataShape.Formats())
    for level in levels {
      guard let position = shape.levels[level].member(named: name) else { continue }
      let member = shape.levels[level].members[position]
      own.add(shape.formats(of: member))
      items.add(shape.formats(ofItemsOf: member))
    }
    return (own, items)
  }

  // MARK: Values

  private mutating func row(_ root: [Int]) -> RowTypes.Value {
    let levels = closure(root)
    if !entries.isEmpty { return value(of: [0], levels, .member(-1, [], depth: 0), .given(kindName)) }
    let uses = shape.archive.rowUses(of: kind)
    var value = RowTypes.Value()
    value.object = object(levels, [], .member(-1, [], depth: 0), .given(kindName))
    if uses.takeScalar { value.scalars = RowTypes.Value.anyScalar }
    if uses.takeList || uses.takeScalar { value.list = list(of: .any) }
    return value
  }

  /// The value that entries show.
  private mutating func value(
    of positions: [Int], _ levels: [Int], _ key: Key, _ name: Naming
  ) -> RowTypes.Value {
    let shown = positions.reduce(into: SampleTypeEntry.Types()) { $0.formUnion(entries[$1].knownTypes) }
    var value = RowTypes.Value()
    value.scalars = shown.intersection([.null, .boolean, .integer, .number, .string])
    if value.scalars.contains(.number) { value.scalars.remove(.integer) }
    if shown.contains(.object) {
      let objects = positions.filter { entries[$0].knownTypes.contains(.object) }
      value.object = object(levels, alike[levels] ?? objects, key, name)
      if value.object == nil { return .any }
    }
    if shown.contains(.list) {
      let items = positions.flatMap { children[$0] }.filter { entries[$0].knownTypes.contains(.item) }
      if items.isEmpty || shown.contains(.open) {
        value.list = list(of: .any)
      } else {
        var itemKey = key
        if case .member(let object, let own, let depth) = key {
          itemKey = .member(object, own, depth: depth + 1)
        }
        // They share the type of the rows only if the template looks names up in both.
        var itemName = name
        if case .given(let own) = name, levels.isEmpty, value.object != nil {
          itemName = .inside(own, Array("item".utf8))
        }
        let item = self.value(of: items, levels, itemKey, itemName)
        value.list = list(of: item)
      }
    }
    return value
  }

  private mutating func list(of value: RowTypes.Value) -> Int {
    types.lists.append(value == RowTypes.Value() ? .any : value)
    return types.lists.count - 1
  }

  /// The value of a name that no sample has, by its places.
  private mutating func value(
    _ uses: DataShape.Uses, _ inner: [Int], _ formats: DataShape.Formats, _ name: Naming
  ) -> RowTypes.Value {
    let levels = closure(inner)
    let members = levels.flatMap { shape.levels[$0].members }
    let isPrinted = levels.contains { shape.levels[$0].isPrinted } || uses.contains(.value)
    let holdsNames = members.contains { $0.name != Array("text".utf8) }
    var value = RowTypes.Value()
    if !uses.isDisjoint(with: [.value, .ownKey]) { value.scalars = RowTypes.Value.anyScalar }
    if !uses.isDisjoint(with: [.section, .outlet]) {
      let isFilled =
        uses.contains(.outlet) && !members.contains { $0.uses.subtracting(.frequencies) != .ownKey }
      let takesScalars = isPrinted || isFilled || !holdsNames
      value.scalars.formUnion(takesScalars ? RowTypes.Value.anyScalar : [.null, .boolean])
    }
    narrow(&value.scalars, to: formats, uses)
    if uses.contains(.objectRow) { value.scalars.formIntersection([.null, .boolean]) }
    if holdsNames {
      value.scalars.insert(.null)
      value.object = object(levels, alike[levels] ?? [], .levels(levels), name)
      if value.object == nil { return .any }
    }
    let repeats = !uses.isDisjoint(with: [.section, .outlet, .ownKey]) || shape.takesList(formats)
    if repeats || members.contains(where: \.isIndex) {
      let isKnown = repeats && (holdsNames || isPrinted || !uses.contains(.section))
      var item = value
      item.list = nil
      value.list = list(of: isKnown ? item : .any)
    }
    return value == RowTypes.Value() ? .any : value
  }

  /// Leaves the scalars that fit formats.
  private func narrow(
    _ scalars: inout SampleTypeEntry.Types, to formats: DataShape.Formats, _ uses: DataShape.Uses
  ) {
    guard let fit = shape.fit(of: formats) else { return }
    scalars.remove(fit == .number ? [] : .number)
    // What a format shows is neither true nor false, but elements and sections may be.
    if uses.isDisjoint(with: [.section, .outlet, .ownKey]) { scalars.remove(.boolean) }
  }

  // MARK: Objects

  /// The type of objects; nil if there are too many.
  private mutating func object(
    _ levels: [Int], _ positions: [Int], _ key: Key, _ name: Naming
  ) -> Int? {
    let key = levels.isEmpty ? key : .levels(levels)
    if let object = known[key] { return object }
    guard types.objects.count < RowTypes.objectLimit else { return nil }
    let object = types.objects.count
    switch name {
    case .given(let name): types.objects.append(RowTypes.Object(name: name))
    case .inside(let holder, let member):
      let own = names.name(holder, String(decoding: member, as: UTF8.self))
      types.objects.append(RowTypes.Object(name: own))
    }
    known[key] = object
    waiting.append(Waiting(object: object, levels: levels, entries: positions))
    return object
  }

  private mutating func fill(_ object: Waiting) {
    var order: [[UInt8]] = []
    var positions: [[UInt8]: [Int]] = [:]
    var seen: Set<[UInt8]> = []
    for entry in object.entries {
      for child in children[entry] where !entries[child].knownTypes.contains(.item) {
        let name = bytes(entries[child].name)
        positions[name, default: []].append(child)
        if seen.insert(name).inserted { order.append(name) }
      }
    }
    for level in object.levels {
      for member in shape.levels[level].members where seen.insert(member.name).inserted {
        order.append(member.name)
      }
    }
    let isRow = object.object == types.row.object
    var required = isRow ? Set(shape.rowNames(.required, of: kind, limit: RowTypes.memberLimit)) : []
    for level in object.levels {
      required.formUnion(shape.required(in: DataShape.LevelCheck(level: level, isLenient: false)))
    }
    for name in order {
      memberCount += 1
      if memberCount > RowTypes.memberLimit {
        types.objects[object.object].isOpen = true
        return
      }
      let (uses, inner) = inner(of: name, in: object.levels)
      // An attribute's name, looked up beside its outlet: samples that do without it have it inside the outlet's value.
      if positions[name] == nil, !object.entries.isEmpty, uses == [.ownKey, .uncertain] { continue }
      let formats = formats(of: name, in: object.levels)
      let typeName = Naming.inside(types.objects[object.object].name, name)
      let value: RowTypes.Value
      if let shown = positions[name], shows(shown) {
        value = self.value(
          of: shown, closure(inner), .member(object.object, name, depth: 0), typeName)
      } else {
        value = self.value(uses, inner, formats.own, typeName)
      }
      types.objects[object.object].members.append(
        RowTypes.Member(
          name: name, value: value, isRequired: required.contains(name), uses: uses,
          formats: shape.words(of: formats.own), fit: shape.fit(of: formats.own),
          itemFit: shape.fit(of: formats.items)))
    }
    types.objects[object.object].isOpen = isOpen(object)
    // Where a template looks up nothing but owners in its row, the object does not have the row's level.
    let levels = object.levels + (isRow ? shape.roots[kind].map { [$0] } ?? [] : [])
    types.objects[object.object].mayHaveOwner =
      !seen.contains(DataShape.ownerName) && levels.contains { shape.mayHaveOwner($0) }
  }

  /// Whether entries show more than `null` and empty lists.
  private func shows(_ positions: [Int]) -> Bool {
    positions.contains { !entries[$0].knownTypes.isSubset(of: [.null, .item]) }
  }

  private func isOpen(_ object: Waiting) -> Bool {
    if shape.callsAnything || !shape.isComplete { return true }
    if object.levels.contains(where: { shape.levels[$0].isPrinted }) { return true }
    if object.entries.contains(where: { entries[$0].knownTypes.contains(.open) }) { return true }
    // A name inside a section may be found around it, and no sample shows where.
    return object.entries.isEmpty
      && object.levels.contains { level in
        shape.levels[level].members.contains { $0.mayRepeat && ($0.level.map { looksOut[$0] } ?? false) }
      }
  }
}
