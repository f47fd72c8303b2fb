/// Where a server listens.
package struct BoundAddress: Sendable, Equatable {
  /// Numeric.
  package var host: String
  package var port: Int

  /// With the brackets that an IPv6 address needs (RFC 3986, section 3.2.2).
  package var url: String { "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
