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
    // The last row may be as long as a plan draws one.
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

  /// What a row's plan draws, in bytes. A longer row is drawn without one: plans do not pause.
  private static var planBytes: Int { 128 << 10 }

  /// Draws the row by its plan.
  /// - Returns: false, and the output is as it was: the row is too long.
  @inline(__always)
  mutating func run(
    _ plan: UnsafePointer<RowPlan>, into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> Bool {
    turns &+= Int(plan.pointee.turns)
    let start = output.count
    let cursor = output.cursor(limit: min(limits.outputBytes, start &+ Self.planBytes))
    // Where there is more already than there may be, nothing of a row is drawn.
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

  /// Goes on with a piece that took more than copying.
  /// - Returns: false: the row is too long, and the output ends before it.
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
      // The value has grown beyond the limit where it was escaped. What is written in C takes the room for what it is.
      if cursor.room < 0 { throw .outputTooLarge(limit: limits.outputBytes) }
      let drawing = cf_draw_pieces(
        piece + 1, literals, tape.rowNodes(from: context.row), tape.start, cursor.bytes, cursor.byteLimit)
      cursor.advance(to: drawing.target)
      piece = drawing.piece
    } while piece != plan.pointee.end
    output.setEnd(cursor.target)
    return true
  }

  /// Draws the row without a plan, and makes one of what was drawn where it is worth it.
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
    let (start, turnsBefore) = (output.count, turns - scope.lookupTurns)
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
        on: tape, terms, from: output.bytes, at: start, turns: turns - scope.lookupTurns - turnsBefore)
      shelf.insert(plan, into: plans)
    } else {
      shelf.giveUp(RowPlan.shapeHash(of: context.row, on: tape, terms), of: plans)
    }
  }

  /// Whether rows of the row's shape are known to have no plan.
  private func isBarren() -> Bool {
    plans.pointee.knowsBarrenShapes
      && plans.pointee.isBarren(RowPlan.shapeHash(of: context.row, on: tape, terms))
  }

  /// Notes that what is drawn depends on more than the row's shape.
  @inline(never)
  mutating func noteForeign() {
    if isRecording { shelf.recorder.noteForeign() }
  }

  #if DEBUG
    /// Traps if rows of a run that were drawn by their plans are drawn otherwise without, one after another. Allocates
    /// nothing for a row.
    /// - Parameters:
    ///   - rows: from the first of them on.
    ///   - place: of the row behind the last.
    ///   - start: where their output begins; it ends with the output.
    ///   - turnsPlanned: what `turns` was when they were drawn.
    mutating func checkPlanned(
      _ rows: RowRun, to place: Int, in output: borrowing ByteBuffer, from start: Int,
      turns turnsPlanned: Int, _ stack: inout RenderStack
    ) {
      var (rows, start) = (rows, start)
      let lookupsBefore = scope.lookupTurns
      while rows.next.place < place {
        context = rows.next
        rows.advance(on: tape)
        guard checkPlannedRow(in: output, from: &start, &stack) else { return }
      }
      checkPlannedEnd(in: output, at: start, turns: turnsPlanned, lookupsBefore)
    }

    /// The same of one row, that of the context.
    mutating func checkPlanned(
      in output: borrowing ByteBuffer, from start: Int, turns turnsPlanned: Int, _ stack: inout RenderStack
    ) {
      var start = start
      let lookupsBefore = scope.lookupTurns
      guard checkPlannedRow(in: output, from: &start, &stack) else { return }
      checkPlannedEnd(in: output, at: start, turns: turnsPlanned, lookupsBefore)
    }

    private func checkPlannedEnd(
      in output: borrowing ByteBuffer, at start: Int, turns turnsPlanned: Int, _ lookupsBefore: Int
    ) {
      precondition(start == output.count, "a plan draws what its row does not")
      let turnsAgain = turns - (scope.lookupTurns - lookupsBefore)
      precondition(turnsAgain == turnsPlanned, "a plan counts what its row does not")
    }

    /// Compares what the row draws without its plan with the output from `start` on, and sets that behind it. False: it
    /// takes too many turns, which whoever draws by plans finds behind it.
    private mutating func checkPlannedRow(
      in output: borrowing ByteBuffer, from start: inout Int, _ stack: inout RenderStack
    ) -> Bool {
      let (shelf, scope, pause) = (shelf, scope, scope.pause)
      shelf.drawnAgain.truncate(to: 0)
      scope.pause = .never
      let lookTurns = lookTurns
      (self.lookTurns, isPauseDue) = (limits.turns, false)
      defer {
        scope.pause = pause
        self.lookTurns = lookTurns
      }
      do throws(RenderFault) {
        try interpret(into: &shelf.drawnAgain, &stack)
      } catch {
        guard case .tooMuchWork = error else { preconditionFailure("a plan draws a row that is bad") }
        return false
      }
      let count = shelf.drawnAgain.count
      precondition(
        output.count - start >= count && shelf.drawnAgain.startsLike(output, from: start),
        "a plan draws what its row does not")
      start += count
      return true
    }
  #endif
}
