/// Determines which blocks each parent tag can override: its callee's own, those of the callee's parents, and those in overrides
/// that are printed in place of such a block.
///
/// Block places are propagated from programs to the parent tags that call them, and on to the programs with
/// these tags; but only where they are wanted, because a tag overrides a block of that name there or further
/// on. So the cost is linear in the overrides and in the parents between each override and its block, however
/// parents nest or call each other. Whatever is kept of a step counts as a piece before it is kept, which bounds
/// what names, places and dynamic parents can multiply.
final class Inheritance {
  /// The most parents between an override and its block. By default, rendering reaches its limit long before.
  static let depthLimit = 128

  private(set) var places = UniqueList<BlockOccurrence>()
  /// The names of blocks and overrides. Whatever follows compares their numbers.
  private var names = UniqueList<[UInt8]>()
  /// The number of each place's name.
  private var placeNames: [Int] = []
  /// What blocks have in common to which the same override applies, and its number for each place.
  private var judged = UniqueList<BlockOccurrence>()
  private var judgedPlaces: [BlockPlace] = []
  /// The programs. The first node represents any HTML cell.
  private var nodes = [Node(key: nil)]
  private var numbers: [WalkKey: Int] = [:]
  private var flowing: [(node: Int, place: Int)] = []
  private var wanting: [(node: Int, name: Int, depth: Int)] = []
  private var waiting: [(tag: ParentTag, place: Int)] = []
  private var next = 0
  /// What overrides print in place of blocks, as far as blocks or parent tags are in it, and what it replaces.
  private var replaced = UniqueList<Replaced>()
  private var bodies: [Body] = []
  /// The parent tags that have a block as one of their own, by its place, and how many overrides are around it in them.
  private var owners: [Int: [(tag: ParentTag, depth: Int)]] = [:]
  /// Whether all tags around the blocks of `bodies` are known.
  private var isSpread = true
  /// Programs whose parents would be followed beyond the depth limit.
  private(set) var tooDeep = UniqueList<WalkKey>()
  private let budget: LoadBudget

  init(budget: LoadBudget) { self.budget = budget }

  private struct Node {
    let key: WalkKey?
    /// By name number: the blocks in it, and the wanted blocks of its parents.
    var reach: [Int: UniqueList<Int>] = [:]
    /// The names overridden by tags that inherit from it, and the least number of parents in between.
    var wanted = UniqueList<Int>()
    var depths: [Int: Int] = [:]
    /// By name number: the parent tags that can override its blocks here.
    var takers: [Int: [ParentTag]] = [:]
    /// The programs that it inherits from.
    var below = UniqueList<Int>()
    /// Its parent tags, and the programs that they call.
    var tags: [(tag: ParentTag, callee: Int)] = []
    /// By name number: the programs that inherit from it and want its blocks of that name. Others are not visited: there may
    /// be as many as blocks.
    var wanters: [Int: UniqueList<Int>] = [:]
    /// Whether its context is element text, so that a dynamic name can refer to it.
    var isText: Bool { key?.context == .text }
  }

  /// A block, and the program that is called by the tags that override it.
  private struct Replaced: Hashable {
    let callee: Int
    let place: Int
  }

  private struct Body {
    /// What is in the overrides of all these tags.
    var blocks = UniqueList<Int>()
    var inner: [ParentTag] = []
    /// What is in those of each.
    var parts: [OverrideParts.Part] = []
  }

  private static let anything = 0

  private func node(_ key: WalkKey) -> Int {
    if let known = numbers[key] { return known }
    numbers[key] = nodes.count
    nodes.append(Node(key: key))
    return nodes.count - 1
  }

  /// The number of a program.
  func number(of key: WalkKey) -> Int { node(key) }

  private func node(calledBy tag: ParentTag) -> Int? {
    switch tag.occurrence.callee {
    case .program(let key): node(key)
    case .anything: Self.anything
    case .nothing: nil
    }
  }

  private func number(of block: BlockOccurrence) -> Int {
    budget.spend(block.work)
    let place = places.add(block)
    if place == placeNames.count {
      placeNames.append(names.add(block.name))
      let judged = block.judged
      judgedPlaces.append(judged.entry == .text ? .text : .markup(self.judged.add(judged)))
      budget.keep(pieces: LoadBudget.blockPieces)
    }
    return place
  }

  /// The place of a block: two have the same if an override that fits one fits the other.
  func place(of block: BlockOccurrence) -> BlockPlace { judgedPlaces[number(of: block)] }

  // MARK: What the walk found

  /// The number of a name. Cost: linear in the name.
  func number(ofName name: [UInt8]) -> Int { names.add(name) }

  /// Adds a block of a program.
  func add(_ block: BlockOccurrence, to key: WalkKey) {
    reach(number(of: block), from: node(key))
    flow()
  }

  /// Adds a parent tag.
  func add(_ tag: ParentTag) {
    guard let callee = node(calledBy: tag) else { return }
    if !tag.isIdle {
      if callee != tag.program { inherit(callee, tag.program) }
      nodes[tag.program].tags.append((tag, callee))
      isSpread = false
    }
    subscribe(tag, to: callee)
    flow()
  }

  /// Adds what is inside a tag's override that is compiled for a block.
  /// - Parameter inner: the parent tags in it.
  func add(
    _ blocks: [BlockOccurrence], _ inner: [ParentTag], inOverrideOf tag: ParentTag, for place: BlockOccurrence
  ) {
    let way = ParentTag.Way.override(placeNames[number(of: place)])
    for tagInside in inner { link(tagInside, in: tag, way) }
    for block in blocks {
      give(block: number(of: block), to: tag, way)
      if !tag.isIdle { add(block, to: tag.key) }
    }
    guard !tag.isIdle, !blocks.isEmpty || !inner.isEmpty, let callee = node(calledBy: tag) else { return }
    guard budget.keep(pieces: 2 * (1 + blocks.count + inner.count)) else { return }
    let known = replaced.add(Replaced(callee: callee, place: number(of: place)))
    if known == bodies.count { bodies.append(Body()) }
    let places = blocks.map(number(of:))
    for place in places { bodies[known].blocks.add(place) }
    bodies[known].inner += inner
    bodies[known].parts.append(OverrideParts.Part(tag: tag, blocks: places, inner: inner))
    isSpread = false
  }

  /// Notes that a parent tag is printed inside another one, which then overrides its blocks, too.
  private func link(_ tag: ParentTag, in outer: ParentTag, _ way: ParentTag.Way) {
    guard budget.spend(), tag !== outer else { return }
    if case .known = tag.addOuter(outer, way) { return }
    guard budget.keep(pieces: 1) else { return }
    if let callee = node(calledBy: tag) { embed(tag, calling: callee, in: outer, way) }
    for callee in tag.calledWithin.elements {
      for inner in tag.within[callee] ?? [] { embed(inner, calling: callee, in: outer, way) }
    }
    for source in tag.sources.elements { subscribe(outer, to: source, way) }
    for place in tag.ownBlocks.elements { give(block: place, to: outer, way) }
    flow()
  }

  /// Notes that a parent tag is printed inside another one, and inside of those around that.
  private func embed(_ tag: ParentTag, calling callee: Int, in outer: ParentTag, _ way: ParentTag.Way) {
    var open = [(tag: outer, way: way)]
    while let (outer, way) = open.popLast() {
      guard budget.spend() else { return }
      if outer === tag { continue }
      switch outer.addWithin(tag, calling: callee, way) {
      case .known: continue
      case .outside: isSpread = false
      case .new:
        guard budget.keep(pieces: 1) else { return }
        isSpread = false
        open += outer.waysOut
      }
    }
  }

  /// The next place to override, and the indexes of the tag's overrides of its name; nil if all are done.
  func nextOverride() -> (tag: ParentTag, place: BlockOccurrence, overrides: [Int])? {
    if next == waiting.count {
      waiting = []
      next = 0
      while waiting.isEmpty, !isSpread, !budget.isSpent { spread() }
      if waiting.isEmpty { return nil }
    }
    next += 1
    let (tag, place) = waiting[next - 1]
    return (tag, places.elements[place], tag.numbers[placeNames[place]] ?? [])
  }

  // MARK: What is printed inside tags

  /// Lets the tags around a block override what is printed in place of it.
  private func spread() {
    isSpread = true
    var known: [Replaced: [ParentTag]] = [:]
    func between(_ callee: Int, _ place: Int) -> [ParentTag] {
      let key = Replaced(callee: callee, place: place)
      if let tags = known[key] { return tags }
      let tags = tags(between: callee, and: place)
      known[key] = tags
      return tags
    }
    for (replaced, body) in zip(replaced.elements, bodies) where !budget.isSpent {
      let place = replaced.place
      if let owners = owners[place] {
        let parts = OverrideParts(body.parts, programs: programs(calledInside:))
        for (tag, depth) in owners where depth < Self.depthLimit {
          guard budget.spend(tag.around.count + tag.calledWithin.count) else { return }
          let way = tag.way(ofOwnBlock: place)
          for part in parts.printed(inside: tag) where part.tag !== tag || !way.runs(placeNames[place]) {
            put(part.blocks, part.inner, in: tag, way, depth: depth + 1)
          }
        }
      }
      for tag in between(replaced.callee, place) { put(body.blocks.elements, body.inner, in: tag, .any) }
      for part in body.parts {
        for callee in part.tag.calledWithin.elements where reaches(place, from: callee) {
          let within = part.tag.within(calling: callee, outsideOverrideOf: placeNames[place])
          if within.isEmpty { continue }
          for tag in within + between(callee, place) { put(part.blocks, part.inner, in: tag, .any) }
        }
      }
    }
  }

  private func put(
    _ blocks: [Int], _ inner: [ParentTag], in tag: ParentTag, _ way: ParentTag.Way, depth: Int = 0
  ) {
    for block in blocks { give(block: block, to: tag, way, depth: depth) }
    for inner in inner { link(inner, in: tag, way) }
  }

  /// How many programs are followed that may be called while a tag is open.
  private static let followedPrograms = 64

  /// The programs that may be called while a tag is open: by itself, and by those printed inside of it. nil if they are too many
  /// to follow, or if the data names one.
  private func programs(calledInside tag: ParentTag) -> [Int]? {
    guard let callee = node(calledBy: tag), tag.calledWithin.count < Self.followedPrograms else { return nil }
    var programs = UniqueList<Int>()
    var next = 0
    programs.add(callee)
    programs.add(tag.calledWithin)
    while next < programs.count {
      let program = programs.elements[next]
      let below = nodes[program].below
      guard program != Self.anything, programs.count + below.count <= Self.followedPrograms,
        budget.spend(1 + below.count)
      else { return nil }
      programs.add(below)
      next += 1
    }
    return programs.elements
  }

  private func reaches(_ place: Int, from node: Int) -> Bool {
    budget.spend()
    return nodes[node].reach[placeNames[place]]?.contains(place) ?? false
  }

  /// The tags that a block is printed inside of, of a program and those below it.
  private func tags(between program: Int, and place: Int) -> [ParentTag] {
    /// Whatever may be called.
    func callees(_ node: Int) -> [Int] {
      (node == Self.anything ? nodes[node].below.elements : [node]).filter { reaches(place, from: $0) }
    }
    var tags: [ParentTag] = []
    var open = callees(program)
    var seen = Set(open)
    // Level by level, because rings of programs have no end.
    for _ in 0..<Self.depthLimit where !open.isEmpty {
      var below: [Int] = []
      for node in open where !budget.isSpent {
        for (tag, callee) in nodes[node].tags where reaches(place, from: callee) {
          tags.append(tag)
          for node in callees(callee) where seen.insert(node).inserted { below.append(node) }
        }
      }
      open = below
    }
    return tags
  }

  // MARK: Who takes places

  /// Lets a tag, and the tags that it is printed inside of, override blocks of a program.
  /// - Parameter way: how the program is called inside of the tag.
  private func subscribe(_ tag: ParentTag, to node: Int, _ way: ParentTag.Way = .any) {
    var open = [(tag: tag, way: way)]
    while let (tag, way) = open.popLast() {
      guard budget.spend() else { return }
      var names: [Int] = []
      switch tag.addSource(node, way) {
      case .known: continue
      case .outside(let name): if tag.numbers[name] != nil { names = [name] }
      case .new:
        names = tag.names.filter { !way.runs($0) }
        open += tag.waysOut
      }
      for name in names {
        guard budget.keep(pieces: 1) else { return }
        nodes[node].takers[name, default: []].append(tag)
        for place in nodes[node].reach[name]?.elements ?? [] {
          guard give(place, to: tag) else { break }
        }
        wanting.append((node, name, 0))
      }
    }
  }

  /// Lets a tag override a block. Returns false if it takes no more.
  @discardableResult
  private func give(_ place: Int, to tag: ParentTag) -> Bool {
    guard budget.spend(), !tag.isFull else { return false }
    if tag.add(place), budget.keep(pieces: 1) { waiting.append((tag, place)) }
    return true
  }

  /// Lets a tag, and the tags that it is printed inside of, override a block that is printed inside of it.
  /// - Parameter way: how the block is printed inside of the tag.
  private func give(block place: Int, to tag: ParentTag, _ way: ParentTag.Way, depth: Int = 0) {
    var open = [(tag: tag, way: way)]
    while let (tag, way) = open.popLast() {
      guard budget.spend() else { return }
      switch tag.addOwnBlock(place, way) {
      case .known: continue
      case .outside: isSpread = false
      case .new:
        guard budget.keep(pieces: 1) else { return }
        owners[place, default: []].append((tag, depth))
        isSpread = false
        open += tag.waysOut
      }
      let name = placeNames[place]
      if tag.numbers[name] != nil, !way.runs(name) { give(place, to: tag) }
    }
  }

  // MARK: Flow

  /// Records that whatever inherits from `above` also inherits from `below`.
  private func inherit(_ below: Int, _ above: Int) {
    join(below, above)
    // The targets of a dynamic name and what these inherit; but not through another dynamic name.
    if nodes[above].isText, below != Self.anything { join(above, Self.anything) }
  }

  private func join(_ below: Int, _ above: Int) {
    guard nodes[above].below.insert(below) else { return }
    for name in nodes[above].wanted.elements { pull(name, from: below, into: above) }
  }

  private func pull(_ name: Int, from below: Int, into above: Int) {
    guard budget.keep(pieces: 1) else { return }
    wanting.append((below, name, (nodes[above].depths[name] ?? 0) + 1))
    if above != below { nodes[below].wanters[name, default: UniqueList()].add(above) }
    for place in nodes[below].reach[name]?.elements ?? [] { reach(place, from: above) }
  }

  private func reach(_ place: Int, from node: Int) {
    guard budget.spend(),
      nodes[node].reach[placeNames[place], default: UniqueList()].insert(place), budget.keep(pieces: 1)
    else { return }
    flowing.append((node, place))
    isSpread = false
  }

  private func flow() {
    while !budget.isSpent {
      if let (node, name, depth) = wanting.popLast() {
        want(name, in: node, depth)
      } else if let (node, place) = flowing.popLast() {
        let name = placeNames[place]
        nodes[node].takers[name]?.removeAll { !give(place, to: $0) }
        // The blocks of any cell are always propagated, because otherwise every name would be looked up in every cell.
        if nodes[node].isText { reach(place, from: Self.anything) }
        for above in nodes[node].wanters[name]?.elements ?? [] { reach(place, from: above) }
      } else {
        return
      }
    }
    // If the budget is spent, the rest is skipped.
    wanting = []
    flowing = []
  }

  private func want(_ name: Int, in node: Int, _ depth: Int) {
    // A dynamic name may refer to anything, so counting starts again.
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
