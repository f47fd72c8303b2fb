import CRowPlan
import CellTemplates

/// The plans for the rows of one kind: what a renderer asks to render rows by plans, and tells to record them.
/// `PLANS.md` says what plans are and who owns them.
///
/// Made for each renderer. Its pointer is valid as long as the shelf.
struct RowPlanner: ~Copyable {
  // Not counted, because each row uses it: the factory's edition holds the shelf while it renders.
  unowned(unsafe) private let shelf: PlanShelf
  private let plans: UnsafeMutablePointer<KindPlans>
  private(set) var terms: PlanTerms
  /// What formats need in C; nil if the kind has none. Valid as long as the request's memo.
  private(set) var formats: UnsafePointer<cf_formats>?
  /// Whether the row being rendered is recorded for a plan.
  private(set) var isRecording = false

  @inline(__always)
  init(_ shelf: PlanShelf, kind: UInt32, _ terms: PlanTerms) {
    self.shelf = shelf
    self.terms = terms
    plans = shelf.plans(ofKind: kind)
  }

  /// Uses the formats of the locale that is in force for the kind. Before the first row.
  mutating func use(_ formats: RequestFormats, for kind: UInt32, _ limits: RenderLimits) {
    self.formats = formats.begin(kind)
    terms = PlanTerms(limits, terms.conditions, in: formats)
  }

  // MARK: Rendering

  /// The start of the row's plan; nil if it has none. Valid until a plan is recorded.
  mutating func plan(for row: JSONTape.Index, on tape: JSONTape) -> PlanPosition? {
    plans.pointee.plan(for: row, on: tape, terms).map(PlanPosition.init(startOf:))
  }

  /// Rows of plans with no more pieces need no look at the clock beside those of a slice.
  private static let uncountedPieces = 64
  /// A piece with a format may take as long as reading so many bytes.
  private static let bytesPerPiece = 32

  /// The work of a row, in bytes that are read; 0 if the kind's plans are short, as most are.
  @inline(__always)
  var workPerRow: Int {
    let pieces = plans.pointee.mostPieces
    return pieces > Self.uncountedPieces ? pieces * Self.bytesPerPiece : 0
  }

  /// Counts a row rendered by its plan.
  @inline(__always)
  func noteRow() { shelf.noteRows(1) }

  /// What `renderRows` may use.
  struct RowsLimits {
    /// Rows at once.
    let rows: Int
    /// The iterations of all rows.
    let iterations: Int
    /// No row is begun after this address in the output.
    let pause: UnsafeMutablePointer<UInt8>
  }

  /// Renders rows of a run as long as each has a plan, and moves the run and the cursor after the last row that is
  /// complete.
  /// - Parameters:
  ///   - iterations: those of the request so far, to which those of the rows are added.
  ///   - tally: what the rows have not found.
  /// - Returns: the row that stopped at a piece that the caller must print, if one did. Its iterations are counted,
  ///   and the cursor is after what is written of it; the run is before it.
  mutating func renderRows(
    _ run: inout RowRun, on tape: JSONTape, to cursor: inout OutputCursor, _ limits: RowsLimits,
    _ iterations: inout Int, _ tally: inout ValueTally
  ) -> StoppedRow? {
    guard let all = plans.pointee.all, let expected = plans.pointee.expected else { return nil }
    let mostRows = min(run.stop - run.next.index, limits.rows)
    var rows = cf_row_run(
      plans: all, expected: expected, plan_count: Int64(plans.pointee.count), nodes: tape.nodes(from: 0),
      text: tape.start, terms: terms.number, iteration_limit: Int64(limits.iterations),
      target_end: cursor.byteLimit,
      pause: limits.pause, formats: formats, row: Int64(run.next.row), rows_left: Int64(mostRows),
      iterations: Int64(iterations),
      missing: 0, drawn: 0, target: cursor.bytes, model_plan: nil, guarded_model: nil, plan: nil, piece: nil,
      row_start: nil)
    cf_render_rows(&rows)
    let rendered = mostRows - Int(rows.rows_left)
    cursor.advance(to: rows.target)
    iterations = Int(rows.iterations)
    tally = ValueTally(missing: Int(rows.missing), drawn: Int(rows.drawn))
    noteRows(rendered)
    run.advance(by: rendered, to: JSONTape.Index(rows.row))
    guard let plan = rows.plan, let piece = rows.piece, let start = rows.row_start else { return nil }
    return StoppedRow(position: PlanPosition(plan: plan, piece: piece), writtenBytes: rows.target - start)
  }

  /// Counts a row that stopped and was completed.
  func noteCompletedRow() { noteRows(1) }

  @inline(__always)
  private func noteRows(_ count: Int) {
    plans.pointee.noteRows(count)
    shelf.noteRows(count)
  }

  /// A row that stopped within its plan.
  struct StoppedRow {
    let position: PlanPosition
    /// The bytes of the row that are written.
    let writtenBytes: Int
  }

  // MARK: Recording

  /// Begins to record a row that has no plan, if that is worthwhile.
  mutating func beginRecording(_ row: JSONTape.Index, on tape: JSONTape) -> Bool {
    let nodeCount = RowPlan.nodeCount(of: row, on: tape)
    guard plans.pointee.mayLearn, nodeCount <= PlanRecorder.mostNodes, !isBarren(row, on: tape) else {
      plans.pointee.noteUnplannedRow()
      return false
    }
    plans.pointee.spendTry()
    shelf.recorder.begin(row, nodeCount: nodeCount)
    isRecording = true
    return true
  }

  /// Whether the row's shape is known to have no plan.
  private func isBarren(_ row: JSONTape.Index, on tape: JSONTape) -> Bool {
    plans.pointee.knowsBarrenShapes && plans.pointee.isBarren(RowPlan.shapeHash(of: row, on: tape, terms))
  }

  /// Records that a value was printed. The row must be recorded.
  /// - Parameters:
  ///   - range: where it is in the output buffer, in bytes.
  ///   - iterations: the iterations that this took.
  func note(_ value: RenderValue, _ escaper: Escaper, at range: Range<Int>, iterations: Int) {
    shelf.recorder.note(value, escaper, at: range, iterations: iterations)
  }

  /// Records that a value was printed that is the same in every row of the shape. The row must be recorded.
  func noteConstant(_ value: RenderValue) { shelf.recorder.noteConstant(value) }

  /// Records that a value was printed as a format shows it, or the attribute that programs read of it.
  func note(
    _ value: RenderValue, _ escaper: Escaper, _ format: PlanRecorder.ShownAs, at range: Range<Int>,
    iterations: Int
  ) {
    shelf.recorder.note(value, escaper, format, at: range, iterations: iterations)
  }

  /// Records that texts of the row were compared. The row must be recorded.
  func note(_ guarded: Guard) {
    let condition = terms.conditions.rows[Int(guarded.condition)]
    shelf.recorder.note(guarded, literals: Int(condition.literal_count))
  }

  /// Records that the output depends on more than the row's shape.
  @inline(never)
  func noteForeign() {
    if isRecording { shelf.recorder.noteForeign() }
  }

  /// Stops recording a row that is too long for a plan. This says nothing of others of its shape.
  mutating func stopRecordingLongRow() {
    if !isRecording { return }
    isRecording = false
    plans.pointee.takeTryBack()
  }

  /// Stops recording a row that has a fault.
  mutating func stopRecordingBadRow() { isRecording = false }

  /// Keeps the plan of the row if it is recorded and can have one.
  /// - Parameters:
  ///   - output: the whole buffer that the row was rendered into.
  ///   - start: where the row's output starts.
  ///   - cost: the iterations that rendering took, without those for indexing, and what it did not find.
  mutating func endRecording(
    _ row: JSONTape.Index, on tape: JSONTape, from output: borrowing ByteBuffer, at start: Int,
    _ cost: PlanCost
  ) {
    if !isRecording { return }
    isRecording = false
    if shelf.recorder.canPlan(outputBytes: output.count - start) {
      let plan = shelf.recorder.plan(on: tape, terms, from: output.bytes, at: start, cost)
      shelf.insert(plan, into: plans)
    } else {
      shelf.giveUp(RowPlan.shapeHash(of: row, on: tape, terms), of: plans)
    }
  }

  #if DEBUG
    /// What planned rows are compared with.
    var comparison: PlanComparison { shelf.comparison }
  #endif
}
