/// How far a URL has been read at a place of an attribute's value.
///
/// Source: URL standard, 4.4 "URL parsing": a scheme ends at the first `:` that comes before any `/ ? #`;
/// white space and controls at the start, and tabs and line ends anywhere, do not count.
struct URLContext: Hashable {
  enum Rule {
    /// Any allowed scheme, or none.
    case any
    /// The same origin.
    case sameOrigin
    /// A fragment of the same document.
    case fragment
    /// Several, with white space between them.
    case list
    /// The URL of a `srcset` candidate, which ends at white space.
    case candidate
  }

  private enum Part {
    /// Nothing yet, but white space.
    case start
    /// Static text that may still become a scheme.
    case word
    /// A scheme that is not allowed, or another start that no hole may follow.
    case refusedScheme
    /// A hole, which was judged as the start of a URL.
    case hole
    /// A lone `/`.
    case slash
    /// A lone `/` and a hole, which may print nothing.
    case slashHole
    /// A lone `/` and several, or one that is not always there.
    case slashHoles
    /// What may turn out as `//`: a value would name the host.
    case doubtfulHost
    /// In the host or path, behind a static start.
    case path
    /// In the query or fragment.
    case query
    /// One of several, by the way that was taken.
    case unclear
  }

  let rule: Rule
  private let schemes: URLSchemes
  private var part = Part.start
  /// Static text that may become a scheme.
  private var word: [UInt8] = []
  /// A value right behind a lone `/` is followed by another: were it empty, what follows would be the host.
  private(set) var needsSegment = false

  init(_ rule: Rule, schemes: URLSchemes) {
    self.rule = rule
    self.schemes = schemes
  }

  // The schemes are those of the compilation: the same in all contexts, and long to compare.

  static func == (left: URLContext, right: URLContext) -> Bool {
    left.rule == right.rule && left.part == right.part && left.word == right.word
      && left.needsSegment == right.needsSegment
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(word)
  }

  /// Whether all so far is white space.
  var isAtStart: Bool { part == .start }

  /// - Throws: where a value before this byte was judged as what it no longer is.
  mutating func feed(_ byte: UInt8) throws(Refusal) {
    if rule == .list, HTMLTokenizer.isSpace(byte) {
      part = .start
      word = []
      return
    }
    // Tabs and line ends are taken out of a URL wherever they stand.
    if byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
    switch part {
    case .start where byte <= 0x20: return
    case .start, .word: feedStart(byte)
    case .hole, .unclear: try feedBehindHole(byte)
    case .slash:
      if rule == .sameOrigin, Self.isSlash(byte) { part = .refusedScheme } else { feedPath(byte) }
    case .slashHole, .slashHoles:
      needsSegment = part == .slashHole && Self.isSlash(byte)
      if !Self.isSlash(byte) {
        feedPath(byte)
      } else if part == .slashHoles, rule == .sameOrigin {
        throw doubtfulHost
      } else {
        part = .doubtfulHost
      }
    case .path, .doubtfulHost:
      if Self.endsPath(byte) { part = .query }
    case .query, .refusedScheme: return
    }
  }

  private mutating func feedPath(_ byte: UInt8) {
    part = Self.endsPath(byte) ? .query : .path
  }

  private mutating func feedStart(_ byte: UInt8) {
    if rule == .fragment, byte != UInt8(ascii: "#") || part == .word {
      part = .refusedScheme
    } else if Self.endsPath(byte) {
      part = .query
    } else if Self.isSlash(byte) {
      part = part == .start ? .slash : .path
    } else if byte == UInt8(ascii: ":") {
      part = rule != .sameOrigin && schemes.contains(word) ? .path : .refusedScheme
    } else {
      part = .word
      // Longer than any scheme that is allowed: what comes then decides nothing more.
      if word.count <= URLSchemes.nameLimitBytes { word.append(HTMLTokenizer.lowercased(byte)) }
    }
  }

  private mutating func feedBehindHole(_ byte: UInt8) throws(Refusal) {
    if Self.endsPath(byte) {
      part = .query
    } else if Self.isSlash(byte) {
      if rule == .sameOrigin {
        part = .refusedScheme
        throw Refusal(
          .unsafeURLStart, "a value before this slash that is a slash itself would name another host",
          hint: "let the value hold the whole path, or begin with static text, as in /items/{{id}}")
      }
      // An empty value leaves a lone slash.
      part = .slash
    } else if byte == UInt8(ascii: ":") {
      part = .refusedScheme
      throw Refusal(
        .unsafeURLStart, "a value before this colon would be the URL's scheme",
        hint: "write the scheme as static text, or let the value hold the whole URL")
    }
  }

  /// A hole in the URL.
  mutating func hole() throws(Refusal) -> Escaper {
    switch part {
    case .start:
      part = .hole
      switch rule {
      case .any: return .url
      case .sameOrigin: return .sameOriginURL
      case .fragment: return .fragmentURL
      case .list: return .urlList
      case .candidate: return .srcset
      }
    case .slash, .slashHole, .slashHoles:
      part = part == .slash ? .slashHole : .slashHoles
      return .urlAfterSlash
    case .path: return .urlPart
    case .query: return .urlComponent
    case .word, .refusedScheme: throw badStart
    case .hole:
      throw Refusal(
        .ambiguousURL, "two values side by side at the start of a URL: together they could make any scheme",
        hint: "put a static / ? or # between them, or let one value hold the whole URL")
    case .doubtfulHost: throw doubtfulHost
    case .unclear:
      throw Refusal(
        .ambiguousURL, "where in the URL this value stands depends on the sections before it",
        hint: "let each section hold the whole attribute, or put a static ? or # before the value")
    }
  }

  private var badStart: Refusal {
    switch rule {
    case .fragment:
      Refusal(
        .unsafeURLStart, "this URL may only name a part of the same document",
        hint: "begin it with #, as in href=\"#{{id}}\"")
    case .sameOrigin:
      Refusal(
        .unsafeURLStart, "this URL must stay on its own origin, whatever the value is",
        hint: "begin it with a single / and static text, or let one value hold all of it before ? or #")
    default:
      part == .word
        ? Refusal(
          .unsafeURLStart,
          "\"\(String(decoding: word, as: UTF8.self))\" and this value could make any scheme",
          hint:
            "begin the URL with / ? # or ./ or a whole scheme such as https:, or let the value hold all of it"
        )
        : Refusal(
          .unsafeURLStart,
          "the scheme of this URL is not allowed before a value, or is made by two of its parts",
          hint:
            "use one of \(schemes.names.map { $0 + ":" }.joined(separator: " ")), or add the scheme by --url-schemes"
        )
    }
  }

  private var doubtfulHost: Refusal {
    Refusal(
      .ambiguousURL, "if the values before it are empty, what stands here is the URL's host",
      hint: "begin the URL with static text, as in /items/{{id}}")
  }

  /// The hole before the second slash prints something in any case, or (`isCertain` is false) cannot be made
  /// to.
  mutating func settleSegment(isCertain: Bool) throws(Refusal) {
    needsSegment = false
    if isCertain {
      if part == .doubtfulHost { part = .path }
    } else if rule == .sameOrigin {
      throw doubtfulHost
    }
  }

  func joined(with other: URLContext) -> URLContext {
    if self == other { return self }
    var both = self
    both.word = []
    let parts: Set<Part> = [part, other.part]
    if parts.contains(.refusedScheme) {
      both.part = .refusedScheme
    } else if parts.contains(.doubtfulHost) {
      both.part = .doubtfulHost
    } else if parts.isSubset(of: [.slash, .slashHole, .slashHoles, .path]) {
      both.part = .slashHoles
    } else if !parts.isDisjoint(with: [.slash, .slashHole, .slashHoles]) {
      both.part = .doubtfulHost
    } else {
      both.part = .unclear
    }
    return both
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }
  private static func endsPath(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}
