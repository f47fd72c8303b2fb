import CellTemplates

/// What rendering keeps for all rows of one request: the work so far, when to pause, and what look-ups
/// remember.
final class RequestMemo {
  let lookups: LookupMemo
  /// Hint slots for programs without slots in a cell, as many as any program needs. Hints of any program are
  /// valid; hints of the same program are just right more often. Freed in `deinit`.
  let spareSlots: UnsafeMutablePointer<UInt32>
  private let spareSlotCount: Int
  let escapers = TextEscapers()
  // Both unchecked, because every call of a renderer reads and writes them: a single thread renders, and no
  // access calls other code.
  /// Iterations of loops, and calls, so far.
  @exclusivity(unchecked) var iterations = 0
  /// What rows rendered so far have not found.
  @exclusivity(unchecked) var tally = ValueTally()
  /// Where values that do not fit their formats are noted; nil in requests.
  @exclusivity(unchecked) var misfits: MisfitNotes?
  /// When rendering pauses.
  @exclusivity(unchecked) var pause = RowPause.never
  /// Steps that may be done before the clock is checked.
  @exclusivity(unchecked) var stepsLeft = Renderer.stepsPerLook
  /// Bytes of values read since the last check of the clock by `Renderer.lookAfter`, or by the printer of outlets.
  @exclusivity(unchecked) var unlookedBytes = 0

  /// nil as long as no kind has depended on its locale.
  @exclusivity(unchecked) private(set) var formats: RequestFormats?
  private let shelf: FormatShelf

  init(for archive: CellArchive, _ shelf: FormatShelf) {
    self.shelf = shelf
    lookups = LookupMemo(nameCount: archive.tables.$names.count)
    spareSlotCount = archive.largestSlotCount
    spareSlots = .allocate(capacity: spareSlotCount)
    spareSlots.initialize(repeating: 0, count: spareSlotCount)
  }

  deinit { spareSlots.deallocate() }

  /// The memory that look-ups in the row and in large objects take, in bytes, with that of hints.
  var indexBytes: Int { lookups.indexBytes + spareSlotCount * MemoryLayout<UInt32>.stride }

  /// The formats for a kind that depends on its locale.
  func formats(of kind: UInt32) -> RequestFormats {
    if let formats { return formats }
    let formats = RequestFormats(shelf, kind: kind)
    self.formats = formats
    return formats
  }

  /// Clears everything, because the next tape is another.
  func reset() {
    iterations = 0
    tally = ValueTally()
    misfits = nil
    pause = .never
    stepsLeft = Renderer.stepsPerLook
    unlookedBytes = 0
    formats?.reset()
    lookups.reset()
  }
}
