import Glibc

/// A client connection that sends given bytes. Blocking; gives up after `patienceSeconds`.
final class HTTPConnection {
  struct Answer {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  enum Reply {
    case answer(Answer)
    /// Closed by the other side before the first byte of an answer.
    case closed
    /// Reset by the other side before the first byte of an answer.
    case reset
    /// Closed or reset within an answer.
    case cut
    /// No byte arrived within the time limit.
    case silent
  }

  static let patienceSeconds = 60

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var isOpen = true

  /// Returns nil if nothing listens there.
  init?(port: Int, host: String = "127.0.0.1") {
    let family = SocketAddress.family(of: host)
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let outcome: Int32
    if family == AF_INET6 {
      var address = SocketAddress.ipv6(port: port, host: host)
      outcome = SocketAddress.use(&address) { connect(descriptor, $0, $1) }
    } else {
      var address = SocketAddress.ipv4(port: port, host: host)
      outcome = SocketAddress.use(&address) { connect(descriptor, $0, $1) }
    }
    if outcome != 0 { return nil }
  }

  deinit { closeNow() }

  private func closeNow() {
    if isOpen { close(descriptor) }
    isOpen = false
  }

  /// Closes the connection with a reset: the next byte of the other side fails.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    closeNow()
  }

  /// Returns false if the other side does not accept the bytes.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Whether the other side has already closed the connection.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN)
  }

  /// Whether there are no unread bytes and the connection is still open.
  var isSilent: Bool {
    var byte: UInt8 = 0
    return received.isEmpty && recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0
      && errno == EAGAIN
  }

  /// Reads and keeps `count` bytes, or fewer if the connection ends.
  func receive(atLeast count: Int) {
    while received.count < count, readPiece() > 0 {}
  }

  /// Reads the next answer, by its Content-Length or its chunks.
  func read(toHead: Bool = false) -> Reply {
    let separator = Array("\r\n\r\n".utf8)
    var end: Int?
    var searched = 0
    while end == nil {
      end = received.indices.dropFirst(searched).first { received[$0...].starts(with: separator) }
      searched = max(received.count - 3, 0)
      if end == nil, let failure = receive() { return failure }
    }
    let lines = String(decoding: received[..<end!], as: UTF8.self).split(separator: "\r\n")
    received.removeFirst(end! + 4)
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: String(parts.last?.drop { $0 == " " } ?? ""))
    }
    var answer = Answer(
      status: Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0, headers: headers, body: []
    )
    let hasBody = !toHead && answer.status != 100 && answer.status != 204 && answer.status != 304
    if hasBody, answer["Transfer-Encoding"] == "chunked" {
      if let failure = readChunks(into: &answer.body) { return failure }
      return .answer(answer)
    }
    let length = hasBody ? Int(answer["Content-Length"] ?? "") ?? 0 : 0
    while received.count < length {
      if let failure = receive() {
        if case .silent = failure { return failure }
        return .cut
      }
    }
    answer.body = Array(received.prefix(length))
    received.removeFirst(length)
    return .answer(answer)
  }

  /// Reads a chunked body up to its last chunk; otherwise returns what happened instead.
  private func readChunks(into body: inout [UInt8]) -> Reply? {
    func cut(_ failure: Reply) -> Reply {
      if case .silent = failure { return failure }
      return .cut
    }
    var start = 0
    while true {
      var end: Int?
      while end == nil {
        end = received[start...].firstIndex(of: UInt8(ascii: "\n"))
        if end == nil, let failure = receive() { return cut(failure) }
      }
      guard let size = Int(String(decoding: received[start..<end! - 1], as: UTF8.self), radix: 16) else {
        return .cut
      }
      let content = end! + 1
      while received.count < content + size + 2 { if let failure = receive() { return cut(failure) } }
      body += received[content..<content + size]
      start = content + size + 2
      if size == 0 { break }
    }
    received.removeFirst(start)
    return nil
  }

  private func receive() -> Reply? {
    let count = readPiece()
    if count > 0 { return nil }
    if count < 0, errno == EAGAIN { return .silent }
    return received.isEmpty ? (count == 0 ? .closed : .reset) : .cut
  }

  private func readPiece() -> Int {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var count: Int
    // In a stopped and continued process, calls on a socket with a time limit fail with EINTR.
    repeat { count = recv(descriptor, &piece, piece.count, 0) } while count < 0 && errno == EINTR
    if count > 0 { received += piece.prefix(count) }
    return count
  }
}
