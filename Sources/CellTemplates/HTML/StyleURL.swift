/// The state of parsing a `url()` of a style, from its parenthesis on.
///
/// What a URL's escapers print ends neither a quoted string nor an unquoted URL: they encode quotes, parentheses,
/// backslashes, white space and controls. Source: CSS Syntax 3, 4.3.6 "Consume a url token".
struct StyleURL: Hashable {
  private enum Stage: Hashable {
    /// In the white space before it.
    case before
    case unquoted
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

  init(schemes: URLSchemes) {
    url = URLContext(.any, schemes: schemes)
  }

  mutating func feed(_ byte: UInt8) throws(Refusal) {
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
      isOver = true
      try url.finish()
    case (_, _) where HTMLTokenizer.isSpace(byte): if stage == .unquoted { stage = .after }
    case (.before, UInt8(ascii: "\"")), (.before, UInt8(ascii: "'")): stage = .quoted(byte)
    case (.after, _), (_, UInt8(ascii: "\"")), (_, UInt8(ascii: "'")), (_, UInt8(ascii: "(")), (_, ...0x20),
      (_, 0x7F):
      isBroken = true
    default:
      stage = .unquoted
      try url.feed(byte)
    }
  }

  mutating func hole() throws(Refusal) -> Escaper {
    if stage == .after {
      throw Refusal(
        .unsafeStyle, "a value in a style comes after the URL of url()",
        hint: "put it before the ), without white space")
    }
    if stage == .before { stage = .unquoted }
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
