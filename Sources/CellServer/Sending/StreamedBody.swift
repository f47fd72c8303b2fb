import CMicrohttpd
import Cells

#if canImport(Glibc)
  import Glibc
#endif

/// The body of a streamed answer on its way: one piece after another is drawn into a buffer, and taken from it as the
/// socket takes it. So a client that reads slowly is drawn for slowly, and one that reads nothing costs what is held.
///
/// Bounded: the first piece is what was drawn before the head, each later one `pieceBytes` and at most a row more; a
/// piece is drawn when the one before has been taken, into memory that is cut to `keptBytes` before. Confined to the
/// worker's thread; the response owns one reference, its connection another.
final class StreamedBody {
  /// What a piece should hold.
  static let pieceBytes = 64 << 10
  /// Memory kept from one piece to the next.
  static let keptBytes = 128 << 10
  /// What libmicrohttpd asks for at once where it does not send in chunks.
  static let blockBytes = 32 << 10
  /// The macro MHD_SIZE_UNKNOWN, which Swift does not import.
  static let unknownSize = UInt64.max

  /// Outlives every response: it stops its daemon before it goes.
  private unowned let worker: Worker
  private let connection: ClientConnection
  /// The piece at hand.
  let held: HeldBuffer
  let status: Int
  /// How much of the piece has been taken, and of the body in all.
  private var taken = 0
  private(set) var takenBytes = 0
  private var progress = BodyProgress.more

  init(worker: Worker, connection: ClientConnection, held: HeldBuffer, status: Int) {
    self.worker = worker
    self.connection = connection
    self.held = held
    self.status = status
  }

  /// Copies the next bytes of the body to `target`, at most `count`. 0: there are none yet, ask in the next turn;
  /// negative: as the library wants to hear the end.
  func read(into target: UnsafeMutableRawPointer, count: Int) -> Int {
    if taken == held.buffer.count {
      switch progress {
      case .more: drawPiece()
      case .complete: return Self.endOfStream
      case .broken: return breakOff()
      }
    }
    let piece = held.buffer.bytes
    let length = min(count, piece.count - taken)
    if length == 0 {
      switch progress {
      case .more: return 0
      case .complete: return Self.endOfStream
      case .broken: return breakOff()
      }
    }
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[taken...]).baseAddress!, byteCount: length)
    taken += length
    takenBytes += length
    return length
  }

  private func drawPiece() {
    let (worker, held) = (worker, held)
    worker.budget.release(held.chargedBytes)
    held.buffer.reset(keptCapacity: Self.keptBytes)
    taken = 0
    progress = worker.draw(connection, into: held)
    // Over the limit if need be: what has been begun is to be ended, and this is little.
    held.chargedBytes = held.buffer.capacity
    worker.budget.charge(held.chargedBytes)
  }

  private static let endOfStream = -1  // MHD_CONTENT_READER_END_OF_STREAM
  private static let endWithError = -2  // MHD_CONTENT_READER_END_WITH_ERROR

  /// In chunks the last one is missing. Without, the end of the connection would be the body's, so it must not end.
  private func breakOff() -> Int {
    if !connection.exchange.takesChunks { cf_reset(connection.descriptor) }
    return Self.endWithError
  }
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
