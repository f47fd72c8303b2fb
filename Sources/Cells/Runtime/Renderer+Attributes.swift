import CellTemplates

/// Attributes that values set, print or remove: those of outlets, and those of `data-bind`.
extension Renderer {
  // MARK: Whole attributes

  /// Prints or drops an attribute, or an item of one. Returns nil if it stays as drawn.
  @inline(never)
  mutating func bind(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor? {
    let entry = tables.binds + Int(step.pointee.entry)
    if let value = lookups.foundValue.take() {
      return try print(entry, value, step, at: cursor, &output, &stack)
    }
    if entry.pointee.has(.isBeside) {
      let outlet = stack.outlets.top
      switch outlet.content {
      case .missing, .blank, .data: return nil
      case .scalar where entry.pointee.has(.takesScalar):
        return try print(entry, outlet.value, step, at: cursor, &output, &stack)
      case .empty where entry.pointee.has(.takesScalar): return cursor
      case .designed where entry.pointee.has(.takesChoice):
        return try mark(entry, tape.isTruthy(outlet.value), at: cursor, &output)
      case .scalar, .empty, .designed, .object: break
      }
    }
    if entry.pointee.path == noIndex { return nil }
    let value = try find(entry, step, &stack)
    switch outcome(of: value, entry) {
    case .leftOut:
      if value.isMissing { noteMissing(entry, &stack) }
      return cursor
    case .drawn:
      if value.isMissing { noteMissing(entry, &stack) }
      let isEmpty = !value.isMissing && !entry.pointee.has(.isDrawn)
      return isEmpty ? try printEmpty(entry, at: cursor, &output) : nil
    case .printed: break
    }
    if entry.pointee.has(.joins), value.isNode, case .array = tape.kind(value.raw) {
      return try printWords(of: value.raw, entry, at: cursor, &output, &stack.scratch)
    }
    return try print(entry, value, step, at: cursor, &output, &stack)
  }

  /// What a value does to an attribute.
  private enum Outcome {
    case leftOut
    case drawn
    case printed
  }

  private func outcome(of value: RenderValue, _ entry: UnsafePointer<BindEntry>) -> Outcome {
    if value.isMissing {
      let policy = entry.pointee.verifiedMissing.policy(orOfRequest: limits.missing)
      if case .drop = policy { return .leftOut }
      return .drawn
    }
    guard value.isNode else {
      if value.loopNumber != nil || value.isText { return .printed }
      if value.isNull { return .leftOut }
      return choice(value.isTrue, entry)
    }
    switch tape.kind(value.raw) {
    case .null: return .leftOut
    case .true: return choice(true, entry)
    case .false: return choice(false, entry)
    case .string, .number, .array, .object, .key: return .printed
    }
  }

  private func choice(_ isTrue: Bool, _ entry: UnsafePointer<BindEntry>) -> Outcome {
    if entry.pointee.has(.takesWords) { return .printed }
    return isTrue ? .drawn : .leftOut
  }

  private mutating func find(
    _ entry: UnsafePointer<BindEntry>, _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> RenderValue {
    try findBound(
      entry.pointee.path, slot: step.pointee.slot, isBeside: entry.pointee.has(.isBeside), &stack)
  }

  /// Counts an attribute whose name has no value, or records it where that is an error.
  private mutating func noteMissing(_ entry: UnsafePointer<BindEntry>, _ stack: inout RenderStack) {
    switch entry.pointee.verifiedMissing.policy(orOfRequest: limits.missing) {
    case .drop: noteMissing(isDrawn: false)
    case .keep, .blank: noteMissing(isDrawn: entry.pointee.has(.isDrawn))
    case .error:
      let path = tables.paths + Int(entry.pointee.path)
      noteMissing(path, isOfOwner: isOwners(path), isOfOutlet: true, &stack)
    }
  }

  // MARK: Parts

  /// Whether an attribute, or an item of one, is there. If it is, the `bind` that follows counts what is missing.
  @inline(never)
  mutating func isPresent(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let entry = tables.binds + Int(step.pointee.entry)
    if entry.pointee.has(.isBeside) {
      let outlet = stack.outlets.top
      if outlet.isBlind || (outlet.content == .scalar && entry.pointee.has(.takesScalar)) { return true }
    }
    let value = try find(entry, step, &stack)
    switch entry.pointee.verifiedForm {
    case .count: return isCounted(value, entry, &stack)
    case .piece: return isPrinted(value, entry)
    case .text, .choice, .item: break
    }
    let isThere =
      switch outcome(of: value, entry) {
      case .leftOut: false
      case .drawn:
        if case .item = entry.pointee.verifiedForm { entry.pointee.has(.isDrawn) } else { true }
      case .printed: entry.pointee.has(.joins) ? holdsWord(value) : true
      }
    if !isThere, value.isMissing { noteMissing(entry, &stack) }
    return isThere
  }

  /// Whether an element is there whose plural counts a value: unless there is none.
  private mutating func isCounted(
    _ value: RenderValue, _ entry: UnsafePointer<BindEntry>, _ stack: inout RenderStack
  ) -> Bool {
    if !tape.isNothing(value) { return true }
    let policy = entry.pointee.verifiedMissing.policy(orOfRequest: limits.missing)
    let path = tables.paths + Int(entry.pointee.path)
    if policy == .error, value.isNode, path.pointee.root == PathEntry.Root.item.rawValue {
      // The item itself is null.
      stack.noteMissing(MissingName(name: ".", object: value.raw, isOfOwner: false))
    } else {
      noteMissing(entry, &stack)
    }
    return policy != .drop
  }

  /// Whether a value in a text prints something, or must be reported as missing where it would.
  private func isPrinted(_ value: RenderValue, _ entry: UnsafePointer<BindEntry>) -> Bool {
    if value.isMissing {
      return entry.pointee.verifiedMissing.policy(orOfRequest: limits.missing) == .error
    }
    guard value.isNode else { return !value.isNull }
    switch tape.kind(value.raw) {
    case .null: return false
    case .string: return tape.count(value.raw) > 0
    case .number, .true, .false, .array, .object, .key: return true
    }
  }

  /// Items of a list that are looked through for a token before it counts as one that has some.
  private static var searchedItems: Int { 1024 }

  /// Whether a value adds tokens.
  private mutating func holdsWord(_ value: RenderValue) -> Bool {
    guard value.isNode else { return true }
    switch tape.kind(value.raw) {
    case .string: return tape.count(value.raw) > 0
    case .array:
      var (node, end, left) = (value.raw + 1, tape.end(value.raw), Self.searchedItems)
      while node < end, left > 0, !tape.isWord(node) {
        left -= 1
        node = tape.kind(node) == .array ? node + 1 : tape.end(node)
      }
      note(steps: Self.searchedItems - left)
      lookSoon()
      return node < end
    default: return true
    }
  }

  /// Opens an attribute that is a list, or separates the next item, unless the item has begun already.
  mutating func startItem(
    _ step: UnsafePointer<Step>, at cursor: inout OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) {
    let goesOn = step.pointee.slot & Op.goesOnWithItem != 0
    if goesOn, stack.isItemOpen { return }
    stack.isItemOpen = true
    if stack.isListOpen {
      let separator = step.pointee.slot & ~Op.goesOnWithItem
      try append(byte: UInt8(truncatingIfNeeded: separator), at: &cursor, &output)
    } else {
      stack.isListOpen = true
      try append(LiteralRef(offset: step.pointee.entry, count: step.pointee.jump), at: &cursor, &output)
    }
  }

  /// Closes an attribute that is a list.
  mutating func endList(
    at cursor: inout OutputCursor, _ output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    guard stack.isListOpen else { return }
    stack.isListOpen = false
    try append(byte: UInt8(ascii: "\""), at: &cursor, &output)
  }

  /// Prints a value in the text of an attribute. A missing one prints nothing, except where that is an error.
  @inline(never)
  mutating func printBound(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    var isBeside = false
    if case .boundBeside = step.pointee.code { isBeside = true }
    let found = lookups.foundValue.take()
    let value =
      if let found {
        found
      } else {
        try findBound(step.pointee.entry, slot: step.pointee.slot, isBeside: isBeside, &stack)
      }
    // Once, and before another name is looked up.
    if found == nil, value.isMissing,
      case .error = step.pointee.missing.policy(orOfRequest: limits.missing)
    {
      let path = tables.paths + Int(step.pointee.entry)
      noteMissing(path, isOfOwner: isOwners(path), isOfOutlet: true, &stack)
    }
    if step.pointee.jump != noIndex {
      let currency = try currency(
        of: step.pointee.jump, for: value, slot: step.pointee.slot, isBeside ? .beside : .inside, &stack)
      return try print(
        value, as: PlanRecorder.ShownAs(number: step.pointee.jump, currency: currency),
        through: step.pointee.escaper, step.pointee.missing, at: cursor, &output, &stack)
    }
    return try print(value, through: step.pointee.escaper, at: cursor, &output, &stack.scratch)
  }

  // MARK: Printing

  /// Appends a boolean attribute if it is set.
  private mutating func mark(
    _ entry: UnsafePointer<BindEntry>, _ isThere: Bool, at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    if isThere { try append(entry.pointee.opening, at: &cursor, &output) }
    return cursor
  }

  private mutating func printEmpty(
    _ entry: UnsafePointer<BindEntry>, at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    try append(entry.pointee.opening, at: &cursor, &output)
    try endAttribute(entry, at: &cursor, &output)
    return cursor
  }

  private mutating func print(
    _ entry: UnsafePointer<BindEntry>, _ value: RenderValue, _ step: UnsafePointer<Step>,
    at cursor: OutputCursor, _ output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    let start = output.offset(of: cursor)
    try append(entry.pointee.opening, at: &cursor, &output)
    let format = entry.pointee.format
    if format == noIndex {
      cursor = try print(value, through: entry.pointee.verifiedEscaper, at: cursor, &output, &stack.scratch)
    } else {
      let slot = step.pointee.slot == noIndex ? 0 : step.pointee.slot
      do throws(RenderFault) {
        let currency = try currency(
          of: format, for: value, slot: slot, entry.pointee.has(.isBeside) ? .beside : .inside, &stack)
        cursor = try print(
          value, as: PlanRecorder.ShownAs(number: format, currency: currency),
          through: entry.pointee.verifiedEscaper, entry.pointee.verifiedMissing, at: cursor, &output, &stack)
      } catch {
        if lookups.isUnfinished { unfinishedStart = start }
        throw error
      }
    }
    try endAttribute(entry, at: &cursor, &output)
    return cursor
  }

  /// Appends the closing quote of a whole attribute, now or after its long value.
  private mutating func endAttribute(
    _ entry: UnsafePointer<BindEntry>, at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    if case .item = entry.pointee.verifiedForm { return }
    if let long {
      long.endsWithQuote = true
    } else {
      try append(byte: UInt8(ascii: "\""), at: &cursor, &output)
    }
  }

  /// Prints the strings and numbers of a list and its nested lists, separated by spaces.
  private mutating func printWords(
    of list: UInt32, _ entry: UnsafePointer<BindEntry>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    try append(entry.pointee.opening, at: &cursor, &output)
    var words = TokenWords(escaper: entry.pointee.verifiedEscaper, next: list + 1, end: tape.end(list))
    while long == nil, !words.isAtEnd {
      if let word = try nextWord(of: &words) {
        if !words.isFirst { try append(byte: UInt8(ascii: " "), at: &cursor, &output) }
        words.isFirst = false
        cursor = try print(RenderValue(node: word), through: words.escaper, at: cursor, &output, &scratch)
      }
      if let long {
        long.words = words
      } else if isPauseDue {
        begin(LongValue(words))
      }
    }
    try endAttribute(entry, at: &cursor, &output)
    return cursor
  }
}

extension JSONTape {
  /// Whether a node is printed as a token of a list.
  func isWord(_ node: JSONTape.Index) -> Bool {
    switch kind(node) {
    case .string: count(node) > 0
    case .number: true
    case .null, .false, .true, .object, .array, .key: false
    }
  }
}
