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
    /// A URL whose document becomes part of the page: values are allowed only after a static host or path.
    case loaded
    /// The same, or a value that is a fragment of the same document.
    case loadedOrFragment
  }

  /// A change to the escaper of the previous hole, required by what follows it.
  enum Amendment {
    /// It is between a lone slash and another: if it were empty, the following text would be the host.
    case segment
    /// It is part of one URL rather than one or several whole URLs.
    case single

    /// The escaper of the hole directly before, changed as required; nil if it cannot be.
    func escaper(insteadOf escaper: Escaper) -> Escaper? {
      switch (self, escaper) {
      case (.segment, .urlAfterSlash): .urlSegment
      case (.segment, .srcsetAfterSlash): .srcsetSegment
      case (.single, .srcset): .srcsetURL
      case (.single, .urlList): .url
      default: nil
      }
    }

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

  enum Part: Hashable {
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

  /// Whether a value here may decide what origin the URL is on.
  var mayDecideOrigin: Bool {
    switch part {
    case .slash, .anySlash, .slashHole, .slashHoles, .path, .pathSlash, .query: false
    case .start, .word, .refusedScheme, .scheme, .schemeSlash, .host, .hole, .maybeSlash, .doubleSlash,
      .doubtfulHost, .hostOrPath, .unclear:
      true
    }
  }

  let rule: Rule
  let schemes: URLSchemes
  var part = Part.start
  /// Static text that may become a scheme.
  var word: [UInt8] = []
  /// Whether everything so far is a hole whose value may be several URLs.
  var mayHoldSeveral = false
  /// What is static in the segment of the path, if the URL is loaded as a part of the page.
  var segment = URLSegment()
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
      && left.segment == right.segment
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
    if isLoaded { try feedSegment(byte, isEnd: isSlash || isQuery) }
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
      let isAllowed = rule != .sameOrigin && (isLoaded ? Self.isWeb(word) : schemes.contains(word))
      part = isAllowed ? .scheme(isSpecial: Self.special.contains(word)) : .refusedScheme
    } else {
      part = .word
      // Longer than any allowed scheme: further characters do not matter.
      if word.count <= URLSchemes.nameLimitBytes { word.append(HTMLTokenizer.lowercased(byte)) }
    }
  }

  /// Whether values are allowed only after a static start.
  var isLoaded: Bool { rule == .loaded || rule == .loadedOrFragment }

  private static func isWeb(_ word: [UInt8]) -> Bool {
    word == Array("https".utf8) || word == Array("http".utf8)
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
    if part != .query { try segment.finish(isLast: true) }
    if part == .doubleSlash { throw Self.doubtfulHost }
  }

  mutating func settle() { amendment = nil }
}
