/// Walks one template once, like an HTML parser of its output, and converts it to nodes with escapers.
///
/// The cost is linear in the template except for loops inside values, which are walked until their end
/// matches their start.
struct Walker {
  let template: ParsedTemplate
  let number: Int
  let walks: WalkSet
  let observer: (any ElementObserver)?
  var source: TemplateSource { template.source }

  var state: HTMLContext
  /// The current list of nodes.
  var out: [CellNode] = []
  /// The enclosing lists, each with its floor.
  private var outerLists: [(out: [CellNode], floor: Int, number: Int)] = []
  /// The number of the current list. Each pass of a section has its own, so that offsets into a list are never used with
  /// another.
  private(set) var list = 0
  private var lastList = 0
  /// The memory that this walk accounts for.
  private var kept = Kept()
  /// Literal bytes not yet appended.
  var literal: [UInt8] = []
  /// Bytes at the end of the last run that may still be dropped, or start a tag or an attribute.
  var held: [UInt8] = []
  var run = 0..<0
  /// How far the run has been processed.
  var cursor = 0

  /// The elements opened by this template.
  var elements = OpenElementStack()
  /// Elements below this index are outside the current section or block.
  var floor = 0
  /// The number of sections and blocks around the place.
  var depth = 0
  /// The number of attribute values so far, to detect whether a branch contains one.
  var valueCount = 0
  /// The offset of the last hole; -1 if there is none.
  var lastHole = -1
  var tag: TagInProgress?
  /// Whether the top level of the cell has table parts; nil if it has nothing so far.
  var topIsRows: Bool?
  var parents = UniqueList<ParentOccurrence>()
  var metParents = UniqueList<Int>()
  var blocks = UniqueList<BlockOccurrence>()
  /// The number of outlets, sections and blocks around an override's content.
  var outerNesting = 0
  private var visits = 0
  /// The section that ends right before the current place in a value.
  private var alternative: Alternative?
  /// The raw text being parsed, as long as it is uninterrupted.
  var markup: MarkupReading?

  /// The most nodes and bytes of text that may be walked, in addition to a number for each byte of the
  /// template. Nested loops in a value walk their contents repeatedly.
  private static let visitLimit = 1_000_000
  private static let visitGrowth = 64

  /// The most nested outlets, sections and blocks; bounds the stack of whatever traverses the tree.
  static let nestingLimit = 200
  /// The most attributes of a tag; a hand-written tag has a few.
  static let attributeLimit = 1000
  /// The work for an attribute's name that is sorted, hashed or copied, in the budget's units.
  static let unitsPerName = 16
  var outlets: Int { elements.last?.outlets ?? 0 }
  var nesting: Int { outerNesting + outlets + depth }

  /// Memory accounted for with the budget.
  private struct Kept {
    /// Nodes, open elements and their attributes.
    var pieces = 0
    var literalBytes = 0
  }

  /// The state of the current tag in this walk that is not part of the context.
  struct TagInProgress {
    let name: ExactString
    let isEnd: Bool
    let at: Int
    /// The list that the tag starts in, and where.
    let list: Int
    let start: Int
    let dropsLineEnd: Bool
    var attributes: [StartTag.Attribute] = []
    var attributeAt = 0
    var attributeStart = 0
    var attributeList = 0
    var holdsTooMany = false
  }

  init(
    _ template: ParsedTemplate, number: Int, in state: HTMLContext, of walks: WalkSet,
    observer: (any ElementObserver)?
  ) {
    self.template = template
    self.number = number
    self.walks = walks
    self.observer = observer
    self.state = state
  }

  // MARK: The whole

  /// Walks a template, or an override's content, from its first to its last node.
  mutating func walk(all nodes: [MustacheNode]) -> WalkResult {
    walk(nodes)
    closeNames()
    for element in elements.all where !isDone { reportUnclosed(element) }
    // Already reported; the surroundings continue as if they were closed.
    if let first = elements.all.first { state.element = first.outer }
    closeElements(from: 0)
    endText()
    seal()
    if !held.isEmpty || state.tokenizer.isUndecided {
      report(
        .unfinishedCell, at: source.content.upperBound,
        "the cell ends in text that could become a tag with what follows",
        hint: "write &lt; for a <")
    }
    // Observers have changed the list, and the elements are closed.
    walks.budget.keep(pieces: out.deepCount - kept.pieces)
    return WalkResult(nodes: out, end: state, blocks: blocks, parents: parents, met: metParents)
  }

  mutating func walk(_ nodes: [MustacheNode]) {
    for node in nodes {
      guard mayVisit(node) else { return }
      walk(node)
    }
  }

  /// Whether the node may be walked. Reports an error if far more was walked than the template has.
  private mutating func mayVisit(_ node: MustacheNode) -> Bool {
    var cost = 1
    if case .text(let range) = node { cost += range.count }
    visits += cost
    guard visits > Self.visitLimit + Self.visitGrowth * source.content.count else {
      return walks.budget.spend(cost)
    }
    report(
      .nestedTooDeep, at: source.definition,
      "sections in this template's values are nested too deep to be checked",
      hint: "move them out of the attribute")
    return false
  }

  private mutating func walk(_ node: MustacheNode) {
    let before = alternative
    alternative = nil
    switch node {
    case .lineStart(let isBlank):
      if state.tokenizer.isInComment { return }
      seal()
      add(.lineStart(isBlank: isBlank))
    case .text(let range): read(range)
    case .variable(let name, let isRaw, let at): hole(name, isRaw: isRaw, at: at)
    case .section(let name, let isInverted, let content, let at):
      let printed = branch(at: at, isLoop: !isInverted, before?.start(name, isInverted), content) {
        .section(name, isInverted: isInverted, content: $0, at: at)
      }
      join(printed, of: name, isInverted, behind: before)
    case .partial(let call): self.call(call, blocks: nil)
    case .parent(let call, let blocks): self.call(call, blocks: blocks)
    case .block(let block): self.block(block)
    }
  }

  // MARK: Nodes

  /// Appends a node to the current list.
  mutating func add(_ node: CellNode) {
    keep(pieces: 1)
    out.append(node)
  }

  /// Accounts for memory as it is used, because one run of text may hold millions of tags.
  mutating func keep(pieces count: Int) {
    kept.pieces += count
    walks.budget.keep(pieces: count)
  }

  /// Accounts for elements that are no longer open.
  mutating func closeElements(from place: Int) {
    let count = elements.remove(from: place)
    kept.pieces -= count
    walks.budget.release(pieces: count)
  }

  /// Goes back to what was kept before a pass that is repeated.
  private mutating func release(to before: Kept) {
    walks.budget.release(pieces: kept.pieces - before.pieces)
    walks.budget.release(literalBytes: kept.literalBytes - before.literalBytes)
    kept = before
  }

  // MARK: Text

  private mutating func read(_ range: Range<Int>) {
    run = range
    cursor = range.lowerBound
    var tokenizer = state.tokenizer
    // Cleared first, so that a name is not copied for each run.
    state.tokenizer.name = []
    tokenizer.feed(range, of: source.bytes, &self)
    state.tokenizer = tokenizer
    if tokenizer.isInComment {
      if tokenizer.commentStart >= range.lowerBound { flush(to: tokenizer.commentStart) }
      closeReference()
      held = []
      cursor = range.upperBound
    } else if let start = tokenizer.unfinishedStart {
      if start >= range.lowerBound {
        flush(to: start)
        seal()
      }
      held += source.bytes[cursor..<range.upperBound]
      cursor = range.upperBound
    } else {
      flush(to: range.upperBound)
    }
  }

  /// Appends the run up to `offset` to the literal.
  mutating func flush(to offset: Int) {
    guard offset > cursor || (!held.isEmpty && offset >= run.lowerBound) else { return }
    literal += held
    held = []
    literal += source.bytes[cursor..<max(cursor, min(offset, run.upperBound))]
    cursor = max(cursor, offset)
  }

  /// Starts a new node at `offset`.
  mutating func cut(at offset: Int) {
    if offset >= run.lowerBound { flush(to: offset) }
    seal()
  }

  /// Ends the current literal.
  mutating func seal() {
    if literal.isEmpty { return }
    closeReference()
    kept.literalBytes += literal.count
    walks.budget.keep(literalBytes: literal.count)
    add(.literal(literal))
    literal = []
  }

  // What follows a text may be dropped or print nothing, so that the text would continue in what comes after.
  // Therefore no text may end unfinished.

  /// Escapes a `<` that is text, so that it is text whatever follows.
  mutating func escapeLess(at offset: Int) {
    if offset >= run.lowerBound {
      flush(to: offset)
      cursor = offset + 1
      literal += Array("&lt;".utf8)
    } else {
      literal += Array("&lt;".utf8) + held.dropFirst()
      held = []
    }
  }

  /// At the end of a template: makes sure that a trailing `<` or `&` that is text stays text, whatever
  /// follows the cell.
  private mutating func endText() {
    if state.tokenizer.endsInLess {
      literal += Array("&lt;".utf8) + held.dropFirst()
      held = []
      state.tokenizer.passLess()
    }
    let reference = state.reference
    if !reference.isEmpty, literal.suffix(reference.count) == reference[...] {
      seal()
      state.reference = []
    }
  }

  /// Completes the character reference at the end of the literal, as a parser would.
  mutating func closeReference() {
    let reference = state.reference
    guard !reference.isEmpty, literal.suffix(reference.count) == reference[...] else { return }
    literal.removeLast(reference.count)
    literal += ReferenceDecoder.completed(reference)
  }

  // MARK: Branches

  /// Walks a section. Its content may be printed once, not at all or many times, and what follows must be the
  /// same.
  /// - Parameter value: the value before it, if it prints.
  /// - Returns: the value before it and after its content, if it is in a value.
  private mutating func branch(
    at: Int, isLoop: Bool, _ value: ValueContext?, _ content: [MustacheNode],
    _ node: ([CellNode]) -> CellNode
  ) -> (before: ValueContext, after: ValueContext)? {
    guard mayBranch(at: at, "a section") else { return nil }
    // Both of its ends are compared, with the attributes before them.
    walks.budget.spend(Self.unitsPerName * (state.tag?.attributes.count ?? 0))
    if let value, state.tokenizer.isInValue { state.tag?.value = value }
    let entry = state
    var printed: ValueContext?
    beginList()
    var start = entry
    var joined = entry
    var isSettled = false
    let before = kept
    for pass in 0..<walks.passLimit where !walks.budget.isSpent {
      let values = valueCount
      state = start
      walk(content)
      closeNames()
      guard let both = endOfBranch(from: entry, start, at: at) else {
        // The author more likely continues where it ends.
        joined = state
        printed = nil
        isSettled = true
        break
      }
      printed = state.tag?.value
      joined = both
      var next = both
      if valueCount == values { next.tokenizer.reopenName() }
      isSettled = !isLoop || next == start || (pass > 0 && both == start) || isSame(entry, both)
      if isSettled { break }
      start = next
      beginPass()
      closeElements(from: floor)
      literal = []
      release(to: before)
    }
    let nodes = endList()
    state = joined
    if !isSettled, !walks.budget.isSpent {
      report(
        .nestedTooDeep, at: at,
        "each iteration of this section ends at a different place in the markup than the previous one",
        hint: "make it end where it starts")
    }
    // A section in a comment is removed with the comment, unless it contains something outside.
    if !entry.tokenizer.isInComment || nodes.contains(where: \.isPrinted) { add(node(nodes)) }
    guard entry.tokenizer.isInValue, let before = entry.tag?.value, let printed else { return nil }
    return (before, printed)
  }

  /// After a section: if it is the opposite of the one right before it, exactly one of the two prints.
  private mutating func join(
    _ printed: (before: ValueContext, after: ValueContext)?, of name: MustacheName, _ isInverted: Bool,
    behind first: Alternative?
  ) {
    // Discards the alternative of the last section inside it.
    alternative = nil
    guard let printed else { return }
    if first?.start(name, isInverted) == nil {
      alternative = Alternative(name, isInverted, before: printed.before, after: printed.after)
    } else if let both = first?.after.joined(with: printed.after) {
      state.tag?.value = both
    }
  }

  /// In element text, a second pass could not find anything.
  private func isSame(_ entry: HTMLContext, _ end: HTMLContext) -> Bool {
    entry.isElementText && end.isElementText && entry.element == end.element && end.reference.isEmpty
  }

  /// The context after a branch that started in `start`; reports an error if there is none.
  private mutating func endOfBranch(from entry: HTMLContext, _ start: HTMLContext, at: Int) -> HTMLContext? {
    if elements.count > floor {
      for element in elements.all[floor...] { reportUnclosed(element) }
      closeElements(from: floor)
      state = entry
      return nil
    }
    if let both = start.joined(with: state) { return both }
    report(
      .crossingSection, at: at, "this section ends at a different place in the markup than it starts",
      hint: "start and end it in the same element, attribute and value")
    return nil
  }

  /// Walks a block. An override must end where the default content ends.
  private mutating func block(_ block: MustacheBlock) {
    if state.tokenizer.isInComment { return }
    guard mayBranch(at: block.at, "a block") else {
      return
    }
    let entry = state
    beginList()
    walk(block.content)
    alternative = nil
    state.tag?.value?.becomeDynamic()
    closeNames()
    if elements.count > floor || !isAlike(entry, state) {
      for element in elements.all[floor...] { reportUnclosed(element) }
      closeElements(from: floor)
      if !isAlike(entry, state) {
        report(
          .crossingSection, at: block.at, "this block ends at a different place in the markup than it starts",
          hint: "start and end it in the same element, attribute and value")
      }
      state = entry
    }
    let content = endList()
    let place = BlockOccurrence(
      name: Array(block.name.utf8), entry: entry.withoutPlaces, end: state.withoutPlaces)
    if blocks.insert(place) { walks.budget.keep(pieces: place.pieces) }
    add(
      .block(
        CellBlock(
          name: block.name, at: block.at, context: entry.compiled, content: content,
          opensLine: block.opensLine,
          indentation: block.indentation)))
  }

  func isAlike(_ entry: HTMLContext, _ end: HTMLContext) -> Bool { entry.joined(with: end) != nil }

  private mutating func beginList() {
    seal()
    outerLists.append((out, floor, list))
    beginPass()
    floor = elements.count
    depth += 1
    walks.openSections += 1
  }

  /// Begins the current list anew.
  private mutating func beginPass() {
    out = []
    lastList += 1
    list = lastList
  }

  private mutating func endList() -> [CellNode] {
    seal()
    let nodes = out
    // Nothing else references the list, so it is not copied when it grows.
    if let outer = outerLists.popLast() { (out, floor, list) = outer }
    depth -= 1
    walks.openSections -= 1
    return nodes
  }

  /// Ends a name at the start or end of a branch, so that what follows does not continue it.
  mutating func closeNames() {
    var tokenizer = state.tokenizer
    switch tokenizer.mode {
    case .tagName, .attributeName, .afterName, .selfClosing:
      // The held bytes are the name itself; they are written before what follows.
      run = cursor..<cursor
      tokenizer.closeName(at: cursor, &self)
      state.tokenizer = tokenizer
      literal += held
      held = []
    default: return
    }
  }

  // MARK: Reports

  mutating func report(_ code: DiagnosticCode, at: Int, _ message: String, hint: String) {
    if isDone { return }
    walks.report(Diagnostic(code, in: source, at: at, message, hint: hint))
  }

  mutating func report(_ refusal: Refusal, at: Int) {
    report(refusal.code, at: at, refusal.message, hint: refusal.hint)
  }

  mutating func reportUnclosed(_ element: OpenElementStack.Element) {
    let place = element.depth > 0 ? " in the section where it starts" : ""
    let name = NameRule.shown(element.name.utf8)
    report(
      .unclosedElement, at: element.at, "<\(name)> is not closed\(place)",
      hint: "close it with </\(name)>" + (element.depth > 0 ? ", before the section ends" : ""))
  }
}

extension CellNode {
  /// Whether it is more than the start of a line.
  fileprivate var isPrinted: Bool {
    if case .lineStart = self { return false }
    return true
  }
}
