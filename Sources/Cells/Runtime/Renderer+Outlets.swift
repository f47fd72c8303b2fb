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
    // What a loop or the locale says is no value of the data, and cannot be a row.
    if value.loopNumber != nil || value.isText, case .include = entry.pointee.verifiedForm { return false }
    if case .data = entry.pointee.verifiedForm {
      stack.outlets.push(OpenOutlet(content: .data, pushes: false, value: value))
      return true
    }
    var open = OpenOutlet(content: .designed, pushes: false, value: value)
    if value.isNode, tape.kind(value.raw) == .array {
      let items = try countItems(of: value.raw)
      open.count = items.count
      if isList(entry) {
        open.elementCount = items.count
        if case .leavesOut = entry.pointee.verifiedAbsence { open.elementCount -= items.absentCount }
      }
      open.end = tape.end(value.raw)
      open.next = value.raw + 1
      return try enterNextItem(of: &open, entry, &stack)
    }
    return enter(&open, entry, index: noIndex, &stack)
  }

  /// Whether the words of a list are printed between the elements.
  private func isList(_ entry: UnsafePointer<OutletEntry>) -> Bool {
    guard entry.pointee.format != noIndex, let formats else { return false }
    return formats.entry(entry.pointee.format).pointee.knownKind == .list
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
      case .empties:
        open.value = .null
        return enterEmpty(&open, entry, index: noIndex, &stack)
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
        // It is counted when the row goes on.
        iterations &-= 1
        break
      }
      let node = open.next
      // A list in the list is replaced by its items, which directly follow it.
      if tape.kind(node) == .array {
        open.next = node + 1
        continue
      }
      open.next = tape.end(node)
      open.value = RenderValue(node: node)
      let index = open.index
      open.index += 1
      if enter(&open, entry, index: index, &stack) { return true }
    }
    if open.next >= open.end { return false }
    // Omitted so far. On resuming, this element is ended as if this were the last item.
    open.content = .designed
    open.pushes = false
    stack.outlets.push(open)
    stack.waitsForItem = true
    return false
  }

  /// Starts the element with the outlet's value, which is not a list. Returns false if the element is omitted.
  /// - Parameter index: the value's index in its list; `noIndex` if it is not an item.
  private mutating func enter(
    _ open: inout OpenOutlet, _ entry: UnsafePointer<OutletEntry>, index: UInt32,
    _ stack: inout RenderStack
  ) -> Bool {
    switch outletKind(open.value) {
    case .nothing:
      if case .leavesOut = entry.pointee.verifiedAbsence { return false }
      return enterEmpty(&open, entry, index: index, &stack)
    case .truth: open.content = .designed
    case .scalar: open.content = .scalar
    case .object: open.content = .object
    }
    var isStandIn = false
    if case .include = entry.pointee.verifiedForm { isStandIn = true }
    push(&open, index, isStandIn: isStandIn, &stack)
    return true
  }

  /// Starts an element that stays although its value is `null`, false or missing.
  private mutating func enterEmpty(
    _ open: inout OpenOutlet, _ entry: UnsafePointer<OutletEntry>, index: UInt32,
    _ stack: inout RenderStack
  ) -> Bool {
    // A form control that takes a choice keeps what is drawn in it.
    if case .choice = entry.pointee.verifiedForm { open.content = .designed } else { open.content = .empty }
    push(&open, index, isStandIn: false, &stack)
    return true
  }

  /// Pushes the outlet with its context.
  private func push(
    _ open: inout OpenOutlet, _ index: UInt32, isStandIn: Bool,
    _ stack: inout RenderStack
  ) {
    // Content as designed has the surrounding context (see `fillOutlet`), and so has a cell in place of the element; in a
    // list, the item still has an index.
    if open.elementCount > 0 { open.element += 1 }
    let isAround = open.content == .designed && isStandIn
    open.pushes = !isAround || index != noIndex
    if open.pushes {
      stack.contexts.push(
        ContextStack.Context(
          value: isAround ? stack.contexts.top.value : open.value, index: index, count: open.count),
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
    guard value.isNode else {
      return value.loopNumber != nil || value.isText ? .scalar : value.isTrue ? .truth : .nothing
    }
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
    let found = lookups.foundValue.take()
    var value = found ?? outlet.value
    switch outlet.content {
    case .designed, .empty:
      // The start tag is over.
      stack.contexts.showAround()
      return outlet.content == .empty ? cursor : nil
    case .missing: return nil
    case .blank:
      guard entry.pointee.verifiedHeld.isText else { return nil }
      // A script without a value would not be valid JSON.
      guard case .json = entry.pointee.verifiedEscaper else { return cursor }
      return try print(.missing, through: .json, at: cursor, &output, &stack.scratch)
    case .scalar, .data:
      break
    case .object where found != nil: break
    case .object:
      let name = entry.pointee.textName
      guard name != noIndex else { return nil }
      guard let text = try member(name, slot: step.pointee.slot, of: value.raw) else {
        return isDrawnWithoutText(value.raw, entry, &stack) ? nil : cursor
      }
      switch tape.kind(text) {
      case .true: return nil
      case .null, .false: return cursor
      default: value = RenderValue(node: text)
      }
    }
    var cursor = cursor
    let start = output.offset(of: cursor)
    if entry.pointee.startsWithNewline == 1 { try append(byte: UInt8(ascii: "\n"), at: &cursor, &output) }
    if entry.pointee.format != noIndex, !isList(entry) {
      let slot = step.pointee.slot == noIndex ? 0 : step.pointee.slot
      do throws(RenderFault) {
        let currency = try currency(of: entry.pointee.format, for: value, slot: slot, .inside, &stack)
        return try print(
          value, as: PlanRecorder.ShownAs(number: entry.pointee.format, currency: currency),
          through: entry.pointee.verifiedEscaper, entry.pointee.verifiedMissing, at: cursor, &output, &stack)
      } catch {
        if lookups.isUnfinished { unfinishedStart = start }
        throw error
      }
    }
    return try print(value, through: entry.pointee.verifiedEscaper, at: cursor, &output, &stack.scratch)
  }

  /// Whether content stays as drawn if an object has no `text` for it. Counts what is missing, or records it where that is
  /// an error.
  private mutating func isDrawnWithoutText(
    _ object: JSONTape.Index, _ entry: UnsafePointer<OutletEntry>, _ stack: inout RenderStack
  ) -> Bool {
    let policy = entry.pointee.verifiedMissing.policy(orOfRequest: limits.missing)
    if case .label = entry.pointee.verifiedHeld { return policy != .blank }
    if case .error = policy {
      stack.noteMissing(
        MissingName(name: "text", object: object, isOfOwner: isOwners(tables.paths + Int(entry.pointee.path)))
      )
    } else {
      noteMissing(isDrawn: policy == .keep)
    }
    return policy == .keep
  }
}
