import CellServer
import Glibc

/// Sends one request for `/readyz` over a new socket.
struct HealthCheck {
  /// The server to check.
  struct Target: Equatable {
    var address: ServerAddress
    /// The path before `/readyz`, without a trailing slash.
    var path: String

    init(address: ServerAddress, path: String) {
      self.address = address
      self.path = path
    }

    /// Parses `http://HOST[:PORT][/PATH]`; nil for anything else. IPv6 addresses must be in brackets.
    init?(url: String) {
      let isVisible = url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      guard isVisible, url.hasPrefix("http://") else { return nil }
      let rest = url.dropFirst(7)
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      let authority = rest[..<slash]
      var path = rest[slash...]
      while path.hasSuffix("/") { path.removeLast() }
      if path.contains("?") || path.contains("#") || authority.contains("@") { return nil }
      self.path = String(path)
      let host: String
      var portText: Substring = ""
      if authority.hasPrefix("[") {
        guard let close = authority.firstIndex(of: "]") else { return nil }
        host = String(authority[authority.index(after: authority.startIndex)..<close])
        let after = authority[authority.index(after: close)...]
        if !after.isEmpty, !after.hasPrefix(":") { return nil }
        portText = after.dropFirst()
        if after == ":" { return nil }
      } else {
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        host = String(parts[0])
        if parts.count == 2 {
          portText = parts[1]
          if portText.isEmpty { return nil }
        }
      }
      let port = portText.isEmpty ? 80 : Int(portText) ?? 0
      guard !host.isEmpty, (1...65535).contains(port) else { return nil }
      address = ServerAddress(host: host, port: port).reachable
    }
  }

  struct Failure: Error {
    let description: String
  }

  /// For connecting to each address, and for the answer.
  private static let timeoutSeconds = 5

  private let target: Target

  init(_ target: Target) {
    self.target = target
  }

  /// - Throws: the reason if the server is not ready or cannot be reached.
  func run() throws(Failure) {
    let descriptor = try connect()
    defer { close(descriptor) }
    let request =
      "GET \(target.path)/readyz HTTP/1.1\r\nHost: \(target.address.authority)\r\nConnection: close\r\n\r\n"
    let bytes = Array(request.utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure(description: "cannot send: \(Self.reason)")
    }
    let line = try readStatusLine(descriptor)
    let words = line.split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1] == "200" else {
      throw Failure(description: "the answer is \(line)")
    }
  }

  private func connect() throws(Failure) -> Int32 {
    let failure = { (reason: String) in
      Failure(description: "cannot connect to \(target.address): \(reason)")
    }
    return try target.address.open(
      failure: { fault in
        switch fault {
        case .unknownHost(let reason): Failure(description: "\(target.address.host): \(reason)")
        case .noSocket(let number): failure(String(cString: strerror(number)))
        }
      },
      use: { descriptor, address throws(Failure) in
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 { throw failure(Self.reason) }
      })
  }

  private func readStatusLine(_ descriptor: Int32) throws(Failure) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    let end = ContinuousClock.now + .seconds(Self.timeoutSeconds)
    while line.count < 200 {
      // A read may wait as long again.
      if ContinuousClock.now > end {
        throw Failure(description: "no answer within \(Self.timeoutSeconds) seconds")
      }
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure(description: "no answer: \(Self.reason)") }
      if count == 0 || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return line.isEmpty ? "empty" : String(decoding: line, as: UTF8.self)
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
