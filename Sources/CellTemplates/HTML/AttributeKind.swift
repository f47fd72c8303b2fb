/// What an attribute's value means to a browser, and therefore which values it may contain. `AttributePolicy` says which
/// attribute is of which kind.
///
/// To add a kind with an escaper of its own: add the escaper to `Escaper`, the kind here and to `AttributePolicy`, and let
/// `ValueContext` choose the escaper.
enum AttributeKind: Hashable {
  /// Every value goes through this escaper, wherever it is in the attribute.
  case fixed(Escaper)
  case url
  /// A URL that scripts request; must have the same origin.
  case sameOriginURL
  /// A URL within the document: `#…`.
  case fragmentURL
  case urlList
  case srcset
  /// A URL whose document becomes part of the page. A static host or path must precede the value.
  case loadedURL
  /// The same, or a URL within the document.
  case loadedOrFragmentURL
  /// CSS declarations.
  case style
  /// A single CSS value.
  case styleValue
  /// Text that only the request's owner decides.
  case ownerOnly
  /// A selector of the element that the text goes to. What a row says is part of a name in it; the owner may say all of it.
  case selector
  /// Values are not allowed, for this reason.
  case refused(String)

  /// Text that neither runs nor loads anything.
  static let plain = AttributeKind.fixed(.attribute)

  /// Whether one thing is wrong with a value, however many holes are in it.
  var isOneValue: Bool {
    switch self {
    case .fixed, .srcset, .urlList, .style, .styleValue, .selector: false
    case .url, .sameOriginURL, .fragmentURL, .loadedURL, .loadedOrFragmentURL, .ownerOnly, .refused: true
    }
  }
}
