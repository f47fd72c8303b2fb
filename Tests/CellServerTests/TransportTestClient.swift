import CMicrohttpd
import Glibc
import Testing

/// A client that sends exactly the given bytes. Blocking; gives up after `Patience.seconds`.
final class TransportTestClient {
  struct Answer {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    /// False if a chunked body ended before its last chunk.
    var isComplete = true

    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  /// The connection was reset, not ended.
  private(set) var wasReset = false

  convenience init(port: Int) {
    self.init(connectingTo: port)!
  }

  /// Returns `nil` if nothing listens.
  init?(connectingTo port: Int) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: Int(Patience.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let outcome = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if outcome != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Returns `false` if the other side does not accept the bytes.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 {
        wasReset = wasReset || errno != EAGAIN
        return false
      }
      sent += count
    }
    return true
  }

  /// Limits the receive buffer, so that little is accepted that is not read.
  func receiveLittle() {
    var bytes: Int32 = 4096
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Closes the sending direction.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads the next answer by its Content-Length; `nil` if the connection ends before it is complete.
  func readAnswer(toHead: Bool = false) -> Answer? {
    while true {
      guard let answer = readOneAnswer(toHead: toHead) else { return nil }
      if answer.status != 100 { return answer }
    }
  }

  /// Like `readAnswer`, but also returns `100 Continue`.
  func readOneAnswer(toHead: Bool = false) -> Answer? {
    let separator = Array("\r\n\r\n".utf8)
    var end: Int?
    while end == nil {
      end = received.indices.first { received[$0...].starts(with: separator) }
      if end == nil, !receive() { return nil }
    }
    guard let end else { return nil }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    received.removeFirst(end + 4)
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: String(parts.last?.drop { $0 == " " } ?? ""))
    }
    var answer = Answer(
      status: Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0, headers: headers, body: []
    )
    let hasBody = !toHead && answer.status != 204 && answer.status != 304 && answer.status != 100
    if hasBody, answer["Transfer-Encoding"] == "chunked" {
      answer.isComplete = readChunks(&answer.body)
      return answer
    }
    let length = hasBody ? Int(answer["Content-Length"] ?? "") ?? 0 : 0
    while received.count < length {
      guard receive() else { return nil }
    }
    answer.body = Array(received.prefix(length))
    received.removeFirst(length)
    return answer
  }

  /// Reads a chunked body; returns `false` if it ends before its last chunk.
  private func readChunks(_ body: inout [UInt8]) -> Bool {
    while true {
      var end: Int?
      while end == nil {
        end = received.firstIndex(of: UInt8(ascii: "\n"))
        if end == nil, !receive() { return false }
      }
      let line = String(decoding: received[..<end!], as: UTF8.self)
      guard let size = Int(line.dropLast(), radix: 16) else { return false }
      let start = end! + 1
      while received.count < start + size + 2 { guard receive() else { return false } }
      body += received[start..<start + size]
      received.removeFirst(start + size + 2)
      if size == 0 { return true }
    }
  }

  /// Reads everything until the connection ends.
  func readToEnd() -> [UInt8] {
    while receive() {}
    defer { received = [] }
    return received
  }

  /// Waits for more bytes; returns `false` if none arrive.
  func awaitBytes(_ count: Int) -> Bool {
    while received.count < count { guard receive(upTo: 4096) else { return false } }
    return true
  }

  /// Whether there are no unread bytes and the connection is still open.
  var isSilent: Bool {
    var byte: UInt8 = 0
    return received.isEmpty && recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0
      && errno == EAGAIN
  }

  /// Whether the other side closes the connection without sending more.
  func isEnded() -> Bool {
    received.isEmpty && !receive() && received.isEmpty
  }

  private func receive(upTo limit: Int = 64 << 10) -> Bool {
    var piece = [UInt8](repeating: 0, count: limit)
    var count: Int
    // In a stopped and continued process, calls on a socket with a time limit fail with EINTR.
    repeat { count = recv(descriptor, &piece, piece.count, 0) } while count < 0 && errno == EINTR
    guard count > 0 else {
      if count < 0, errno == EAGAIN {
        Issue.record("the server says nothing for too long")
      } else if count < 0 {
        wasReset = true
      }
      return false
    }
    received += piece.prefix(count)
    return true
  }
}
