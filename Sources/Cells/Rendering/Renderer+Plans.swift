import CMarkup
import CSimdJSON
import CellTemplates

/// Drawing by plans, and learning them: see `RowPlan`.
extension Renderer {
  /// Draws rows of a run by their plans, as long as each has one and the output holds no more than `pauseBytes`; the run
  /// and the output then stand behind the last of them.
  /// - Throws: `RenderFault` of the run's next row; the output then ends with the row before it.
  mutating func drawPlanned(
    _ run: inout RowRun, into output: inout ByteBuffer, pauseBytes: Int, _ stack: inout RenderStack
  ) throws(RenderFault) {
    let cursor = output.cursor(limit: limits.outputBytes)
    guard let all = plans.pointee.all, let expected = plans.pointee.expected, cursor.room >= 0 else { return }
    let pause = cursor.bytes + max(min(pauseBytes - output.count, cursor.room), 0)
    #if DEBUG
      let mostRows = min(run.stop - run.next.place, 1)
      let (first, turnsBefore, startOfFirst) = (run.next, turns, output.count)
    #else
      let mostRows = run.stop - run.next.place
    #endif
    var rows = cf_row_run(
      plans: all, expected: expected, plan_count: Int64(plans.pointee.count), nodes: tape.rowNodes(from: 0),
      text: tape.start, terms: terms.number, model: CF_JSON_MODEL.rawValue,
      like_model: CF_JSON_LIKE_MODEL.rawValue, turns_limit: Int64(limits.turns), target_end: cursor.byteLimit,
      pause: pause, row: Int64(run.next.row), rows_left: Int64(mostRows), turns: Int64(turns),
      target: cursor.bytes, model_plan: nil, plan: nil, piece: nil, row_start: nil)
    cf_draw_rows(&rows)
    let drawn = mostRows - Int(rows.rows_left)
    output.setEnd(rows.target)
    turns = Int(rows.turns)
    plans.pointee.noteRows(drawn)
    shelf.noteRows(drawn)
    run.advance(by: drawn, to: JSONTape.Index(rows.row))
    if let plan = rows.plan, let piece = rows.piece, let rowStart = rows.row_start {
      context = run.next
      let start = output.count - (rows.target - rowStart)
      do throws(RenderFault) {
        try runRest(of: plan, from: piece, into: &output, &stack.scratch)
        if turns > limits.turns { throw .tooMuchWork(limit: limits.turns) }
      } catch {
        output.truncate(to: start)
        throw error
      }
      run.advance(on: tape)
    }
    #if DEBUG
      context = first
      if run.next.place > first.place {
        try checkPlanned(from: startOfFirst, turnsBefore: turnsBefore, &output, &stack)
      }
    #endif
  }

  /// Draws the row by its plan.
  @inline(__always)
  mutating func run(
    _ plan: UnsafePointer<RowPlan>, into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    turns &+= Int(plan.pointee.turns)
    let cursor = output.cursor(limit: limits.outputBytes)
    // Where there is more already than there may be, nothing of a row is drawn.
    guard cursor.room >= 0 else { throw .outputTooLarge(limit: limits.outputBytes) }
    let drawing = cf_draw_pieces(
      plan.pointee.pieces, plan.pointee.literals, tape.rowNodes(from: context.row), tape.start, cursor.bytes,
      cursor.byteLimit)
    output.setEnd(drawing.target)
    if drawing.piece != plan.pointee.end {
      try runRest(of: plan, from: drawing.piece, into: &output, &scratch)
    }
  }

  /// Goes on with a piece that took more than copying.
  @inline(never)
  private mutating func runRest(
    of plan: UnsafePointer<RowPlan>, from first: UnsafePointer<cf_piece>, into output: inout ByteBuffer,
    _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    let literals = plan.pointee.literals
    var cursor = output.cursor(limit: limits.outputBytes)
    var piece = first
    repeat {
      let literal = literals + Int(piece.pointee.literal)
      try append(literal, count: Int(piece.pointee.literal_count), at: &cursor, &output)
      if UInt32(piece.pointee.code) == CF_PIECE_END.rawValue { break }
      let value = RenderValue(raw: piece.pointee.value)
      cursor = try print(
        value.isNode ? RenderValue(node: context.row &+ value.raw) : value,
        through: piece.pointee.verifiedEscaper, at: cursor, &output, &scratch)
      let drawing = cf_draw_pieces(
        piece + 1, literals, tape.rowNodes(from: context.row), tape.start, cursor.bytes, cursor.byteLimit)
      cursor.advance(to: drawing.target)
      piece = drawing.piece
    } while piece != plan.pointee.end
    output.setEnd(cursor.target)
  }

  /// Draws the row without a plan, and makes one of what was drawn where it is worth it.
  @inline(never)
  mutating func learn(into output: inout ByteBuffer, _ stack: inout RenderStack) throws(RenderFault) {
    let nodeCount = RowPlan.nodeCount(of: context.row, on: tape)
    guard plans.pointee.mayLearn, nodeCount <= PlanRecorder.mostNodes else {
      return try interpret(into: &output, &stack)
    }
    plans.pointee.spendTry()
    shelf.recorder.begin(context.row, nodeCount: nodeCount)
    isRecording = true
    defer { isRecording = false }
    let (start, turnsBefore) = (output.count, turns)
    try interpret(into: &output, &stack)
    if !shelf.recorder.isSound {
      plans.pointee.giveUp()
    } else if output.count - start <= PlanRecorder.longestOutput {
      let plan = shelf.recorder.plan(
        on: tape, terms, from: output.bytes, at: start, turns: turns - turnsBefore)
      shelf.insert(plan, into: plans)
    }
  }

  /// Notes that what is drawn depends on more than the row's shape.
  @inline(never)
  mutating func noteForeign() {
    if isRecording { shelf.recorder.noteForeign() }
  }

  #if DEBUG
    /// Traps if the row's plan drew anything else than is drawn without one. Allocates nothing for a row.
    mutating func checkPlanned(
      from start: Int, turnsBefore: Int, _ output: inout ByteBuffer, _ stack: inout RenderStack
    ) throws(RenderFault) {
      let (shelf, turnsPlanned) = (shelf, turns)
      turns = turnsBefore
      shelf.drawnAgain.truncate(to: 0)
      try interpret(into: &shelf.drawnAgain, &stack)
      let count = shelf.drawnAgain.count
      precondition(
        output.count - start == count && shelf.drawnAgain.startsLike(output, from: start),
        "a plan draws what its row does not")
      precondition(turns == turnsPlanned, "a plan counts what its row does not")
    }
  #endif
}
