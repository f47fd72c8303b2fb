import CRowPlan
import CellTemplates

/// Runs the program of one cell over rows. The main loop is in `Renderer+Steps`.
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
  /// The first step of the kind's own program.
  let program: UnsafePointer<Step>
  /// What the kind reads of a row.
  let rowUses: RowUses
  /// The members of the row, marked with its number.
  let rowMembers: UnsafePointer<MemberIndex.Entry>
  var rowNumber: UInt32 = 0
  /// The hint slots of the running program; their number is in its entry.
  var slots: UnsafeMutablePointer<UInt32>
  /// The cell's slots for all programs that its kind can reach: `slotCount` of the kind's entry.
  let cellSlots: UnsafeMutablePointer<UInt32>
  /// The kind's links, sorted by program.
  let links: UnsafeBufferPointer<LinkEntry>
  let escapers: UnsafePointer<TextEscapers.Function?>
  /// The formats of the request; nil if the kind depends on no locale.
  // Not counted: the memo holds it.
  unowned(unsafe) private(set) var formats: RequestFormats?
  /// The plans for rows of the kind.
  var planner: RowPlanner
  var indentStart: UInt32 = 0
  var indentCount: UInt32 = 0
  /// The index of the innermost active overrides; -1 if there are none.
  var overrides: Int32 = -1
  /// Whether the first line of an override continues a line that is already indented.
  var skipsLineStart = false
  var partialLevel = 0
  /// Iterations of loops and calls in the request so far, including this row.
  var iterations: Int
  /// When `iterations` exceeds this number, the limit and the clock are checked.
  var lookIterations: Int
  /// Whether the time is over: the row pauses before its next step.
  var isPauseDue = false
  /// The clock is checked before this step and those after it. If a pause is due, it is no step after the present one.
  var lookStep: UnsafePointer<Step>
  /// The length of the output at the last check of the clock by `lookAtClock`.
  var lookCount = 0
  /// Where in the output the step began that has printed something before it paused; nil if it printed nothing.
  var unfinishedStart: Int?
  /// Where the row continues if it has paused.
  var resumePoint: ResumePoint?
  /// Whether the name `owner` was last found in the request's owner.
  var isInOwner = false
  /// The value being printed in parts.
  var long: LongValue?
  /// How the value that is being printed would be shown if it fitted its format.
  var shownAs: PlanRecorder.ShownAs?
  /// Whether the next row is not rendered by its plan, because its output is long or a pause is due.
  var isLongerThanPlans = false

  // Inlined, and calls nothing unless the kind depends on its locale: otherwise the references of the arguments would be
  // counted, which takes a batch of one row a twentieth of its time.
  @inline(__always)
  init(_ cell: Cell, tape: JSONTape, limits: RenderLimits, memo: RequestMemo, shelf: PlanShelf) {
    archive = cell.archive
    self.tape = tape
    self.limits = limits
    self.memo = memo
    iterations = memo.iterations
    lookIterations =
      memo.pause.isNever ? limits.iterations : min(limits.iterations, iterations + RowPause.iterationsPerLook)
    context = RowContext(row: 0, index: 0, count: 0)
    program = cell.program
    // The kind's own program is the first link, so its slots come first.
    cellSlots = cell.slots
    rowUses = cell.rowUses
    slots = cell.slots
    rowMembers = UnsafePointer(memo.lookups.row.entries)
    lookStep = program + memo.stepsLeft
    tables = cell.tables
    planner = RowPlanner(shelf, kind: cell.kind, PlanTerms(limits, cell.conditions, locale: 0))
    escapers = UnsafePointer(memo.escapers.functions)
    links = cell.links
    if cell.dependsOnLocale { useLocale(of: cell.kind) }
  }

  /// Uses the locale that is in force for a kind.
  @inline(never)
  private mutating func useLocale(of kind: UInt32) {
    let formats = memo.formats(of: kind)
    self.formats = formats
    planner.use(formats, for: kind, limits)
  }

  /// Appends the cell's output for a row. After a fault the output ends with a part of the row, which the
  /// caller must remove.
  mutating func render(
    _ context: RowContext, into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    self.context = context
    let iterationsBefore = iterations
    #if DEBUG
      let (start, before) = (output.count, cost)
    #endif
    if isLongerThanPlans {
      isLongerThanPlans = false
      try interpret(into: &output, &stack)
    } else if let plan = planner.plan(for: context.row, on: tape) {
      if try render(by: plan, into: &output, &stack.scratch) {
        planner.noteRow()
        #if DEBUG
          let planned = cost
          cost = before
          checkPlanned(in: output, from: start, planned, &stack)
          cost = planned
        #endif
      } else {
        try interpret(into: &output, &stack)
      }
    } else {
      try renderAndRecord(into: &output, &stack)
    }
    // Includes the work counted after the last loop or call.
    if iterations > limits.iterations && iterations > iterationsBefore {
      throw .tooMuchWork(limit: limits.iterations)
    }
  }

  /// Runs the kind's program for the row.
  mutating func interpret(
    into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    if let fault = rowUses.fault(of: context.row, on: tape) { throw fault }
    // A fault may have left any state.
    slots = cellSlots
    lookCount = output.count
    indentCount = 0
    overrides = -1
    skipsLineStart = false
    partialLevel = 0
    stack.reset()
    stack.contexts.push(ContextStack.Context(value: RenderValue(node: context.row)), isScope: false)
    let members = memo.lookups.row
    memo.lookups.forgetPause()
    if tape.kind(context.row) != .object {
      members.begin()
    } else if tape.count(context.row) <= MemberIndex.membersAtOnce {
      members.populate(from: context.row, on: tape)
    } else {
      members.begin(from: context.row)
    }
    rowNumber = members.object
    if members.isIncomplete { try recordMembers(&stack) }
    beginSteps()
    try run(from: program, into: &output, &stack)
  }

  /// Records the members of a row that has many.
  /// - Throws: `.paused` if the time is over before all are recorded.
  @inline(never)
  mutating func recordMembers(_ stack: inout RenderStack) throws(RenderFault) {
    let members = memo.lookups.row
    while true {
      members.recordPart(of: context.row, on: tape)
      if !members.isIncomplete { return }
      if memo.pause.isOver() { throw pause(at: program, &stack) }
    }
  }
}
