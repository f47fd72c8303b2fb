/// A parent tag of one program: where its overrides may stand, and what became of them.
final class ParentTag {
  let key: WalkKey
  let place: ParentPlace
  /// The numbers of the overrides of each name.
  let numbers: [[UInt8]: [Int]]
  /// The names, in the order of the overrides.
  let names: [[UInt8]]
  /// Nothing it holds is ever printed.
  let isIdle: Bool
  /// The programs whose blocks it may override, as `Inheritance` numbers them.
  private(set) var sources = UniqueList<Int>()
  /// The places in its own overrides, which may override one another.
  private(set) var ownBlocks = UniqueList<Int>()
  /// The places that its overrides stand for.
  private var places: Set<Int> = []
  /// The parents in whose overrides it stands: theirs count for its blocks too, and win.
  private(set) var outer: [ParentTag] = []
  private(set) var bodies: [CellOverride] = []
  /// For each body, the parents in it.
  private(set) var inner: [[Int]] = []
  private var compiled: Set<Compiled> = []

  private struct Compiled: Hashable {
    let block: Int
    let context: HTMLContext
  }

  init(_ place: ParentPlace, of key: WalkKey, isIdle: Bool) {
    self.key = key
    self.place = place
    self.isIdle = isIdle
    var numbers: [[UInt8]: [Int]] = [:]
    var names = UniqueList<[UInt8]>()
    for (number, block) in place.blocks.enumerated() {
      let name = Array(block.name.utf8)
      numbers[name, default: []].append(number)
      names.add(name)
    }
    self.numbers = numbers
    self.names = names.elements
  }

  /// False where the place is known already.
  func add(_ place: Int) -> Bool { places.insert(place).inserted }

  /// False where it is known already.
  func addSource(_ program: Int) -> Bool { sources.insert(program) }

  /// False where it is known already.
  func addOwnBlock(_ place: Int) -> Bool { ownBlocks.insert(place) }

  /// False where it is known already.
  func addOuter(_ tag: ParentTag) -> Bool {
    if outer.contains(where: { $0 === tag }) { return false }
    outer.append(tag)
    return true
  }

  /// Keeps what an override prints in a context, unless it has been told.
  func keep(_ body: CellOverride, inner: [Int]) {
    guard compiled.insert(Compiled(block: body.block, context: body.context)).inserted else { return }
    bodies.append(body)
    self.inner.append(inner)
  }
}
