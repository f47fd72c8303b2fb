import CMicrohttpd
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The listening socket of a server, shared by its workers. Released and closed by the last of them. `ServerAddress` has which kinds
/// of addresses there are.
final class Listener: Sendable {
  /// The most connections waiting to be accepted. The kernel's limit (`net.core.somaxconn`) also applies.
  static let backlog: Int32 = 4096

  // Open until `deinit`.
  let descriptor: Int32
  let address: ServerAddress
  /// Whether a worker has found no room since connections were accepted last. Read and written by all workers.
  private let isShortOfRoom = Atomic(false)

  init(_ wanted: ServerAddress) throws(TransportError) {
    descriptor = try wanted.open(
      options: AI_PASSIVE, type: Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
      failure: { fault in
        switch fault {
        case .unknownHost(let reason): .unknownHost(wanted, reason: reason)
        case .noSocket(let number): .system(call: "socket", errno: number)
        }
      },
      use: { descriptor, info throws(TransportError) in try Self.listen(descriptor, at: info, wanted) })
    address = ServerAddress(of: descriptor)
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

  /// Notes that a worker has found no room.
  func noteShortage() { isShortOfRoom.store(true, ordering: .sequentiallyConsistent) }

  /// Whether a worker has found no room since this was asked last.
  func takeShortage() -> Bool {
    isShortOfRoom.load(ordering: .sequentiallyConsistent)
      && isShortOfRoom.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// The number of connections waiting to be accepted. 1 if the system does not report it, because this is
  /// only asked when some are likely to wait.
  var waitingConnections: Int {
    let count = Int(cf_waiting_connections(descriptor))
    return count < 0 ? 1 : count
  }

  private static func listen(
    _ descriptor: Int32, at info: addrinfo, _ wanted: ServerAddress
  ) throws(TransportError) {
    // A restart must not wait for connections of the previous run. A live listener is still a conflict.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    // Makes `::` accept IPv4 too, whatever the system's default.
    if info.ai_family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    if bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, Glibc.listen(descriptor, backlog) == 0 { return }
    let number = errno
    if number == EADDRINUSE { throw .addressInUse(wanted) }
    throw .system(call: "listening on \(wanted)", errno: number)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
