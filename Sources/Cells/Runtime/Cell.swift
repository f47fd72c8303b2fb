import CellTemplates

/// A cell of one kind, made from the archive: what it needs to draw rows, and what it has learnt from them.
///
/// Owned by one factory at a time and used on its thread. What it learnt makes it faster and never changes
/// what it draws: each place is only a first guess at where a name stands.
package final class Cell {
  let archive: CellArchive
  /// The number of its kind in the archive.
  package let kind: UInt32
  let entry: KindEntry
  /// For each look-up of a name: where the name stood in the object it was last found in.
  let slots: UnsafeMutablePointer<UInt32>
  /// The cell's own buffer, for output that is worked on before it goes into an answer.
  // Unchecked: its one owner draws into it, and looks at it afterwards.
  @exclusivity(unchecked) package var buffer = ByteBuffer()
  /// Bytes of memory its buffer has.
  package var capacity: Int { buffer.capacity }
  /// How long its last output was, up to `keptBufferBytes`: what is reserved for the next.
  // Read and set as a whole, by the one thread that draws: no access lasts.
  @exclusivity(unchecked) var expectedCount = 0

  /// Capacity a cell keeps when it goes back to the pool, in bytes.
  static let keptBufferBytes = 64 << 10

  init(ofKind kind: UInt32, from archive: CellArchive) {
    self.archive = archive
    self.kind = kind
    entry = archive.kinds[Int(kind)]
    // `slotCount` words, which only this cell's renderer uses; freed in `deinit`.
    slots = UnsafeMutablePointer<UInt32>.allocate(capacity: Int(entry.slotCount))
    slots.initialize(repeating: 0, count: Int(entry.slotCount))
  }

  deinit { slots.deallocate() }

  /// Forgets all it learnt, as if it were made from the archive now.
  func forget() {
    slots.update(repeating: 0, count: Int(entry.slotCount))
    expectedCount = 0
  }

  /// Forgets the last row's output, and gives back memory beyond `keptBytes` of it; what was learnt stays.
  func prepareForReuse(keptBytes: Int) {
    buffer.reset(keptCapacity: min(keptBytes, Self.keptBufferBytes))
  }
}
