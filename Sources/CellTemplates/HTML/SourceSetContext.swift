/// The state of parsing a `srcset`. Source: HTML standard, 4.8.4.2.2 "Parsing a srcset attribute".
struct SourceSetContext: Hashable {
  private enum Part {
    case start
    case url
    /// A descriptor; commas in parentheses belong to it.
    case descriptor
    /// Depends on the branch taken.
    case unclear
  }

  private let schemes: URLSchemes
  private var part = Part.start
  private var url: URLContext
  /// Whether a parenthesis is open in the descriptor. They do not nest.
  private var isInParentheses = false
  private var endsInComma = false
  /// Whether in some branch everything so far is a single hole, whose value may be several candidates.
  private var mayHoldSeveral = false
  /// Must be settled before anything else is read.
  private(set) var amendment: URLContext.Amendment?

  init(schemes: URLSchemes) {
    self.schemes = schemes
    url = URLContext(.candidate, schemes: schemes)
  }

  // Ignores the schemes, like `URLContext`.

  static func == (left: SourceSetContext, right: SourceSetContext) -> Bool {
    left.part == right.part && left.url == right.url && left.isInParentheses == right.isInParentheses
      && left.endsInComma == right.endsInComma && left.mayHoldSeveral == right.mayHoldSeveral
      && left.amendment == right.amendment
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(url)
    hasher.combine(isInParentheses)
  }

  mutating func feed(_ byte: UInt8) throws(Refusal) {
    let isSpace = HTMLTokenizer.isSpace(byte)
    let isComma = byte == UInt8(ascii: ",")
    switch part {
    case .start where isSpace || isComma: return
    case .url where isSpace:
      try url.finish()
      let endsCandidate = endsInComma
      // The URL is forgotten: after it, all candidates are alike.
      begin()
      if !endsCandidate { part = .descriptor }
      isInParentheses = false
    case .url where isComma && url.mayHoldSeveral: begin()
    case .start, .url:
      part = .url
      endsInComma = isComma
      try url.feed(byte)
      // The URL may end before the current run does.
      amendment = amendment ?? url.amendment
      url.settle()
    case .descriptor:
      if byte == UInt8(ascii: "(") { isInParentheses = true }
      if byte == UInt8(ascii: ")") { isInParentheses = false }
      if isComma, !isInParentheses { begin() }
    case .unclear:
      if mayHoldSeveral, !isSpace, !isComma { throw unclear }
      mayHoldSeveral = false
    }
  }

  private mutating func begin() {
    part = .start
    url = URLContext(.candidate, schemes: schemes)
    endsInComma = false
  }

  /// Called where a section, block or call starts or ends.
  mutating func branch() {
    if part == .url { url.branch() }
  }

  func finish() throws(Refusal) {
    if part == .url { try url.finish() }
  }

  mutating func hole() throws(Refusal) -> Escaper {
    switch part {
    case .start, .url:
      part = .url
      endsInComma = false
      // Only a value that is a whole candidate may contain what ends one.
      return switch try url.hole() {
      case .urlPart: .srcsetPart
      case .urlAfterSlash: .srcsetAfterSlash
      case let escaper: escaper
      }
    case .descriptor where !isInParentheses: return .srcsetDescriptor
    case .descriptor, .unclear: throw unclear
    }
  }

  private var unclear: Refusal {
    Refusal(
      .ambiguousURL, "whether this is a URL or a descriptor depends on what comes before it",
      hint: "write whole candidates in each section, with their commas: {{#l}}{{url}} {{width}}w, {{/l}}")
  }

  mutating func settle() { amendment = nil }

  func joined(with other: SourceSetContext) -> SourceSetContext {
    if self == other { return self }
    var both = self
    if part == .url, other.part == .url, endsInComma == other.endsInComma {
      both.url = url.joined(with: other.url)
    } else {
      both.part = .unclear
      for one in [self, other] where one.mayHoldSeveral || (one.part == .url && one.url.mayHoldSeveral) {
        both.mayHoldSeveral = true
      }
    }
    return both
  }
}
