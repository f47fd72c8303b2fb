/// The state of parsing a URL in an attribute's value.
///
/// Source: URL standard, 4.4 "URL parsing": a scheme ends at the first `:` before any `/ ? #`. White space
/// and controls at the start, and tabs and newlines anywhere, are ignored.
struct URLContext: Hashable {
  enum Rule {
    /// Any allowed scheme, or none.
    case any
    /// The same origin.
    case sameOrigin
    /// A fragment of the same document.
    case fragment
    /// Several URLs separated by white space.
    case list
    /// The URL of a `srcset` candidate, which ends at white space.
    case candidate
  }

  /// A change to the escaper of the previous hole, required by what follows it.
  enum Amendment {
    /// It is between a lone slash and another: if it were empty, the following text would be the host.
    case segment
    /// It is part of one URL rather than one or several whole URLs.
    case single

    /// The refusal if the hole is not directly before and so cannot be changed.
    var refusal: Refusal {
      switch self {
      case .segment: URLContext.doubtfulHost
      case .single:
        Refusal(
          .ambiguousURL,
          "a value that may be several URLs is followed by text that does not always belong to it",
          hint: "write the text right after the value, or put all of it in the value")
      }
    }
  }

  private enum Part: Hashable {
    /// Nothing so far except white space.
    case start
    /// Static text that may still become a scheme.
    case word
    /// A scheme that is not allowed, or another start after which holes are not allowed.
    case refusedScheme
    /// Right after an allowed scheme. After a special one, a host follows with or without slashes.
    case scheme(isSpecial: Bool)
    /// One slash after a scheme that is not special.
    case schemeSlash
    /// After `//`.
    case host(URLHost)
    /// A hole, handled as the start of a URL.
    case hole
    /// A lone `/`.
    case slash
    /// Right after a slash that may be a lone one or part of the path.
    case anySlash
    /// Such a slash and a hole, which may print nothing.
    case slashHole
    /// The same with several holes, or with a hole that is not always present.
    case slashHoles
    /// A lone slash, or something other than a path, depending on the branch taken.
    case maybeSlash
    /// Possibly `//`, so that anything following would be the host.
    case doubleSlash
    /// Static text that is a host or a path, depending on the branch taken.
    case doubtfulHost
    /// In a static host or in the path after it, depending on the branch taken.
    case hostOrPath
    /// In the path, after a static start.
    case path
    /// In the path, right after a slash.
    case pathSlash
    /// In the query or fragment.
    case query
    /// Depends on the branch taken.
    case unclear

    var isHostOrPath: Bool {
      switch self {
      case .host, .hostOrPath, .path, .pathSlash: true
      default: false
      }
    }
  }

  let rule: Rule
  private let schemes: URLSchemes
  private var part = Part.start
  /// Static text that may become a scheme.
  private var word: [UInt8] = []
  /// Whether everything so far is a hole whose value may be several URLs.
  private(set) var mayHoldSeveral = false
  /// Must be settled before anything else is read.
  private(set) var amendment: Amendment?

  init(_ rule: Rule, schemes: URLSchemes) {
    self.rule = rule
    self.schemes = schemes
  }

  // Ignores the schemes, which are the same in all contexts of a compilation and expensive to compare.

  static func == (left: URLContext, right: URLContext) -> Bool {
    left.rule == right.rule && left.part == right.part && left.word == right.word
      && left.mayHoldSeveral == right.mayHoldSeveral && left.amendment == right.amendment
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(word)
  }

  /// - Throws: if this byte invalidates how an earlier value was handled.
  mutating func feed(_ byte: UInt8) throws(Refusal) {
    if rule == .list, HTMLTokenizer.isSpace(byte) {
      try finish()
      part = .start
      word = []
      mayHoldSeveral = false
      return
    }
    if mayHoldSeveral {
      mayHoldSeveral = false
      amendment = .single
    }
    // Tabs and newlines are removed from URLs everywhere.
    if byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
    let isSlash = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    let isQuery = byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    switch part {
    case .start where byte <= 0x20: return
    case .start, .word: feedStart(byte, isSlash: isSlash, isQuery: isQuery)
    case .scheme(isSpecial: true):
      try feedHost(byte, URLHost())
    case .scheme(isSpecial: false):
      part = byte == UInt8(ascii: "/") ? .schemeSlash : isQuery ? .query : .path
    case .schemeSlash: part = byte == UInt8(ascii: "/") ? .host(URLHost()) : isQuery ? .query : .path
    case .host(let host): try feedHost(byte, host)
    case .hole, .unclear: try feedBehindHole(byte, isSlash: isSlash, isQuery: isQuery)
    case .slash where isSlash: part = rule == .sameOrigin ? .refusedScheme : .host(URLHost())
    case .anySlash where isSlash, .slashHoles where isSlash, .maybeSlash where isSlash: part = .doubleSlash
    case .slashHole where isSlash:
      amendment = .segment
      part = .pathSlash
    case .slash, .anySlash, .slashHole, .slashHoles, .path, .pathSlash:
      part = isQuery ? .query : isSlash ? .pathSlash : .path
    case .hostOrPath:
      if isQuery { part = .query } else if isSlash { part = .pathSlash }
    case .maybeSlash, .doubtfulHost: part = isQuery ? .query : .doubtfulHost
    case .doubleSlash:
      part = .doubtfulHost
      throw Self.doubtfulHost
    case .query, .refusedScheme: return
    }
  }

  private mutating func feedStart(_ byte: UInt8, isSlash: Bool, isQuery: Bool) {
    if rule == .fragment, byte != UInt8(ascii: "#") || part == .word {
      part = .refusedScheme
    } else if isQuery {
      part = .query
    } else if isSlash {
      part = part == .start ? .slash : .pathSlash
    } else if byte == UInt8(ascii: ":") {
      let isAllowed = rule != .sameOrigin && schemes.contains(word)
      part = isAllowed ? .scheme(isSpecial: Self.special.contains(word)) : .refusedScheme
    } else {
      part = .word
      // Longer than any allowed scheme: further characters do not matter.
      if word.count <= URLSchemes.nameLimitBytes { word.append(HTMLTokenizer.lowercased(byte)) }
    }
  }

  /// Schemes whose URLs have a host, with any number of slashes before it.
  private static let special = Set(["http", "https", "ws", "wss", "ftp", "file"].map { Array($0.utf8) })

  private mutating func feedHost(_ byte: UInt8, _ host: URLHost) throws(Refusal) {
    var host = host
    switch try host.feed(byte, of: rule) {
    case .host: part = .host(host)
    case .path: part = .pathSlash
    case .query: part = .query
    }
  }

  private mutating func feedBehindHole(_ byte: UInt8, isSlash: Bool, isQuery: Bool) throws(Refusal) {
    if isQuery {
      part = .query
    } else if isSlash {
      if rule == .sameOrigin {
        part = .refusedScheme
        throw Refusal(
          .unsafeURLStart, "if the value before this slash were a slash itself, it would name another host",
          hint: "put the whole path in the value, or start with static text, as in /items/{{id}}")
      }
      // An empty value leaves a lone slash.
      part = .anySlash
    } else if byte == UInt8(ascii: ":") {
      let isUnclear = part == .unclear
      part = .refusedScheme
      if isUnclear {
        throw Refusal(
          .unsafeURLStart,
          "a section prints the start of this URL any number of times, so this colon may be anywhere in it",
          hint: "put the whole element in the section: {{#a}}<a href=\"https://…\">…</a>{{/a}}")
      }
      throw Refusal(
        .unsafeURLStart, "a value before this colon would be the URL's scheme",
        hint: "write the scheme as static text, or put the whole URL in the value")
    }
  }

  /// Called where a section, block or call starts or ends, which may print nothing.
  mutating func branch() {
    switch part {
    case .slash: part = .anySlash
    case .pathSlash: part = .path
    case .host(var host):
      host.branch()
      part = .host(host)
    default: return
    }
  }

  /// Called at the end of the URL.
  func finish() throws(Refusal) {
    if case .host(let host) = part { try host.finish() }
    if part == .doubleSlash { throw Self.doubtfulHost }
  }

  /// Handles a hole in the URL.
  mutating func hole() throws(Refusal) -> Escaper {
    switch part {
    case .start:
      part = .hole
      mayHoldSeveral = rule == .list || rule == .candidate
      switch rule {
      case .any: return .url
      case .sameOrigin: return .sameOriginURL
      case .fragment: return .fragmentURL
      case .list: return .urlList
      case .candidate: return .srcset
      }
    case .slash, .anySlash, .slashHole, .slashHoles:
      part = part == .slash || part == .anySlash ? .slashHole : .slashHoles
      return .urlAfterSlash
    case .scheme, .path, .pathSlash:
      part = .path
      return .urlPart
    case .schemeSlash:
      // A slash in the value would complete `//`.
      part = .path
      return .urlAfterSlash
    case .host(var host):
      host.hole()
      part = .host(host)
      return .urlHost
    case .query: return .urlComponent
    case .word, .refusedScheme: throw badStart
    case .hole:
      throw Refusal(
        .ambiguousURL, "two values side by side at the start of a URL: together they could form any scheme",
        hint: "put a static / ? or # between them, or put the whole URL in one value")
    case .maybeSlash, .doubleSlash, .doubtfulHost:
      // Already reported; what follows is not reported again.
      part = .doubtfulHost
      throw Self.doubtfulHost
    case .hostOrPath:
      throw Refusal(
        .ambiguousURL, "if nothing is printed before this value, it would change the host",
        hint: "put a / before the value, as in https://example.org{{#a}}/{{a}}{{/a}}/{{b}}")
    case .unclear:
      throw Refusal(
        .ambiguousURL, "the position of this value in the URL depends on the sections before it",
        hint: "put the whole attribute in each section, or put a static ? or # before the value")
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
        hint: "start it with a single / and static text, or put everything before ? or # in one value")
    default:
      part == .word
        ? Refusal(
          .unsafeURLStart,
          "\"\(String(decoding: word, as: UTF8.self))\" and this value could form any scheme",
          hint:
            "begin the URL with / ? # or ./ or a whole scheme such as https:, or put all of it in the value"
        )
        : Refusal(
          .unsafeURLStart,
          "the scheme of this URL is not allowed before a value, or is formed by two parts",
          hint:
            "use one of \(schemes.names.map { $0 + ":" }.joined(separator: " ")), or add the scheme by --url-schemes"
        )
    }
  }

  static let doubtfulHost = Refusal(
    .ambiguousURL, "if everything before this prints nothing, this becomes the URL's host",
    hint: "begin the URL with static text, or put the slash into the section: /{{#a}}{{a}}/{{/a}}b")

  mutating func settle() { amendment = nil }

  func joined(with other: URLContext) -> URLContext {
    if self == other { return self }
    var both = self
    if word != other.word { both.word = [] }
    both.mayHoldSeveral = mayHoldSeveral || other.mayHoldSeveral
    both.part = Self.joined(part, other.part)
    return both
  }

  private static func joined(_ left: Part, _ right: Part) -> Part {
    // Two words may be different beginnings of a URL.
    if left == right, left != .word { return left }
    if case .host(let one) = left, case .host(let other) = right { return .host(one.joined(with: other)) }
    let parts: Set<Part> = [left, right]
    for part in [Part.refusedScheme, .doubleSlash, .maybeSlash] where parts.contains(part) { return part }
    for case .host(let host) in parts {
      // Its end must still be checked, or ignored slashes may follow.
      if host.endsOpen { return .host(host) }
      if host.content != .some { return .maybeSlash }
    }
    if parts.contains(.doubtfulHost) {
      return parts.subtracting([.doubtfulHost]).allSatisfy(\.isHostOrPath) ? .doubtfulHost : .maybeSlash
    }
    if parts.isSubset(of: [.path, .pathSlash]) { return .path }
    if parts.allSatisfy(\.isHostOrPath) { return .hostOrPath }
    if parts.isSubset(of: [.slash, .anySlash, .pathSlash]) { return .anySlash }
    let slashes: Set<Part> = [.slash, .anySlash, .slashHole, .slashHoles]
    if parts.isSubset(of: slashes.union([.path, .pathSlash])) { return .slashHoles }
    if !parts.isDisjoint(with: slashes) { return .maybeSlash }
    let opaque: Set<Part> = [.scheme(isSpecial: false), .schemeSlash, .path, .pathSlash]
    if parts.isSubset(of: opaque) { return .path }
    let schemes: Set<Part> = [.scheme(isSpecial: true), .scheme(isSpecial: false), .schemeSlash]
    return parts.isDisjoint(with: schemes) ? .unclear : .maybeSlash
  }
}
