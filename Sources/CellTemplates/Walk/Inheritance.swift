/// Which blocks each parent tag may override: its callee's own, and those of the callee's parents.
///
/// Places flow from the programs they stand in to the parent tags that call these, and on to the programs that such
/// tags stand in; but only where somebody wants them: where a tag overrides a block of their name there, or further
/// on. So cost is linear in the overrides, and in the parents between each and its block, however parents are nested
/// or call one another. Each step counts as a piece, which bounds what names and dynamic parents may multiply.
final class Inheritance {
  /// Parents between an override and what it may stand for. Rendering ends far before it by default.
  static let depthLimit = 128

  private(set) var places = UniqueList<BlockPlace>()
  private var names = UniqueList<[UInt8]>()
  /// The number of each place's name.
  private var placeNames: [Int] = []
  /// The programs, and first among them what stands for any HTML cell.
  private var nodes = [Node(key: nil)]
  private var numbers: [WalkKey: Int] = [:]
  private var flowing: [(node: Int, place: Int)] = []
  private var wanting: [(node: Int, name: Int, depth: Int)] = []
  private var waiting: [(tag: ParentTag, place: Int)] = []
  private var next = 0
  /// Programs from whose parents more is wanted than the limit of depth allows.
  private(set) var tooDeep = UniqueList<WalkKey>()
  private let budget: LoadBudget

  init(budget: LoadBudget) { self.budget = budget }

  private struct Node {
    let key: WalkKey?
    /// By the number of their name, the blocks in it, and of those in its parents the wanted ones.
    var reach: [Int: UniqueList<Int>] = [:]
    /// The names that tags override which inherit from it, and how many parents are between, at least.
    var wanted = UniqueList<Int>()
    var depths: [Int: Int] = [:]
    /// By the number of a name, the parent tags that may override blocks of it here.
    var takers: [Int: [ParentTag]] = [:]
    /// The programs that it inherits from.
    var below = UniqueList<Int>()
    /// The programs that inherit from it.
    var above = UniqueList<Int>()
    /// It is read as element text, where a dynamic name may find it.
    var isText: Bool { key?.context == .text }
  }

  private static let anything = 0

  private func node(_ key: WalkKey) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = nodes.count
    nodes.append(Node(key: key))
    if key.context == .text { nodes[nodes.count - 1].above.add(Self.anything) }
    return nodes.count - 1
  }

  private func number(of block: BlockPlace) -> Int {
    let place = places.add(block)
    if place == placeNames.count {
      placeNames.append(names.add(block.name))
      budget.keep(pieces: LoadBudget.blockPieces)
    }
    return place
  }

  // MARK: What the walk found

  /// A block of a program.
  func add(_ block: BlockPlace, to key: WalkKey) {
    reach(number(of: block), from: node(key))
    flow()
  }

  /// A parent tag.
  func add(_ tag: ParentTag) {
    let callee: Int
    switch tag.place.callee {
    case .program(let key): callee = node(key)
    case .anything: callee = Self.anything
    case .nothing: return
    }
    let own = node(tag.key)
    if callee != own, !tag.isIdle { inherit(callee, own) }
    subscribe(tag, to: callee)
    flow()
  }

  /// A parent tag that stands in an override.
  func link(_ tag: ParentTag, in outer: ParentTag) {
    guard tag.addOuter(outer) else { return }
    for source in tag.sources.elements { subscribe(outer, to: source) }
    for place in tag.ownBlocks.elements { give(block: place, to: outer) }
    flow()
  }

  /// A block in one of a parent tag's own overrides.
  func add(_ block: BlockPlace, toOverridesOf tag: ParentTag) {
    give(block: number(of: block), to: tag)
    if !tag.isIdle { add(block, to: tag.key) }
  }

  /// An override that is to be compiled for a place; nil where all are done.
  func nextOverride() -> (tag: ParentTag, place: BlockPlace)? {
    guard next < waiting.count else {
      waiting = []
      next = 0
      return nil
    }
    next += 1
    let (tag, place) = waiting[next - 1]
    return (tag, places.elements[place])
  }

  // MARK: Who takes places

  /// Lets a tag, and those in whose overrides it stands, override blocks of a program. Parents stand in one another's
  /// overrides no deeper than sections nest, which bounds the recursion.
  private func subscribe(_ tag: ParentTag, to node: Int) {
    guard tag.addSource(node) else { return }
    for name in tag.names {
      let number = names.add(name)
      nodes[node].takers[number, default: []].append(tag)
      for place in nodes[node].reach[number]?.elements ?? [] { give(place, to: tag) }
      wanting.append((node, number, 0))
    }
    for outer in tag.outer { subscribe(outer, to: node) }
  }

  private func give(_ place: Int, to tag: ParentTag) {
    if tag.add(place) { waiting.append((tag, place)) }
  }

  /// The same recursion.
  private func give(block place: Int, to tag: ParentTag) {
    guard tag.addOwnBlock(place) else { return }
    if tag.numbers[places.elements[place].name] != nil { give(place, to: tag) }
    for outer in tag.outer { give(block: place, to: outer) }
  }

  // MARK: Flow

  /// Who inherits from `above` inherits from `below`, too.
  private func inherit(_ below: Int, _ above: Int) {
    nodes[below].above.add(above)
    join(below, above)
    // What a dynamic name finds, and what that inherits; but not by a dynamic name again.
    if nodes[above].isText, below != Self.anything { join(above, Self.anything) }
  }

  private func join(_ below: Int, _ above: Int) {
    guard nodes[above].below.insert(below) else { return }
    for name in nodes[above].wanted.elements { pull(name, from: below, into: above) }
  }

  private func pull(_ name: Int, from below: Int, into above: Int) {
    wanting.append((below, name, (nodes[above].depths[name] ?? 0) + 1))
    for place in nodes[below].reach[name]?.elements ?? [] { reach(place, from: above) }
  }

  private func reach(_ place: Int, from node: Int) {
    let name = placeNames[place]
    if nodes[node].reach[name, default: UniqueList()].insert(place) { flowing.append((node, place)) }
  }

  private func flow() {
    while !(wanting.isEmpty && flowing.isEmpty), budget.keep(pieces: 1) {
      if let (node, name, depth) = wanting.popLast() {
        want(name, in: node, depth)
      } else if let (node, place) = flowing.popLast() {
        let name = placeNames[place]
        for tag in nodes[node].takers[name] ?? [] { give(place, to: tag) }
        for above in nodes[node].above.elements where above != node {
          // What any cell holds is always known, lest every name be asked of every cell.
          if above == Self.anything || nodes[above].depths[name] != nil { reach(place, from: above) }
        }
      }
    }
    // Where the budget is spent, what is left is not looked at.
    wanting.removeAll(keepingCapacity: true)
    flowing.removeAll(keepingCapacity: true)
  }

  private func want(_ name: Int, in node: Int, _ depth: Int) {
    // A dynamic name may find anything: the count begins anew.
    let depth = node == Self.anything ? 0 : depth
    if let known = nodes[node].depths[name], known <= depth { return }
    nodes[node].wanted.add(name)
    nodes[node].depths[name] = depth
    if depth >= Self.depthLimit {
      if let key = nodes[node].key, nodes[node].below.count > 0 { tooDeep.add(key) }
      return
    }
    for below in nodes[node].below.elements where below != node { pull(name, from: below, into: node) }
  }
}
