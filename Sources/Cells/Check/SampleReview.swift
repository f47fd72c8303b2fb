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
    /// Rendering may look up names in the value, because it is around one that is missing. It is not printed for that one.
    case around
    /// The value is missing; it would be inside this one.
    case absent
  }

  /// The most visits in one row; beyond it, nothing is reported about the sample. Bounds the memory.
  private static let visitLimit = 1 << 20

  private struct Visit: Hashable {
    let level: Int
    let node: JSONTape.Index
    let way: Way
    /// Whether to visit a list's items too.
    let includesItems: Bool
  }

  /// What was found out about the values of one row, which no other row has.
  private struct Row {
    var seen: Set<Visit> = []
    var waiting: [Visit] = []
    var lookups: SampleLookups
    /// Objects whose names matter, with the level that visited each first.
    var objects: [JSONTape.Index: Int] = [:]
    var usedKeys: Set<JSONTape.Index> = []
    var usedWhole: Set<JSONTape.Index> = []
    /// Objects in which an owner of their own was looked for: each once, however many levels visit it.
    var askedForOwner: Set<JSONTape.Index> = []

    init(on tape: JSONTape) { lookups = SampleLookups(on: tape) }
  }

  private let shape: DataShape
  private let tape: JSONTape
  private var row: Row
  private var found: Set<Name> = []
  private var missing: [Name: JSONTape.Index] = [:]
  private var escaped: [Name: JSONTape.Index] = [:]
  /// The first key of each unused name, in text order.
  private var unused: [JSONTape.Index] = []
  /// The unused names of each level that were found.
  private var told: [Int: Set<[UInt8]>] = [:]

  static func findings(
    in rows: [JSONTape.Index], on tape: JSONTape, _ shape: DataShape, kind: UInt32,
    budget: LoadBudget? = nil
  ) -> Findings {
    guard let root = shape.roots[kind] else { return Findings() }
    var review = SampleReview(shape: shape, tape: tape)
    for row in rows {
      review.enter(root, row, .reached, from: nil)
      while let visit = review.row.waiting.popLast() {
        guard
          budget?.spend(
            10 + 10 * (shape.levels[visit.level].members.count + shape.levels[visit.level].homes.count))
            != false,
          review.row.seen.count <= visitLimit
        else { return Findings() }
        review.look(at: visit)
      }
      review.noteUnusedKeys()
      review.row = Row(on: tape)
    }
    return review.result()
  }

  private init(shape: DataShape, tape: JSONTape) {
    self.shape = shape
    self.tape = tape
    row = Row(on: tape)
  }

  /// - Parameter outer: the visit around it; nil for a row.
  private mutating func enter(
    _ level: Int, _ node: JSONTape.Index, _ way: Way, from outer: Visit?, includesItems: Bool = true
  ) {
    row.lookups.contain(
      SampleLookups.Place(level: level, node: node),
      in: outer.map { SampleLookups.Place(level: $0.level, node: $0.node) })
    let visit = Visit(level: level, node: node, way: way, includesItems: includesItems)
    if row.seen.insert(visit).inserted { row.waiting.append(visit) }
  }

  // MARK: Looking

  private mutating func look(at visit: Visit) {
    let level = shape.levels[visit.level]
    if visit.way != .absent {
      if level.isPrinted, visit.way != .around { row.usedWhole.insert(visit.node) }
      if tape.kind(visit.node) == .object {
        if row.objects[visit.node] == nil { row.objects[visit.node] = visit.level }
        if shape.mayHaveOwner(visit.level), row.askedForOwner.insert(visit.node).inserted,
          let owner = tape.value(named: RequestName.owner, in: visit.node)
        {
          row.usedKeys.insert(owner - 1)
          row.usedWhole.insert(owner)
        }
      }
      if visit.includesItems, tape.kind(visit.node) == .array {
        var item = visit.node + 1
        while item < tape.end(visit.node), row.seen.count <= Self.visitLimit {
          enter(visit.level, item, visit.way, from: visit)
          item = tape.end(item)
        }
      }
    }
    for (position, member) in level.members.enumerated() {
      look(up: member, Name(level: visit.level, member: position), from: visit)
    }
    if visit.way != .absent { lookUpHomes(of: level, from: visit) }
    for call in level.calls {
      if let root = shape.roots[call.kind] {
        enter(
          root, visit.node, call.isCertain || visit.way != .reached ? visit.way : .guessed, from: visit)
      }
    }
    for own in level.selves { enter(own, visit.node, visit.way, from: visit) }
  }

  private mutating func look(up member: DataShape.Member, _ name: Name, from visit: Visit) {
    let (node, way) = (visit.node, visit.way)
    if way == .absent {
      note(missing: member, name, at: node)
      if let inner = member.level, member.uses.contains(.path) { enter(inner, node, .absent, from: visit) }
      return
    }
    let place = SampleLookups.Place(level: visit.level, node: node)
    guard let (value, holder) = row.lookups.find(member, name, from: place) else {
      // A list's items look up the name themselves.
      if way == .reached, tape.kind(node) != .array { note(missing: member, name, at: node) }
      guard let inner = member.level else { return }
      if member.uses.contains(.path), way == .reached, tape.kind(node) != .array {
        enter(inner, node, .absent, from: visit)
      }
      // If the value existed, names in it could be looked up here.
      if member.mayRepeat { enter(inner, node, .around, from: visit) }
      return
    }
    found.insert(name)
    if tape.kind(holder) == .object { row.usedKeys.insert(value - 1) }
    if !member.uses.isDisjoint(with: [.value, .ownKey]) { row.usedWhole.insert(value) }
    if member.uses.contains(.escapedText), way == .reached, isChangedByEscaping(value), escaped[name] == nil {
      escaped[name] = value
    }
    guard let inner = member.level else { return }
    let isSeen = member.uses.contains(.path) || tape.isTruthy(value)
    enter(
      inner, value, way == .reached && isSeen ? .reached : .guessed, from: visit,
      includesItems: !shape.isIndexedAlone(member))
  }

  /// Looks for names that the value of a section has itself, and that are taken for the section's own name otherwise: `b` in
  /// `{{#b}}{{b}}{{/b}}`.
  private mutating func lookUpHomes(of level: DataShape.Level, from visit: Visit) {
    for home in level.homes {
      guard let value = row.lookups.value(of: home.name, in: visit.node) else { continue }
      let member = shape.levels[home.level].members[home.member]
      row.usedKeys.insert(value - 1)
      if !member.uses.isDisjoint(with: [.value, .ownKey]) { row.usedWhole.insert(value) }
      if let inner = member.level { enter(inner, value, .guessed, from: visit) }
    }
  }

  private mutating func note(missing member: DataShape.Member, _ name: Name, at node: JSONTape.Index) {
    if member.uses.contains(.uncertain) || member.uses.subtracting(.frequencies) == .ownKey { return }
    // A value that only contains other names is reported by those.
    if member.isPathAlone { return }
    missing[name] = min(missing[name] ?? node, node)
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
    let printed = escaped.map { (name: $0.key, value: $0.value) }
      .sorted { ($0.name.level, $0.name.member) < ($1.name.level, $1.name.member) }
    findings.escaped = Array(printed.prefix(Self.findingLimit))
    findings.unused = unused
    return findings
  }

  /// Adds the first key of each unused name in the row.
  private mutating func noteUnusedKeys() {
    if shape.callsAnything || !shape.isComplete || unused.count >= Self.findingLimit { return }
    var whole: [Range<JSONTape.Index>] = []
    for node in row.usedWhole.sorted() where whole.last.map({ node >= $0.upperBound }) ?? true {
      whole.append(node..<tape.end(node))
    }
    var next = 0
    for (object, level) in row.objects.sorted(by: { $0.key < $1.key }) {
      while next < whole.count, whole[next].upperBound <= object { next += 1 }
      if next < whole.count, whole[next].contains(object) { continue }
      var key = object + 1
      while key < tape.end(object) {
        let isReplaced = tape.nameID(key) != JSONTape.unknownName && tape.isSuperseded(key)
        if !isReplaced, !row.usedKeys.contains(key),
          told[level, default: []].insert(Array(tape.bytes(key))).inserted
        {
          unused.append(key)
          if unused.count == Self.findingLimit { return }
        }
        key = tape.end(key + 1)
      }
    }
  }
}
