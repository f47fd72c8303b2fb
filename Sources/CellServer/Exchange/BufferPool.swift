import Cells

/// The buffers that one worker keeps for later bodies and answers.
///
/// A body may wait for its client or for its turn, in a buffer of about its size. An answer is written at once, in a buffer of any
/// size. So each kind of them is kept for its kind.
///
/// Confined to the worker's thread. Keeps at most `keptBuffers` of at most `keptBytes` each, and at most
/// `keptBytesInAll`.
final class BufferPool {
  static let keptBuffers = 64
  static let keptBytes = 512 << 10
  static let keptBytesInAll = 4 << 20
  /// Capacity that a streamed body keeps between pieces.
  static let keptPieceBytes = 128 << 10

  private let budget: MemoryBudget
  /// nil if compression is off.
  let compressors: CompressorPool?
  // Exclusivity checks are off for these, which every request accesses several times: no method calls other code while
  // it accesses one.
  /// The heads of linked lists, last in, first out.
  @exclusivity(unchecked) private var freeForAnswers: HeldBuffer?
  @exclusivity(unchecked) private var freeForBodies: HeldBuffer?
  @exclusivity(unchecked) private var freeCount = 0
  @exclusivity(unchecked) private(set) var freeBytes = 0
  /// A buffer without capacity, for an answer that brings its own memory.
  @exclusivity(unchecked) private var empty: HeldBuffer?
  /// Buffers released by libmicrohttpd. Its callback may run inside a call to libmicrohttpd or inside the
  /// factory, so it only appends here; `collect` does the rest.
  @exclusivity(unchecked) private var returned: [HeldBuffer] = []
  /// Takes the place of a held buffer's memory while an answer is written into that memory.
  @exclusivity(unchecked) private var placeholder: ByteBuffer?

  init(budget: MemoryBudget, compression: CompressionSettings?) {
    self.budget = budget
    compressors = compression.map { CompressorPool(settings: $0, budget: budget) }
  }

  /// An empty buffer for an answer; it has capacity if the pool keeps one.
  func take() -> HeldBuffer {
    guard let held = freeForAnswers.take() else { return takeEmpty() }
    freeForAnswers = held.next.take()
    noteTaken(held)
    return held
  }

  /// Any body may have a buffer of so many bytes.
  private static let leastBodyBytes = 1 << 10

  /// The part of the budget that a body's buffer may take beyond the body.
  private static let spareShare = 256

  /// An empty buffer for a body, without capacity or with little more than the body needs.
  func takeForBody(of count: Int) -> HeldBuffer {
    guard let held = freeForBodies.take() else {
      let held = takeEmpty()
      held.isForBody = true
      return held
    }
    freeForBodies = held.next.take()
    noteTaken(held)
    let capacity = held.buffer.capacity
    let mostBytes = max(min(2 * count, count + budget.limitBytes / Self.spareShare), Self.leastBodyBytes)
    if capacity < count || capacity > mostBytes {
      // Kept, they would be more and more, and leave no room for those of answers.
      held.buffer.reset(keptCapacity: 0)
      held.isReused = false
    }
    return held
  }

  private func noteTaken(_ held: HeldBuffer) {
    freeCount -= 1
    freeBytes -= held.buffer.capacity
  }

  /// A buffer without capacity, for an answer that brings its own memory. Leaves the kept buffers to others.
  func takeEmpty() -> HeldBuffer { empty.take() ?? HeldBuffer(pool: self) }

  /// A buffer without capacity, to swap with one that has some.
  func takePlaceholder() -> ByteBuffer { placeholder.take() ?? ByteBuffer() }

  /// Keeps an emptied answer buffer as the next placeholder, if it has no capacity.
  func keepPlaceholder(_ buffer: consuming ByteBuffer) {
    if buffer.capacity == 0 { placeholder = consume buffer }
  }

  /// Takes a buffer back and releases the bytes charged for it.
  func give(_ held: consuming HeldBuffer) {
    if held.isLargeBody {
      budget.releaseBody(held.chargedBytes)
      held.isLargeBody = false
    } else {
      budget.release(held.chargedBytes)
    }
    held.chargedBytes = 0
    let capacity = held.buffer.capacity
    if capacity == 0 {
      (held.isForBody, held.isReused) = (false, false)
      empty = held
      return
    }
    guard freeCount < Self.keptBuffers, capacity <= Self.keptBytes,
      freeBytes + capacity <= Self.keptBytesInAll
    else { return }
    held.buffer.truncate(to: 0)
    held.isReused = true
    if held.isForBody {
      held.next = freeForBodies.take()
      freeForBodies = held
    } else {
      held.next = freeForAnswers.take()
      freeForAnswers = held
    }
    freeCount += 1
    freeBytes += capacity
  }

  /// Marks the buffer as no longer read by anyone; see `returned`.
  func noteReturned(_ held: HeldBuffer) {
    returned.append(held)
    budget.returningBytes += held.chargedBytes
  }

  /// Takes back the buffers marked as returned. Must be called outside libmicrohttpd.
  func collect() {
    while let held = returned.popLast() {
      budget.returningBytes -= held.chargedBytes
      give(held)
    }
  }
}
