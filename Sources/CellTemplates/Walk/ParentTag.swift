/// A parent tag of one program: the places of its overrides, and their compiled bodies.
final class ParentTag {
  let key: WalkKey
  let occurrence: ParentOccurrence
  /// The indexes of the overrides with each name, as numbered by `Inheritance`.
  let numbers: [Int: [Int]]
  /// The numbers of the names in the order of the overrides.
  let names: [Int]
  /// Whether nothing inside it is ever printed.
  let isIdle: Bool
  /// The number of its own program.
  let program: Int
  /// The programs whose blocks it can override, as numbered by `Inheritance`.
  private(set) var sources = UniqueList<Int>()
  private var sourceWays: [Int: Way] = [:]
  /// The block places that are printed inside of it, other than those of its callee: those in its own overrides, which can override
  /// each other, and those in overrides around it.
  private(set) var ownBlocks = UniqueList<Int>()
  private var ownBlockWays: [Int: Way] = [:]
  /// The block places that its overrides apply to.
  private var places: Set<Int> = []
  /// The tags that it is printed inside of: in whose overrides it is, and around the blocks that these override. Their overrides also
  /// apply to its blocks, and take precedence.
  private(set) var outer: [ParentTag] = []
  private var outerWays: [ObjectIdentifier: Way] = [:]
  /// The tags that are printed inside of it, by the program that they call, and these programs.
  private(set) var within: [Int: [ParentTag]] = [:]
  private(set) var calledWithin = UniqueList<Int>()
  private var waysWithin: [ObjectIdentifier: Way] = [:]
  /// Those that it is printed inside of, directly or not.
  private(set) var around: [ParentTag] = []
  private(set) var bodies: [CellOverride] = []
  /// For each body, the parents inside it.
  private(set) var inner: [[Int]] = []
  private var compiled: Set<Compiled> = []

  /// How something is printed inside of a tag. Inside an override, the same override does not apply again.
  enum Way {
    /// In an override of this name, whose body is running then.
    case override(Int)
    /// In different ways, or where no override of the tag is running: in the program that the tag calls.
    case any

    func runs(_ name: Int) -> Bool {
      if case .override(let running) = self { running == name } else { false }
    }
  }

  /// What is new about something that is printed inside of a tag.
  enum News {
    case known
    /// It was only known inside the override of this name.
    case outside(Int)
    case new
  }

  private struct Compiled: Hashable {
    let block: Int
    let place: BlockPlace
  }

  /// - Parameters:
  ///   - program: the number of the program with that key.
  ///   - names: the number of each override's name.
  init(_ occurrence: ParentOccurrence, of key: WalkKey, program: Int, isIdle: Bool, names: [Int]) {
    self.key = key
    self.program = program
    self.occurrence = occurrence
    self.isIdle = isIdle
    var numbers: [Int: [Int]] = [:]
    var distinct = UniqueList<Int>()
    for (number, name) in names.enumerated() {
      numbers[name, default: []].append(number)
      distinct.add(name)
    }
    self.numbers = numbers
    self.names = distinct.elements
  }

  /// Whether it was given so many places that it is refused: one of its overrides is for more than there may be.
  var isFull: Bool { places.count > WalkSet.contextLimit * names.count }

  /// Returns false if the place is already known.
  func add(_ place: Int) -> Bool { places.insert(place).inserted }

  private static func note<Key>(_ way: Way, of key: Key, in ways: inout [Key: Way]) -> News {
    switch (ways[key], way) {
    case (nil, _):
      ways[key] = way
      return .new
    case (.any, _): return .known
    case (.override(let name), _) where way.runs(name): return .known
    case (.override(let name), _):
      ways[key] = .any
      return .outside(name)
    }
  }

  func addSource(_ program: Int, _ way: Way) -> News {
    let news = Self.note(way, of: program, in: &sourceWays)
    if case .new = news { sources.add(program) }
    return news
  }

  func addOwnBlock(_ place: Int, _ way: Way) -> News {
    let news = Self.note(way, of: place, in: &ownBlockWays)
    if case .new = news { ownBlocks.add(place) }
    return news
  }

  /// How one of its own blocks is printed inside of it.
  func way(ofOwnBlock place: Int) -> Way { ownBlockWays[place] ?? .any }

  /// - Parameter way: how this tag is printed inside of `tag`.
  func addOuter(_ tag: ParentTag, _ way: Way) -> News {
    let news = Self.note(way, of: ObjectIdentifier(tag), in: &outerWays)
    if case .new = news { outer.append(tag) }
    return news
  }

  /// The tags that it is printed inside of, and how.
  var waysOut: [(tag: ParentTag, way: Way)] { outer.map { ($0, outerWays[ObjectIdentifier($0)] ?? .any) } }

  /// - Parameter way: how `tag` is printed inside of this one.
  func addWithin(_ tag: ParentTag, calling program: Int, _ way: Way) -> News {
    let news = Self.note(way, of: ObjectIdentifier(tag), in: &waysWithin)
    guard case .new = news else { return news }
    within[program, default: []].append(tag)
    tag.around.append(self)
    calledWithin.add(program)
    return news
  }

  /// The tags within that call a program, other than those that are only printed in the override of a name.
  func within(calling program: Int, outsideOverrideOf name: Int) -> [ParentTag] {
    (within[program] ?? []).filter { waysWithin[ObjectIdentifier($0)]?.runs(name) != true }
  }

  /// Forgets the other tags, which may know this one.
  func end() {
    (outer, around, within) = ([], [], [:])
  }

  /// Stores an override's body for a place, unless one is there.
  func keep(_ body: CellOverride, inner: [Int]) {
    guard compiled.insert(Compiled(block: body.block, place: body.place)).inserted else { return }
    bodies.append(body)
    self.inner.append(inner)
  }
}
