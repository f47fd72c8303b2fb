import CellTemplates

/// Pauses within a row and resumes it: see `RowPause`.
///
/// A row pauses where its whole state is in the stacks, in a `ResumePoint` and in a `LongValue`: after a value, an
/// item, an element or a call. The clock is checked there, because loops and calls count iterations, and whenever
/// a certain number of bytes has been printed.
extension Renderer {
  /// The state of the renderer itself in a paused row.
  struct ResumePoint: BitwiseCopyable {
    /// The next step. If the innermost outlet waits for its next item, the step that ends its element.
    var step: UnsafePointer<Step>
    var slots: UnsafeMutablePointer<UInt32>
    var indentStart: UInt32
    var indentCount: UInt32
    var overrides: Int32
    var skipsLineStart: Bool
    var partialLevel: Int
    var rowNumber: UInt32
  }

  /// Stores the point to resume at. Returns the fault to throw.
  @inline(never)
  mutating func pause(at step: UnsafePointer<Step>, _ stack: inout RenderStack) -> RenderFault {
    resumePoint = ResumePoint(
      step: stack.waitsForItem ? step - 1 : step, slots: slots, indentStart: indentStart,
      indentCount: indentCount, overrides: overrides, skipsLineStart: skipsLineStart,
      partialLevel: partialLevel, rowNumber: rowNumber)
    return .paused
  }

  /// Pauses at a step whose look-up could not be finished in time. The step is done again, and what was printed before
  /// the look-up is taken back.
  /// - Parameters:
  ///   - fault: what the step has thrown.
  ///   - cursor: where the step began, unless `unfinishedStart` says it.
  /// - Returns: the fault to throw.
  @inline(never)
  mutating func pauseIfUnfinished(
    _ fault: RenderFault, at step: UnsafePointer<Step>, _ cursor: OutputCursor,
    _ output: inout ByteBuffer, _ stack: inout RenderStack
  ) -> RenderFault {
    guard memo.lookups.isUnfinished else {
      // The steps of a bad row count, too.
      moveLook(from: step, to: program)
      return fault
    }
    memo.lookups.isUnfinished = false
    // The cursor is of no use if something was printed: the output may have been moved to grow.
    let start = unfinishedStart ?? output.offset(of: cursor)
    unfinishedStart = nil
    output.setEnd(to: start - Int(step.pointee.literal.count))
    return pause(at: step, &stack)
  }

  /// Resumes a paused row at its point, with the stack it left.
  mutating func resume(
    _ context: RowContext, at point: ResumePoint, _ long: LongValue?, into output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) {
    self.context = stack.rows.count > 0 ? stack.rows.top.context : context
    self.long = long
    lookCount = output.count
    (slots, rowNumber) = (point.slots, point.rowNumber)
    (indentStart, indentCount) = (point.indentStart, point.indentCount)
    (overrides, skipsLineStart) = (point.overrides, point.skipsLineStart)
    partialLevel = point.partialLevel
    var next = point.step
    if memo.lookups.row.isIncomplete { try recordMembers(&stack) }
    if stack.waitsForItem {
      stack.waitsForItem = false
      let end = point.step
      next = try leaveOutlet(end, &stack) ? steps + Int(end.pointee.jump) : end + 1
      if stack.waitsForItem { throw pause(at: end + 1, &stack) }
    }
    try finishLong(before: next, into: &output, &stack)
    // The clock was read when the slice began.
    lookStep = next + Self.stepsPerLook
    try run(from: next, into: &output, &stack)
    if iterations > limits.iterations { throw .tooMuchWork(limit: limits.iterations) }
  }
}
