import CellTemplates

/// Validates values against the schema that `SchemaWriter` writes for the same shape: exactly its `type`,
/// `not`, `required`, `properties`, `items`, `allOf` and `$ref`.
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

    init(_ check: DataShape.LevelCheck, _ node: JSONTape.Index) {
      level = UInt32(check.level)
      isLenient = check.isLenient
      self.node = node
    }

    var check: DataShape.LevelCheck { DataShape.LevelCheck(level: Int(level), isLenient: isLenient) }
  }

  private let shape: DataShape
  private let kind: UInt32
  private let tape: JSONTape
  private let budget: LoadBudget?
  private let required: [[UInt8]]
  /// Whether an object may lack a name, so that an empty one is looked at.
  private let hasRequired: Bool
  private var references: [DataShape.LevelCheck: [(target: DataShape.LevelCheck, isRepeated: Bool)]] = [:]
  /// What objects of a level must have.
  private var requiredNames: [DataShape.LevelCheck: [[UInt8]]] = [:]
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
      check.run(DataShape.LevelCheck(level: root, isLenient: false), row)
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
    hasRequired = shape.hasRequired
    required = shape.rowNames(.required, of: kind, limit: SchemaWriter.entryLimit)
  }

  private mutating func run(_ root: DataShape.LevelCheck, _ row: JSONTape.Index) {
    if shape.archive.rowUses(of: kind).fault(of: row, on: tape) != nil || lacksNames(row) {
      found.insert(row)
    }
    enter(root, row)
    while let visit = waiting.popLast(), budget?.spend(10) != false { look(at: visit) }
    if !seen.isEmpty { seen = [] }
  }

  /// Whether a row lacks a name without which every row is bad.
  private func lacksNames(_ row: JSONTape.Index) -> Bool {
    if required.isEmpty { return false }
    return tape.kind(row) != .object || lacks(required, row)
  }

  private func lacks(_ required: [[UInt8]], _ object: JSONTape.Index) -> Bool {
    if required.isEmpty { return false }
    let names = Set(tape.knownMembers(of: object).map { Array(tape.bytes($0.key)) })
    return !names.isSuperset(of: required)
  }

  private mutating func enter(_ check: DataShape.LevelCheck, _ node: JSONTape.Index) {
    // Names are looked up in nothing else.
    guard tape.kind(node).holdsValues else { return }
    if tape.count(node) == 0, !hasRequired || tape.kind(node) != .object { return }
    let visit = Visit(check, node)
    if seen.insert(visit).inserted { waiting.append(visit) }
  }

  private mutating func look(at visit: Visit) {
    let check = visit.check
    if tape.kind(visit.node) == .object {
      let level = shape.levels[check.level]
      if hasRequired {
        let names = requiredNames[check] ?? shape.required(in: check)
        requiredNames[check] = names
        if lacks(names, visit.node) { found.insert(visit.node) }
      }
      for (key, value) in tape.knownMembers(of: visit.node) {
        guard let member = level.member(named: Array(tape.bytes(key))) else { continue }
        look(at: value, as: level.members[member], in: check)
      }
    }
    let known = references[check] ?? shape.references(of: check, kind: kind)
    references[check] = known
    for reference in known {
      enter(reference.target, visit.node)
      if reference.isRepeated { enterItems(of: visit.node, reference.target) }
    }
  }

  private mutating func look(
    at value: JSONTape.Index, as member: DataShape.Member, in level: DataShape.LevelCheck
  ) {
    let isLenient = level.isLenient
    judge(value, by: shape.rowRules(of: member, in: level))
    if !isLenient, shape.isNoScalar(member) {
      switch tape.kind(value) {
      case .object, .true, .false, .null: break
      case .array where shape.isIndexed(member): break
      default: found.insert(value)
      }
    }
    guard let inner = member.level else { return }
    let check = DataShape.LevelCheck(level: inner, isLenient: isLenient)
    enter(check, value)
    if member.mayRepeat { enterItems(of: value, check) }
  }

  /// Finds values that are no rows of the cell which is included with them, and such items of a list.
  private mutating func judge(_ value: JSONTape.Index, by rules: DataShape.Uses) {
    if rules.isEmpty { return }
    if isNoRow(value, by: rules) { found.insert(value) }
    if tape.kind(value) != .array { return }
    budget?.spend(tape.count(value))
    var item = value + 1
    while item < tape.end(value) {
      if isNoRow(item, by: rules) { found.insert(item) }
      item = tape.end(item)
    }
  }

  private func isNoRow(_ value: JSONTape.Index, by rules: DataShape.Uses) -> Bool {
    switch tape.kind(value) {
    case .string, .number: rules.contains(.objectRow)
    case .object: rules.contains(.noItem) && tape.isItem(value)
    case .array, .true, .false, .null, .key: false
    }
  }

  private mutating func enterItems(of value: JSONTape.Index, _ check: DataShape.LevelCheck) {
    if tape.kind(value) != .array { return }
    budget?.spend(tape.count(value))
    var item = value + 1
    while item < tape.end(value) {
      enter(check, item)
      item = tape.end(item)
    }
  }
}
