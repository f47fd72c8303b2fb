import CellTemplates

/// Outlets: elements that are filled, repeated or removed by a value, and attributes that a value sets.
///
/// The steps of an outlet are `outlet`, its start tag with a `bind` for each attribute that may be set,
/// `outletContent` unless it is void, its end tag, and `outletEnd`. So at each of them, the innermost outlet
/// is the current one.
extension Renderer {
  // MARK: The element

  /// Starts the element of an outlet with its value. Returns false, and starts nothing, if the element is
  /// omitted.
  @inline(never)
  mutating func enterOutlet(
    _ step: UnsafePointer<Step>, _ value: RenderValue, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    let entry = outlet(of: step)
    if value.isMissing {
      if limits.missing == .error, entry.pointee.holdsOutlets == 0 {
        noteMissing(tables.paths + Int(entry.pointee.path), &stack)
      }
      stack.blindness += 1
      stack.outlets.push(OutletFrame(content: .missing, pushes: false, value: value))
      return true
    }
    if case .data = entry.pointee.verifiedForm {
      stack.outlets.push(OutletFrame(content: .data, pushes: false, value: value))
      return true
    }
    var frame = OutletFrame(content: .designed, pushes: false, value: value)
    if value.isNode, tape.kind(value.raw) == .array {
      frame.end = tape.end(value.raw)
      frame.next = try item(from: value.raw + 1, before: frame.end)
      return try enterNextItem(of: &frame, entry, &stack)
    }
    return enter(&frame, entry, place: nil, &stack)
  }

  @inline(__always)
  private mutating func outlet(of step: UnsafePointer<Step>) -> UnsafePointer<OutletEntry> {
    tables.outlets + Int(step.pointee.entry)
  }

  /// Ends the element of an outlet. Returns true if it starts again with the next item.
  @inline(never)
  mutating func leaveOutlet(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    var frame = stack.outlets.pop()
    if frame.pushes { stack.contexts.pop() }
    if frame.content == .missing { stack.blindness -= 1 }
    if frame.next >= frame.end { return false }
    return try enterNextItem(of: &frame, outlet(of: step), &stack)
  }

  /// Starts the element with the next item that is not omitted. Returns false if there is none, or if the row
  /// pauses before one is found; then the stack waits for it.
  private mutating func enterNextItem(
    of frame: inout OutletFrame, _ entry: UnsafePointer<OutletEntry>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    while frame.next < frame.end {
      try spend()
      if isPauseDue {
        // Omitted so far. On resuming, this element is ended as if this were the last item.
        frame.content = .designed
        frame.pushes = false
        stack.outlets.push(frame)
        stack.waitsForItem = true
        return false
      }
      frame.value = RenderValue(node: frame.next)
      frame.next = try item(from: tape.end(frame.next), before: frame.end)
      let index = frame.index
      frame.index += 1
      // A frame uses the count only to detect the last item. The number of items in nested lists is not
      // counted.
      let count = frame.next < frame.end ? noIndex : index + 1
      if enter(&frame, entry, place: (index, count), &stack) { return true }
    }
    return false
  }

  /// The first node from `node` on that is not a list. A nested list is replaced by its items, which directly
  /// follow it.
  private mutating func item(
    from node: UInt32, before end: UInt32
  ) throws(RenderFault) -> UInt32 {
    var node = node
    while node < end, tape.kind(node) == .array {
      try spend()
      node += 1
    }
    return node
  }

  /// Starts the element with the frame's value, which is not a list. Returns false if the element is omitted.
  /// - Parameter place: for an item, its index and the count that detects the last item.
  private mutating func enter(
    _ frame: inout OutletFrame, _ entry: UnsafePointer<OutletEntry>, place: (index: UInt32, count: UInt32)?,
    _ stack: inout RenderStack
  ) -> Bool {
    switch outletKind(frame.value) {
    case .nothing where entry.pointee.form != OutletEntry.Form.choice.rawValue: return false
    case .nothing, .truth: frame.content = .designed
    case .scalar: frame.content = .scalar
    case .object: frame.content = .object
    }
    // Content as designed keeps the surrounding context; in a list, the item still has an index.
    let isDesigned = frame.content == .designed
    frame.pushes = !isDesigned || place != nil
    if frame.pushes {
      let value = isDesigned ? stack.contexts.top.value : frame.value
      stack.contexts.push(
        ContextStack.Context(value: value, index: place?.index ?? noIndex, count: place?.count ?? 0),
        isScope: frame.content == .object)
    }
    stack.outlets.push(frame)
    return true
  }

  private enum OutletKind {
    /// `null` or `false`.
    case nothing
    case truth
    case scalar
    case object
  }

  /// How an outlet treats a value that exists and is not a list.
  private mutating func outletKind(_ value: RenderValue) -> OutletKind {
    guard value.isNode else { return value.loopNumber != nil ? .scalar : value.isTrue ? .truth : .nothing }
    switch tape.kind(value.raw) {
    case .null, .false: return .nothing
    case .true: return .truth
    case .object: return .object
    case .number, .string, .array, .key: return .scalar
    }
  }

  // MARK: Attributes

  /// Prints or drops an attribute depending on the innermost outlet's value. Returns nil if the attribute
  /// stays as designed.
  @inline(never)
  mutating func bind(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor? {
    let entry = tables.binds + Int(step.pointee.entry)
    let outlet = stack.outlets.top
    switch outlet.content {
    case .object:
      let name = entry.pointee.name
      guard name != noIndex, let own = member(name, slot: step.pointee.slot, of: outlet.value.raw) else {
        return nil
      }
      return try bind(entry, toKey: own, at: cursor, &output, &stack.scratch)
    case .scalar where entry.pointee.takesScalar == 1:
      return try print(entry, outlet.value, at: cursor, &output, &stack.scratch)
    case .designed where entry.pointee.takesChoice == 1:
      return try mark(entry, tape.isTruthy(outlet.value), at: cursor, &output)
    case .scalar, .designed, .missing, .data:
      return nil
    }
  }

  private mutating func bind(
    _ entry: UnsafePointer<BindEntry>, toKey node: UInt32, at cursor: OutputCursor,
    _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    let form = entry.pointee.verifiedForm
    if case .boolean = form { return try mark(entry, tape.isTruthy(node), at: cursor, &output) }
    switch tape.kind(node) {
    case .true: return nil
    case .null, .false: return cursor
    case .array:
      guard case .classList = form else { break }
      return try printWords(of: node, entry, at: cursor, &output, &scratch)
    default: break
    }
    return try print(entry, RenderValue(node: node), at: cursor, &output, &scratch)
  }

  /// Appends a boolean attribute if it is set.
  private mutating func mark(
    _ entry: UnsafePointer<BindEntry>, _ isThere: Bool, at cursor: OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    if isThere { try append(entry.pointee.opening, at: &cursor, &output) }
    return cursor
  }

  private mutating func print(
    _ entry: UnsafePointer<BindEntry>, _ value: RenderValue, at cursor: OutputCursor,
    _ output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor {
    var cursor = cursor
    try append(entry.pointee.opening, at: &cursor, &output)
    cursor = try print(value, through: entry.pointee.verifiedEscaper, at: cursor, &output, &scratch)
    try endAttribute(at: &cursor, &output)
    return cursor
  }

  /// Appends the closing quote of an attribute, now or after its long value.
  private mutating func endAttribute(
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
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
    var words = ClassWords(escaper: entry.pointee.verifiedEscaper, next: list + 1, end: tape.end(list))
    while long == nil, let word = try nextWord(of: &words) {
      if !words.isFirst { try append(byte: UInt8(ascii: " "), at: &cursor, &output) }
      words.isFirst = false
      cursor = try print(RenderValue(node: word), through: words.escaper, at: cursor, &output, &scratch)
      if let long {
        long.words = words
      } else if isPauseDue {
        begin(LongValue(words))
      }
    }
    try endAttribute(at: &cursor, &output)
    return cursor
  }

  // MARK: Content

  /// Prints the content of the innermost outlet's element, or leaves it empty. Returns nil if the content
  /// stays as designed.
  @inline(never)
  mutating func fillOutlet(
    _ step: UnsafePointer<Step>, at cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> OutputCursor? {
    let outlet = stack.outlets.top
    let entry = self.outlet(of: step)
    let blanks = limits.missing == .blank && entry.pointee.holdsOutlets == 0
    var value = outlet.value
    switch outlet.content {
    case .designed:
      return nil
    case .missing:
      if !blanks { return nil }
      // A script without a value would not be valid JSON.
      guard case .json = entry.pointee.verifiedEscaper else { return cursor }
      return try print(.missing, through: .json, at: cursor, &output, &stack.scratch)
    case .scalar, .data:
      break
    case .object:
      let name = entry.pointee.textName
      guard name != noIndex else { return nil }
      guard let text = member(name, slot: step.pointee.slot, of: value.raw) else {
        return blanks ? cursor : nil
      }
      switch tape.kind(text) {
      case .true: return nil
      case .null, .false: return cursor
      default: value = RenderValue(node: text)
      }
    }
    var cursor = cursor
    if entry.pointee.startsWithNewline == 1 { try append(byte: UInt8(ascii: "\n"), at: &cursor, &output) }
    return try print(value, through: entry.pointee.verifiedEscaper, at: cursor, &output, &stack.scratch)
  }
}
