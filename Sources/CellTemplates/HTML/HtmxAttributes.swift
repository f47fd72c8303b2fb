/// The attributes of htmx and of its extensions for server-sent events and web sockets: URLs requested by
/// script, plain text, and what htmx evaluates or obeys.
enum HtmxAttributes {
  /// - Parameter attribute: in lowercase, without `data-`.
  /// - Returns: nil if the attribute does not belong to htmx.
  static func kind(of attribute: String) -> AttributeKind? {
    switch attribute {
    case "hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete", "hx-push-url", "hx-replace-url",
      "sse-connect", "ws-connect":
      .sameOriginURL
    case "hx-target", "hx-select", "hx-include", "hx-indicator", "hx-confirm": .plain
    // The text of the element goes to what it names, which may be a style sheet.
    case "hx-swap-oob": .selector
    default: attribute.hasPrefix("hx-") ? .refused("htmx evaluates it, or acts by it") : nil
    }
  }
}
