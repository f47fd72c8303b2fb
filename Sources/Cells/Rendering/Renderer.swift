import CellTemplates

/// Runs one cell's program over one row: the loop that copies.
///
/// Lives for one row. Its pointers are the archive's tables, which the cell's archive owns and its verifier has
/// checked, and the cell's hint slots; none outlives the call that made it.
struct Renderer: ~Copyable {
  let tape: JSONTape
  let context: RowContext
  let limits: RenderLimits
  let scope: RowScope
  let archive: CellArchive
  private let ops: UnsafePointer<Op>
  let literals: UnsafePointer<UInt8>
  let paths: UnsafePointer<PathEntry>
  let names: UnsafePointer<NameEntry>
  let segments: UnsafePointer<UInt32>
  /// The cell's memory of where names stood; `slotCount` of the kind's entry.
  let slots: UnsafeMutablePointer<UInt32>
  /// Where the row's own names stand, under its number.
  let rowNames: UnsafePointer<RowNames.Place>
  let rowNumber: UInt32
  private let links: UnsafeBufferPointer<LinkEntry>
  /// Where the running program's slots begin; `noIndex`: it has none in this cell.
  private(set) var slotBase: UInt32 = 0
  private var indentStart = 0
  private var indentCount = 0
  /// The overrides in force, innermost first; -1: none.
  private var overrides = -1
  /// An override's first line continues a line that has its indentation already.
  private var skipsLineStart = false
  private var partialLevel = 0
  /// Turns of loops and calls of the request so far, this row's included.
  private(set) var turns: Int

  /// Overrides within one another: far beyond what a template written by hand holds.
  private static let bodyDepthLimit = 1024

  init(
    _ archive: CellArchive, kind: KindEntry, slots: UnsafeMutablePointer<UInt32>, tape: JSONTape,
    context: RowContext, limits: RenderLimits, scope: RowScope
  ) {
    self.archive = archive
    self.tape = tape
    self.context = context
    self.limits = limits
    self.scope = scope
    turns = scope.turns
    self.slots = slots
    if tape.kind(context.row) == .object {
      scope.names.populate(from: context.row, on: tape)
    } else {
      scope.names.begin()
    }
    rowNames = UnsafePointer(scope.names.places)
    rowNumber = scope.names.row
    ops = archive.ops.base
    literals = archive.literals.base
    paths = archive.paths.base
    names = archive.names.base
    segments = archive.segments.base
    links = UnsafeBufferPointer(start: archive.links.base + Int(kind.linkStart), count: Int(kind.linkCount))
  }

  /// Appends the cell's output. On a fault the output holds a part of it, which the caller drops.
  mutating func run(
    program: UInt32, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    let outputStart = output.count
    let (ops, literals, paths, outputLimit) = (ops, literals, paths, limits.outputBytes)
    stack.frames.push(Frame(value: RenderValue(node: context.row), index: noIndex, count: 0), isScope: false)
    var next = ops + Int(archive.programs.base[Int(program)].opStart)
    while true {
      // Read in place: a copy of all of a step costs more than what most steps need of it.
      let op = next
      next += 1
      output.appendPadded(literals + Int(op.pointee.literal.offset), count: Int(op.pointee.literal.count))
      switch op.pointee.verifiedCode {
      case .literal:
        continue
      case .value:
        let value = find(paths + Int(op.pointee.a), slot: op.pointee.c, in: &stack.frames)
        let escaper = op.pointee.verifiedEscaper
        if value.isNode, tape.kind(value.raw) == .string, escaper.isHTML {
          // By far the most frequent, and most often there is nothing to escape.
          let bytes = tape.bytes(value.raw)
          if output.count &+ bytes.count > outputLimit { throw .outputTooLarge(limit: outputLimit) }
          let clean = output.appendClean(bytes)
          if clean < bytes.count {
            output.append(UnsafeRawBufferPointer(rebasing: bytes[clean...]), through: escaper, in: archive)
          }
        } else if value.isNode, tape.kind(value.raw) == .string, case .url = escaper {
          let bytes = tape.bytes(value.raw)
          if output.count &+ bytes.count > outputLimit { throw .outputTooLarge(limit: outputLimit) }
          output.appendLink(bytes, in: archive)
        } else {
          try append(value, path: paths[Int(op.pointee.a)], escaper: escaper, to: &output, &stack)
        }
      case .section:
        if !enter(find(paths + Int(op.pointee.a), slot: op.pointee.c, in: &stack.frames), &stack) { next = ops + Int(op.pointee.b) }
      case .sectionEnd:
        if repeats(&stack) {
          next = ops + Int(op.pointee.a) + 1
          try spend(output.count)
        }
      case .inverted:
        if isTruthy(find(paths + Int(op.pointee.a), slot: op.pointee.c, in: &stack.frames)) { next = ops + Int(op.pointee.b) }
      case .call:
        try spend(output.count)
        next = ops + (try call(archive.calls.base[Int(op.pointee.a)], slot: op.pointee.c, returnTo: next - ops, &stack))
      case .parent:
        try spend(output.count)
        let entry = archive.calls.base[Int(op.pointee.a)]
        next = ops + (try callParent(entry, slot: op.pointee.c, returnTo: Int(op.pointee.b), &stack))
      case .block:
        let entry = archive.blocks.base[Int(op.pointee.a)]
        next = ops + (try expand(entry, default: next - ops, returnTo: Int(op.pointee.b), &output, &stack))
      case .lineStart:
        startLine(isBlank: op.pointee.a == 1, in: &output, stack)
        if output.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
      case .outlet:
        if try appendPlainOutlet(op, at: op - ops, to: &output, &stack) {
          next = ops + Int(op.pointee.b)
          continue
        }
        let entry = archive.outlets.base[Int(op.pointee.a)]
        if try !enterOutlet(entry, slot: op.pointee.c, outputCount: output.count, &stack) { next = ops + Int(op.pointee.b) }
      case .bind:
        if try bind(archive.binds.base[Int(op.pointee.a)], slot: op.pointee.c, to: &output, &stack) { next = ops + Int(op.pointee.b) }
      case .outletContent:
        let entry = archive.outlets.base[Int(op.pointee.a)]
        if try fillOutlet(entry, slot: op.pointee.c, to: &output, &stack) { next = ops + Int(op.pointee.b) }
      case .outletEnd:
        let start = Int(op.pointee.a)
        let entry = archive.outlets.base[Int(ops[start].a)]
        if try leaveOutlet(entry, outputCount: output.count, &stack) { next = ops + start + 1 }
      case .end, .bodyEnd:
        guard let call = stack.calls.popLast() else {
          if output.count - outputStart > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
          if stack.missingCount > 0 { throw .missing(stack.missing, count: stack.missingCount) }
          return
        }
        next = ops + resume(call, &stack)
      }
    }
  }

  /// Counts one turn or call; the output so far and the work are bounded by the same limit.
  @inline(__always)
  mutating func spend(_ outputCount: Int) throws(RenderFault) {
    turns += 1
    if outputCount > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
    if turns > limits.turns { throw .tooMuchWork(limit: limits.turns) }
  }

  // MARK: Values

  @inline(never)
  private mutating func append(
    _ value: RenderValue, path: PathEntry, escaper: Escaper, to output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    guard value.isNode else {
      if value.isMissing, limits.missing == .error, !escaper.isDiscarding { noteMissing(path, &stack) }
      if value.isMissing, escaper.isMarkup { return }
      append(given: value, inContext: escaper, to: &output, &stack.scratch)
      return
    }
    let node = value.raw
    switch tape.kind(node) {
    case .string:
      let bytes = tape.bytes(node)
      if output.count + bytes.count > limits.outputBytes { throw .outputTooLarge(limit: limits.outputBytes) }
      if !escaper.takesJSON { return output.append(bytes, through: escaper, in: archive) }
    case .number where escaper.isMarkup:
      let digits = tape.bytes(node)
      output.appendPadded(digits.baseAddress!, count: digits.count)
      return
    default: break
    }
    try append(node, inContext: escaper, to: &output, &stack.scratch)
  }

  func noteMissing(_ path: PathEntry, _ stack: inout RenderStack) {
    stack.missingCount += 1
    if stack.missing.count < RenderStack.missingLimit {
      stack.missing.append(MissingName(name: archive.text(path.text), object: innermostObject(stack.frames)))
    }
  }

  func innermostObject(_ frames: borrowing FrameStack) -> UInt32? {
    frames.innermost { $0.value.isNode && tape.kind($0.value.raw) == .object }?.value.raw
  }

  // MARK: Sections

  /// Pushes what a section's name found; false where it is falsy.
  @inline(__always)
  private func enter(_ value: RenderValue, _ stack: inout RenderStack) -> Bool {
    if value.isNode {
      let kind = tape.kind(value.raw)
      if kind == .object {
        stack.frames.push(Frame(value: value, index: noIndex, count: 0), isScope: true)
        return true
      }
      if kind == .array {
        let count = UInt32(truncatingIfNeeded: tape.count(value.raw))
        if count == 0 { return false }
        let first = value.raw &+ 1
        stack.frames.push(
          Frame(value: RenderValue(node: first), index: 0, count: count), isScope: tape.kind(first).holdsValues)
        return true
      }
    }
    guard isTruthy(value) else { return false }
    stack.frames.push(Frame(value: value, index: noIndex, count: 0), isScope: false)
    return true
  }

  /// Moves the innermost section to its next item; false, and it is left, where there is none.
  @inline(__always)
  private func repeats(_ stack: inout RenderStack) -> Bool {
    let frame = stack.frames.top
    // A section over no list has the highest index and no count.
    if frame.index &+ 1 < frame.count {
      let next = tape.end(frame.value.raw)
      stack.frames.replaceTop(
        by: RenderValue(node: next), index: frame.index &+ 1, isScope: tape.kind(next).holdsValues)
      return true
    }
    stack.frames.pop()
    return false
  }

  // MARK: Calls

  private mutating func call(
    _ call: CallEntry, slot: UInt32, returnTo next: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    guard let program = target(call, slot: slot, &stack) else { return next }
    try push(call, program: program, returnTo: next, &stack)
    overrides = -1
    return Int(archive.programs.base[Int(program)].opStart)
  }

  private mutating func callParent(
    _ call: CallEntry, slot: UInt32, returnTo next: Int, _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    guard let program = target(call, slot: slot, &stack) else { return next }
    let bodiesSlotBase = slotBase
    try push(call, program: program, returnTo: next, &stack)
    stack.overrides.append(
      RenderStack.Overrides(
        start: call.overrideStart, count: call.overrideCount, slotBase: bodiesSlotBase, outer: overrides))
    overrides = stack.overrides.count - 1
    return Int(archive.programs.base[Int(program)].opStart)
  }

  /// The program a call runs; nil where a dynamic name finds no kind that may stand here.
  private mutating func target(_ call: CallEntry, slot: UInt32, _ stack: inout RenderStack) -> UInt32? {
    if call.dynamicPath == noIndex { return call.program }
    let value = find(paths + Int(call.dynamicPath), slot: slot, in: &stack.frames)
    guard value.isNode, tape.kind(value.raw) == .string, let number = archive.kindNumber(tape.bytes(value.raw)) else {
      return nil
    }
    let kind = archive.kinds.base[Int(number)]
    if call.isHTML == 1, kind.isText == 1 { return nil }
    return call.isIndented == 1 && kind.indentedProgram != noIndex ? kind.indentedProgram : kind.program
  }

  private mutating func push(
    _ call: CallEntry, program: UInt32, returnTo next: Int, _ stack: inout RenderStack
  ) throws(RenderFault) {
    if partialLevel == limits.partialDepth {
      let kind = archive.kinds.base[Int(archive.programs.base[Int(program)].kind)]
      throw .tooDeep(kind: archive.text(kind.name), limit: limits.partialDepth)
    }
    partialLevel += 1
    pushCall(returnTo: next, level: 1, continuesLine: call.isIndented == 0, &stack)
    if call.isIndented == 1 { indent(by: call.indentation, &stack) } else { indentCount = 0 }
    slotBase = slots(of: program)
  }

  private func pushCall(returnTo next: Int, level: Int, continuesLine: Bool, _ stack: inout RenderStack) {
    stack.calls.append(
      RenderStack.Call(
        returnOp: UInt32(next), slotBase: slotBase, indentStart: indentStart, indentCount: indentCount,
        indentBytes: stack.indentation.count, overrides: overrides, overridesCount: stack.overrides.count,
        continuesLine: continuesLine, level: level))
  }

  private mutating func resume(_ call: RenderStack.Call, _ stack: inout RenderStack) -> Int {
    slotBase = call.slotBase
    indentStart = call.indentStart
    indentCount = call.indentCount
    if stack.indentation.count > call.indentBytes { stack.indentation.removeSubrange(call.indentBytes...) }
    overrides = call.overrides
    if stack.overrides.count > call.overridesCount { stack.overrides.removeSubrange(call.overridesCount...) }
    if call.continuesLine { skipsLineStart = false }
    partialLevel -= call.level
    if call.level == 0 { stack.bodies.removeLast() }
    return Int(call.returnOp)
  }

  private func slots(of program: UInt32) -> UInt32 {
    for link in links where link.program == program { return link.slotBase }
    return noIndex
  }

  // MARK: Blocks and indentation

  private mutating func expand(
    _ block: BlockEntry, default content: Int, returnTo next: Int, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) -> Int {
    guard let override = override(of: block.name, stack) else { return content }
    let body = archive.overrides.base[Int(override.number)]
    try spend(output.count)
    if stack.calls.count >= Self.bodyDepthLimit + limits.partialDepth {
      throw .tooDeep(kind: archive.text(names[Int(block.name)].text), limit: Self.bodyDepthLimit)
    }
    pushCall(returnTo: next, level: 0, continuesLine: block.opensLine == 0, &stack)
    indent(by: block.indentation, &stack)
    if block.opensLine == 0 {
      skipsLineStart = body.startsLine == 1
    } else if body.startsLine == 0 {
      startLine(isBlank: false, in: &output, stack)
    }
    stack.bodies.append(override)
    slotBase = stack.overrides[override.set].slotBase
    return Int(body.bodyStart)
  }

  /// The outermost override of a block among those in force; of several in one parent tag the last.
  ///
  /// Inside an override the block of its name is not overridden by it again: so a parent in it may have a block of
  /// that name too, as where a page's `body` holds a card with a `body`.
  private func override(of name: UInt32, _ stack: borrowing RenderStack) -> RenderStack.Override? {
    var found: RenderStack.Override?
    var place = overrides
    while place >= 0 {
      let set = stack.overrides[place]
      var last: RenderStack.Override?
      for number in set.start..<set.start + set.count where archive.overrides.base[Int(number)].blockName == name {
        last = RenderStack.Override(set: place, number: number)
      }
      if let last, !stack.bodies.contains(last) { found = last }
      place = set.outer
    }
    return found
  }

  /// Adds to the indentation in force.
  private mutating func indent(by ref: LiteralRef, _ stack: inout RenderStack) {
    if ref.count == 0 { return }
    // What is in force lies at the end, so that it only grows: calls that return cut off what they added.
    if indentCount == 0 { indentStart = stack.indentation.count }
    stack.indentation.append(contentsOf: archive.bytes(ref))
    indentCount += Int(ref.count)
  }

  private mutating func startLine(isBlank: Bool, in output: inout ByteBuffer, _ stack: borrowing RenderStack) {
    if skipsLineStart {
      skipsLineStart = false
      return
    }
    if isBlank || indentCount == 0 { return }
    stack.indentation.withUnsafeBytes { bytes in
      output.append(UnsafeRawBufferPointer(rebasing: bytes[indentStart..<indentStart + indentCount]))
    }
  }
}
