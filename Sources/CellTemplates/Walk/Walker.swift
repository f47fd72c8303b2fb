/// Walks one template once, as an HTML parser would read its output, and turns it into nodes with escapers.
///
/// Cost is linear in the template, but for loops inside values, which are read until they end where they
/// begin.
struct Walker {
  let template: ParsedTemplate
  let number: Int
  let walks: WalkSet
  let observer: (any ElementObserver)?
  var source: TemplateSource { template.source }

  var state: HTMLContext
  /// The list that is being filled.
  var out: [CellNode] = []
  /// Those around it, each with the floor it was begun on.
  private var outerLists: [(out: [CellNode], floor: Int)] = []
  /// Literal bytes that wait for it.
  var literal: [UInt8] = []
  /// Bytes at the end of the last run that may still be dropped, or begin a tag or an attribute.
  var held: [UInt8] = []
  var run = 0..<0
  /// What of the run has been taken over.
  var cursor = 0

  /// The elements this template has opened.
  var elements = OpenElementStack()
  /// Those below it belong to what is around a section or block.
  var floor = 0
  /// The sections and blocks around the place.
  var depth = 0
  /// Attribute values that have begun so far: whether a branch holds one.
  var valueCount = 0
  /// Where the last hole stands; -1: nowhere.
  var lastHole = -1
  var tag: TagInProgress?
  /// Whether parts of a table stand at the top of the cell; nil: nothing yet.
  var topIsRows: Bool?
  var parents = UniqueList<ParentPlace>()
  var metParents = UniqueList<Int>()
  var blocks = UniqueList<BlockPlace>()
  /// The outlets, sections and blocks around what is walked, where that is a part of a template.
  var outerNesting = 0
  private var visits = 0
  /// The section that ends right before what is walked, in a value.
  private var alternative: Alternative?
  /// The raw text that is being read, as far as it is one piece.
  var markup: MarkupReading?

  /// What may be read, in nodes and bytes of text, and for each byte of the template: loops within loops in a value read
  /// theirs again.
  private static let visitLimit = 1_000_000
  private static let visitGrowth = 64

  /// Outlets, sections and blocks within one another: what bounds the stack of who reads the tree.
  static let nestingLimit = 200
  /// What a tag may hold; one written by hand has a few.
  static let attributeLimit = 1000
  var outlets: Int { elements.last?.outlets ?? 0 }
  var nesting: Int { outerNesting + outlets + depth }

  /// What belongs to this walk of a tag alone, and no context.
  struct TagInProgress {
    let name: String
    let isEnd: Bool
    let at: Int
    let depth: Int
    let start: Int
    let dropsLineEnd: Bool
    var attributes: [StartTag.Attribute] = []
    var attributeAt = 0
    var attributeStart = 0
    var attributeDepth = 0
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
    for element in elements.all { reportUnclosed(element) }
    // That is told; what is around goes on as if they were closed.
    if let first = elements.all.first { state.element = first.outer }
    endText()
    seal()
    if !held.isEmpty || state.tokenizer.isUndecided {
      report(
        .unfinishedCell, at: source.content.upperBound,
        "the cell ends in text that what follows could make a tag of",
        hint: "write &lt; for a <")
    }
    walks.budget.keep(pieces: out.deepCount)
    return WalkResult(nodes: out, end: state, blocks: blocks, parents: parents, met: metParents)
  }

  mutating func walk(_ nodes: [MustacheNode]) {
    for node in nodes {
      guard mayVisit(node) else { return }
      walk(node)
    }
  }

  /// False, and told, where what has been read is far more than what there is.
  private mutating func mayVisit(_ node: MustacheNode) -> Bool {
    var cost = 1
    if case .text(let range) = node { cost += range.count }
    visits += cost
    guard visits > Self.visitLimit + Self.visitGrowth * source.content.count else {
      return walks.budget.spend(cost)
    }
    report(
      .nestedTooDeep, at: source.definition,
      "sections in this template's values are nested too deep to be judged",
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
      out.append(.lineStart(isBlank: isBlank))
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

  // MARK: Text

  private mutating func read(_ range: Range<Int>) {
    run = range
    cursor = range.lowerBound
    var tokenizer = state.tokenizer
    // Not held twice, lest a name be copied for each run that goes on with it.
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

  /// Takes over the run up to `offset`.
  mutating func flush(to offset: Int) {
    guard offset > cursor || (!held.isEmpty && offset >= run.lowerBound) else { return }
    literal += held
    held = []
    literal += source.bytes[cursor..<max(cursor, min(offset, run.upperBound))]
    cursor = max(cursor, offset)
  }

  /// Begins a new node at `offset`.
  mutating func cut(at offset: Int) {
    if offset >= run.lowerBound { flush(to: offset) }
    seal()
  }

  /// Ends the literal that is being filled.
  mutating func seal() {
    if literal.isEmpty { return }
    closeReference()
    out.append(.literal(literal))
    literal = []
  }

  // What is dropped behind a text, or left out when it is printed, would let it go on in what follows: so no
  // text may end in what is not complete.

  /// Writes a `<` that is text so that it is text whatever follows.
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

  /// At the end of a template: a `<` or `&` that is text stays text, whatever is printed behind the cell.
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

  /// Completes the character reference that the literal ends in, as a parser reads it.
  mutating func closeReference() {
    let reference = state.reference
    guard !reference.isEmpty, literal.suffix(reference.count) == reference[...] else { return }
    literal.removeLast(reference.count)
    literal += ReferenceDecoder.completed(reference)
  }

  // MARK: Branches

  /// A section: its content stands there once, not at all or many times, and what is behind it must be the
  /// same.
  /// - Parameter value: where it prints, the value before it is this.
  /// - Returns: the value before it and behind its content, where it stands in one.
  private mutating func branch(
    at: Int, isLoop: Bool, _ value: ValueContext?, _ content: [MustacheNode],
    _ node: ([CellNode]) -> CellNode
  ) -> (before: ValueContext, after: ValueContext)? {
    guard mayBranch(at: at, "a section") else { return nil }
    if let value, state.tokenizer.isInValue { state.tag?.value = value }
    let entry = state
    var printed: ValueContext?
    beginList()
    var start = entry
    var joined = entry
    var isSettled = false
    for pass in 0..<walks.passLimit where !walks.budget.isSpent {
      let values = valueCount
      state = start
      walk(content)
      closeNames()
      guard let both = endOfBranch(from: entry, start, at: at) else {
        // Where it ends is more likely where the author goes on.
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
      out = []
      elements.remove(from: floor)
      literal = []
    }
    let nodes = endList()
    state = joined
    if !isSettled, !walks.budget.isSpent {
      report(
        .nestedTooDeep, at: at,
        "each turn of this section ends at another place of the markup than the one before it",
        hint: "let it end where it begins")
    }
    // A section of a comment goes with it, unless it holds what stands outside.
    if !entry.tokenizer.isInComment || nodes.contains(where: \.isPrinted) { out.append(node(nodes)) }
    guard entry.tokenizer.isInValue, let before = entry.tag?.value, let printed else { return nil }
    return (before, printed)
  }

  /// Behind a section: of two of one name that exclude each other, one right behind the other, one prints.
  private mutating func join(
    _ printed: (before: ValueContext, after: ValueContext)?, of name: MustacheName, _ isInverted: Bool,
    behind first: Alternative?
  ) {
    // That of the last section in it.
    alternative = nil
    guard let printed else { return }
    if first?.start(name, isInverted) == nil {
      alternative = Alternative(name, isInverted, before: printed.before, after: printed.after)
    } else if let both = first?.after.joined(with: printed.after) {
      state.tag?.value = both
    }
  }

  /// Element text: nothing that a second pass could find.
  private func isSame(_ entry: HTMLContext, _ end: HTMLContext) -> Bool {
    entry.isElementText && end.isElementText && entry.element == end.element && end.reference.isEmpty
  }

  /// The context behind a branch that began in `start` and has been walked; reports it where there is none.
  private mutating func endOfBranch(from entry: HTMLContext, _ start: HTMLContext, at: Int) -> HTMLContext? {
    if elements.count > floor {
      for element in elements.all[floor...] { reportUnclosed(element) }
      elements.remove(from: floor)
      state = entry
      return nil
    }
    if let both = start.joined(with: state) { return both }
    report(
      .crossingSection, at: at, "this section ends at another place of the markup than it begins",
      hint: "let it begin and end in the same element, attribute and value")
    return nil
  }

  /// A place to override: an override ends where the default content does.
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
      elements.remove(from: floor)
      if !isAlike(entry, state) {
        report(
          .crossingSection, at: block.at, "this block ends at another place of the markup than it begins",
          hint: "let it begin and end in the same element, attribute and value")
      }
      state = entry
    }
    let content = endList()
    blocks.add(
      BlockPlace(name: Array(block.name.utf8), entry: entry.withoutPlaces, end: state.withoutPlaces))
    out.append(
      .block(
        CellBlock(
          name: block.name, at: block.at, context: entry.compiled, content: content,
          opensLine: block.opensLine,
          indentation: block.indentation)))
  }

  func isAlike(_ entry: HTMLContext, _ end: HTMLContext) -> Bool { entry.joined(with: end) != nil }

  private mutating func beginList() {
    seal()
    outerLists.append((out, floor))
    out = []
    floor = elements.count
    depth += 1
    walks.openSections += 1
  }

  private mutating func endList() -> [CellNode] {
    seal()
    let nodes = out
    // Nobody else holds what comes back, so it is not copied when it grows.
    if let outer = outerLists.popLast() { (out, floor) = outer }
    depth -= 1
    walks.openSections -= 1
    return nodes
  }

  /// Ends a name at the end or the start of a branch, so that what follows is none of it.
  mutating func closeNames() {
    var tokenizer = state.tokenizer
    switch tokenizer.mode {
    case .tagName, .attributeName, .afterName, .selfClosing:
      // What is held is the name itself: it goes out in front of what comes.
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
    walks.report(Diagnostic(code, in: source, at: at, message, hint: hint))
  }

  mutating func report(_ refusal: Refusal, at: Int) {
    report(refusal.code, at: at, refusal.message, hint: refusal.hint)
  }

  mutating func reportUnclosed(_ element: OpenElementStack.Element) {
    let place = element.depth > 0 ? " in the section it begins in" : ""
    report(
      .unclosedElement, at: element.at, "<\(element.name)> is not closed\(place)",
      hint: "close it with </\(element.name)>" + (element.depth > 0 ? ", before the section ends" : ""))
  }
}

extension CellNode {
  /// More than the beginning of a line.
  fileprivate var isPrinted: Bool {
    if case .lineStart = self { return false }
    return true
  }
}
