import CellTemplates

/// A cell of one kind, made from the archive. It holds the memory for rendering rows, and hints learned from
/// earlier rows.
///
/// Owned by one factory at a time and used on its thread. Hints only make rendering faster and never change
/// the output: each is a first guess at the position of a name.
package final class Cell {
  let archive: CellArchive
  /// The index of its kind in the archive.
  package let kind: UInt32
  let entry: KindEntry
  /// What its kind reads of a row.
  let rowUses: RowUses
  /// Whether its kind has formats, plurals, or `@locale`.
  let dependsOnLocale: Bool
  // Kept here, because a batch of one row would spend more on collecting them than on its row.
  let tables: RenderTables
  /// The first step of its kind's own program.
  let program: UnsafePointer<Step>
  let conditions: Conditions
  /// Its kind's links, sorted by program.
  let links: UnsafeBufferPointer<LinkEntry>
  /// For each look-up of a name, its position in the object in which it was last found.
  let slots: UnsafeMutablePointer<UInt32>
  /// A buffer for output that is processed before it is added to an answer.
  // Unchecked, because every row is rendered into it: its single owner reads it afterwards.
  @exclusivity(unchecked) package var buffer = ByteBuffer()
  /// The memory of the buffer and of the hints in bytes.
  package var capacity: Int { buffer.capacity + slotBytes }
  /// The memory of the hints in bytes.
  package var slotBytes: Int { Int(entry.slotCount) * MemoryLayout<UInt32>.stride }
  /// The length of the last output, up to `keptBufferBytes`. This much is reserved for the next output.
  var expectedCount = 0

  /// The buffer capacity that a cell keeps in the pool, in bytes.
  static let keptBufferBytes = 64 << 10

  /// Takes the archive's tables and conditions, which are the same for all its cells.
  init(ofKind kind: UInt32, from archive: CellArchive, _ tables: RenderTables, _ conditions: Conditions) {
    self.archive = archive
    self.kind = kind
    self.tables = tables
    self.conditions = conditions
    entry = tables.kinds[Int(kind)]
    rowUses = archive.rowUses(of: kind)
    dependsOnLocale = rowUses.has(.locale)
    program = tables.steps + Int(tables.programs[Int(entry.program)].opStart)
    links = UnsafeBufferPointer(
      start: archive.linksByProgram.base + Int(entry.linkStart), count: Int(entry.linkCount))
    // `slotCount` words, used only by this cell's renderer; freed in `deinit`.
    slots = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(entry.slotCount))
    slots.initialize(repeating: 0, count: Int(entry.slotCount))
  }

  deinit { slots.deallocate() }

  /// Drops all hints, as if the cell were newly made from the archive.
  func forget() {
    slots.update(repeating: 0, count: Int(entry.slotCount))
    expectedCount = 0
  }

  /// Gives back what the buffer has kept from earlier rows.
  /// - Parameter isInUse: whether a row is partly in it.
  package func giveCapacityBack(isInUse: Bool) {
    if !isInUse {
      buffer.reset(keptCapacity: 0)
    } else if buffer.capacity <= Self.keptBufferBytes {
      buffer.trimToStep()
    }
  }

  /// Drops the last row's output and its memory beyond `keptBytes`. Hints stay.
  /// - Parameter keptBytes: at least 0.
  @inline(__always)
  func prepareForReuse(keptBytes: Int) {
    buffer.reset(keptCapacity: min(keptBytes, Self.keptBufferBytes))
  }
}
