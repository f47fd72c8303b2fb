/// The state of parsing a `url()` of a style, from its parenthesis on.
///
/// What a URL's escapers print ends neither a quoted string nor an unquoted URL: they encode quotes, parentheses,
/// backslashes, white space and controls. A URL with values in it is written as a string all the same, so that this
/// alone does not decide where it ends. Source: CSS Syntax 3, 4.3.6 "Consume a url token".
struct StyleURL: Hashable {
  private enum Stage: Hashable {
    /// In the white space before it.
    case before
    case unquoted
    /// Unquoted in the template, and written with quotes.
    case requoted
    case quoted(UInt8)
    /// Behind it.
    case after
  }

  private var stage = Stage.before
  /// Whether the last byte was a backslash.
  private var isEscape = false
  private var holdsHole = false
  var url: URLContext
  private(set) var isOver = false
  /// Whether CSS reads something else than one URL.
  private(set) var isBroken = false
  /// Whether a quote is to be written before the byte that was read last, or before the value or branch that comes.
  private var isQuoteDue = false

  init(schemes: URLSchemes) {
    url = URLContext(.any, schemes: schemes)
  }

  /// - Parameter goesOn: whether a value or a section of the URL follows the run of text.
  mutating func feed(_ byte: UInt8, goesOn: () -> Bool) throws(Refusal) {
    if isEscape {
      isEscape = false
      return
    }
    switch (stage, byte) {
    case (.quoted(byte), _): stage = .after
    case (.quoted, _) where StyleContext.isLineEnd(byte): isBroken = true
    case (_, UInt8(ascii: "\\")):
      // The URL has another letter than is written.
      isBroken = true
      isEscape = true
      if holdsHole {
        throw Refusal(
          .unsafeStyle, "an escape after a value in a url() may change which host or scheme it names",
          hint: "write the letter itself, or percent-encode it")
      }
    case (.quoted, _): try url.feed(byte)
    case (_, UInt8(ascii: ")")):
      isQuoteDue = stage == .requoted
      isOver = true
      try url.finish()
    case (_, _) where HTMLTokenizer.isSpace(byte):
      isQuoteDue = stage == .requoted
      if stage != .before { stage = .after }
    case (.before, UInt8(ascii: "\"")), (.before, UInt8(ascii: "'")): stage = .quoted(byte)
    case (.after, _), (_, UInt8(ascii: "\"")), (_, UInt8(ascii: "'")), (_, UInt8(ascii: "(")), (_, ...0x20),
      (_, 0x7F):
      isBroken = true
    case (.before, UInt8(ascii: "#")):
      // A fragment stays as it is drawn.
      stage = .unquoted
      try url.feed(byte)
    default:
      if stage == .before {
        stage = .unquoted
        if goesOn() { requote() }
      }
      try url.feed(byte)
    }
  }

  private mutating func requote() {
    if isBroken { return }
    stage = .requoted
    isQuoteDue = true
  }

  /// Whether a quote is to be written here; true once.
  mutating func takeQuote() -> Bool {
    defer { isQuoteDue = false }
    return isQuoteDue
  }

  /// Called where a section, block or call starts or ends.
  mutating func branch() {
    if stage == .before { requote() }
    url.branch()
  }

  mutating func hole() throws(Refusal) -> Escaper {
    if stage == .after {
      throw Refusal(
        .unsafeStyle, "a value in a style comes after the URL of url()",
        hint: "put it before the ), without white space")
    }
    if stage == .before { requote() }
    holdsHole = true
    return try url.hole()
  }

  func finish() throws(Refusal) {
    if !isOver { try url.finish() }
  }

  /// Nil if they are at different places.
  func joined(with other: StyleURL) -> StyleURL? {
    guard isEscape == other.isEscape, isBroken == other.isBroken else { return nil }
    var both = self
    if stage != other.stage {
      guard Set([stage, other.stage]) == [.before, .unquoted] else { return nil }
      both.stage = .unquoted
    }
    both.holdsHole = holdsHole || other.holdsHole
    both.url = url.joined(with: other.url)
    return both
  }
}
