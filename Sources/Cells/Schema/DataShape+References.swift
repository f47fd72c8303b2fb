/// What a schema says about a shape's levels and members. Shared by `SchemaWriter` and `ShapeCheck`.
extension DataShape {
  /// The kinds that see the values of a level as their row: those it calls, and those that these call with
  /// their own row. In order of first appearance; without `kind`, whose row the level is.
  func calls(from level: Int, of kind: UInt32?) -> [Call] {
    var found: [Call] = []
    var seen: Set<UInt32> = kind.map { [$0] } ?? []
    var waiting = levels[level].calls
    var next = 0
    while next < waiting.count {
      let call = waiting[next]
      next += 1
      guard let root = roots[call.kind], seen.insert(call.kind).inserted else { continue }
      found.append(call)
      waiting += levels[root].calls.map {
        Call(kind: $0.kind, isCertain: call.isCertain && $0.isCertain, isAlways: call.isAlways && $0.isAlways)
      }
    }
    return found
  }

  /// The names of a kind's row that every rendering looks up for this use, by the kind itself or a cell that it always
  /// calls, in order of first appearance. Of a dotted name, the first part.
  func rowNames(_ use: Uses, of kind: UInt32, limit: Int) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var seen: Set<[UInt8]> = []
    // A row has nothing around it but the owner.
    let uses = use == .required ? use.union(.requiredOutward) : use
    func note(_ level: Int) {
      for member in levels[level].members where !member.uses.isDisjoint(with: uses) {
        if found.count < limit, seen.insert(member.name).inserted { found.append(member.name) }
      }
    }
    guard let root = roots[kind] else { return [] }
    note(root)
    for call in calls(from: root, of: kind) where call.isAlways {
      if let level = roots[call.kind] { note(level) }
    }
    return found
  }

  /// A level to validate; leniently if an override may have replaced that part of the template.
  struct LevelCheck: Hashable {
    let level: Int
    let isLenient: Bool
  }

  /// What else a value of a level must satisfy: as the row of called cells, and as the value of `{{#.}}`,
  /// whose items must satisfy it too (`isRepeated`).
  ///
  /// A kind's row level contains only its own names where it is called, because the caller refers to
  /// everything that it calls in turn. Only the row level of `kind`, the shape's own, refers to everything.
  ///
  /// A level for `{{#.}}` refers neither to that row level nor to its own kind's: those would refer to it again, for the same
  /// value. So less is said about the items of lists in a cell that calls itself there.
  func references(of check: LevelCheck, kind: UInt32) -> [(target: LevelCheck, isRepeated: Bool)] {
    let level = levels[check.level]
    var found: [(target: LevelCheck, isRepeated: Bool)] = []
    let isRow = roots[level.kind] == check.level
    if !isRow || (level.kind == kind && !check.isLenient) {
      for call in calls(from: check.level, of: isRow ? kind : nil) {
        guard let root = roots[call.kind] else { continue }
        if level.isSelf, call.kind == kind || call.kind == level.kind { continue }
        found.append((LevelCheck(level: root, isLenient: check.isLenient || !call.isCertain), false))
      }
    }
    for own in level.selves { found.append((LevelCheck(level: own, isLenient: check.isLenient), true)) }
    return found
  }

  /// What a value must be as the row of an included cell, where it is always included.
  func rowRules(of member: Member, in check: LevelCheck) -> Uses {
    isCertain(check) ? member.uses.intersection([.objectRow, .noItem]) : []
  }

  /// The names without which an object is refused. A row may lack more, which `rowNames` has.
  func required(in check: LevelCheck) -> [[UInt8]] {
    if !isCertain(check) { return [] }
    let uses: Uses =
      aloneKinds.contains(levels[check.level].kind) ? [.required, .requiredOutward] : .required
    return levels[check.level].members.filter { !$0.uses.isDisjoint(with: uses) }.map(\.name)
  }

  private func isCertain(_ check: LevelCheck) -> Bool {
    !check.isLenient && certainKinds.contains(levels[check.level].kind)
  }

  /// Whether a string or number would contain none of the names that the template looks up in the value.
  func isNoScalar(_ member: Member) -> Bool {
    member.isPathAlone && member.level.map { !levels[$0].isEmpty } ?? false
  }

  /// Whether a name is looked up in the value that is the index of an item, so that the value may be a list.
  func isIndexed(_ member: Member) -> Bool {
    guard let level = member.level else { return false }
    return levels[level].members.contains(where: \.isIndex)
  }

  /// Whether a list would be used only to look up items by index.
  func isIndexedAlone(_ member: Member) -> Bool {
    guard member.isPathAlone, let level = member.level else { return false }
    return levels[level].calls.isEmpty && levels[level].selves.isEmpty
      && levels[level].members.allSatisfy(\.isIndex)
  }
}
