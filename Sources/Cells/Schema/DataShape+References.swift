/// What a schema says of a shape's levels and members: read by who writes it and by who judges by it.
extension DataShape {
  /// The kinds that see the values of a level as their row: those it calls, and those they call where they
  /// look up their own names. In the order of first appearance; without `kind`, whose row the level is.
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

  /// A level as it is judged: leniently where an override may have taken the place of what stands there.
  struct Place: Hashable {
    let level: Int
    let isLenient: Bool
  }

  /// What else a value of a level is: the row of cells, and what `{{#.}}` sees, whose items are it, too
  /// (`isRepeated`).
  ///
  /// A kind's row level stands for its own names where it is called, since whoever calls it refers to all
  /// that it calls in turn: so nothing refers to itself by the same value. Only `kind`, the shape's own,
  /// stands for all.
  func references(of place: Place, kind: UInt32) -> [(target: Place, isRepeated: Bool)] {
    let level = levels[place.level]
    var found: [(target: Place, isRepeated: Bool)] = []
    let isRow = roots[level.kind] == place.level
    if !isRow || (level.kind == kind && !place.isLenient) {
      for call in calls(from: place.level, of: isRow ? kind : nil) {
        guard let root = roots[call.kind] else { continue }
        found.append((Place(level: root, isLenient: place.isLenient || !call.isCertain), false))
      }
    }
    for own in level.selves { found.append((Place(level: own, isLenient: place.isLenient), true)) }
    return found
  }

  /// A string or number in its place finds none of the names that the template looks up in it.
  func isNoScalar(_ member: Member) -> Bool {
    member.isPathAlone && member.level.map { !levels[$0].isEmpty } ?? false
  }

  /// A list in its place finds a name, which is the number of an item.
  func isIndexed(_ member: Member) -> Bool {
    guard let level = member.level else { return false }
    return levels[level].members.contains(where: \.isIndex)
  }

  /// Nothing is done with a list in its place but to look items up by their numbers.
  func isIndexedAlone(_ member: Member) -> Bool {
    guard member.isPathAlone, let level = member.level else { return false }
    return levels[level].calls.isEmpty && levels[level].selves.isEmpty
      && levels[level].members.allSatisfy(\.isIndex)
  }
}
