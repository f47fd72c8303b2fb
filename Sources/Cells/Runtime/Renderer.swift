import CellTemplates

/// Runs one cell's program over rows: the loop that copies.
///
/// Its pointers are the archive's tables, which the cell's archive owns and its verifier has checked, and the cell's
/// hint slots; none outlives the call that made it.
struct Renderer: ~Copyable {
  let tape: JSONTape
  let limits: RenderLimits
  /// The row being drawn.
  var context: RowContext
  // The factory holds both as long as it draws. What most steps need of the archive is in `tables`: each use of it as
  // an object is counted.
  unowned(unsafe) let scope: RowScope
  unowned(unsafe) let archive: CellArchive
  let tables: RenderTables
  let steps: UnsafePointer<Step>
  /// Where the kind's own program begins.
  private let program: UnsafePointer<Step>
  let literals: UnsafePointer<UInt8>
  /// Where the row's own names stand, under its number.
  let rowNames: UnsafePointer<RowNames.Place>
  var rowNumber: UInt32 = 0
  /// The running program's memory of where names stood; as many slots as its entry says.
  var slots: UnsafeMutablePointer<UInt32>
  /// The cell's slots, of all programs that its kind may reach; `slotCount` of the kind's entry.
  let cellSlots: UnsafeMutablePointer<UInt32>
  let links: UnsafeBufferPointer<LinkEntry>
  let schemes: AllowedSchemes
  let escapers: UnsafePointer<TextEscapers.Function?>
  // The factory's too, as long as it draws.
  unowned(unsafe) let shelf: PlanShelf
  /// What has been learnt of the kind's rows.
  let plans: UnsafeMutablePointer<KindPlans>
  let terms: PlanTerms
  /// Whether the row is drawn to learn from it.
  var isRecording = false
  var indentStart: UInt32 = 0
  var indentCount: UInt32 = 0
  /// The overrides in force, innermost first; -1: none.
  var overrides: Int32 = -1
  /// An override's first line continues a line that has its indentation already.
  var skipsLineStart = false
  var partialLevel = 0
  /// Turns of loops and calls of the request so far, this row's included.
  var turns: Int
  /// The turns behind which more is to be known than their number: whether they are too many, or the time is over.
  var lookTurns: Int
  /// The time is over: the row pauses at the next place where it can.
  var isPauseDue = false
  /// Bytes of output at the last look at the clock for their sake.
  var lookCount = 0
  /// Where it has paused.
  var pausedPlace: Place?
  /// The value that is being printed in parts.
  var long: LongValue?
  /// The row's plan has given up: what it draws is long.
  var isLongerThanPlans = false

  init(_ cell: Cell, tape: JSONTape, limits: RenderLimits, scope: RowScope, shelf: PlanShelf) {
    let archive = cell.archive
    self.archive = archive
    self.tape = tape
    self.limits = limits
    self.scope = scope
    self.shelf = shelf
    plans = shelf.plans(ofKind: cell.kind)
    terms = PlanTerms(limits)
    turns = scope.turns
    lookTurns = scope.pause.isNever ? limits.turns : min(limits.turns, turns + RowPause.turnsPerLook)
    context = RowContext(row: 0, place: 0, count: 0)
    program = archive.steps.base + Int(archive.programs.base[Int(cell.entry.program)].opStart)
    // The kind's own program is the first of its links, whose slots come first.
    cellSlots = cell.slots
    slots = cell.slots
    rowNames = UnsafePointer(scope.names.places)
    steps = archive.steps.base
    literals = archive.literals.base
    tables = RenderTables(archive)
    schemes = AllowedSchemes(archive)
    escapers = UnsafePointer(scope.escapers.functions)
    links = UnsafeBufferPointer(
      start: archive.links.base + Int(cell.entry.linkStart), count: Int(cell.entry.linkCount))
  }

  /// Appends the cell's output for a row. On a fault the output holds a part of it, which the caller drops.
  mutating func draw(
    _ context: RowContext, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    self.context = context
    let turnsBefore = turns
    #if DEBUG
      let start = output.count
    #endif
    if isLongerThanPlans {
      isLongerThanPlans = false
      try interpret(into: &output, &stack)
    } else if let plan = plans.pointee.plan(for: context.row, on: tape, terms) {
      if try run(plan, into: &output, &stack.scratch) {
        shelf.noteRows(1)
        #if DEBUG
          let turnsPlanned = turns
          turns = turnsBefore
          checkPlanned(in: output, from: start, turns: turnsPlanned, &stack)
          turns = turnsPlanned
        #endif
      } else {
        try interpret(into: &output, &stack)
      }
    } else {
      try learn(into: &output, &stack)
    }
    // What was noted behind the last loop or call.
    if turns > limits.turns && turns > turnsBefore { throw .tooMuchWork(limit: limits.turns) }
  }

  /// Runs the kind's program for the row.
  mutating func interpret(
    into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    // A fault leaves anything behind.
    slots = cellSlots
    lookCount = output.count
    indentCount = 0
    overrides = -1
    skipsLineStart = false
    partialLevel = 0
    stack.reset()
    let names = scope.names
    if tape.kind(context.row) == .object {
      names.populate(from: context.row, on: tape)
    } else {
      names.begin()
    }
    rowNumber = names.row
    stack.frames.push(Frame(value: RenderValue(node: context.row), index: noIndex, count: 0), isScope: false)
    try run(from: program, into: &output, &stack)
  }

  /// - Throws: `.paused`, too: the output and the stack then are those to go on with.
  mutating func run(
    from first: UnsafePointer<Step>, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    let (steps, tape) = (steps, tape)
    var cursor = cursor(of: &output)
    var next = first
    while true {
      // Read in place: a copy of all of a step costs more than what most steps need of it.
      let step = next
      next += 1
      try append(step.pointee.literal, at: &cursor, &output)
      switch step.pointee.code {
      case .literal:
        continue
      case .value:
        let value = find(step, &stack.frames)
        let escaper = step.pointee.escaper
        if isShortText(value), let escape = escapers[Int(escaper.index)] {
          try append(textOf: value.raw, through: escaper, escape, at: &cursor, &output)
        } else {
          if value.isMissing { noteMissing(step, &stack) }
          cursor = try print(value, through: escaper, at: cursor, &output, &stack.scratch)
          if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
        }
        if isPauseDue {
          output.setEnd(cursor.target)
          throw pause(at: next, &stack)
        }
      case .section:
        if !enter(find(step, &stack.frames), &stack.frames) { next = steps + Int(step.pointee.jump) }
      case .sectionEnd:
        if repeats(&stack.frames) {
          next = steps + Int(step.pointee.jump)
          try spend()
          if isPauseDue {
            output.setEnd(cursor.target)
            throw pause(at: next, &stack)
          }
        }
      case .inverted:
        if isTruthy(find(step, &stack.frames)) { next = steps + Int(step.pointee.jump) }
      case .plainOutlet:
        let value = stack.blindness == 0 ? findOutlet(step, &stack.frames) : .missing
        if isShortText(value), let escape = escapers[Int(Escaper.html.index)] {
          // Its start tag stands before the content's step, its end tag before its own end.
          let end = steps + Int(step.pointee.jump)
          try append(next.pointee.literal, at: &cursor, &output)
          try append(textOf: value.raw, through: .html, escape, at: &cursor, &output)
          try append(end[-1].literal, at: &cursor, &output)
          next = end
        } else if try !enterOutlet(step, value, &stack) {
          next = steps + Int(step.pointee.jump)
          if stack.waitsForItem {
            output.setEnd(cursor.target)
            throw pause(at: next, &stack)
          }
        }
      case .outlet:
        let value = stack.blindness == 0 ? findOutlet(step, &stack.frames) : .missing
        if try !enterOutlet(step, value, &stack) {
          next = steps + Int(step.pointee.jump)
          if stack.waitsForItem {
            output.setEnd(cursor.target)
            throw pause(at: next, &stack)
          }
        }
      case .bind:
        if let printed = try bind(step, at: cursor, &output, &stack) {
          cursor = printed
          next = steps + Int(step.pointee.jump)
          if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
        }
      case .outletContent:
        if let printed = try fillOutlet(step, at: cursor, &output, &stack) {
          cursor = printed
          next = steps + Int(step.pointee.jump)
          if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
        }
      case .outletEnd:
        if try leaveOutlet(step, &stack) { next = steps + Int(step.pointee.jump) }
        if isPauseDue {
          output.setEnd(cursor.target)
          throw pause(at: next, &stack)
        }
      case .call:
        next = steps + (try call(step, returnTo: next - steps, &stack))
      case .parent:
        next = steps + (try callParent(step, &stack))
      case .block:
        output.setEnd(cursor.target)
        next = steps + (try expand(step, default: next - steps, &output, &stack))
        cursor = self.cursor(of: &output)
      case .lineStart:
        if indentCount == 0 && !skipsLineStart { continue }
        output.setEnd(cursor.target)
        try startLine(isBlank: step.pointee.entry == 1, in: &output, &stack)
        cursor = self.cursor(of: &output)
      case .end, .bodyEnd:
        if stack.calls.count == 0 {
          output.setEnd(cursor.target)
          if stack.missingCount > 0 { throw .missing(stack.missing, count: stack.missingCount) }
          return
        }
        next = steps + resume(stack.calls.pop(), &stack)
        if isPauseDue {
          output.setEnd(cursor.target)
          throw pause(at: next, &stack)
        }
      }
    }
  }

  /// Whether the value is a string or number that is printed in one go.
  @inline(__always)
  private func isShortText(_ value: RenderValue) -> Bool {
    value.isNode && tape.kind(value.raw).isText && tape.count(value.raw) <= LongText.leastBytes
  }

  /// Counts one turn or call.
  @inline(__always)
  mutating func spend() throws(RenderFault) {
    turns &+= 1
    if turns > lookTurns { try spendMore() }
  }

  /// Counts work that need not leave output behind, so that the output's limit does not bound it: bytes,
  /// nodes or elements that are gone through, 16 of them as one turn. Judged by the next `spend`, or at the
  /// row's end.
  @inline(__always)
  mutating func note(steps: Int) { turns &+= steps &>> 4 }

  // MARK: Sections

  /// Pushes what a section's name found; false where it is falsy.
  @inline(__always)
  private mutating func enter(_ value: RenderValue, _ frames: inout FrameStack) -> Bool {
    if value.isNode {
      switch tape.kind(value.raw) {
      case .object:
        frames.push(Frame(value: value, index: noIndex, count: 0), isScope: true)
        return true
      case .array:
        let count = UInt32(truncatingIfNeeded: tape.count(value.raw))
        if count == 0 { return false }
        let first = value.raw &+ 1
        frames.push(
          Frame(value: RenderValue(node: first), index: 0, count: count),
          isScope: tape.kind(first).holdsValues)
        return true
      case .string where tape.count(value.raw) == 0: return false
      case .string: break
      default: if !isTruthy(value) { return false }
      }
    } else if !isTruthy(value) {
      return false
    }
    frames.push(Frame(value: value, index: noIndex, count: 0), isScope: false)
    return true
  }

  /// Moves the innermost section to its next item; false, and it is left, where there is none.
  @inline(__always)
  private mutating func repeats(_ frames: inout FrameStack) -> Bool {
    let frame = frames.top
    // A section over no list has the highest index and no count.
    if frame.index &+ 1 < frame.count {
      let next = tape.end(frame.value.raw)
      frames.replaceTop(
        by: RenderValue(node: next), index: frame.index &+ 1, isScope: tape.kind(next).holdsValues)
      return true
    }
    frames.pop()
    return false
  }
}
