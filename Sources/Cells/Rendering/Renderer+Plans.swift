import CMarkup
import CellTemplates

/// Drawing by plans, and learning them: see `RowPlan`.
extension Renderer {
  /// Draws the row by its plan.
  mutating func run(
    _ plan: UnsafePointer<RowPlan>, into output: inout ByteBuffer, _ scratch: inout ByteBuffer
  ) throws(RenderFault) {
    turns &+= plan.pointee.turns
    let (tape, row, literals) = (tape, context.row, plan.pointee.literals)
    var cursor = output.cursor(limit: limits.outputBytes)
    var piece = plan.pointee.pieces
    while true {
      let literal = piece.pointee.literal
      try append(literals + Int(literal.offset), count: Int(literal.count), at: &cursor, &output)
      // Of a value that is no node it is not used.
      let node = row &+ piece.pointee.value
      switch piece.pointee.code {
      case .text:
        try appendMarkup(textOf: node, through: piece.pointee.escaper, at: &cursor, &output)
      case .number:
        try append(UnsafeRawPointer(tape.start(node)), count: tape.count(node), at: &cursor, &output)
      case .value:
        let value = RenderValue(raw: piece.pointee.value)
        cursor = try print(
          value.isNode ? RenderValue(node: node) : value, through: piece.pointee.escaper, at: cursor, &output,
          &scratch)
      case .end:
        output.setEnd(cursor.target)
        return
      }
      piece += 1
    }
  }

  /// Draws the row without a plan, and makes one of what was drawn where it is worth it.
  @inline(never)
  mutating func learn(into output: inout ByteBuffer, _ stack: inout RenderStack) throws(RenderFault) {
    let nodeCount = JSONShape.nodeCount(of: context.row, on: tape)
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
    /// Traps if the row's plan drew anything else than is drawn without one.
    mutating func checkPlanned(
      from start: Int, turnsBefore: Int, _ output: inout ByteBuffer, _ stack: inout RenderStack
    ) throws(RenderFault) {
      let planned = Array(output.bytes[start...])
      let turnsPlanned = turns
      output.truncate(to: start)
      turns = turnsBefore
      try interpret(into: &output, &stack)
      precondition(output.bytes[start...].elementsEqual(planned), "a plan draws what its row does not")
      precondition(turns == turnsPlanned, "a plan counts what its row does not")
    }
  #endif
}
