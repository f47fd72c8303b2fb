#if canImport(Glibc)
  import Glibc
#endif

/// Connections that were closed while their client still sends.
///
/// A socket closed with unread bytes resets the connection, and the client may lose the answer that told it
/// why (RFC 9112, section 9.6). So the sending side is closed, and what still comes is read and forgotten for
/// a while.
struct LingeringSockets: ~Copyable {
  /// More are not waited for.
  static let limit = 64
  static let seconds = 2.0
  /// How often `drain` is to be called while there are any.
  static let pollMilliseconds = 20

  private var sockets: [(descriptor: Int32, deadline: Int)] = []
  private var nextDrain = 0

  deinit {
    for socket in sockets { close(socket.descriptor) }
  }

  var isEmpty: Bool { sockets.isEmpty }
  var hasRoom: Bool { sockets.count < Self.limit }

  /// Keeps the connection behind `descriptor`, which remains the caller's to close.
  /// - Returns: `false`: it is not kept.
  mutating func add(_ descriptor: Int32, now: Int) -> Bool {
    guard sockets.count < Self.limit else { return false }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return false }
    shutdown(copy, Int32(SHUT_WR))
    sockets.append((copy, now + Int(Self.seconds * 1000)))
    return true
  }

  /// Reads what there is, and closes what has ended or has had its time.
  /// - Returns: how many were closed.
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

  /// Whether the other side has ended, or failed.
  private static func readAll(_ descriptor: Int32) -> Bool {
    // Bounded: a client that sends without end must not hold the loop. The socket does not block, the library
    // has made it so, and a duplicate shares that.
    for _ in 0..<64 {
      // Linux drops what is read so where it lies (tcp(7)): there is no buffer.
      let count = recv(descriptor, nil, 1 << 20, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN && errno != EINTR }
    }
    return false
  }
}
