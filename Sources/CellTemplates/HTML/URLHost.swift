/// How far the host of a URL has been read: what stands between `//` and the next `/ ? #`.
///
/// Values may be labels of a host, or parts of them, but not its end: what a static host belongs to stays as
/// it is written. Source: URL standard, 4.4 "URL parsing", "authority state" to "port state".
struct URLHost: Hashable {
  enum Content {
    /// Nothing: a parser skips more slashes.
    case none
    /// Something, or nothing, by the sections before it.
    case maybe
    case some
  }

  enum Next { case host, path, query }

  private(set) var content = Content.none
  /// Static text of the host's name has been read.
  private var isStatic = false
  private var endsInHole = false
  private var isPort = false

  /// What follows would let the last value choose another host.
  var endsOpen: Bool { endsInHole && isStatic && !isPort }

  /// - Throws: where a value turns out to end a host that begins with static text.
  mutating func feed(_ byte: UInt8, of rule: URLContext.Rule) throws(Refusal) -> Next {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\\"):
      if content == .none { return .host }
      if content == .maybe { throw URLContext.doubtfulHost }
      try finish()
      return .path
    case UInt8(ascii: "?"), UInt8(ascii: "#"):
      try finish()
      return .query
    case UInt8(ascii: "@"):
      // What was before is a user's name.
      self = URLHost()
      content = .some
    case UInt8(ascii: ":"):
      try finish()
      content = .some
      isPort = true
    case UInt8(ascii: ",") where rule == .candidate && endsInHole:
      // May end the candidate, and is then no part of its URL.
      break
    default:
      content = .some
      isStatic = true
      endsInHole = false
    }
    return .host
  }

  /// What begins or ends here may be all of the host, and nothing.
  mutating func branch() {
    if content == .none { content = .maybe }
  }

  mutating func hole() {
    content = .some
    endsInHole = true
  }

  /// The URL ends here, or its host does.
  func finish() throws(Refusal) {
    if endsOpen {
      throw Refusal(
        .ambiguousURL, "a value right after a host would make it another host", isOfHole: true,
        hint: "put a / between them, as in https://example.org/{{path}}")
    }
  }

  func joined(with other: URLHost) -> URLHost {
    var both = self
    both.content = content == other.content ? content : .maybe
    both.isStatic = isStatic || other.isStatic
    both.isPort = isPort && other.isPort
    // A value in a port, which is not always there, ends no name.
    both.endsInHole = [self, other].contains { $0.endsInHole && (!$0.isPort || both.isPort) }
    return both
  }
}
