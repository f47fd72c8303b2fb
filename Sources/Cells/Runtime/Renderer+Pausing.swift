import CellTemplates

/// Pausing within a row, and going on: see `RowPause`.
///
/// A row pauses where all that is to be known stands in the stacks, in a `Place` and in a `LongValue`: after a value, an item,
/// an element or a call. Loops and calls count turns, so the clock is looked at there; and so it is once for as many bytes of
/// output.
extension Renderer {
  /// Where a row has paused: the words that are the renderer's own.
  struct Place: BitwiseCopyable {
    /// The next step; while the innermost outlet waits for its next item, the step that ends its element.
    var step: UnsafePointer<Step>
    var slots: UnsafeMutablePointer<UInt32>
    var indentStart: UInt32
    var indentCount: UInt32
    var overrides: Int32
    var skipsLineStart: Bool
    var partialLevel: Int
    var rowNumber: UInt32
  }

  /// Counts on, behind the last turn before the clock is looked at, or behind all there may be.
  @inline(never)
  mutating func spendMore() throws(RenderFault) {
    if turns > limits.turns { throw .tooMuchWork(limit: limits.turns) }
    lookTurns = scope.pause.isNever ? limits.turns : min(limits.turns, turns + RowPause.turnsPerLook)
    if scope.pause.isOver() { isPauseDue = true }
  }

  /// Remembers where to go on. Returns what is thrown for it.
  @inline(never)
  mutating func pause(at step: UnsafePointer<Step>, _ stack: inout RenderStack) -> RenderFault {
    pausedPlace = Place(
      step: stack.waitsForItem ? step - 1 : step, slots: slots, indentStart: indentStart,
      indentCount: indentCount, overrides: overrides, skipsLineStart: skipsLineStart,
      partialLevel: partialLevel, rowNumber: rowNumber)
    return .paused
  }

  /// Goes on with a row that has paused at the place, with the stack that it has left.
  mutating func resume(
    _ context: RowContext, at place: Place, _ long: LongValue?, into output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) {
    self.context = context
    self.long = long
    lookCount = output.count
    (slots, rowNumber) = (place.slots, place.rowNumber)
    (indentStart, indentCount) = (place.indentStart, place.indentCount)
    (overrides, skipsLineStart) = (place.overrides, place.skipsLineStart)
    partialLevel = place.partialLevel
    var next = place.step
    if stack.waitsForItem {
      stack.waitsForItem = false
      let end = place.step
      next = try leaveOutlet(end, &stack) ? steps + Int(end.pointee.jump) : end + 1
      if stack.waitsForItem { throw pause(at: end + 1, &stack) }
    }
    try finishLong(before: next, into: &output, &stack)
    try run(from: next, into: &output, &stack)
    if turns > limits.turns { throw .tooMuchWork(limit: limits.turns) }
  }
}
