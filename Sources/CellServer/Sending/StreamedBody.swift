import CMicrohttpd
import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// The body of a streamed answer on its way: one piece after another is drawn into a buffer, and taken from it as the
/// socket takes it. So a client that reads slowly is drawn for slowly, and one that reads nothing costs what is held.
///
/// Bounded: the first piece is what was drawn before the head, each later one `pieceBytes` and at most a row more; a
/// piece is drawn when the one before has been taken, into memory that is cut to `BufferPool.keptPieceBytes`
/// before. Confined to the worker's thread; the response owns one reference, its connection another.
final class StreamedBody {
  /// What a piece should hold.
  static let pieceBytes = 64 << 10
  /// What libmicrohttpd asks for at once where it does not send in chunks.
  static let blockBytes = 32 << 10
  /// The macro MHD_SIZE_UNKNOWN, which Swift does not import.
  static let unknownSize = UInt64.max

  private let budget: MemoryBudget
  /// Draws the next piece.
  private let draw: (HeldBuffer) -> BodyProgress
  /// Ends the connection so that its client cannot take what it has for the whole body.
  private let breakOff: () -> Void
  /// The piece at hand.
  let held: HeldBuffer
  let status: Int
  /// How much of the piece has been taken, and of the body in all.
  private var taken = 0
  private(set) var takenBytes = 0
  private var progress = BodyProgress.more

  /// - Parameters:
  ///   - draw: makes the next piece in a buffer that is empty.
  ///   - breakOff: called where the body cannot be completed, before the library is told.
  init(
    _ held: HeldBuffer, status: Int, budget: MemoryBudget, draw: @escaping (HeldBuffer) -> BodyProgress,
    breakOff: @escaping () -> Void
  ) {
    self.held = held
    self.status = status
    self.budget = budget
    self.draw = draw
    self.breakOff = breakOff
  }

  /// Copies the next bytes of the body to `target`, at most `count`. 0: there are none yet, ask in the next turn;
  /// negative: as the library wants to hear the end.
  func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    if taken == held.buffer.count {
      switch progress {
      case .more: drawPiece()
      case .complete: return Self.endOfStream
      case .broken:
        breakOff()
        return Self.endWithError
      }
    }
    let piece = held.buffer.bytes
    let length = min(count, piece.count - taken)
    if length == 0 {
      switch progress {
      case .more: return 0
      case .complete: return Self.endOfStream
      case .broken:
        breakOff()
        return Self.endWithError
      }
    }
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[taken...]).baseAddress!, byteCount: length)
    taken += length
    takenBytes += length
    return length
  }

  private func drawPiece() {
    budget.release(held.chargedBytes)
    held.buffer.reset(keptCapacity: BufferPool.keptPieceBytes)
    taken = 0
    progress = draw(held)
    // Over the limit if need be: what has been begun is to be ended, and this is little.
    held.chargedBytes = held.buffer.capacity
    budget.charge(held.chargedBytes)
  }

  private static let endOfStream = -1  // MHD_CONTENT_READER_END_OF_STREAM
  private static let endWithError = -2  // MHD_CONTENT_READER_END_WITH_ERROR
}

/// Comes when the library has room for more of a streamed body, at most once or twice in a turn of the loop.
func bodyWanted(
  _ context: UnsafeMutableRawPointer?, _: UInt64, target: UnsafeMutablePointer<CChar>?, count: Int
) -> Int {
  guard let context, let target else { return -2 }
  return Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue().read(into: target, count: count)
}

/// Comes when nobody asks for more of it: from inside any call, and from inside the factory.
func streamFreed(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let held = Unmanaged<StreamedBody>.fromOpaque(context).takeRetainedValue().held
  held.pool.noteReturned(held)
}
