package import CellTemplates

/// The structure of a kind's data, as far as its template and the cells it calls determine it: names, and the
/// names inside their values. Derived from the archive's description of its kinds.
///
/// A *level* is what names are looked up in: a row, or the value of an outlet, a section or a dotted name.
/// The levels of each kind form a tree. Recursive cells appear only as calls, so the shape is finite.
package struct DataShape {
  /// The limits of a shape. Beyond them it is incomplete.
  struct Limits {
    /// Names, and the parts of dotted names, in total; far more than templates have.
    let members: Int
    /// The kinds in the shape of one kind, and the cells that a level calls.
    let kinds: Int

    static let ofKind = Limits(members: 1 << 18, kinds: 1000)
    /// All kinds share `members`. `kinds` applies to each kind and bounds the work for one sample row.
    static let ofArchive = Limits(members: 1 << 19, kinds: 100)
  }

  /// Facts about one kind besides its levels.
  struct Facts {
    /// The kinds it calls, each once.
    var calls: [UInt32] = []
    /// Those that it does not call with each of their rows: in a section, a condition, a block.
    var looseCalls: Set<UInt32> = []
    /// Those that it calls where they see more than their row.
    var surroundedCalls: Set<UInt32> = []
    /// Whether some of its names are required.
    var hasRequired = false
    /// Whether it calls a cell that the data names, whose names are unknown.
    var callsAnything = false
    /// Whether all its names are in its levels.
    var isComplete = true
  }

  static let ownerName = Array("owner".utf8)

  /// The limit of all names in bytes; an archive's parts may share their texts.
  static let nameLimitBytes = 1 << 26

  let archive: CellArchive
  /// What fits each format; nil if that differs by locale, or is any text.
  let fits: [Fit?]
  var levels: [Level] = []
  /// The level of each kind's rows.
  var roots: [UInt32: Int] = [:]
  /// The kinds in `roots`: first the shape's own, then those it calls, nearest first.
  private(set) var kinds: [UInt32] = []
  /// The level of the owner, shared by all kinds.
  let owner: Int
  /// Those of `kinds` that are called wherever their levels are referred to, so that what they require is required.
  private(set) var certainKinds: Set<UInt32> = []
  /// Those of `kinds` that never see more than their row and the owner.
  private(set) var aloneKinds: Set<UInt32> = []
  /// Those of `kinds` with blocks where an override of one of them looks up an owner.
  private var overriddenKinds: Set<UInt32> = []
  /// Whether a cell may be called that the data names.
  private(set) var callsAnything = false
  /// Whether the shape contains all names.
  private(set) var isComplete = true
  let limits: Limits
  let rowReaders: RowReaders
  var facts: [UInt32: Facts] = [:]
  /// The facts of the kind being read.
  var reading = Facts()
  /// The level of its rows.
  var readingRow = 0
  /// The formats of the part being read.
  var shown = Formats()
  /// Whose policy says whether the name of the part being read is needed, if that is another part: one that is shown with it.
  var judge: PartEntry?
  /// How many attributes of each element of the kind being read show files, by the element's place.
  var files: [UInt64: Int] = [:]
  var memberCount = 0
  var nameBytes = 0
  let budget: LoadBudget?

  /// The shape of a kind. Cost: linear in the parts of the kind and of those it calls.
  /// - Parameter kind: the kind's number.
  package init(of kind: UInt32, in archive: CellArchive) {
    self.init([kind], in: archive, .ofKind, budget: nil)
    var waiting = [kind]
    var seen: Set<UInt32> = [kind]
    var next = 0
    while next < waiting.count {
      read(waiting[next])
      for call in facts[waiting[next]]?.calls ?? [] where waiting.count < limits.kinds {
        if seen.insert(call).inserted { waiting.append(call) }
      }
      next += 1
    }
    self = shape(of: kind)
  }

  /// Reads all kinds; `shape(of:)` then returns the shape of each. Cost: linear in all parts.
  /// - Parameter budget: the work that reading may do.
  static func ofAllKinds(in archive: CellArchive, budget: LoadBudget) -> DataShape {
    let kinds = Array(0..<UInt32(archive.kindCount))
    var shape = DataShape(kinds, in: archive, .ofArchive, budget: budget)
    for kind in kinds where !budget.isSpent { shape.read(kind) }
    return shape
  }

  /// - Parameter kinds: those that will be read, besides those they call.
  private init(_ kinds: [UInt32], in archive: CellArchive, _ limits: Limits, budget: LoadBudget?) {
    self.archive = archive
    self.limits = limits
    self.budget = budget
    fits = Self.fits(of: archive)
    rowReaders = RowReaders(among: kinds, in: archive, limit: limits.kinds, budget: budget)
    levels.append(Level(name: Self.ownerName, kind: kinds.first ?? 0))
    owner = 0
  }

  /// The shape of one of the kinds that were read. Levels are shared. Cost: the kinds it consists of and
  /// their calls.
  func shape(of kind: UInt32) -> DataShape {
    var shape = self
    (shape.roots, shape.kinds) = ([:], [])
    var waiting = [kind]
    shape.roots[kind] = roots[kind]
    while shape.kinds.count < waiting.count {
      let next = waiting[shape.kinds.count]
      shape.kinds.append(next)
      let known = facts[next] ?? Facts(isComplete: false)
      if known.callsAnything { shape.callsAnything = true }
      if !known.isComplete { shape.isComplete = false }
      for call in known.calls where shape.roots[call] == nil {
        guard let root = roots[call], waiting.count < limits.kinds else {
          shape.isComplete = false
          break
        }
        shape.roots[call] = root
        waiting.append(call)
      }
    }
    shape.noteCertainKinds()
    shape.overriddenKinds = rowReaders.overridden(by: shape.kinds)
    return shape
  }

  /// Whether Mustache names that begin with `owner` are looked up in a level before the request's owner. What is read of that value
  /// is not followed.
  func mayHaveOwner(_ level: Int) -> Bool {
    let lookups = levels[level].lookups
    return lookups.contains(.owner)
      || lookups.contains(.overrides) && overriddenKinds.contains(levels[level].kind)
  }

  /// Whether some object must have a name.
  var hasRequired: Bool { certainKinds.contains { facts[$0]?.hasRequired == true } }

  /// A kind is certain unless it, or one that calls it, is called loosely somewhere.
  private mutating func noteCertainKinds() {
    certainKinds = Set(kinds).subtracting(called(by: \.looseCalls))
    // It matters for names that rows must have, which few have.
    aloneKinds = hasRequired ? Set(kinds).subtracting(called(by: \.surroundedCalls)) : []
  }

  /// The kinds that some kind calls in one way, and those that they call in any.
  private func called(by calls: KeyPath<Facts, Set<UInt32>>) -> Set<UInt32> {
    var found = kinds.reduce(into: Set<UInt32>()) { $0.formUnion(facts[$1]?[keyPath: calls] ?? []) }
    var waiting = Array(found)
    while let next = waiting.popLast() {
      for call in facts[next]?.calls ?? [] where found.insert(call).inserted { waiting.append(call) }
    }
    return found
  }
}
