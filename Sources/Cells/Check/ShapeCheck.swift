import CellTemplates

/// Validates values against the schema that `SchemaWriter` writes for the same shape: exactly its `type`,
/// `properties`, `items`, `allOf` and `$ref`.
struct ShapeCheck {
  /// The most values reported.
  static let faultLimit = 100

  /// The values that the schema does not allow.
  struct Faults {
    /// The first ones, in text order.
    fileprivate(set) var first: [JSONTape.Index] = []
    fileprivate(set) var count = 0
  }

  private struct Visit: Hashable {
    let level: UInt32
    let isLenient: Bool
    let node: JSONTape.Index

    init(_ place: DataShape.Place, _ node: JSONTape.Index) {
      level = UInt32(place.level)
      isLenient = place.isLenient
      self.node = node
    }

    var place: DataShape.Place { DataShape.Place(level: Int(level), isLenient: isLenient) }
  }

  private let shape: DataShape
  private let kind: UInt32
  private let tape: JSONTape
  private let budget: LoadBudget?
  private var references: [DataShape.Place: [(target: DataShape.Place, isRepeated: Bool)]] = [:]
  // Of the current row: no other row has its values.
  private var seen: Set<Visit> = []
  private var waiting: [Visit] = []
  private var found: Set<JSONTape.Index> = []

  /// Cost: each value counts once for each level that visits it. Memory: the objects and lists of one row.
  static func faults(
    in rows: [JSONTape.Index], on tape: JSONTape, _ shape: DataShape, kind: UInt32,
    budget: LoadBudget? = nil
  ) -> Faults {
    var faults = Faults()
    guard let root = shape.roots[kind] else { return faults }
    var check = ShapeCheck(shape: shape, kind: kind, tape: tape, budget: budget)
    for row in rows where budget?.spend() != false {
      check.run(DataShape.Place(level: root, isLenient: false), row)
      if check.found.isEmpty { continue }
      faults.count += check.found.count
      if faults.first.count < faultLimit {
        faults.first += check.found.sorted().prefix(faultLimit - faults.first.count)
      }
      check.found = []
    }
    return faults
  }

  private init(shape: DataShape, kind: UInt32, tape: JSONTape, budget: LoadBudget?) {
    self.budget = budget
    self.shape = shape
    self.kind = kind
    self.tape = tape
  }

  private mutating func run(_ root: DataShape.Place, _ row: JSONTape.Index) {
    enter(root, row)
    while let visit = waiting.popLast(), budget?.spend(10) != false { look(at: visit) }
    if !seen.isEmpty { seen = [] }
  }

  private mutating func enter(_ place: DataShape.Place, _ node: JSONTape.Index) {
    // Names are looked up in nothing else.
    guard tape.kind(node).holdsValues, tape.count(node) > 0 else { return }
    let visit = Visit(place, node)
    if seen.insert(visit).inserted { waiting.append(visit) }
  }

  private mutating func look(at visit: Visit) {
    let place = visit.place
    if tape.kind(visit.node) == .object {
      let level = shape.levels[place.level]
      for (key, value) in tape.knownMembers(of: visit.node) {
        guard let member = level.member(named: Array(tape.bytes(key))) else { continue }
        look(at: value, as: level.members[member], isLenient: place.isLenient)
      }
    }
    let known = references[place] ?? shape.references(of: place, kind: kind)
    references[place] = known
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
      default: found.insert(value)
      }
    }
    guard let inner = member.level else { return }
    let place = DataShape.Place(level: inner, isLenient: isLenient)
    enter(place, value)
    if member.mayRepeat { enterItems(of: value, place) }
  }

  private mutating func enterItems(of value: JSONTape.Index, _ place: DataShape.Place) {
    if tape.kind(value) != .array { return }
    budget?.spend(tape.count(value))
    var item = value + 1
    while item < tape.end(value) {
      enter(place, item)
      item = tape.end(item)
    }
  }
}
