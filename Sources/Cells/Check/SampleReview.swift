import CellTemplates

/// Compares sample rows with the names of their template: names that no row has, and keys that nothing uses.
///
/// Names are looked up from the inside out, as in rendering. If the result depends on what is reached,
/// nothing is reported.
struct SampleReview {
  /// The most findings of one sort that are reported.
  static let findingLimit = 100

  /// A name in a level.
  struct Name: Hashable {
    let level: Int
    let member: Int
  }

  struct Findings {
    /// Names that no row has, with the value that should be the first to have each.
    var lacking: [(name: Name, at: JSONTape.Index)] = []
    /// Keys that nothing uses.
    var unused: [JSONTape.Index] = []
    /// Names whose value is escaped as text, with a value that escaping changes.
    var escaped: [(name: Name, value: JSONTape.Index)] = []
  }

  private enum Way: Hashable {
    /// Rendering looks up names in the value.
    case reached
    /// Rendering may look up names in the value, given other data.
    case guessed
    /// The value is missing; it would be inside this one.
    case absent
  }

  private struct Visit: Hashable {
    let level: Int
    let node: JSONTape.Index
    let way: Way
    /// Whether to visit a list's items too.
    let includesItems: Bool
  }

  private let shape: DataShape
  private let tape: JSONTape
  private var seen: Set<Visit> = []
  private var waiting: [Visit] = []
  /// The value that contains each visited value; rows have none.
  private var outer: [JSONTape.Index: JSONTape.Index] = [:]
  private var members: MembersByName
  /// Objects whose names matter, with the level that visited each first.
  private var objects: [JSONTape.Index: Int] = [:]
  private var usedKeys: Set<JSONTape.Index> = []
  private var usedWhole: Set<JSONTape.Index> = []
  private var found: Set<Name> = []
  private var missing: [Name: JSONTape.Index] = [:]
  private var escaped: [Name: JSONTape.Index] = [:]

  static func findings(
    in rows: [JSONTape.Index], on tape: JSONTape, _ shape: DataShape, kind: UInt32,
    budget: LoadBudget? = nil
  ) -> Findings {
    guard let root = shape.roots[kind] else { return Findings() }
    var review = SampleReview(shape: shape, tape: tape)
    for row in rows { review.enter(root, row, .reached) }
    while let visit = review.waiting.popLast() {
      guard budget?.spend(10 + 10 * shape.levels[visit.level].members.count) != false else {
        return Findings()
      }
      review.look(at: visit)
    }
    return review.result()
  }

  private init(shape: DataShape, tape: JSONTape) {
    self.shape = shape
    self.tape = tape
    members = MembersByName(on: tape)
  }

  private mutating func enter(
    _ level: Int, _ node: JSONTape.Index, _ way: Way, includesItems: Bool = true
  ) {
    let visit = Visit(level: level, node: node, way: way, includesItems: includesItems)
    if seen.insert(visit).inserted { waiting.append(visit) }
  }

  // MARK: Looking

  private mutating func look(at visit: Visit) {
    let level = shape.levels[visit.level]
    if visit.way != .absent {
      if level.isPrinted { usedWhole.insert(visit.node) }
      if tape.kind(visit.node) == .object, objects[visit.node] == nil { objects[visit.node] = visit.level }
      if visit.includesItems, tape.kind(visit.node) == .array {
        for item in tape.elements(of: visit.node) {
          outer[item] = visit.node
          enter(visit.level, item, visit.way)
        }
      }
    }
    for (place, member) in level.members.enumerated() {
      look(up: member, Name(level: visit.level, member: place), from: visit)
    }
    for call in level.calls {
      if let root = shape.roots[call.kind] {
        enter(root, visit.node, call.isCertain || visit.way == .absent ? visit.way : .guessed)
      }
    }
    for own in level.selves { enter(own, visit.node, visit.way) }
  }

  private mutating func look(up member: DataShape.Member, _ name: Name, from visit: Visit) {
    let (node, way) = (visit.node, visit.way)
    if way == .absent {
      note(missing: member, name, at: node)
      if let inner = member.level, member.uses.contains(.path) { enter(inner, node, .absent) }
      return
    }
    guard let (value, holder) = find(member, from: node) else {
      // A list's items look up the name themselves.
      if way == .reached, tape.kind(node) != .array { note(missing: member, name, at: node) }
      guard let inner = member.level else { return }
      if member.uses.contains(.path), way == .reached, tape.kind(node) != .array {
        enter(inner, node, .absent)
      }
      // If the value existed, names in it could be looked up here.
      if member.mayRepeat { enter(inner, node, .guessed) }
      return
    }
    found.insert(name)
    outer[value] = holder
    if tape.kind(holder) == .object { usedKeys.insert(value - 1) }
    if !member.uses.isDisjoint(with: [.value, .ownKey]) { usedWhole.insert(value) }
    if member.uses.contains(.escapedText), way == .reached, isChangedByEscaping(value), escaped[name] == nil {
      escaped[name] = value
    }
    guard let inner = member.level else { return }
    let isSeen = member.uses.contains(.path) || tape.isTruthy(value)
    enter(
      inner, value, way == .reached && isSeen ? .reached : .guessed,
      includesItems: !shape.isIndexedAlone(member))
  }

  private mutating func note(missing member: DataShape.Member, _ name: Name, at node: JSONTape.Index) {
    if member.uses.contains(.uncertain) || member.uses.subtracting(.always) == .ownKey { return }
    // A value that only contains other names is reported by those.
    if member.isPathAlone { return }
    missing[name] = min(missing[name] ?? node, node)
  }

  /// The nearest value of a name, and the value that contains it.
  private mutating func find(
    _ member: DataShape.Member, from node: JSONTape.Index
  ) -> (value: JSONTape.Index, holder: JSONTape.Index)? {
    // Outlets look in the innermost object; an outlet's own keys, in its value.
    let own: DataShape.Uses = [.outlet, .ownKey, .always, .uncertain]
    let staysInside = tape.kind(node) == .object && member.uses.isSubset(of: own)
    var holder = node
    while true {
      if let value = members.value(of: member.name, in: holder) { return (value, holder) }
      guard !staysInside, let next = outer[holder] else { return nil }
      holder = next
    }
  }

  /// Whether escaping changes how the value looks as text.
  private func isChangedByEscaping(_ value: JSONTape.Index) -> Bool {
    switch tape.kind(value) {
    case .string: tape.bytes(value).contains { "&<>\"'".utf8.contains($0) }
    case .object: tape.count(value) > 0
    default: false
    }
  }

  // MARK: Telling

  private func result() -> Findings {
    var findings = Findings()
    var ranks: [UInt32: Int] = [:]
    for (rank, kind) in shape.kinds.enumerated() { ranks[kind] = rank }
    let rank = { (name: Name) in ranks[shape.levels[name.level].kind] ?? shape.kinds.count }
    let lacking = missing.filter { !found.contains($0.key) }
      .map { (name: $0.key, node: $0.value, rank: rank($0.key)) }
      .sorted {
        ($0.node, $0.rank, $0.name.level, $0.name.member) < ($1.node, $1.rank, $1.name.level, $1.name.member)
      }
    // Two levels may look up the same name in one place: the nearest kind is reported.
    var told: Set<[UInt8]> = []
    for (name, node, _) in lacking {
      let text = Array("\(node) ".utf8) + shape.levels[name.level].members[name.member].name
      if told.insert(text).inserted { findings.lacking.append((name, node)) }
    }
    findings.lacking = Array(findings.lacking.prefix(Self.findingLimit))
    findings.escaped = escaped.map { ($0.key, $0.value) }
      .sorted { ($0.name.level, $0.name.member) < ($1.name.level, $1.name.member) }
    if shape.callsAnything || !shape.isComplete { return findings }
    findings.unused = unusedKeys()
    return findings
  }

  /// The first key of each unused name, in text order.
  private func unusedKeys() -> [JSONTape.Index] {
    var whole: [Range<JSONTape.Index>] = []
    for node in usedWhole.sorted() where whole.last.map({ node >= $0.upperBound }) ?? true {
      whole.append(node..<tape.end(node))
    }
    var keys: [JSONTape.Index] = []
    var told: [Int: Set<[UInt8]>] = [:]
    var next = 0
    for (object, level) in objects.sorted(by: { $0.key < $1.key }) {
      while next < whole.count, whole[next].upperBound <= object { next += 1 }
      if next < whole.count, whole[next].contains(object) { continue }
      for (key, _) in tape.members(of: object) where !usedKeys.contains(key) {
        if told[level, default: []].insert(Array(tape.bytes(key))).inserted { keys.append(key) }
        if keys.count == Self.findingLimit { return keys }
      }
    }
    return keys
  }
}
