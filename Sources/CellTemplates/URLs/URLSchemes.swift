/// The URL schemes allowed in links: `http`, `https`, `mailto`, `tel`, and those an app adds, for example for
/// deep links.
///
/// The URL Standard defines the syntax. Never allowed are schemes that run script in the page, or that open a
/// document written by the author of the URL.
public struct URLSchemes: Hashable, Sendable {
  /// In lowercase, without duplicates, sorted by bytes.
  public let names: [String]

  /// The most schemes: each costs a comparison when a URL is checked.
  package static let limit = 64
  /// The most bytes in a name.
  package static let nameLimitBytes = 64

  /// `http`, `https`, `mailto`, `tel`.
  public static let standard = URLSchemes(trusted: ["http", "https", "mailto", "tel"])

  private init(trusted names: [String]) { self.names = names }

  /// The standard schemes and some more.
  ///
  /// - Parameter additions: in any case; may include standard names.
  /// - Throws: `URLSchemeError` for the first that cannot be allowed.
  public init(adding additions: some Sequence<String>) throws(URLSchemeError) {
    var all = Set(Self.standard.names)
    for addition in additions {
      let name = String(decoding: addition.utf8.map(Self.lowercased), as: UTF8.self)
      if !Self.isScheme(name.utf8) { throw .noScheme(addition) }
      if Self.isDangerous(name) { throw .dangerous(addition) }
      all.insert(name)
    }
    if all.count > Self.limit { throw .tooMany }
    names = all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The standard schemes and those of a comma-separated list: `myapp,whatsapp`.
  public init(list: String) throws(URLSchemeError) {
    let items = list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    try self.init(adding: items.map { Self.trimmed(Substring($0)) })
  }

  private static func trimmed(_ item: Substring) -> String {
    let start = item.drop { $0 == " " }
    return String(start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
  }

  /// Whether a scheme, in any case, is allowed.
  package func contains(_ scheme: some Collection<UInt8>) -> Bool {
    names.contains { name in
      name.utf8.elementsEqual(scheme) { $0 == Self.lowercased($1) }
    }
  }

  /// ASCII only: `K` is not the Kelvin sign.
  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// Whether a lowercase name may be allowed.
  package static func mayAllow(_ name: String) -> Bool { isScheme(name.utf8) && !isDangerous(name) }

  /// Source: URL Standard, "URL-scheme string", lowercase.
  private static func isScheme(_ name: String.UTF8View) -> Bool {
    guard let first = name.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") else { return false }
    return name.count <= nameLimitBytes
      && name.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
          UInt8(ascii: "."), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// - `javascript`, and `livescript`, `mocha`, `vbscript` of older browsers: run script in the page.
  /// - `data`: a document in the URL itself. `blob`, `filesystem`, `about`: documents with the page's origin.
  /// - `view-source`, `feed`, `jar`, `mhtml`, `wyciwyg`: contain another URL, which is not checked.
  private static func isDangerous(_ name: String) -> Bool {
    switch name {
    case "javascript", "livescript", "mocha", "vbscript", "data", "blob", "filesystem", "about",
      "view-source", "feed",
      "jar", "mhtml", "wyciwyg":
      true
    default: false
    }
  }
}

/// Why a scheme cannot be allowed in links.
public enum URLSchemeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Must be a letter, then letters, digits, `+`, `-` and `.`; at most 64.
  case noScheme(String)
  /// It runs script, or opens a document written by the author of the URL.
  case dangerous(String)
  /// More than 64 in total.
  case tooMany

  /// A description of the problem.
  public var description: String {
    switch self {
    case .noScheme(let name):
      "\"\(name)\" is not a URL scheme: a letter, then letters, digits, '+', '-' and '.'"
    case .dangerous(let name): "\"\(name)\" is never allowed in links: it could run script"
    case .tooMany: "more than \(URLSchemes.limit) URL schemes"
    }
  }
}
