#if canImport(Glibc)
  import Glibc
#endif

/// Why a server could not start.
package enum TransportError: Error, Equatable, CustomStringConvertible {
  case unknownHost(ServerAddress, reason: String)
  /// Another process, or another server in this one, is listening there.
  case addressInUse(ServerAddress)
  /// A system call failed with `errno`.
  case system(call: String, errno: Int32)
  /// The process may not have more threads, or there is no memory for one.
  case noThread(name: String, errno: Int32)
  /// The process may not open enough files for one connection.
  case noDescriptors(limit: Int, needed: Int)
  /// libmicrohttpd failed without giving a reason.
  case daemonNotStarted

  static func lastCall(_ call: String) -> TransportError { .system(call: call, errno: errno) }

  package var description: String {
    switch self {
    case .unknownHost(let address, let reason): "cannot listen on \(address.host): \(reason)"
    case .addressInUse(let address): "cannot listen on \(address): the address is already in use"
    case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
    case .noThread(let name, let number):
      "cannot start the thread \(name): \(String(cString: strerror(number))); allow more threads "
        + "(ulimit -u, a container's limit of pids) or more memory (ulimit -v), or set fewer --workers"
    case .noDescriptors(let limit, let needed):
      "the limit of open files, \(limit), leaves none for connections; raise it to \(needed) or more (ulimit -n), or set "
        + "fewer --workers"
    case .daemonNotStarted: "libmicrohttpd could not be started"
    }
  }
}
