import CellTemplates

/// Partials, parents and blocks: calls between programs, and the indentation of their lines.
extension Renderer {
  /// The maximum depth of nested overrides, far beyond handwritten templates.
  private static var bodyDepthLimit: Int { 1024 }

  /// The maximum indentation of all open calls in bytes. It is far beyond handwritten templates, and bounds
  /// the memory of the stack, and the time of a step: a line gets its indentation in one.
  private static var indentationLimitBytes: Int { 1 << 20 }

  /// If a parent tag has more overrides, they are looked up in an index instead of scanned.
  private static var scannedOverrides: UInt32 { 16 }

  /// Calls a partial. Returns the step to continue with.
  @inline(never)
  mutating func call(
    _ step: UnsafePointer<Step>, returnTo next: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    let call = tables.calls + Int(step.pointee.entry)
    let program = try target(call, slot: step.pointee.slot, &stack)
    try spend()
    guard let program else { return next }
    try push(call, program: program, returnTo: next, &stack)
    overrides = -1
    return Int(tables.programs[Int(program)].opStart)
  }

  @inline(never)
  mutating func callParent(
    _ step: UnsafePointer<Step>, _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    let (call, next) = (tables.calls + Int(step.pointee.entry), Int(step.pointee.jump))
    let program = try target(call, slot: step.pointee.slot, &stack)
    try spend()
    guard let program else { return next }
    let bodiesSlots = slots
    try push(call, program: program, returnTo: next, &stack)
    stack.overrides.push(
      RenderStack.Overrides(
        start: call.pointee.overrideStart, count: call.pointee.overrideCount, slots: bodiesSlots,
        outer: overrides))
    overrides = Int32(stack.overrides.count - 1)
    return Int(tables.programs[Int(program)].opStart)
  }

  /// The program to call; nil if a dynamic name matches no kind that is allowed here.
  private mutating func target(
    _ call: UnsafePointer<CallEntry>, slot: UInt32, _ stack: inout RenderStack
  ) throws(RenderFault) -> UInt32? {
    if call.pointee.dynamicPath == noIndex { return call.pointee.program }
    noteForeign()
    let value = try findPath(tables.paths + Int(call.pointee.dynamicPath), slot: slot, in: &stack.contexts)
    return program(named: value, for: call)
  }

  /// The program of the kind that a value names; nil if it is none that is allowed here.
  func program(named value: RenderValue, for call: UnsafePointer<CallEntry>) -> UInt32? {
    guard value.isNode, tape.kind(value.raw) == .string,
      let number = archive.kindNumber(tape.bytes(value.raw))
    else {
      return nil
    }
    let kind = tables.kinds + Int(number)
    if call.pointee.isHTML == 1, kind.pointee.isText == 1 { return nil }
    let isIndented = call.pointee.isIndented == 1 && kind.pointee.indentedProgram != noIndex
    return isIndented ? kind.pointee.indentedProgram : kind.pointee.program
  }

  mutating func push(
    _ call: UnsafePointer<CallEntry>, program: UInt32, returnTo next: Int, _ stack: inout RenderStack
  ) throws(RenderFault) {
    if partialLevel == limits.partialDepth {
      let kind = tables.kinds[Int(tables.programs[Int(program)].kind)]
      throw .tooDeep(kind: faultName(kind.name), limit: limits.partialDepth)
    }
    partialLevel += 1
    let isIndented = call.pointee.isIndented == 1
    pushCall(returnTo: next, level: 1, continuesLine: !isIndented, &stack)
    if isIndented {
      let kind = tables.kinds[Int(tables.programs[Int(program)].kind)]
      try indent(by: call.pointee.indentation, for: kind.name, &stack)
    } else {
      indentCount = 0
    }
    slots = slots(of: program)
  }

  private mutating func pushCall(
    returnTo next: Int, level: UInt16, continuesLine: Bool, _ stack: inout RenderStack
  ) {
    stack.calls.push(
      RenderStack.Call(
        returnStep: UInt32(truncatingIfNeeded: next), level: level, continuesLine: continuesLine,
        slots: slots,
        indentStart: indentStart, indentCount: indentCount,
        indentBytes: UInt32(truncatingIfNeeded: stack.indentation.count), overrides: overrides,
        overridesCount: Int32(truncatingIfNeeded: stack.overrides.count)))
  }

  /// Returns from a call. Returns the step to continue with.
  @inline(never)
  mutating func resume(_ call: RenderStack.Call, _ stack: inout RenderStack) -> Int {
    slots = call.slots
    indentStart = call.indentStart
    indentCount = call.indentCount
    stack.indentation.truncate(to: Int(call.indentBytes))
    overrides = call.overrides
    stack.overrides.truncate(to: Int(call.overridesCount))
    if call.continuesLine { skipsLineStart = false }
    partialLevel -= Int(call.level)
    if call.level == 0 { leaveBody(&stack) }
    return Int(call.returnStep)
  }

  private mutating func slots(of program: UInt32) -> UnsafeMutablePointer<UInt32> {
    var (low, high) = (0, links.count)
    while low < high {
      let middle = (low + high) / 2
      if links[middle].program < program { low = middle + 1 } else { high = middle }
    }
    guard low < links.count, links[low].program == program else { return memo.spareSlots }
    return cellSlots + Int(links[low].slotBase)
  }

  // MARK: Blocks and indentation

  /// Runs the override of a block, or its default content. Returns the step to continue with.
  @inline(never)
  mutating func expand(
    _ step: UnsafePointer<Step>, default content: Int, _ output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    let block = tables.blocks[Int(step.pointee.entry)]
    guard let override = override(of: block, &stack) else { return content }
    let body = tables.overrides[Int(override.number)]
    try spend()
    if stack.calls.count >= Self.bodyDepthLimit + limits.partialDepth {
      let name = tables.names[Int(block.name)]
      throw .tooDeep(kind: faultName(name.text), limit: Self.bodyDepthLimit)
    }
    pushCall(returnTo: Int(step.pointee.jump), level: 0, continuesLine: block.opensLine == 0, &stack)
    try indent(by: block.indentation, for: tables.names[Int(block.name)].text, &stack)
    if block.opensLine == 0 {
      skipsLineStart = body.startsLine == 1
    } else if body.startsLine == 0 {
      try startLine(isBlank: false, in: &output, &stack)
    }
    enter(override, &stack)
    slots = stack.overrides[Int(override.set)].slots
    return Int(body.bodyStart)
  }

  /// The outermost active override of a block that was compiled for its place. In one parent tag, the last
  /// one counts.
  ///
  /// Inside an override, the same override does not apply to a block with its name. So a parent inside it may
  /// have a block with that name, for example if a page's `body` contains a card with a `body`.
  private mutating func override(of block: BlockEntry, _ stack: inout RenderStack) -> RenderStack.Override? {
    var found: RenderStack.Override?
    var index = overrides
    var seen = 0
    while index >= 0 {
      let set = stack.overrides[Int(index)]
      seen &+= 1 + Int(min(set.count, Self.scannedOverrides))
      if let number = lastOverride(of: block, in: set) {
        let last = RenderStack.Override(set: index, number: number)
        if !isRunning(block.name, ofSet: index, &stack) { found = last }
      }
      index = set.outer
    }
    note(steps: seen)
    lookSoon()
    return found
  }

  /// The last override of a block in one parent tag.
  @inline(__always)
  private func lastOverride(of block: BlockEntry, in set: RenderStack.Overrides) -> UInt32? {
    let run = set.start..<set.start + set.count
    if set.count > Self.scannedOverrides { return archive.overrideIndex.last(of: block, in: run) }
    var last: UInt32?
    for number in run
    where tables.overrides[Int(number)].blockName == block.name
      && tables.overrides[Int(number)].place == block.place
    {
      last = number
    }
    return last
  }

  /// Whether the body of an override of a name is running, whichever place it was compiled for. Looks through those of its
  /// parent tag only, so that a block looks through each running body at most once; that counts as work.
  private mutating func isRunning(_ name: UInt32, ofSet set: Int32, _ stack: inout RenderStack) -> Bool {
    var index = stack.overrides[Int(set)].body
    var steps = 0
    while index >= 0,
      tables.overrides[Int(stack.bodies[Int(index)].override.number)].blockName != name
    {
      index = stack.bodies[Int(index)].outer
      steps &+= 1
    }
    note(steps: steps)
    return index >= 0
  }

  private func enter(_ override: RenderStack.Override, _ stack: inout RenderStack) {
    let set = Int(override.set)
    stack.bodies.push(RenderStack.Body(override: override, outer: stack.overrides[set].body))
    stack.overrides[set].body = Int32(truncatingIfNeeded: stack.bodies.count - 1)
  }

  private func leaveBody(_ stack: inout RenderStack) {
    let body = stack.bodies.pop()
    // The parent tag encloses the block, so its overrides are still there.
    stack.overrides[Int(body.override.set)].body = body.outer
  }

  /// Adds to the current indentation.
  /// - Parameter name: of what is to be indented.
  private mutating func indent(
    by ref: LiteralRef, for name: LiteralRef, _ stack: inout RenderStack
  ) throws(RenderFault) {
    if ref.count == 0 { return }
    if stack.indentation.count + Int(ref.count) > Self.indentationLimitBytes {
      throw .tooFarIndented(kind: faultName(name), limit: Self.indentationLimitBytes)
    }
    // The current indentation is at the end of the buffer, so the buffer only grows, and returning calls
    // remove what they added.
    if indentCount == 0 { indentStart = UInt32(stack.indentation.count) }
    stack.indentation.append(literals + Int(ref.offset), count: Int(ref.count))
    indentCount += ref.count
  }

  @inline(never)
  mutating func startLine(
    isBlank: Bool, in output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    if skipsLineStart {
      skipsLineStart = false
      return
    }
    if isBlank || indentCount == 0 { return }
    let count = Int(indentCount)
    if output.count + count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    output.appendPadded(stack.indentation.bytes.baseAddress! + Int(indentStart), count: count)
    lookAtClock(output.count)
  }
}
