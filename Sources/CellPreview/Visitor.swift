import CellServer

/// Decides which requests may see the preview: those that a person makes, and those of its own pages. Pages of other sites
/// must not read the data of samples, not even by a host name that leads here (DNS rebinding).
struct Visitor {
  /// Names of this server besides `localhost` and addresses, in lowercase.
  let hosts: Set<String>

  /// The reason for refusal; nil if the request may go on.
  func refusal(_ head: borrowing RequestHead) -> String? {
    if let site = head.fetchSite, site != "same-origin", site != "none" {
      return "The preview answers only its own pages. Open its address in the browser yourself."
    }
    guard let host = head.host.map(Self.name) else { return "The preview needs the header Host." }
    if host == "localhost" || Self.isAddress(host) || hosts.contains(host) { return nil }
    return
      "The preview is not served for this host name. Start the server with --preview-host and this name to allow it."
  }

  /// A host without its port, in lowercase.
  private static func name(_ host: String) -> String {
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return host[...end].lowercased() }
    return host.prefix { $0 != ":" }.lowercased()
  }

  /// Whether the host is an IPv6 address in brackets, or four decimal numbers.
  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("[") { return host.hasSuffix("]") }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        part.allSatisfy { $0.isASCII && $0.isNumber } && UInt8(part) != nil
      }
  }
}
