/// Sections and blocks: what follows them must be the same however often they print.
extension Walker {
  /// Walks a section. Its content may be printed once, not at all or many times, and what follows must be the
  /// same.
  /// - Parameters:
  ///   - name: the section's.
  ///   - value: the value before it, if it prints.
  /// - Returns: the value before it and after its content, if it is in a value.
  mutating func branch(
    at: Int, of name: MustacheName, isInverted: Bool, _ value: ValueContext?, _ content: [MustacheNode],
    _ node: ([CellNode]) -> CellNode
  ) -> (before: ValueContext, after: ValueContext)? {
    guard let section = openSection(at: at, of: name, isInverted: isInverted, value) else { return nil }
    let before = kept
    for _ in 0..<walks.passLimit where !walks.budget.isSpent {
      let values = valueCount
      state = section.start
      walk(content)
      endPass(of: section, values)
      if section.isSettled { break }
      beginPass()
      closeElements(from: floor)
      literal = []
      release(to: before)
    }
    return close(section, node)
  }

  /// - Returns: nil if there may be no section.
  private mutating func openSection(
    at: Int, of name: MustacheName, isInverted: Bool, _ value: ValueContext?
  ) -> OpenSection? {
    var json: JSONContext.Section?
    guard mayBranch(at: at, "a section", isSection: true), mayBranchJSON(at: at, name, isInverted, &json)
    else {
      return nil
    }
    payForAttributes()
    if let value, state.tokenizer.isInValue { state.tag?.value = value }
    let section = OpenSection(at: at, isInverted: isInverted, json: json, entry: state)
    beginList()
    widen(section)
    return section
  }

  /// Joins the ends of a section after a walk of its content.
  /// - Parameter values: the number of attribute values before it.
  private mutating func endPass(of section: OpenSection, _ values: Int) {
    closeNames()
    joinJSON(section.json, at: section.at)
    guard
      var both = endOfBranch(
        from: section.entry, section.start, at: section.at, isReported: section.json?.isCrossed == true)
    else {
      // The author more likely continues where it ends.
      section.joined = state
      section.printed = nil
      section.isSettled = true
      return
    }
    section.printed = state.tag?.value
    section.joined = both
    if let json = section.json { (section.joined.json, both.json) = (json.after, json.start) }
    var next = both
    if valueCount == values { next.tokenizer.reopenName() }
    section.isSettled =
      section.isInverted || next == section.start || (section.isWidened && both == section.start)
      || isSame(section.entry, both)
    if section.isSettled {
      if section.isWidened { noteSettled(section) }
    } else {
      section.start = next
      section.isWidened = true
    }
  }

  private mutating func close(
    _ section: OpenSection, _ node: ([CellNode]) -> CellNode
  ) -> (before: ValueContext, after: ValueContext)? {
    let nodes = endList()
    if sectionDepth == 0 { forgetSettled() }
    state = section.joined
    if !section.isSettled, !walks.budget.isSpent {
      report(
        .nestedTooDeep, at: section.at,
        "each iteration of this section ends at a different place in the markup than the previous one",
        hint: "make it end where it starts")
    }
    let entry = section.entry
    // A section in a comment is removed with the comment, unless it contains something outside.
    if !entry.tokenizer.isInComment || nodes.contains(where: \.isPrinted) { add(node(nodes)) }
    guard entry.tokenizer.isInValue, let before = entry.tag?.value, let printed = section.printed else {
      return nil
    }
    return (before, printed)
  }

  /// After a section: if it is the opposite of the one right before it, exactly one of the two prints.
  mutating func join(
    _ printed: (before: ValueContext, after: ValueContext)?, of name: MustacheName, _ isInverted: Bool,
    after first: Alternative?
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

  /// Starts a section with all that a walk of it in a smaller pass of the section around it has learnt, so that one pass
  /// finds the rest. Otherwise each section would take two passes in each pass of the section around it.
  private func widen(_ section: OpenSection) {
    guard var settled = settledStarts[section.at] else { return }
    let settledJSON = settled.json
    settled.json = section.start.json
    guard var both = section.start.joined(with: settled) else { return }
    if let json = section.json {
      guard let settledJSON, json.widen(by: settledJSON) else { return }
      both.json = json.start
    }
    section.start = both
    section.isWidened = true
  }

  /// The number of sections around the place. Blocks are walked once.
  private var sectionDepth: Int { depth - blockDepth }

  /// Keeps what a section starts with, if a section around it may be walked again.
  private mutating func noteSettled(_ section: OpenSection) {
    if sectionDepth < 2 { return }
    walks.budget.keep(pieces: section.start.pieces)
    if let before = settledStarts.updateValue(section.start, forKey: section.at) {
      walks.budget.release(pieces: before.pieces)
    }
  }

  private mutating func forgetSettled() {
    if settledStarts.isEmpty { return }
    walks.budget.release(pieces: settledStarts.values.reduce(0) { $0 + $1.pieces })
    settledStarts = [:]
  }

  /// In element text, a second pass could not find anything.
  private func isSame(_ entry: HTMLContext, _ end: HTMLContext) -> Bool {
    entry.isElementText && end.isElementText && entry.element == end.element && end.reference.isEmpty
  }

  /// The context after a branch that started in `start`; reports an error if there is none.
  private mutating func endOfBranch(
    from entry: HTMLContext, _ start: HTMLContext, at: Int, isReported: Bool
  ) -> HTMLContext? {
    if elements.count > floor {
      for element in elements.all[floor...] { reportUnclosed(element) }
      closeElements(from: floor)
      state = entry
      return nil
    }
    if let both = start.joined(with: state) { return both }
    if isReported || crossedAt > at { return nil }
    report(
      .crossingSection, at: at, "this section ends at a different place in the markup than it starts",
      hint: "start and end it in the same element, attribute and value")
    return nil
  }

  /// Walks a block. An override must end where the default content ends.
  mutating func block(_ block: MustacheBlock) {
    if state.tokenizer.isInComment {
      if !refuseInConditional("a block", at: block.at) {
        warnOfComment(around: "block", "{{$\(NameRule.shown(block.name.utf8))}}", at: block.at)
      }
      return
    }
    guard mayBranch(at: block.at, "a block") else { return }
    payForAttributes()
    let entry = state
    beginList()
    blockDepth += 1
    walk(block.content)
    blockDepth -= 1
    alternative = nil
    becomeDynamic()
    if let entered = entry.tag?.value { state.tag?.value?.endBlock(begunIn: entered) }
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
      name: Array(block.name.utf8), entry: KeptContext(entry.withoutPlaces),
      end: KeptContext(state.withoutPlaces))
    if blocks.insert(place) { walks.budget.keep(pieces: place.pieces) }
    add(
      .block(
        CellBlock(
          name: block.name, at: block.at, place: walks.inheritance.place(of: place), content: content,
          opensLine: block.opensLine,
          indentation: block.indentation)))
  }

  func isAlike(_ entry: HTMLContext, _ end: HTMLContext) -> Bool { entry.joined(with: end) != nil }

  /// Accounts for a section or block: both of its ends are compared, with the attributes before them.
  private func payForAttributes() {
    walks.budget.spend(Self.unitsPerName * (state.tag?.attributes.count ?? 0))
  }

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
}

extension CellNode {
  /// Whether it is more than the start of a line.
  fileprivate var isPrinted: Bool {
    if case .lineStart = self { return false }
    return true
  }
}
