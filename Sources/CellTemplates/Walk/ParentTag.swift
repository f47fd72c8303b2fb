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
  /// The programs whose blocks it can override, as numbered by `Inheritance`.
  private(set) var sources = UniqueList<Int>()
  /// The block places that are printed inside of it, other than those of its callee: those in its own overrides, which can override
  /// each other, and those in overrides around it.
  private(set) var ownBlocks = UniqueList<Int>()
  /// The block places that its overrides apply to.
  private var places: Set<Int> = []
  /// The tags that it is printed inside of: in whose overrides it is, and around the blocks that these override. Their overrides also
  /// apply to its blocks, and take precedence.
  private(set) var outer: [ParentTag] = []
  private var outerTags: Set<ObjectIdentifier> = []
  /// The tags that are printed inside of it, by the program that they call, and these programs.
  private(set) var within: [Int: [ParentTag]] = [:]
  private(set) var calledWithin = UniqueList<Int>()
  private var tagsWithin: Set<ObjectIdentifier> = []
  private(set) var bodies: [CellOverride] = []
  /// For each body, the parents inside it.
  private(set) var inner: [[Int]] = []
  private var compiled: Set<Compiled> = []

  private struct Compiled: Hashable {
    let block: Int
    let place: BlockPlace
  }

  /// - Parameter names: the number of each override's name.
  init(_ occurrence: ParentOccurrence, of key: WalkKey, isIdle: Bool, names: [Int]) {
    self.key = key
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

  /// Returns false if it is already known.
  func addSource(_ program: Int) -> Bool { sources.insert(program) }

  /// Returns false if it is already known.
  func addOwnBlock(_ place: Int) -> Bool { ownBlocks.insert(place) }

  /// Returns false if it is already known.
  func addOuter(_ tag: ParentTag) -> Bool {
    guard outerTags.insert(ObjectIdentifier(tag)).inserted else { return false }
    outer.append(tag)
    return true
  }

  /// Returns false if it is already known.
  func addWithin(_ tag: ParentTag, calling program: Int) -> Bool {
    guard tagsWithin.insert(ObjectIdentifier(tag)).inserted else { return false }
    within[program, default: []].append(tag)
    calledWithin.add(program)
    return true
  }

  /// Stores an override's body for a place, unless one is there.
  func keep(_ body: CellOverride, inner: [Int]) {
    guard compiled.insert(Compiled(block: body.block, place: body.place)).inserted else { return }
    bodies.append(body)
    self.inner.append(inner)
  }
}
