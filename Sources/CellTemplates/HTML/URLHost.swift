/// The state of parsing a URL's host: the part between `//` and the next `/ ? #`.
///
/// Values may be labels of a host or parts of labels, but not at its end, so that the domain of a static host
/// cannot change. Source: URL standard, 4.4 "URL parsing", "authority state" to "port state".
struct URLHost: Hashable {
  enum Content {
    /// Empty: parsers ignore further slashes.
    case none
    /// Empty or not, depending on earlier sections.
    case maybe
    case some
  }

  enum Next { case host, path, query }

  private(set) var content = Content.none
  /// Whether the host's name has static text.
  private var isStatic = false
  private var endsInHole = false
  /// After a value: the most bytes left of a percent-encoded byte, or of what looks like a character reference although it
  /// is none.
  private var encodedLeft: UInt8 = 0
  private var isPort = false

  /// Whether the last value could choose another host, depending on what follows.
  var endsOpen: Bool { endsInHole && isStatic && !isPort }

  /// - Throws: if a value turns out to be at the end of a host that starts with static text.
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
      // What came before is user information.
      self = URLHost()
      content = .some
    case UInt8(ascii: ":"):
      try finish()
      content = .some
      isPort = true
    case UInt8(ascii: ",") where rule == .candidate && endsInHole:
      // The comma may end the candidate, so that it is not part of the URL.
      break
    default:
      content = .some
      isStatic = true
      if endsInHole { endsInHole = !isName(byte) }
    }
    return .host
  }

  /// Whether a byte after a value begins a part of the name that remains whatever the value is. A dot may only end the
  /// name, and other characters than ASCII's may be ignored in hosts (UTS 46), percent-encoded ones too.
  private mutating func isName(_ byte: UInt8) -> Bool {
    if encodedLeft > 0 {
      encodedLeft = byte == UInt8(ascii: ";") ? 0 : encodedLeft - 1
      return false
    }
    switch byte {
    case UInt8(ascii: "%"): encodedLeft = 2
    // The longest name has 31 characters.
    case UInt8(ascii: "&"): encodedLeft = 32
    case UInt8(ascii: "."), ...0x20, 0x7F...: break
    default: return true
    }
    return false
  }

  /// Called where something starts or ends that may be the whole host or empty.
  mutating func branch() {
    if content == .none { content = .maybe }
  }

  mutating func hole() {
    content = .some
    endsInHole = true
    encodedLeft = 0
  }

  /// Called at the end of the host or the URL.
  func finish() throws(Refusal) {
    if endsOpen {
      throw Refusal(
        .ambiguousURL, "a value right after a host would change the host", isOfHole: true,
        hint: "put a / between them, as in https://example.org/{{path}}")
    }
  }

  func joined(with other: URLHost) -> URLHost {
    var both = self
    both.content = content == other.content ? content : .maybe
    both.isStatic = isStatic || other.isStatic
    both.isPort = isPort && other.isPort
    both.encodedLeft = max(encodedLeft, other.encodedLeft)
    // A value in a port that is not always present is not the end of a name.
    both.endsInHole = [self, other].contains { $0.endsInHole && (!$0.isPort || both.isPort) }
    return both
  }
}
