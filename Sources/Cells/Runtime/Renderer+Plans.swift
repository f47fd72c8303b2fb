import CMarkup
import CSimdJSON
import CellTemplates

/// Renders rows by plans and records plans: see `RowPlan`.
extension Renderer {
  /// Renders rows of a run as long as each has a plan and the output has at most `pauseBytes`. Afterwards the
  /// run and the output are positioned after the last rendered row.
  /// - Throws: the `RenderFault` of the run's next row; the output then ends with the row before it.
  mutating func drawPlanned(
    _ run: inout RowRun, into output: inout ByteBuffer, pauseBytes: Int, _ stack: inout RenderStack
  ) throws(RenderFault) {
    // The last row may have the maximum length of a planned row.
    let pauseLimit = max(min(pauseBytes, limits.outputBytes - Self.planBytes), output.count)
    let cursor = output.cursor(limit: min(limits.outputBytes, pauseLimit + Self.planBytes))
    guard let all = plans.pointee.all, let expected = plans.pointee.expected, cursor.room >= 0 else { return }
    let pause = cursor.bytes + max(min(pauseBytes - output.count, cursor.room), 0)
    let mostRows = run.stop - run.next.place
    #if DEBUG
      let (first, turnsBefore, startOfFirst) = (run, turns, output.count)
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
    #if DEBUG
      var turnsOfRows = turns - Int(rows.plan?.pointee.turns ?? 0)
      defer {
        let turnsOfAll = turns
        turns = turnsBefore
        checkPlanned(first, to: run.next.place, in: output, from: startOfFirst, turns: turnsOfRows, &stack)
        turns = turnsOfAll
      }
    #endif
    if let plan = rows.plan, let piece = rows.piece, let rowStart = rows.row_start {
      context = run.next
      let start = output.count - (rows.target - rowStart)
      do throws(RenderFault) {
        guard try runRest(of: plan, from: piece, rowStart: start, into: &output, &stack.scratch) else {
          turns -= Int(plan.pointee.turns)
          isLongerThanPlans = true
          return
        }
        if turns > limits.turns { throw .tooMuchWork(limit: limits.turns) }
      } catch {
        output.truncate(to: start)
        throw error
      }
      run.advance(on: tape)
      #if DEBUG
        turnsOfRows = turns
      #endif
    }
  }

  /// The maximum output of a planned row in bytes. A longer row is rendered without a plan, because plans do
  /// not pause.
  private static var planBytes: Int { 128 << 10 }

  /// Renders the row by its plan.
  /// - Returns: false if the row is too long; the output is then unchanged.
  @inline(__always)
  mutating func run(
    _ plan: UnsafePointer<RowPlan>, into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> Bool {
    turns &+= Int(plan.pointee.turns)
    let start = output.count
    let cursor = output.cursor(limit: min(limits.outputBytes, start &+ Self.planBytes))
    // If the output already exceeds its limit, nothing of the row is printed.
    guard cursor.room >= 0 else { throw .outputTooLarge(limit: limits.outputBytes) }
    let drawing = cf_draw_pieces(
      plan.pointee.pieces, plan.pointee.literals, tape.rowNodes(from: context.row), tape.start, cursor.bytes,
      cursor.byteLimit)
    output.setEnd(drawing.target)
    if drawing.piece == plan.pointee.end { return true }
    let turnsOfRow = Int(plan.pointee.turns)
    if try runRest(of: plan, from: drawing.piece, rowStart: start, into: &output, &scratch) { return true }
    turns &-= turnsOfRow
    return false
  }

  /// Continues with a piece that needs more than copying.
  /// - Returns: false if the row is too long; the output then ends before it.
  @inline(never)
  private mutating func runRest(
    of plan: UnsafePointer<RowPlan>, from first: UnsafePointer<cf_piece>, rowStart: Int,
    into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> Bool {
    let (literals, turnsBefore) = (plan.pointee.literals, turns)
    var cursor = self.cursor(of: &output)
    var piece = first
    repeat {
      let literal = literals + Int(piece.pointee.literal)
      try append(literal, count: Int(piece.pointee.literal_count), at: &cursor, &output)
      if UInt32(piece.pointee.code) == CF_PIECE_END.rawValue { break }
      let value = RenderValue(raw: piece.pointee.value)
      cursor = try print(
        value.isNode ? RenderValue(node: context.row &+ value.raw) : value,
        through: piece.pointee.verifiedEscaper, at: cursor, &output, &scratch)
      if long != nil || output.place(of: cursor) - rowStart > Self.planBytes {
        long = nil
        turns = turnsBefore
        output.truncate(to: rowStart)
        return false
      }
      // The escaped value has grown beyond the limit. The C code requires that the remaining room is not
      // negative.
      if cursor.room < 0 { throw .outputTooLarge(limit: limits.outputBytes) }
      let drawing = cf_draw_pieces(
        piece + 1, literals, tape.rowNodes(from: context.row), tape.start, cursor.bytes, cursor.byteLimit)
      cursor.advance(to: drawing.target)
      piece = drawing.piece
    } while piece != plan.pointee.end
    output.setEnd(cursor.target)
    return true
  }

  /// Renders the row without a plan, and records a plan if it is worthwhile.
  @inline(never)
  mutating func learn(into output: inout ByteBuffer, _ stack: inout RenderStack) throws(RenderFault) {
    let nodeCount = RowPlan.nodeCount(of: context.row, on: tape)
    guard plans.pointee.mayLearn, nodeCount <= PlanRecorder.mostNodes, !isBarren() else {
      plans.pointee.noteUnplannedRow()
      return try interpret(into: &output, &stack)
    }
    plans.pointee.spendTry()
    shelf.recorder.begin(context.row, nodeCount: nodeCount)
    isRecording = true
    let (start, turnsBefore) = (output.count, turns - memo.lookups.indexingTurns)
    do throws(RenderFault) {
      try interpret(into: &output, &stack)
    } catch {
      isRecording = false
      if case .paused = error { plans.pointee.takeTryBack() }
      throw error
    }
    if !isRecording {
      plans.pointee.takeTryBack()
      return
    }
    isRecording = false
    if shelf.recorder.canPlan(outputBytes: output.count - start) {
      let plan = shelf.recorder.plan(
        on: tape, terms, from: output.bytes, at: start,
        turns: turns - memo.lookups.indexingTurns - turnsBefore)
      shelf.insert(plan, into: plans)
    } else {
      shelf.giveUp(RowPlan.shapeHash(of: context.row, on: tape, terms), of: plans)
    }
  }

  /// Whether the row's shape is known to have no plan.
  private func isBarren() -> Bool {
    plans.pointee.knowsBarrenShapes
      && plans.pointee.isBarren(RowPlan.shapeHash(of: context.row, on: tape, terms))
  }

  /// Records that the output depends on more than the row's shape.
  @inline(never)
  mutating func noteForeign() {
    if isRecording { shelf.recorder.noteForeign() }
  }

  #if DEBUG
    /// Traps if rows rendered by their plans have a different output without them. Allocates nothing per row.
    /// - Parameters:
    ///   - rows: the run, starting with the first of these rows.
    ///   - place: the index after the last of these rows.
    ///   - start: the offset of their output, which ends with the output.
    ///   - turnsPlanned: the value of `turns` after they were rendered.
    mutating func checkPlanned(
      _ rows: RowRun, to place: Int, in output: borrowing ByteBuffer, from start: Int,
      turns turnsPlanned: Int, _ stack: inout RenderStack
    ) {
      var (rows, start) = (rows, start)
      let lookupsBefore = memo.lookups.indexingTurns
      while rows.next.place < place {
        context = rows.next
        rows.advance(on: tape)
        guard checkPlannedRow(in: output, from: &start, &stack) else { return }
      }
      checkPlannedEnd(in: output, at: start, turns: turnsPlanned, lookupsBefore)
    }

    /// Same, for the single row of the context.
    mutating func checkPlanned(
      in output: borrowing ByteBuffer, from start: Int, turns turnsPlanned: Int, _ stack: inout RenderStack
    ) {
      var start = start
      let lookupsBefore = memo.lookups.indexingTurns
      guard checkPlannedRow(in: output, from: &start, &stack) else { return }
      checkPlannedEnd(in: output, at: start, turns: turnsPlanned, lookupsBefore)
    }

    private func checkPlannedEnd(
      in output: borrowing ByteBuffer, at start: Int, turns turnsPlanned: Int, _ lookupsBefore: Int
    ) {
      precondition(start == output.count, "a plan renders something else than its row")
      let turnsAgain = turns - (memo.lookups.indexingTurns - lookupsBefore)
      precondition(turnsAgain == turnsPlanned, "a plan counts other work than its row")
    }

    /// Compares the row's output without a plan with the output at `start`, and moves `start` after it.
    /// Returns false if the row takes too many turns, which rendering by plans detects only afterwards.
    private mutating func checkPlannedRow(
      in output: borrowing ByteBuffer, from start: inout Int, _ stack: inout RenderStack
    ) -> Bool {
      let (shelf, memo, pause) = (shelf, memo, memo.pause)
      shelf.drawnAgain.truncate(to: 0)
      memo.pause = .never
      let lookTurns = lookTurns
      self.lookTurns = limits.turns
      forgetPause()
      defer {
        memo.pause = pause
        self.lookTurns = lookTurns
      }
      do throws(RenderFault) {
        try interpret(into: &shelf.drawnAgain, &stack)
      } catch {
        guard case .tooMuchWork = error else { preconditionFailure("a plan renders a bad row") }
        return false
      }
      let count = shelf.drawnAgain.count
      precondition(
        output.count - start >= count && shelf.drawnAgain.startsLike(output, from: start),
        "a plan renders something else than its row")
      start += count
      return true
    }
  #endif
}
