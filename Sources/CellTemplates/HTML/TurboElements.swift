/// The custom elements of Turbo 8 and `<cell-table>`, as far as their attributes mean something else than on other elements.
///
/// Source: the Turbo handbook and reference, "Frames" and "Streams".
enum TurboElements {
  static let names: Set<ExactString> = ["turbo-frame", "turbo-stream"]

  /// - Parameters: names in lowercase.
  /// - Returns: nil if the attribute is judged as on any element.
  static func kind(of attribute: String, on element: String) -> AttributeKind? {
    switch "\(element) \(attribute)" {
    // Names of frames and of elements. Turbo opens no window by them.
    case "turbo-frame target", "turbo-stream target": .plain
    case "turbo-frame autoscroll": .plain
    // Fetched with the page's credentials, and what comes becomes part of the page.
    case "turbo-frame src": .sameOriginURL
    case "turbo-stream action": .refused("it decides what becomes of the page, and must be static")
    case "turbo-stream targets": .refused("it is a selector, and must be static")
    case "turbo-stream-source src": .refused("what it names changes the page from then on")
    case "cell-table factory": .refused("the page takes the HTML of what it names; it must be static")
    default: nil
    }
  }
}
