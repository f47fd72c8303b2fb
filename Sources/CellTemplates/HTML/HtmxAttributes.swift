/// The attributes of htmx and of its extensions for server-sent events and web sockets: URLs that script
/// requests, plain text, and what htmx evaluates or acts by.
enum HtmxAttributes {
  /// - Parameter attribute: in lower case, without `data-`.
  /// - Returns: nil: the attribute is another's.
  static func kind(of attribute: String) -> AttributeKind? {
    switch attribute {
    case "hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete", "hx-push-url", "hx-replace-url",
      "sse-connect", "ws-connect":
      .sameOriginURL
    case "hx-target", "hx-select", "hx-include", "hx-indicator", "hx-confirm", "hx-swap-oob": .plain
    default: attribute.hasPrefix("hx-") ? .refused("htmx evaluates it, or acts by it") : nil
    }
  }
}
