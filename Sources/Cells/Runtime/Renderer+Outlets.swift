import CellTemplates

/// Outlets: elements that a value fills, repeats or removes, and attributes that it sets.
///
/// The steps of one outlet are `outlet`, its start tag with a `bind` for each attribute that may be set,
/// `outletContent` unless it is void, its end tag, `outletEnd`; so the innermost outlet at each of them is its own.
extension Renderer {
  // MARK: The element

  /// Begins the element of an outlet with what it found; false, and nothing is begun, where it is left out.
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

  /// Ends an outlet's element; true where it begins again, with the next item.
  @inline(never)
  mutating func leaveOutlet(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    var frame = stack.outlets.pop()
    if frame.pushes { stack.frames.pop() }
    if frame.content == .missing { stack.blindness -= 1 }
    if frame.next >= frame.end { return false }
    return try enterNextItem(of: &frame, outlet(of: step), &stack)
  }

  /// Begins the element with the next item that is not left out; false where there is none, or where the row pauses
  /// before one is found: then the stack waits for it.
  private mutating func enterNextItem(
    of frame: inout OutletFrame, _ entry: UnsafePointer<OutletEntry>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    while frame.next < frame.end {
      try spend()
      if isPauseDue {
        // Left out so far: whoever goes on ends this element as if it were the last item's.
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
      // Frames tell the last item by their count alone; how many items the lists in a list hold is not counted.
      let count = frame.next < frame.end ? noIndex : index + 1
      if enter(&frame, entry, place: (index, count), &stack) { return true }
    }
    return false
  }

  /// The first node from `node` on that is no list: a list in a list stands for its items, which follow it at once.
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

  /// Begins the element with the frame's value, which is no list; false where it is left out.
  /// - Parameter place: of an item, its place and the number that tells whether it is the last.
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
    // What is as designed keeps the context around it; of a list, it still knows its place.
    let isDesigned = frame.content == .designed
    frame.pushes = !isDesigned || place != nil
    if frame.pushes {
      let value = isDesigned ? stack.frames.top.value : frame.value
      stack.frames.push(
        Frame(value: value, index: place?.index ?? noIndex, count: place?.count ?? 0),
        isScope: frame.content == .object)
    }
    stack.outlets.push(frame)
    return true
  }

  private enum OutletKind {
    /// `null` and `false`.
    case nothing
    case truth
    case scalar
    case object
  }

  /// What a value that is no list, and there, is to an outlet.
  private mutating func outletKind(_ value: RenderValue) -> OutletKind {
    guard value.isNode else { return value.loopNumber != nil ? .scalar : value.isTrue ? .truth : .nothing }
    switch tape.kind(value.raw) {
    case .null, .false: return .nothing
    case .true: return .truth
    case .object: return .object
    case .number, .string, .array, .key: return .scalar
    }
  }

  // MARK: Looking up

  /// What an outlet finds: its path's first name in the innermost object alone, or the request's owner.
  @inline(__always)
  mutating func findOutlet(_ step: UnsafePointer<Step>, _ frames: inout FrameStack) -> RenderValue {
    // The row, if it is an object, is the innermost where there is no scope.
    findInRow(step, &frames) ?? findOutletPath(step, &frames)
  }

  @inline(never)
  private mutating func findOutletPath(_ step: UnsafePointer<Step>, _ frames: inout FrameStack) -> RenderValue
  {
    let path = tables.paths + Int(outlet(of: step).pointee.path)
    if case .item = path.pointee.verifiedRoot { return frames.top.value }
    let name = path.pointee.name
    let first: UInt32?
    if name == ReservedName.owner {
      noteForeign()
      first = context.owner
    } else if frames.scopeCount == 0 {
      let place = rowNames[Int(name)]
      first = place.row == rowNumber ? place.value : nil
    } else {
      first = innermostObject(&frames).flatMap { member(name, slot: step.pointee.slot, of: $0) }
    }
    guard let first else { return .missing }
    return findRest(path, in: first)
  }

  // MARK: Attributes

  /// Prints or drops an attribute by the innermost outlet's value; nil where it stays as designed.
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
      return try mark(entry, isTruthy(outlet.value), at: cursor, &output)
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
    if case .boolean = form { return try mark(entry, isTruthy(RenderValue(node: node)), at: cursor, &output) }
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

  /// Appends a boolean attribute if it is to be there.
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

  /// Appends the quote that ends an attribute, or leaves that to its long value.
  private mutating func endAttribute(
    at cursor: inout OutputCursor, _ output: inout ByteBuffer
  ) throws(RenderFault) {
    if let long {
      long.endsWithQuote = true
    } else {
      try append(byte: UInt8(ascii: "\""), at: &cursor, &output)
    }
  }

  /// The strings and numbers of a list and of the lists in it, with a space between two.
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

  /// Prints what fills the innermost outlet's element, or empties it; nil where the content is as designed.
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
      // A script without a value would be no JSON.
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
