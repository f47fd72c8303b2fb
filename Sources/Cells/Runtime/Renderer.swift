import CellTemplates

/// Runs the program of one cell over rows: the main loop of rendering.
///
/// Its pointers refer to the tables of the cell's archive, which the verifier has checked, and to the cell's
/// hint slots. None outlives the call that created it.
struct Renderer: ~Copyable {
  let tape: JSONTape
  let limits: RenderLimits
  /// The row being rendered.
  var context: RowContext
  // Neither is counted, because each use would be. Sound, because the factory holds the memo, and its edition
  // the archive, as long as a renderer exists. Most steps use `tables` instead of the archive.
  unowned(unsafe) let memo: RequestMemo
  unowned(unsafe) let archive: CellArchive
  let tables: RenderTables
  let steps: UnsafePointer<Step>
  /// The first step of the kind's own program.
  private let program: UnsafePointer<Step>
  let literals: UnsafePointer<UInt8>
  /// The members of the row, marked with its number.
  let rowMembers: UnsafePointer<MemberIndex.Entry>
  var rowNumber: UInt32 = 0
  /// The hint slots of the running program; their number is in its entry.
  var slots: UnsafeMutablePointer<UInt32>
  /// The cell's slots for all programs that its kind can reach: `slotCount` of the kind's entry.
  let cellSlots: UnsafeMutablePointer<UInt32>
  let links: UnsafeBufferPointer<LinkEntry>
  let schemes: AllowedSchemes
  let escapers: UnsafePointer<TextEscapers.Function?>
  /// The plans for rows of the kind.
  var planner: RowPlanner
  var indentStart: UInt32 = 0
  var indentCount: UInt32 = 0
  /// The index of the innermost active overrides; -1 if there are none.
  var overrides: Int32 = -1
  /// Whether the first line of an override continues a line that is already indented.
  var skipsLineStart = false
  var partialLevel = 0
  /// Turns of loops and calls in the request so far, including this row.
  var turns: Int
  /// When `turns` exceeds this number, the limit and the clock are checked.
  var lookTurns: Int
  /// Whether the time is over: the row pauses before its next step.
  private(set) var isPauseDue = false
  /// The clock is checked before this step and those after it. If a pause is due, it is the first step of all.
  private var lookStep: UnsafePointer<Step>
  /// The length of the output at the last check of the clock by `lookAtClock`.
  var lookCount = 0
  /// The place at which the row has paused.
  var pausedPlace: Place?
  /// The value being printed in parts.
  var long: LongValue?
  /// Whether the row's plan was abandoned because its output is long.
  var isLongerThanPlans = false

  init(_ cell: Cell, tape: JSONTape, limits: RenderLimits, memo: RequestMemo, shelf: PlanShelf) {
    let archive = cell.archive
    self.archive = archive
    self.tape = tape
    self.limits = limits
    self.memo = memo
    planner = RowPlanner(shelf, kind: cell.kind, limits)
    turns = memo.turns
    lookTurns = memo.pause.isNever ? limits.turns : min(limits.turns, turns + RowPause.turnsPerLook)
    context = RowContext(row: 0, place: 0, count: 0)
    program = archive.steps.base + Int(archive.programs.base[Int(cell.entry.program)].opStart)
    // The kind's own program is the first link, so its slots come first.
    cellSlots = cell.slots
    slots = cell.slots
    rowMembers = UnsafePointer(memo.lookups.row.entries)
    steps = archive.steps.base
    lookStep = program
    literals = archive.literals.base
    tables = RenderTables(archive)
    schemes = AllowedSchemes(archive)
    escapers = UnsafePointer(memo.escapers.functions)
    links = UnsafeBufferPointer(
      start: archive.links.base + Int(cell.entry.linkStart), count: Int(cell.entry.linkCount))
  }

  /// Appends the cell's output for a row. After a fault the output ends with a part of the row, which the
  /// caller must remove.
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
    } else if let plan = planner.plan(for: context.row, on: tape) {
      if try render(by: plan, into: &output, &stack.scratch) {
        planner.noteRow()
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
      try renderAndRecord(into: &output, &stack)
    }
    // Includes the work counted after the last loop or call.
    if turns > limits.turns && turns > turnsBefore { throw .tooMuchWork(limit: limits.turns) }
  }

  /// Runs the kind's program for the row.
  mutating func interpret(
    into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    // A fault may have left any state.
    slots = cellSlots
    lookCount = output.count
    indentCount = 0
    overrides = -1
    skipsLineStart = false
    partialLevel = 0
    stack.reset()
    let members = memo.lookups.row
    if tape.kind(context.row) == .object {
      members.populate(from: context.row, on: tape)
    } else {
      members.begin()
    }
    rowNumber = members.object
    stack.contexts.push(ContextStack.Context(value: RenderValue(node: context.row)), isScope: false)
    try run(from: program, into: &output, &stack)
  }

  /// - Throws: a `RenderFault`, including `.paused`: then the output and the stack are the state to resume
  ///   with.
  mutating func run(
    from first: UnsafePointer<Step>, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    let steps = steps
    var cursor = cursor(of: &output)
    var next = first
    expectLook(after: next)
    while true {
      // Read in place, because copying a step costs more than most steps need.
      let step = next
      if step >= lookStep { try look(at: step, cursor, &output, &stack) }
      next += 1
      try append(step.pointee.literal, at: &cursor, &output)
      switch step.pointee.code {
      case .literal:
        continue
      case .value:
        let value = find(step, &stack.contexts)
        let escaper = step.pointee.escaper
        if isShortText(value), let escape = escapers[Int(escaper.index)] {
          try append(textOf: value.raw, through: escaper, escape, at: &cursor, &output)
        } else {
          if value.isMissing { noteMissing(step, &stack) }
          cursor = try print(value, through: escaper, at: cursor, &output, &stack.scratch)
          if long != nil { cursor = try finishLong(before: next, at: cursor, &output, &stack) }
        }
      case .section:
        if !stack.contexts.enterSection(find(step, &stack.contexts), on: tape) { next = steps + Int(step.pointee.jump) }
      case .sectionEnd:
        if stack.contexts.moveToNextItem(on: tape) {
          next = steps + Int(step.pointee.jump)
          expectLook(after: next)
          try spend()
        }
      case .inverted:
        if tape.isTruthy(find(step, &stack.contexts)) { next = steps + Int(step.pointee.jump) }
      case .plainOutlet:
        let value = stack.blindness == 0 ? findOutlet(step, &stack.contexts) : .missing
        if isShortText(value), let escape = escapers[Int(Escaper.html.index)] {
          // The start tag precedes the content's step, and the end tag precedes the outlet's end.
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
        let value = stack.blindness == 0 ? findOutlet(step, &stack.contexts) : .missing
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
        if try leaveOutlet(step, &stack) {
          next = steps + Int(step.pointee.jump)
          expectLook(after: next)
        }
        if stack.waitsForItem {
          output.setEnd(cursor.target)
          throw pause(at: next, &stack)
        }
      case .call:
        next = steps + (try call(step, returnTo: next - steps, &stack))
        expectLook(after: next)
      case .parent:
        next = steps + (try callParent(step, &stack))
        expectLook(after: next)
      case .block:
        output.setEnd(cursor.target)
        next = steps + (try expand(step, default: next - steps, &output, &stack))
        expectLook(after: next)
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
        expectLook(after: next)
      }
    }
  }

  /// Whether the value is a string or number that is printed at once.
  @inline(__always)
  private func isShortText(_ value: RenderValue) -> Bool {
    value.isNode && tape.kind(value.raw).isText && tape.count(value.raw) <= LongText.leastBytes
  }

  // MARK: Looking at the clock

  /// Steps in a row between two looks at the clock.
  private static var stepsPerLook: Int { 512 }

  /// Lets as many steps be done from `step` on before the clock is looked at: to be called where the next step is not
  /// further on. Such jumps are turns, which are counted.
  @inline(__always)
  private mutating func expectLook(after step: UnsafePointer<Step>) {
    if !isPauseDue { lookStep = step + Self.stepsPerLook }
  }

  /// Lets the row pause before its next step.
  mutating func setPauseDue() {
    isPauseDue = true
    lookStep = steps
  }

  /// No pause is due any more.
  mutating func forgetPause() {
    isPauseDue = false
    lookStep = program
  }

  /// Looks at the clock.
  /// - Throws: `.paused` if the time is over.
  @inline(never)
  private mutating func look(
    at step: UnsafePointer<Step>, _ cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) {
    if !isPauseDue && !memo.pause.isOver() {
      lookStep = step + Self.stepsPerLook
      return
    }
    output.setEnd(cursor.target)
    throw pause(at: step, &stack)
  }

  /// Counts one turn or call.
  @inline(__always)
  mutating func spend() throws(RenderFault) {
    turns &+= 1
    if turns > lookTurns { try spendMore() }
  }
}
