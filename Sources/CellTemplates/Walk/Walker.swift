/// Walks one template once, like an HTML parser of its output, and converts it to nodes with escapers.
///
/// The cost is linear in the template except for loops inside values and JSON, which are walked until their end
/// matches their start: in one more pass for each loop around them.
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
  var outerLists: [(out: [CellNode], floor: Int, number: Int)] = []
  /// The number of the current list. Each pass of a section has its own, so that offsets into a list are never used with
  /// another.
  var list = 0
  var lastList = 0
  /// The memory that this walk accounts for.
  var kept = Kept()
  /// Literal bytes not yet appended.
  var literal: [UInt8] = []
  /// Bytes at the end of the last run that may still be dropped, or start a tag or an attribute.
  var held: [UInt8] = []
  /// What the runs so far have of the conditional comment that is not closed.
  var conditional: [UInt8] = []
  var run = 0..<0
  /// How far the run has been processed.
  var cursor = 0

  /// The elements opened by this template.
  var elements = OpenElementStack()
  /// Elements below this index are outside the current section or block.
  var floor = 0
  /// The number of sections and blocks around the place.
  var depth = 0
  /// How many of these are blocks.
  var blockDepth = 0
  /// What the content of each section inside the outermost one starts with in all passes, by the section's offset.
  var settledStarts: [Int: HTMLContext] = [:]
  /// The number of attribute values so far, to detect whether a branch contains one.
  var valueCount = 0
  /// The offset of the end of the last tag that begins in another section; -1 if there is none.
  var crossedAt = -1
  /// The offset of the last element that text was reported to be moved out of; -1 for one around the cell.
  var movedFrom: Int?
  /// The offset of the last hole; -1 if there is none.
  var lastHole = -1
  var tag: TagInProgress?
  /// The last attribute that starts in this walk.
  var attribute = AttributePlace(at: 0, start: 0, list: -1)
  /// Whether the top level of the cell has table parts; nil if it has nothing so far.
  var topIsRows: Bool?
  var parents = UniqueList<ParentOccurrence>()
  var metParents = UniqueList<Int>()
  var blocks = UniqueList<BlockOccurrence>()
  /// The number of outlets, sections and blocks around an override's content.
  var outerNesting = 0
  private var visits = 0
  /// The section that ends right before the current place in a value.
  var alternative: Alternative?
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
  struct Kept {
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
    /// How many blocks are around it.
    let blockDepth: Int
    let dropsLineEnd: Bool
    var attributes: [StartTag.Attribute] = []
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
    return WalkResult(nodes: out, end: KeptContext(state), blocks: blocks, parents: parents, met: metParents)
  }

  mutating func walk(_ nodes: [MustacheNode]) {
    for position in nodes.indices {
      guard mayVisit(nodes[position]) else { return }
      if state.tokenizer.mode == .commentStart, let tag = template.source.aloneInComment(position, of: nodes)
      {
        // The comment is its tag's only: it ends before the tag, and its `-->` is read after it.
        state.tokenizer.mode = .text
        walk(tag)
        if state.tokenizer.mode == .text { state.tokenizer.mode = .commentStart }
      } else if nodes[position].isSection {
        walkSection(nodes[position])
      } else {
        walk(nodes[position])
      }
    }
  }

  /// Walks a section. Apart from other nodes, so that many nested ones take little of the stack.
  private mutating func walkSection(_ node: MustacheNode) {
    guard case .section(let name, let isInverted, let rule, let content, let at) = node else { return }
    let before = alternative
    alternative = nil
    let printed = branch(at: at, of: name, isInverted: isInverted, before?.start(name, isInverted), content) {
      .section(name, isInverted: isInverted, rule, content: $0, at: at)
    }
    join(printed, of: name, isInverted, after: before)
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
    alternative = nil
    switch node {
    case .lineStart(let isBlank):
      if state.tokenizer.isInComment { return }
      seal()
      add(.lineStart(isBlank: isBlank))
    case .text(let range): read(range)
    case .variable(let name, let isRaw, let format, let at): hole(name, isRaw: isRaw, format, at: at)
    case .section: walkSection(node)
    case .partial(let call): self.call(call, blocks: nil)
    case .parent(let call, let blocks): self.call(call, blocks: template.source.withoutComments(blocks))
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
  mutating func closeElements(from position: Int) {
    let count = elements.remove(from: position)
    kept.pieces -= count
    walks.budget.release(pieces: count)
  }

  /// Goes back to what was kept before a pass that is repeated.
  mutating func release(to before: Kept) {
    walks.budget.release(pieces: kept.pieces - before.pieces)
    walks.budget.release(literalBytes: kept.literalBytes - before.literalBytes)
    kept = before
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
    if elements.takeEnd(of: element.name) { return }
    elements.noteStart(element.name)
    let position = element.depth > 0 ? " in the section where it starts" : ""
    let name = NameRule.shown(element.name.utf8)
    report(
      .unclosedElement, at: element.at, "<\(name)> is not closed\(position)",
      hint: "close it with </\(name)>"
        + (element.depth > 0
          ? ", before the section ends; if only the tags are optional, write both: "
            + "{{#x}}<\(name)>…</\(name)>{{/x}}{{^x}}…{{/x}}" : ""))
  }
}
