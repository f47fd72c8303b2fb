import CMicrohttpd
import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// What makes a streamed body, and decides when its pieces are sent. Confined to the worker's thread.
protocol StreamSource: AnyObject {
  /// Whether the turn of the loop has time to make or send more of the body.
  func admitsPart() -> Bool
  /// Renders the next piece into an empty buffer.
  func render(into held: HeldBuffer) -> BodyProgress
  /// Notes a part of the body that is given to libmicrohttpd.
  func gives(bytes count: Int)
  /// Aborts the connection, so that the client cannot mistake a partial body for a complete one. Called before libmicrohttpd is
  /// notified that the body cannot be completed.
  func breakOff()
  /// Stops asking for more until events are resumed. Called when there are no events, inside the callback that asks for them.
  func pause()
}

/// The body of a streamed answer. Pieces are rendered into a buffer one at a time, as the socket takes them. So
/// rendering for a slow client is slow, and a client that reads nothing costs no more than the buffer and
/// libmicrohttpd's block.
///
/// Bounded: the first piece is what was rendered before the head; each later one has `pieceBytes` and at most
/// one row more. A piece is rendered only when the previous one has been taken, into a buffer first shrunk to
/// `BufferPool.keptPieceBytes`. A large body that exists whole is a single piece, which is sent in blocks.
/// Confined to the worker's thread; the response owns one reference, its connection another.
final class StreamedBody {
  /// The intended size of a piece.
  static let pieceBytes = MemoryBudget.streamPieceBytes
  /// Whole bodies larger than this are sent in blocks. Given whole to the system, a body keeps the event loop for as long as the
  /// client reads as fast as the system copies.
  static let largestSentWhole = 1 << 20
  /// The most that libmicrohttpd gets at once when it does not send chunks.
  static let blockBytes = MemoryBudget.streamBlockBytes
  /// The block that libmicrohttpd allocates for that. So large that it has pages of its own (`own_pages.c`), of which `blockBytes`
  /// are used, and which go back to the system with the response. Smaller ones would stay between others.
  static let mappedBlockBytes = 256 << 10
  /// The macro MHD_SIZE_UNKNOWN, which Swift does not import.
  static let unknownSize = UInt64.max

  private let budget: MemoryBudget
  private let source: any StreamSource
  /// The current piece.
  let held: HeldBuffer
  let status: Int
  /// Whether the whole body exists. Its work and its archive are then no longer needed.
  let isWhole: Bool
  /// Bytes taken from the current piece. `takenBytes` counts the whole body.
  private var taken = 0
  private(set) var takenBytes = 0
  private var progress: BodyProgress

  init(_ held: HeldBuffer, status: Int, isWhole: Bool, budget: MemoryBudget, from source: any StreamSource) {
    self.held = held
    self.status = status
    self.isWhole = isWhole
    progress = isWhole ? .complete : .more
    self.budget = budget
    self.source = source
  }

  /// Copies up to `count` bytes of the body to `target`. Returns how many; 0 if none are ready or the turn has no time left, so
  /// that libmicrohttpd asks again in the next turn; one of its negative codes at the end.
  func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    guard source.admitsPart() else { return 0 }
    if taken == held.buffer.count {
      switch progress {
      case .more, .waiting: renderPiece()
      case .complete: return Self.endOfStream
      case .broken:
        source.breakOff()
        return Self.endWithError
      }
    }
    let piece = held.buffer.bytes
    let length = min(count, Self.blockBytes, piece.count - taken)
    if length == 0 {
      switch progress {
      case .more: return 0
      case .waiting:
        giveBack()
        source.pause()
        return 0
      case .complete: return Self.endOfStream
      case .broken:
        source.breakOff()
        return Self.endWithError
      }
    }
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[taken...]).baseAddress!, byteCount: length)
    taken += length
    takenBytes += length
    source.gives(bytes: length)
    return length
  }

  /// Gives back the memory of the piece that was taken, while there is no next one.
  private func giveBack() {
    held.buffer.reset(keptCapacity: 0)
    taken = 0
    charge()
  }

  /// Charges for the piece, and for the block that libmicrohttpd sends from, even beyond the limit: an answer that was begun must
  /// be finished, and the amount is small.
  func charge() {
    budget.release(held.chargedBytes)
    held.chargedBytes = held.buffer.capacity + Self.blockBytes
    budget.charge(held.chargedBytes)
  }

  private func renderPiece() {
    held.buffer.reset(keptCapacity: BufferPool.keptPieceBytes)
    taken = 0
    // The next piece may need the room of the last.
    charge()
    progress = source.render(into: held)
    charge()
  }

  private static let endOfStream = -1  // MHD_CONTENT_READER_END_OF_STREAM
  private static let endWithError = -2  // MHD_CONTENT_READER_END_WITH_ERROR
}

/// Called when libmicrohttpd has room for more of a streamed body, at most once or twice in a turn of the
/// loop.
func bodyWanted(
  _ context: UnsafeMutableRawPointer?, _: UInt64, target: UnsafeMutablePointer<CChar>?, count: Int
) -> Int {
  guard let context, let target else { return -2 }
  return Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue().read(into: target, count: count)
}

/// Called when the body is no longer needed, possibly inside another call or inside the factory.
func streamFreed(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  let held = Unmanaged<StreamedBody>.fromOpaque(context).takeRetainedValue().held
  held.pool.noteReturned(held)
}
