/// Which blocks each parent tag may override: its callee's own, and those of the callee's parents.
///
/// Places flow from the programs they stand in to the parent tags that call these, and on to the programs and
/// overrides that such tags stand in. Each place passes each of them once, so that cost is linear in what
/// there is to be told, however parents are nested or call one another.
final class Inheritance {
  private(set) var places = UniqueList<BlockPlace>()
  /// The programs, and first among them what stands for any HTML cell.
  private var nodes = [Node()]
  private var numbers: [WalkKey: Int] = [:]
  private var flowing: [(node: Int, place: Int)] = []
  private var waiting: [(tag: ParentTag, place: Int)] = []
  private var next = 0
  private let budget: LoadBudget

  init(budget: LoadBudget) { self.budget = budget }

  private struct Node {
    /// The blocks that who inherits from it may override.
    var reach = UniqueList<Int>()
    /// The parent tags that call it.
    var callers: [ParentTag] = []
    /// The programs that these stand in.
    var above = UniqueList<Int>()
  }

  private static let anything = 0

  private func node(_ key: WalkKey) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = nodes.count
    nodes.append(Node())
    if key.context == .text { nodes[nodes.count - 1].above.add(Self.anything) }
    return nodes.count - 1
  }

  // MARK: What the walk found

  /// A block of a program.
  func add(_ block: BlockPlace, to key: WalkKey) {
    reach(places.add(block), from: node(key))
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
    nodes[callee].callers.append(tag)
    let known = nodes[callee].reach.elements
    for place in known { give(place, to: tag) }
    if callee != own, !tag.isIdle {
      nodes[callee].above.add(own)
      for place in known { reach(place, from: own) }
    }
    flow()
  }

  /// A parent tag that stands in an override.
  func link(_ tag: ParentTag, in outer: ParentTag) {
    guard tag.addOuter(outer) else { return }
    for place in tag.places { give(place, to: outer) }
  }

  /// A block in one of a parent tag's own overrides.
  func add(_ block: BlockPlace, toOverridesOf tag: ParentTag) {
    give(places.add(block), to: tag)
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

  // MARK: Flow

  private func reach(_ place: Int, from node: Int) {
    let known = nodes[node].reach.count
    nodes[node].reach.add(place)
    if nodes[node].reach.count > known { flowing.append((node, place)) }
  }

  private func flow() {
    var done = 0
    while done < flowing.count, budget.keep(pieces: 1) {
      let (node, place) = flowing[done]
      done += 1
      for tag in nodes[node].callers { give(place, to: tag) }
      for above in nodes[node].above.elements where above != node { reach(place, from: above) }
    }
    flowing.removeAll(keepingCapacity: true)
  }

  /// Parents stand in one another's overrides no deeper than sections nest, which bounds the recursion.
  private func give(_ place: Int, to tag: ParentTag) {
    guard tag.add(place) else { return }
    if tag.numbers[places.elements[place].name] != nil { waiting.append((tag, place)) }
    for outer in tag.outer { give(place, to: outer) }
  }
}
