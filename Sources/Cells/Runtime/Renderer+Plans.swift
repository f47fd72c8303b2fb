import CellTemplates

/// Renders rows by plans and records plans: see `RowPlanner`.
extension Renderer {
  /// Renders rows of a run as long as each has a plan, the output has at most `pauseBytes`, and the clock need not be looked
  /// at. Afterwards the run and the output are positioned after the last rendered row.
  /// - Throws: the `RenderFault` of the run's next row; the output then ends with the row before it.
  mutating func renderPlanned(
    _ run: inout RowRun, into output: inout ByteBuffer, pauseBytes: Int, _ stack: inout RenderStack
  ) throws(RenderFault) {
    // The last row may have the maximum length of a planned row.
    let pauseLimit = max(min(pauseBytes, limits.outputBytes - Self.planBytes), output.count)
    var cursor = output.cursor(limit: min(limits.outputBytes, pauseLimit + Self.planBytes))
    guard cursor.room >= 0 else { return }
    let pause = cursor.bytes + max(min(pauseBytes - output.count, cursor.room), 0)
    #if DEBUG
      let (first, before, startOfFirst) = (run, cost, output.count)
    #endif
    var tally = ValueTally()
    let (work, firstIndex) = (planner.workPerRow, run.next.index)
    let mostRows = work == 0 ? Int.max : max(Self.bytesPerLook / work, 1)
    let stopped = planner.renderRows(
      &run, on: tape, to: &cursor,
      RowPlanner.RowsLimits(rows: mostRows, iterations: limits.iterations, pause: pause), &iterations, &tally)
    if tally.missing > 0 { memo.tally = memo.tally + tally }
    output.setEnd(cursor.target)
    #if DEBUG
      var costOfRows = cost
      costOfRows.iterations -= stopped?.position.iterations ?? 0
      defer {
        let costOfAll = cost
        cost = before
        checkPlanned(first, to: run.next.index, in: output, from: startOfFirst, costOfRows, &stack)
        cost = costOfAll
      }
    #endif
    if work > 0 { lookAfter(reading: work * (run.next.index - firstIndex + 1)) }
    guard let stopped else {
      // Plans cannot pause: the next row is left to the program.
      isLongerThanPlans = work > 0 && isPauseDue
      return
    }
    context = run.next
    let start = output.count - stopped.writtenBytes
    do throws(RenderFault) {
      guard try renderRest(from: stopped.position, rowStart: start, into: &output, &stack.scratch) else {
        iterations -= stopped.position.iterations
        isLongerThanPlans = true
        return
      }
      if iterations > limits.iterations { throw .tooMuchWork(limit: limits.iterations) }
    } catch {
      output.truncate(to: start)
      throw error
    }
    planner.noteCompletedRow()
    if stopped.position.tally.missing > 0 { memo.tally = memo.tally + stopped.position.tally }
    run.advance(on: tape)
    #if DEBUG
      costOfRows = cost
    #endif
  }

  /// The work and the missing names of all rows so far.
  var cost: PlanCost {
    get { PlanCost(iterations: iterations, tally: memo.tally) }
    set { (iterations, memo.tally) = (newValue.iterations, newValue.tally) }
  }

  /// The maximum output of a planned row in bytes. A longer row is rendered without a plan, because plans do
  /// not pause.
  private static var planBytes: Int { 128 << 10 }

  /// Renders the row by its plan.
  /// - Returns: false if the row is too long, or a pause is due; the output is then unchanged.
  @inline(__always)
  mutating func render(
    by plan: PlanPosition, into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> Bool {
    let work = planner.workPerRow
    if work > 0 {
      lookAfter(reading: work)
      if isPauseDue { return false }
    }
    iterations &+= plan.iterations
    let start = output.count
    var cursor = output.cursor(limit: min(limits.outputBytes, start &+ Self.planBytes))
    // If the output already exceeds its limit, nothing of the row is printed.
    guard cursor.room >= 0 else { throw .outputTooLarge(limit: limits.outputBytes) }
    var position = plan
    position.copyPieces(of: context.row, on: tape, planner.formats, to: &cursor)
    output.setEnd(cursor.target)
    if !position.isAtEnd {
      guard try renderRest(from: position, rowStart: start, into: &output, &scratch) else {
        iterations &-= plan.iterations
        return false
      }
    }
    if plan.tally.missing > 0 { memo.tally = memo.tally + plan.tally }
    return true
  }

  /// Continues with a piece that needs more than copying.
  /// - Returns: false if the row is too long; the output then ends before it.
  @inline(never)
  private mutating func renderRest(
    from first: PlanPosition, rowStart: Int, into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> Bool {
    let iterationsBefore = iterations
    var cursor = self.cursor(of: &output)
    var position = first
    repeat {
      let literal = position.literal
      // A literal is in the plan's memory, so its address is never nil.
      try append(literal.baseAddress!, count: literal.count, at: &cursor, &output)
      if position.isLast { break }
      let value = position.value(in: context.row)
      if let format = position.format(in: context.row) {
        guard let printed = try printPlanned(value, format, position.escaper, at: cursor, &output, &scratch)
        else {
          // What does not fit its format is found by the program, which knows what that means there.
          iterations = iterationsBefore
          output.truncate(to: rowStart)
          return false
        }
        cursor = printed
      } else {
        cursor = try print(value, through: position.escaper, at: cursor, &output, &scratch)
      }
      // Plans cannot pause: a row that takes too long is left to the program.
      if long != nil || isPauseDue || output.offset(of: cursor) - rowStart > Self.planBytes {
        long = nil
        iterations = iterationsBefore
        output.truncate(to: rowStart)
        return false
      }
      // The escaped value has grown beyond the limit. The C code requires that the remaining room is not
      // negative.
      if cursor.room < 0 { throw .outputTooLarge(limit: limits.outputBytes) }
      position.skipPiece()
      position.copyPieces(of: context.row, on: tape, planner.formats, to: &cursor)
    } while !position.isAtEnd
    output.setEnd(cursor.target)
    return true
  }

  /// Prints a value as a format shows it.
  /// - Returns: nil if it does not fit, or takes so long that it pauses, which plans cannot.
  @inline(never)
  private mutating func printPlanned(
    _ value: RenderValue, _ format: PlanRecorder.ShownAs, _ escaper: Escaper, at cursor: OutputCursor,
    _ output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) -> OutputCursor? {
    do throws(RenderFault) {
      return try print(value, planned: format, through: escaper, at: cursor, &output, &scratch)
    } catch {
      guard lookups.isUnfinished else { throw error }
      lookups.forgetPause()
      return nil
    }
  }

  /// Renders the row without a plan, and records a plan if it is worthwhile.
  @inline(never)
  mutating func renderAndRecord(
    into output: inout ByteBuffer, _ stack: inout RenderStack
  ) throws(RenderFault) {
    guard planner.beginRecording(context.row, on: tape) else { return try interpret(into: &output, &stack) }
    let (start, iterationsBefore, tallyBefore) = (
      output.count, iterations - lookups.indexingIterations, memo.tally
    )
    do throws(RenderFault) {
      try interpret(into: &output, &stack)
    } catch {
      if case .paused = error { planner.stopRecordingLongRow() } else { planner.stopRecordingBadRow() }
      throw error
    }
    planner.endRecording(
      context.row, on: tape, from: output, at: start,
      PlanCost(
        iterations: iterations - lookups.indexingIterations - iterationsBefore,
        tally: memo.tally - tallyBefore))
  }

  /// Records that the output depends on more than the row's shape.
  mutating func noteForeign() { planner.noteForeign() }

  #if DEBUG
    /// Traps if rows rendered by their plans have a different output without them. Allocates nothing per row.
    /// - Parameters:
    ///   - rows: the run, starting with the first of these rows.
    ///   - end: the index after the last of these rows.
    ///   - start: the offset of their output, which ends with the output.
    ///   - costPlanned: the value of `cost` after they were rendered.
    mutating func checkPlanned(
      _ rows: RowRun, to end: Int, in output: borrowing ByteBuffer, from start: Int,
      _ costPlanned: PlanCost, _ stack: inout RenderStack
    ) {
      var (rows, start) = (rows, start)
      let lookupsBefore = lookups.indexingIterations
      while rows.next.index < end {
        context = rows.next
        rows.advance(on: tape)
        guard checkPlannedRow(in: output, from: &start, &stack) else { return }
      }
      checkPlannedEnd(in: output, at: start, costPlanned, lookupsBefore)
    }

    /// Same, for the single row of the context.
    mutating func checkPlanned(
      in output: borrowing ByteBuffer, from start: Int, _ costPlanned: PlanCost, _ stack: inout RenderStack
    ) {
      var start = start
      let lookupsBefore = lookups.indexingIterations
      guard checkPlannedRow(in: output, from: &start, &stack) else { return }
      checkPlannedEnd(in: output, at: start, costPlanned, lookupsBefore)
    }

    private func checkPlannedEnd(
      in output: borrowing ByteBuffer, at start: Int, _ costPlanned: PlanCost, _ lookupsBefore: Int
    ) {
      precondition(start == output.count, "a plan renders something else than its row")
      let iterationsAgain = iterations - (lookups.indexingIterations - lookupsBefore)
      precondition(iterationsAgain == costPlanned.iterations, "a plan counts other work than its row")
      precondition(memo.tally == costPlanned.tally, "a plan misses other names than its row")
    }

    /// Compares the row's output without a plan with the output at `start`, and moves `start` after it.
    /// Returns false if the row takes too many iterations, which rendering by plans detects only afterwards.
    private mutating func checkPlannedRow(
      in output: borrowing ByteBuffer, from start: inout Int, _ stack: inout RenderStack
    ) -> Bool {
      let (comparison, memo, pause) = (planner.comparison, memo, memo.pause)
      comparison.output.truncate(to: 0)
      memo.pause = .never
      let lookIterations = lookIterations
      self.lookIterations = limits.iterations
      forgetPause()
      defer {
        memo.pause = pause
        self.lookIterations = lookIterations
      }
      do throws(RenderFault) {
        try interpret(into: &comparison.output, &stack)
      } catch {
        guard case .tooMuchWork = error else { preconditionFailure("a plan renders a bad row") }
        return false
      }
      let count = comparison.output.count
      precondition(
        output.count - start >= count && comparison.output.startsLike(output, from: start),
        "a plan renders something else than its row")
      start += count
      return true
    }
  #endif
}
