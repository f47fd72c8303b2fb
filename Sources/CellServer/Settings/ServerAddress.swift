import CMicrohttpd
package import Glibc

/// Where a server listens, or where it is asked whether it is ready.
///
/// Only this type knows which kinds of addresses there are; `Listener` binds what it opens, and `HealthCheck` connects it.
/// `socket_facts.h` in `CMicrohttpd` has what the system says of their sockets.
package struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
  /// A name or a numeric IPv4 or IPv6 address; `0.0.0.0` and `::` mean all addresses. A number if it is the address of a socket.
  package var host: String
  /// To listen on, 0 chooses any free port.
  package var port: Int

  package init(host: String, port: Int) {
    (self.host, self.port) = (host, port)
  }

  /// Whether only this computer reaches the address.
  package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// As in a `Host` field: IPv6 addresses are in brackets (RFC 3986, section 3.2.2).
  package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  package var description: String { "\(host), port \(port)" }

  /// Where a server that listens here is reached from this computer: a wildcard address cannot be connected to.
  package var reachable: ServerAddress {
    switch host {
    case "0.0.0.0": ServerAddress(host: "127.0.0.1", port: port)
    case "::": ServerAddress(host: "::1", port: port)
    default: self
    }
  }

  package var url: String { "http://" + authority }

  /// Why there is no socket.
  package enum Fault {
    case unknownHost(reason: String)
    case noSocket(errno: Int32)
  }

  /// Opens a socket of the first of the host's addresses for which `use` succeeds.
  ///
  /// - Parameters:
  ///   - options: flags for `getaddrinfo`.
  ///   - type: flags for `socket`, besides the type.
  ///   - failure: makes an error of a fault.
  ///   - use: binds or connects the socket, or throws. It is closed then.
  /// - Returns: a descriptor, which the caller must close.
  /// - Throws: the last error.
  package func open<Failure: Error>(
    options: Int32 = 0, type: Int32 = 0, failure: (Fault) -> Failure,
    use: (_ descriptor: Int32, _ address: addrinfo) throws(Failure) -> Void
  ) throws(Failure) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICSERV | options
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let outcome = getaddrinfo(host, String(port), &hints, &found)
    guard outcome == 0 else { throw failure(.unknownHost(reason: String(cString: gai_strerror(outcome)))) }
    // The list is freed on every exit; its entries are read before that.
    defer { freeaddrinfo(found) }
    var latest = failure(.unknownHost(reason: "the host has no address"))
    var candidate = found
    while let address = candidate?.pointee {
      candidate = address.ai_next
      let descriptor = socket(address.ai_family, address.ai_socktype | type, address.ai_protocol)
      if descriptor < 0 {
        latest = failure(.noSocket(errno: errno))
        continue
      }
      do throws(Failure) {
        try use(descriptor, address)
        return descriptor
      } catch {
        close(descriptor)
        latest = error
      }
    }
    throw latest
  }

  /// The address to which a socket is bound.
  init(of descriptor: Int32) {
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
    self.init(host: Self.text(host), port: Int(Self.text(port)) ?? 0)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
