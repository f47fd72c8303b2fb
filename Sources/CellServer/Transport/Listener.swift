import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#endif

/// The listening socket of a server, shared by its workers. Released and closed by the last of them.
final class Listener: Sendable {
  /// The most connections waiting to be accepted. The kernel's limit (`net.core.somaxconn`) also applies.
  static let backlog: Int32 = 4096

  // Open until `deinit`.
  let descriptor: Int32
  let address: BoundAddress

  init(host: String, port: Int) throws(TransportError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let outcome = getaddrinfo(host, String(port), &hints, &found)
    guard outcome == 0, let first = found else {
      throw .unknownHost(host, reason: String(cString: gai_strerror(outcome)))
    }
    defer { freeaddrinfo(first) }

    descriptor = try Self.openFirst(of: first, host: host, port: port)
    address = Self.boundAddress(of: descriptor)
  }

  deinit { close(descriptor) }

  /// The result of accepting a connection.
  enum Accepted {
    /// A nonblocking descriptor, which the caller must close.
    case connection(Int32)
    /// No connection is waiting.
    case nobody
    /// The process or the system has run out of descriptors or memory.
    case exhausted
    /// The system refuses, again and again: by a rule of a sandbox, for example.
    case refused
  }

  /// Connections that were aborted while they waited are passed over, at most this many at once.
  private static let mostAborted = 16

  func accept() -> Accepted {
    for _ in 0..<Self.mostAborted {
      let connection = cf_accept(descriptor)
      if connection >= 0 { return .connection(connection) }
      switch errno {
      case EAGAIN: return .nobody
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      // The connection was aborted while it waited, or the network failed; the next one may be fine.
      default: continue
      }
    }
    return .refused
  }

  /// The number of connections waiting to be accepted. 1 if the system does not report it, because this is
  /// only asked when some are likely to wait.
  var waitingConnections: Int {
    let count = Int(cf_waiting_connections(descriptor))
    return count < 0 ? 1 : count
  }

  /// Listens on the first usable address of the host.
  private static func openFirst(
    of first: UnsafeMutablePointer<addrinfo>, host: String, port: Int
  ) throws(TransportError) -> Int32 {
    var failure = TransportError.unknownHost(host, reason: "the host has no address")
    var candidate: UnsafeMutablePointer<addrinfo>? = first
    while let info = candidate {
      do throws(TransportError) {
        return try open(info.pointee, host: host, port: port)
      } catch {
        failure = error
      }
      candidate = info.pointee.ai_next
    }
    throw failure
  }

  private static func open(_ info: addrinfo, host: String, port: Int) throws(TransportError) -> Int32 {
    let type = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(info.ai_family, type, info.ai_protocol)
    guard descriptor >= 0 else { throw .lastCall("socket") }
    // A restart must not wait for connections of the previous run. A live listener is still a conflict.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    // Makes `::` accept IPv4 too, whatever the system's default.
    if info.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, backlog) == 0 else {
      let number = errno
      close(descriptor)
      if number == EADDRINUSE { throw .addressInUse(host: host, port: port) }
      throw .system(call: "listening on \(host), port \(port)", errno: number)
    }
    return descriptor
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundAddress(of descriptor: Int32) -> BoundAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    withUnsafeMutablePointer(to: &storage) { pointer in
      // The usual cast of the sockets API: `sockaddr_storage` holds any address.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = getsockname(descriptor, address, &length)
        _ = getnameinfo(
          address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
          NI_NUMERICHOST | NI_NUMERICSERV)
      }
    }
    return BoundAddress(host: text(host), port: Int(text(port)) ?? 0)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
