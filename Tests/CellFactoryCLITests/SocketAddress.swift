import Glibc

/// Addresses in the form of the sockets interface.
enum SocketAddress {
  static func family(of host: String) -> Int32 { host.contains(":") ? AF_INET6 : AF_INET }

  static func ipv4(port: Int, host: String) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return address
  }

  static func ipv6(port: Int, host: String) -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = in_port_t(port).bigEndian
    inet_pton(AF_INET6, host, &address.sin6_addr)
    return address
  }

  static func use<Address>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) { pointer in
      // The cast that the sockets interface requires.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
