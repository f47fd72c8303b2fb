/// Holes: each place of a URL has its escaper, or is refused.
extension URLContext {
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
}
