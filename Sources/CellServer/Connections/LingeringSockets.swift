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
  /// How often to call `drain` while there are any.
  static let pollMilliseconds = 20

  private var sockets: [(descriptor: Int32, deadline: Int)] = []
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

  /// Reads what has arrived, and closes sockets that have ended or exceeded their time.
  /// - Returns: the number of sockets closed.
  mutating func drain(now: Int) -> Int {
    guard now >= nextDrain else { return 0 }
    nextDrain = now + Self.pollMilliseconds
    let before = sockets.count
    sockets.removeAll { socket in
      let isOver = now >= socket.deadline || Self.readAll(socket.descriptor)
      if isOver { close(socket.descriptor) }
      return isOver
    }
    return before - sockets.count
  }

  /// Whether the other side has ended or failed.
  private static func readAll(_ descriptor: Int32) -> Bool {
    // Bounded, so that a client that sends endlessly cannot block the loop. The socket is nonblocking:
    // libmicrohttpd made it so, and the duplicate shares the flag.
    for _ in 0..<64 {
      // On Linux, MSG_TRUNC discards the bytes without a buffer (tcp(7)).
      let count = recv(descriptor, nil, 1 << 20, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN && errno != EINTR }
    }
    return false
  }
}
