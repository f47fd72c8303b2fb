import CellTemplates

/// When a renderer looks at the clock and at the limit of iterations. A pause that is due begins before the next
/// step: see `Renderer+Pausing`.
extension Renderer {
  /// Steps between two looks at the clock, over all rows and jumps.
  static var stepsPerLook: Int { 512 }

  /// Lets as many steps as are left be done after a jump before the clock is looked at. To be called where the next step
  /// is not further on; steps that are left out count as done.
  @inline(__always)
  mutating func moveLook(from step: UnsafePointer<Step>, to next: UnsafePointer<Step>) {
    lookStep += next - step - 1
  }

  /// Begins a row with the steps that the rows before it have left. A row that has paused may have left any number.
  @inline(__always)
  mutating func beginSteps() { lookStep = min(lookStep, program + Self.stepsPerLook) }

  /// Keeps the iterations, and the steps that are left, for the rows of the next renderer.
  @inline(__always)
  func keepCounts() {
    memo.iterations = iterations
    memo.stepsLeft = lookStep - program
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
    // A row that counts nothing itself is not bad because of those before it.
    if iterations > lookIterations, step != program { try spendMore() }
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
