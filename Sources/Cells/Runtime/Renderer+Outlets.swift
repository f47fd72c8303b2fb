import CellTemplates

/// Outlets: elements that are filled, repeated or removed by a value. `Renderer+Attributes` has what a value
/// does with their attributes.
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
    if value.isMissing { return enterMissing(entry, &stack) }
    if case .data = entry.pointee.verifiedForm {
      stack.outlets.push(OpenOutlet(content: .data, pushes: false, value: value))
      return true
    }
    var open = OpenOutlet(content: .designed, pushes: false, value: value)
    if value.isNode, tape.kind(value.raw) == .array {
      open.end = tape.end(value.raw)
      open.next = try item(from: value.raw + 1, before: open.end)
      return try enterNextItem(of: &open, entry, &stack)
    }
    return enter(&open, entry, item: nil, &stack)
  }

  /// Starts the element of an outlet without a value, as its policy says.
  private mutating func enterMissing(
    _ entry: UnsafePointer<OutletEntry>, _ stack: inout RenderStack
  ) -> Bool {
    let own = entry.pointee.verifiedMissing
    var open = OpenOutlet(content: .missing, pushes: false, value: .missing)
    open.path = entry.pointee.path
    var policy = own.policy(orOfRequest: limits.missing)
    // Of a stand-in nothing is printed.
    if case .include = entry.pointee.verifiedForm, policy == .keep || policy == .blank { policy = .drop }
    switch policy {
    case .drop:
      noteMissing(isDrawn: false)
      switch entry.pointee.verifiedAbsence {
      case .leavesOut, .unchosen: return false
      case .empties: return enterEmpty(&open, entry, item: nil, &stack)
      }
    case .keep: noteMissing(isDrawn: true)
    case .blank:
      open.content = .blank
      let setsAttributes = entry.pointee.verifiedForm == .choice || entry.pointee.verifiedHeld == .noContent
      noteMissing(isDrawn: setsAttributes)
    case .error:
      if entry.pointee.verifiedHeld != .outlets || own == .ownError {
        let path = tables.paths + Int(entry.pointee.path)
        noteMissing(path, isOfOwner: isOwners(path), isOfOutlet: true, &stack)
      } else {
        noteMissing(isDrawn: false)
      }
    }
    open.object = objectAround(tables.paths + Int(open.path), &stack) ?? noIndex
    stack.blindness += 1
    stack.outlets.push(open)
    return true
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
    if stack.outlets.top.isRow { leaveRow(&stack) }
    var open = stack.outlets.pop()
    open.isRow = false
    if open.pushes { stack.contexts.pop() }
    if open.isBlind { stack.blindness -= 1 }
    if open.next >= open.end { return false }
    return try enterNextItem(of: &open, outlet(of: step), &stack)
  }

  /// Starts the element with the next item that is not omitted. Returns false if there is none, or if the row
  /// pauses before one is found; then the stack waits for it.
  private mutating func enterNextItem(
    of open: inout OpenOutlet, _ entry: UnsafePointer<OutletEntry>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Bool {
    while open.next < open.end {
      try spend()
      if isPauseDue {
        // Omitted so far. On resuming, this element is ended as if this were the last item.
        open.content = .designed
        open.pushes = false
        stack.outlets.push(open)
        stack.waitsForItem = true
        return false
      }
      open.value = RenderValue(node: open.next)
      open.next = try item(from: tape.end(open.next), before: open.end)
      let index = open.index
      open.index += 1
      // A context uses the count only to detect the last item. The number of items in nested lists is not
      // counted.
      let count = open.next < open.end ? noIndex : index + 1
      if enter(&open, entry, item: (index, count), &stack) { return true }
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

  /// Starts the element with the outlet's value, which is not a list. Returns false if the element is omitted.
  /// - Parameter item: for an item of a list, its index and the count that detects the last item.
  private mutating func enter(
    _ open: inout OpenOutlet, _ entry: UnsafePointer<OutletEntry>, item: (index: UInt32, count: UInt32)?,
    _ stack: inout RenderStack
  ) -> Bool {
    switch outletKind(open.value) {
    case .nothing:
      if case .leavesOut = entry.pointee.verifiedAbsence { return false }
      return enterEmpty(&open, entry, item: item, &stack)
    case .truth: open.content = .designed
    case .scalar: open.content = .scalar
    case .object: open.content = .object
    }
    push(&open, item, &stack)
    return true
  }

  /// Starts an element that stays although its value is `null`, false or missing.
  private mutating func enterEmpty(
    _ open: inout OpenOutlet, _ entry: UnsafePointer<OutletEntry>, item: (index: UInt32, count: UInt32)?,
    _ stack: inout RenderStack
  ) -> Bool {
    // A form control that takes a choice keeps what is drawn in it.
    if case .choice = entry.pointee.verifiedForm { open.content = .designed } else { open.content = .empty }
    push(&open, item, &stack)
    return true
  }

  /// Pushes the outlet with its context.
  private func push(
    _ open: inout OpenOutlet, _ item: (index: UInt32, count: UInt32)?, _ stack: inout RenderStack
  ) {
    // Content as designed keeps the surrounding context; in a list, the item still has an index.
    let isDesigned = open.content == .designed || open.content == .empty
    open.pushes = !isDesigned || item != nil
    if open.pushes {
      let value = isDesigned ? stack.contexts.top.value : open.value
      stack.contexts.push(
        ContextStack.Context(value: value, index: item?.index ?? noIndex, count: item?.count ?? 0),
        isScope: open.content == .object)
    }
    stack.outlets.push(open)
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
    let blanks = entry.pointee.verifiedHeld == .nothing
    var value = outlet.value
    switch outlet.content {
    case .designed:
      return nil
    case .missing: return nil
    case .empty: return cursor
    case .blank:
      if !blanks { return nil }
      // A script without a value would not be valid JSON.
      guard case .json = entry.pointee.verifiedEscaper else { return cursor }
      return try print(.missing, through: .json, at: cursor, &output, &stack.scratch)
    case .scalar, .data:
      break
    case .object:
      let name = entry.pointee.textName
      guard name != noIndex else { return nil }
      guard let text = try member(name, slot: step.pointee.slot, of: value.raw) else {
        let policy = entry.pointee.verifiedMissing.policy(orOfRequest: limits.missing)
        return blanks && policy == .blank ? cursor : nil
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
