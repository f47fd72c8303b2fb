/// Holes: each place of a URL has its escaper, or is refused.
extension URLContext {
  /// Handles a hole in the URL.
  mutating func hole() throws(Refusal) -> Escaper {
    if isLoaded, let escaper = try loadedHole() { return escaper }
    switch part {
    case .start:
      part = .hole
      mayHoldSeveral = rule == .list || rule == .candidate
      switch rule {
      case .any, .loaded: return .url
      case .sameOrigin: return .sameOriginURL
      case .fragment, .loadedOrFragment: return .fragmentURL
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
        hint: "put the attribute in one section, {{#url}}href=\"{{url}}\"{{/url}}, or the element in each")
    }
  }

  /// A hole in the URL of what becomes part of the page.
  /// - Returns: nil if the place is judged as in any URL.
  private mutating func loadedHole() throws(Refusal) -> Escaper? {
    switch part {
    case .query: return .urlComponent
    case .path, .pathSlash:
      part = .path
      try segment.hole()
      return .urlPathComponent
    case .start where rule == .loadedOrFragment: return nil
    case .start, .word, .refusedScheme, .scheme, .schemeSlash, .host, .slash, .anySlash: throw badStart
    case .hole, .slashHole, .slashHoles, .maybeSlash, .doubleSlash, .doubtfulHost, .hostOrPath, .unclear:
      return nil
    }
  }

  private var badStart: Refusal {
    switch rule {
    case .loaded, .loadedOrFragment:
      return Refusal(
        .unsafeURLStart,
        "what this URL loads becomes part of the page, so its host and path must begin static",
        hint: rule == .loaded
          ? "write a static start, as in https://player.example/embed/{{id}} or /embed/{{id}}"
          : "write #{{id}}, or a static file as in /sprite.svg#{{icon}}")
    case .fragment:
      return Refusal(
        .unsafeURLStart, "this URL may only name a part of the same document",
        hint: "begin it with #, as in href=\"#{{id}}\"")
    case .sameOrigin:
      return Refusal(
        .unsafeURLStart, "this URL must stay on its own origin, whatever the value is",
        hint: "start it with a single / and static text, or put everything before ? or # in one value")
    case .any, .list, .candidate: return part == .word ? joinedScheme : refusedScheme
    }
  }

  private var joinedScheme: Refusal {
    let start = String(decoding: word, as: UTF8.self)
    return Refusal(
      .unsafeURLStart, "\"\(start)\" and this value could form any scheme",
      hint: "begin the URL with / ? # or ./ or a whole scheme such as https:, or put all of it in the value")
  }

  private var refusedScheme: Refusal {
    let scheme = String(decoding: word, as: UTF8.self)
    let hint =
      switch scheme {
      case "data":
        "write the URL of an image or another file; a nib embeds a static image: <img data-embed src=\"star.svg\">"
      case _ where URLSchemes.mayAllow(scheme) && !schemes.contains(word):
        "use one of \(schemes.names.map { $0 + ":" }.joined(separator: " ")), or allow it by --url-schemes \(scheme)"
      case _ where URLSchemes.mayAllow(scheme): "write the whole scheme as static text, outside of sections"
      default:
        "use one of \(schemes.names.map { $0 + ":" }.joined(separator: " ")); for script, put the value in a data "
          + "attribute"
      }
    return Refusal(
      .unsafeURLStart, "the scheme of this URL is not allowed before a value, or is formed by two parts",
      hint: hint)
  }

  /// Reads a byte of a URL that becomes part of the page.
  mutating func feedSegment(_ byte: UInt8, isEnd: Bool) throws(Refusal) {
    if part == .query || (part == .start && byte <= 0x20) { return }
    if isEnd {
      defer { segment = URLSegment() }
      try segment.finish(isLast: false)
    } else {
      segment.feed(byte)
    }
  }

  static let doubtfulHost = Refusal(
    .ambiguousURL, "if everything before this prints nothing, this becomes the URL's host",
    hint: "begin the URL with static text, or put the slash into the section: /{{#a}}{{a}}/{{/a}}b")
}
