import CellTemplates

/// Validates values against the schema that `SchemaWriter` writes for the same shape: exactly its `type`,
/// `properties`, `items`, `allOf` and `$ref`.
struct ShapeCheck {
  /// The most values reported.
  static let faultLimit = 100

  private struct Visit: Hashable {
    let place: DataShape.Place
    let node: JSONTape.Index
  }

  private let shape: DataShape
  private let kind: UInt32
  private let tape: JSONTape
  private let budget: LoadBudget?
  private var seen: Set<Visit> = []
  private var waiting: [Visit] = []
  private var faults: Set<JSONTape.Index> = []
  private var references: [DataShape.Place: [(target: DataShape.Place, isRepeated: Bool)]] = [:]

  /// The values that the schema does not allow, in text order. Cost: each value counts once for each level
  /// that visits it.
  static func faults(
    in rows: [JSONTape.Index], on tape: JSONTape, _ shape: DataShape, kind: UInt32,
    budget: LoadBudget? = nil
  ) -> [JSONTape.Index] {
    guard let root = shape.roots[kind] else { return [] }
    var check = ShapeCheck(shape: shape, kind: kind, tape: tape, budget: budget)
    for row in rows where budget?.isSpent != true {
      check.run(Visit(place: DataShape.Place(level: root, isLenient: false), node: row))
    }
    return check.faults.sorted()
  }

  private init(shape: DataShape, kind: UInt32, tape: JSONTape, budget: LoadBudget?) {
    self.budget = budget
    self.shape = shape
    self.kind = kind
    self.tape = tape
  }

  private mutating func run(_ first: Visit) {
    enter(first.place, first.node)
    while let visit = waiting.popLast(), faults.count < Self.faultLimit, budget?.spend(10) != false {
      look(at: visit)
    }
  }

  private mutating func enter(_ place: DataShape.Place, _ node: JSONTape.Index) {
    let visit = Visit(place: place, node: node)
    if seen.insert(visit).inserted { waiting.append(visit) }
  }

  private mutating func look(at visit: Visit) {
    let level = shape.levels[visit.place.level]
    if tape.kind(visit.node) == .object {
      for (key, value) in tape.members(of: visit.node) {
        guard let place = level.member(named: Array(tape.bytes(key))) else { continue }
        look(at: value, as: level.members[place], isLenient: visit.place.isLenient)
      }
    }
    let known = references[visit.place] ?? shape.references(of: visit.place, kind: kind)
    references[visit.place] = known
    for reference in known {
      enter(reference.target, visit.node)
      if reference.isRepeated { enterItems(of: visit.node, reference.target) }
    }
  }

  private mutating func look(at value: JSONTape.Index, as member: DataShape.Member, isLenient: Bool) {
    if !isLenient, shape.isNoScalar(member) {
      switch tape.kind(value) {
      case .object, .true, .false, .null: break
      case .array where shape.isIndexed(member): break
      default: faults.insert(value)
      }
    }
    guard let inner = member.level else { return }
    let place = DataShape.Place(level: inner, isLenient: isLenient)
    enter(place, value)
    if member.mayRepeat { enterItems(of: value, place) }
  }

  private mutating func enterItems(of value: JSONTape.Index, _ place: DataShape.Place) {
    if tape.kind(value) != .array { return }
    for item in tape.elements(of: value) { enter(place, item) }
  }
}
