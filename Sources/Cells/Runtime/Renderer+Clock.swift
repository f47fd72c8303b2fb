import CellTemplates

/// When a renderer looks at the clock and at the limit of iterations. A pause that is due begins before the next
/// step: see `Renderer+Pausing`.
extension Renderer {
  /// Steps in a row between two looks at the clock.
  private static var stepsPerLook: Int { 512 }

  /// Lets as many steps be done from `step` on before the clock is looked at: to be called where the next step is not
  /// further on. Such jumps are iterations, which are counted.
  @inline(__always)
  mutating func expectLook(after step: UnsafePointer<Step>) {
    if !isPauseDue { lookStep = step + Self.stepsPerLook }
  }

  /// Lets the row pause before its next step.
  mutating func setPauseDue() {
    isPauseDue = true
    lookStep = steps
  }

  /// Lets the limit and the clock be checked before the next step, after a step of much work.
  @inline(__always)
  mutating func lookSoon() {
    if iterations > lookIterations { lookStep = steps }
  }

  /// No pause is due any more.
  mutating func forgetPause() {
    isPauseDue = false
    lookStep = program
  }

  /// Looks at the clock.
  /// - Throws: `.paused` if the time is over.
  @inline(never)
  mutating func look(
    at step: UnsafePointer<Step>, _ cursor: OutputCursor, _ output: inout ByteBuffer,
    _ stack: inout RenderStack
  ) throws(RenderFault) {
    if iterations > lookIterations { try spendMore() }
    if !isPauseDue && !memo.pause.isOver() {
      lookStep = step + Self.stepsPerLook
      return
    }
    output.setEnd(cursor.target)
    throw pause(at: step, &stack)
  }

  /// Counts one iteration or call.
  @inline(__always)
  mutating func spend() throws(RenderFault) {
    iterations &+= 1
    if iterations > lookIterations { try spendMore() }
  }

  /// Called when `iterations` reaches `lookIterations`: checks the limit and the clock.
  @inline(never)
  mutating func spendMore() throws(RenderFault) {
    if iterations > limits.iterations { throw .tooMuchWork(limit: limits.iterations) }
    lookIterations =
      memo.pause.isNever ? limits.iterations : min(limits.iterations, iterations + RowPause.iterationsPerLook)
    if memo.pause.isOver() { setPauseDue() }
  }
}
