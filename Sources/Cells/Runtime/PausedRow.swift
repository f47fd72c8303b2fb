import CellTemplates

/// A partly rendered row with the state needed to continue: the stacks, and the renderer's resume point.
///
/// Created by ``CellFactory/takePausedRow()``. Until the row is complete, its cell and the request's memo
/// render no other row; other requests may be rendered meanwhile.
package final class PausedRow {
  var stack = RenderStack()
  var point: Renderer.ResumePoint
  var long: LongValue?
  /// The offset in the output at which the row starts.
  package var start: Int
  /// What the rows before it have not found.
  package let tallyBefore: ValueTally

  init(at point: Renderer.ResumePoint, _ long: LongValue?, start: Int, tallyBefore: ValueTally) {
    self.tallyBefore = tallyBefore
    self.point = point
    self.long = long
    self.start = start
  }

  /// Memory in bytes: the stacks, the indentation, and values being printed.
  package var heldBytes: Int { stack.heldBytes + (long?.heldBytes ?? 0) }
}
