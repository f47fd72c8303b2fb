/// The state of parsing CSS declarations, as far as needed to know where values are allowed.
///
/// Source: CSS Syntax 3, 4 "Tokenization". A value's escaper allows so few characters that it only matters
/// whether they are in the value of a declaration rather than the name of a property or function. In a `url()`,
/// which `StyleURL` reads, a URL's escapers count.
struct StyleContext: Hashable {
  private enum Last: Hashable {
    case other, slash, backslash, star
    /// An escape with this many hexadecimal digits, which white space may end.
    case escape(Int)
  }

  private let schemes: URLSchemes
  private var isProperty: Bool
  private var string: UInt8 = 0
  private var isComment = false
  private var brackets = StyleBrackets()
  /// The `url()` being parsed.
  private var url: StyleURL?
  private var last = Last.other
  /// The identifier being parsed.
  private var name = StyleName()
  /// Whether CSS may read what follows differently, whatever the branch.
  private var isBroken = false
  private var isUnclear = false
  /// A change required to the hole before what was fed last. Must be settled before anything else is read.
  private(set) var amendment: URLContext.Amendment?
  /// Whether a quote is to be written before what was fed last, or before the value or branch that comes.
  private var isQuoteDue = false

  /// - Parameter isValue: whether the attribute is a single value, like `fill` in SVG.
  init(isValue: Bool, schemes: URLSchemes) {
    isProperty = !isValue
    self.schemes = schemes
  }

  // Ignores the schemes, like `URLContext`.

  static func == (left: StyleContext, right: StyleContext) -> Bool {
    left.isAlike(right) && left.url == right.url && left.name == right.name && left.isBroken == right.isBroken
      && left.isUnclear == right.isUnclear && left.amendment == right.amendment
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isProperty)
    hasher.combine(string)
    hasher.combine(url)
    hasher.combine(last)
  }

  /// Whether both are at places of the same form.
  private func isAlike(_ other: StyleContext) -> Bool {
    isProperty == other.isProperty && string == other.string && isComment == other.isComment
      && brackets == other.brackets && last == other.last
  }

  // MARK: Reading

  /// - Parameters:
  ///   - rest: what follows `byte` in the run of text.
  ///   - isFollowed: whether a value or a section follows the run.
  mutating func feed(_ byte: UInt8, before rest: ArraySlice<UInt8>, isFollowed: Bool) throws(Refusal) {
    if var url {
      defer {
        // The URL may be over before the current run is.
        amendment = amendment ?? url.url.amendment
        url.url.settle()
        isQuoteDue = url.takeQuote()
        if url.isBroken { isBroken = true }
        self.url = url.isOver ? nil : url
      }
      try url.feed(byte) { isFollowed && !rest.contains(where: Self.endsURL) }
      return
    }
    let before = last
    last = .other
    if !isComment, goesOnWithEscape(byte, before) { return }
    if isComment {
      if before == .star, byte == UInt8(ascii: "/") {
        isComment = false
      } else if byte == UInt8(ascii: "*") {
        last = .star
      }
      return
    }
    if byte == UInt8(ascii: "\\") {
      last = .backslash
      if string == 0 { name.escape() }
      return
    }
    if string != 0 {
      // A string ends at the end of its line, with an error.
      if Self.isLineEnd(byte) { isBroken = true }
      if byte == string { string = 0 }
      return
    }
    try feedToken(byte, before)
    name.feed(byte)
  }

  private mutating func feedToken(_ byte: UInt8, _ before: Last) throws(Refusal) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): string = byte
    case UInt8(ascii: "/"): last = .slash
    case UInt8(ascii: "*") where before == .slash: isComment = true
    case UInt8(ascii: "("):
      if name.holdsHole {
        throw Refusal(
          .unsafeStyle, "a value before this parenthesis would name a CSS function",
          hint: "write the function's name as static text: rotate({{angle}}deg)")
      }
      if name.isURL { url = StyleURL(schemes: schemes) } else { brackets.open(name.bracket) }
    case UInt8(ascii: "["), UInt8(ascii: "{"): brackets.open(.other)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): brackets.close()
    case UInt8(ascii: ":") where brackets.isEmpty && isProperty: isProperty = false
    case UInt8(ascii: ";") where brackets.isEmpty: isProperty = true
    default: break
    }
  }

  /// Whether `byte` belongs to the escape started by a backslash.
  private mutating func goesOnWithEscape(_ byte: UInt8, _ before: Last) -> Bool {
    let lower = byte | 0x20
    let isHex =
      (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f"))
    switch before {
    case .backslash:
      if isHex { last = .escape(1) }
      return true
    case .escape(let count) where isHex && count < 6:
      last = .escape(count + 1)
      return true
    case .escape: return HTMLTokenizer.isSpace(byte)
    default: return false
    }
  }

  /// Whether a byte ends an unquoted URL.
  private static func endsURL(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ")") || HTMLTokenizer.isSpace(byte)
  }

  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0C || byte == 0x0D }

  /// Called at the end of the style.
  func finish() throws(Refusal) { try url?.finish() }

  // MARK: Values

  mutating func hole() throws(Refusal) -> Escaper {
    if let refusal = refusal { throw refusal }
    if var url {
      defer {
        isQuoteDue = url.takeQuote()
        self.url = url
      }
      return try url.hole()
    }
    name.hole()
    return .style
  }

  /// Why no value is allowed here.
  private var refusal: Refusal? {
    if isUnclear {
      return Self.refusal(
        "at a place that depends on the sections before it",
        hint: "end the declaration in its section by a semicolon: {{#colour}}color: {{colour}};{{/colour}}")
    }
    if isBroken {
      return Self.refusal(
        "after quotes or a url() that CSS does not read as they look",
        hint: "close the quotes on the line where they open, and write url(…) with one URL in it")
    }
    if url != nil {
      return isProperty ? Self.refusal("where a property's name must be", hint: Self.valueHint) : nil
    }
    if isComment { return Self.refusal("in a comment", hint: Self.valueHint) }
    if string != 0 {
      return Self.refusal(
        "in quotes",
        hint: "remove the quotes: font-family: {{font}}; "
          + "a text goes into an attribute: data-label=\"{{label}}\", shown by content: attr(data-label)")
    }
    if last != .other {
      return Self.refusal("after a slash or an escape", hint: "leave a space before the value")
    }
    if isProperty { return Self.refusal("where a property's name must be", hint: Self.valueHint) }
    if brackets.holdLoading {
      return Self.refusal(
        "in a function that loads or runs what it names",
        hint: "write url({{u}}) for what is loaded: image-set(url({{u}}) 1x); "
          + "other values are allowed alone, or in functions such as calc() and rgb()")
    }
    if !brackets.areFunctions {
      return Self.refusal(
        "in brackets", hint: "write it in a function or alone: translate({{x}}px), width: {{w}}px")
    }
    return nil
  }

  private static let valueHint = "write it as the value of a declaration, as in width: {{width}}px"

  private static func refusal(_ place: String, hint: String) -> Refusal {
    Refusal(.unsafeStyle, "a value in a style is \(place)", hint: hint)
  }

  // MARK: Branches

  mutating func settle() { amendment = nil }

  /// Called where a section, block or call starts or ends.
  mutating func branch() {
    url?.branch()
    isQuoteDue = url?.takeQuote() ?? false
  }

  /// Whether a quote is to be written before what was fed last, or before the value or branch that comes; true once.
  mutating func takeQuote() -> Bool {
    defer { isQuoteDue = false }
    return isQuoteDue
  }

  func joined(with other: StyleContext) -> StyleContext {
    if self == other { return self }
    var both = self
    both.name = name.joined(with: other.name)
    both.isUnclear = isUnclear || other.isUnclear || !isAlike(other)
    both.isBroken = isBroken || other.isBroken
    if let url, let otherURL = other.url, let joined = url.joined(with: otherURL) {
      both.url = joined
    } else if url != nil || other.url != nil {
      both.isUnclear = true
    }
    return both
  }
}
