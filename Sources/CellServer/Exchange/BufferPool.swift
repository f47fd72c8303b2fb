import Cells

/// The buffers of one worker, kept for the next body or answer.
///
/// Confined to the worker's thread. Bounded: `keptBuffers` of at most `keptBytes` each, and `keptBytesInAll`.
final class BufferPool {
  static let keptBuffers = 64
  /// Bodies have the size they were announced with, and an answer written into such a buffer may double it once.
  static let keptBytes = 512 << 10
  static let keptBytesInAll = 4 << 20
  /// Memory that a streamed body keeps from one piece to the next.
  static let keptPieceBytes = 128 << 10

  private let budget: MemoryBudget
  /// nil: answers go as they are.
  let compressors: CompressorPool?
  // Unchecked, these: no method calls out while it has hold of one.
  /// The last one in is the first one out; each leads to the next.
  @exclusivity(unchecked) private var free: HeldBuffer?
  @exclusivity(unchecked) private var freeCount = 0
  @exclusivity(unchecked) private(set) var freeBytes = 0
  /// One without room, for an answer that brings its own memory.
  @exclusivity(unchecked) private var empty: HeldBuffer?
  /// What libmicrohttpd has let go of. Its callback runs inside a call to it, or inside the factory: nothing
  /// but an append is done there, and `collect` does the rest.
  @exclusivity(unchecked) private var returned: [HeldBuffer] = []
  /// What stands in a held buffer while an answer is written into its memory.
  @exclusivity(unchecked) private var placeholder: ByteBuffer?

  init(budget: MemoryBudget, compression: CompressionSettings?) {
    self.budget = budget
    compressors = compression.map { CompressorPool(settings: $0, budget: budget) }
  }

  /// A buffer without content, with room if one is kept.
  func take() -> HeldBuffer {
    guard let held = free.take() else { return takeEmpty() }
    free = held.next.take()
    freeCount -= 1
    freeBytes -= held.buffer.capacity
    return held
  }

  /// A buffer without room: an answer's own memory takes its place. The pool keeps those with room for others.
  func takeEmpty() -> HeldBuffer { empty.take() ?? HeldBuffer(pool: self) }

  /// A buffer without room, in exchange for one with.
  func takePlaceholder() -> ByteBuffer { placeholder.take() ?? ByteBuffer() }

  /// Keeps what is left of an answer whose bytes have been handed over, for the next.
  func keepPlaceholder(_ buffer: consuming ByteBuffer) {
    if buffer.capacity == 0 { placeholder = consume buffer }
  }

  /// Takes the buffer back, and releases what was counted for it.
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
      empty = held
      return
    }
    guard freeCount < Self.keptBuffers, capacity <= Self.keptBytes,
      freeBytes + capacity <= Self.keptBytesInAll
    else { return }
    held.buffer.truncate(to: 0)
    held.next = free.take()
    free = held
    freeCount += 1
    freeBytes += capacity
  }

  /// Marks the buffer as no longer read by anyone; see `returned`.
  func noteReturned(_ held: HeldBuffer) { returned.append(held) }

  /// Takes back what was noted as returned. To be called outside of libmicrohttpd.
  func collect() {
    while let held = returned.popLast() { give(held) }
  }
}
