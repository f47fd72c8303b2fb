#if canImport(Glibc)
  import Glibc
#endif

/// Closed connections whose client is still sending.
///
/// Closing a socket with unread bytes resets the connection, and the client may lose the answer that explains
/// the close (RFC 9112, section 9.6). So only the sending side is closed, and what still arrives is read and
/// discarded for a while.
struct LingeringSockets: ~Copyable {
  /// The most sockets kept; others are closed at once.
  static let limit = 64
  static let seconds = 2.0
  /// How often to look for what has arrived.
  static let pollMilliseconds = 20
  /// How long `drain` may take, so that it does not hold up the turn. The system frees what it discards: 1 MiB takes some
  /// 100 µs, and so does closing a socket with as much unread.
  private static let nanoseconds = 1_000_000
  /// The most bytes read from a socket before the clock is looked at, and the next socket has its turn.
  private static let pieceBytes = 1 << 18

  private var sockets: [(descriptor: Int32, deadline: Int)] = []
  /// Where the last call stopped, so that no socket waits for those before it.
  private var next = 0
  private var nextDrain = 0

  deinit {
    for socket in sockets { close(socket.descriptor) }
  }

  var isEmpty: Bool { sockets.isEmpty }
  var hasRoom: Bool { sockets.count < Self.limit }

  /// Keeps the connection of `descriptor`, which the caller still has to close.
  /// - Returns: false if it is not kept.
  mutating func add(_ descriptor: Int32, now: Int) -> Bool {
    guard sockets.count < Self.limit else { return false }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return false }
    shutdown(copy, Int32(SHUT_WR))
    sockets.append((copy, now + Int(Self.seconds * 1000)))
    return true
  }

  /// Reads some of what has arrived, and closes sockets that have ended or exceeded their time. What there was no time for
  /// waits for the next call.
  /// - Returns: the number of sockets closed.
  mutating func drain(now: Int) -> Int {
    guard now >= nextDrain else { return 0 }
    nextDrain = now + Self.pollMilliseconds
    let start = MonotonicClock.nanoseconds()
    let before = sockets.count
    // Sockets in a row that had nothing to read.
    var quiet = 0
    while quiet < sockets.count, MonotonicClock.nanoseconds() - start < Self.nanoseconds {
      if next >= sockets.count { next = 0 }
      let socket = sockets[next]
      let piece = now >= socket.deadline ? .end : Self.readPiece(socket.descriptor)
      switch piece {
      case .end:
        close(socket.descriptor)
        sockets.remove(at: next)
      case .some:
        next += 1
        quiet = 0
      case .nothing:
        next += 1
        quiet += 1
      }
    }
    return before - sockets.count
  }

  private enum Piece {
    case some, nothing
    /// The other side has ended or failed.
    case end
  }

  private static func readPiece(_ descriptor: Int32) -> Piece {
    // On Linux, MSG_TRUNC discards the bytes without a buffer (tcp(7)).
    let count = recv(descriptor, nil, pieceBytes, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
    if count == 0 { return .end }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
    return .some
  }
}
