import CellTemplates

/// A row that is partly drawn, and what drawing needs to go on: the stacks, and the renderer's own words.
///
/// Made by ``CellFactory/takePausedRow()``. Until the row is drawn its cell draws no other, nor does whoever has its rows;
/// other requests are drawn meanwhile.
package final class PausedRow {
  // Unchecked, all: the factory exchanges them, and nobody else has hold of one.
  @exclusivity(unchecked) var stack = RenderStack()
  @exclusivity(unchecked) var place: Renderer.Place
  @exclusivity(unchecked) var long: LongValue?
  /// Where the row's output begins.
  @exclusivity(unchecked) var start: Int

  init(at place: Renderer.Place, _ long: LongValue?, start: Int) {
    self.place = place
    self.long = long
    self.start = start
  }

  /// Bytes of memory that its values take which are being printed.
  package var heldBytes: Int { stack.scratch.capacity + (long?.heldBytes ?? 0) }
}
