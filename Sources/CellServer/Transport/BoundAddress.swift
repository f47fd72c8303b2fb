/// The address that a server listens on.
package struct BoundAddress: Sendable, Equatable {
  /// Numeric.
  package var host: String
  package var port: Int

  /// Whether only this computer reaches the address.
  package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// Puts IPv6 addresses in brackets (RFC 3986, section 3.2.2).
  package var url: String { "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
