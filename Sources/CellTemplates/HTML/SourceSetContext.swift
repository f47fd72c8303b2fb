/// How far a `srcset` has been read. Source: HTML standard, 4.8.4.2.2 "Parsing a srcset attribute".
struct SourceSetContext: Hashable {
  private enum Part {
    case start
    case url
    /// A descriptor; commas within parentheses belong to it.
    case descriptor
    /// One of them, by the way that was taken.
    case unclear
  }

  private let schemes: URLSchemes
  private var part = Part.start
  private var url: URLContext
  private var depth = 0
  private var endsInComma = false
  private var hasStartHole = false

  init(schemes: URLSchemes) {
    self.schemes = schemes
    url = URLContext(.candidate, schemes: schemes)
  }

  // But for the schemes, as `URLContext` has it.

  static func == (left: SourceSetContext, right: SourceSetContext) -> Bool {
    left.part == right.part && left.url == right.url && left.depth == right.depth
      && left.endsInComma == right.endsInComma && left.hasStartHole == right.hasStartHole
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(url)
    hasher.combine(depth)
  }

  mutating func feed(_ byte: UInt8) throws(Refusal) {
    let isSpace = HTMLTokenizer.isSpace(byte)
    let isComma = byte == UInt8(ascii: ",")
    switch part {
    case .start where isSpace || isComma: return
    case .url where isSpace:
      part = endsInComma ? .start : .descriptor
      depth = 0
      if endsInComma { begin() }
    case .url where isComma && hasStartHole: begin()
    case .start, .url:
      part = .url
      endsInComma = isComma
      try url.feed(byte)
    case .descriptor:
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if isComma, depth <= 0 { begin() }
    case .unclear: return
    }
  }

  private mutating func begin() {
    part = .start
    url = URLContext(.candidate, schemes: schemes)
    endsInComma = false
    hasStartHole = false
  }

  mutating func hole() throws(Refusal) -> Escaper {
    switch part {
    case .start, .url:
      if part == .start { hasStartHole = true }
      part = .url
      endsInComma = false
      return try url.hole()
    case .descriptor where depth == 0: return .srcsetDescriptor
    case .descriptor, .unclear:
      throw Refusal(
        .ambiguousURL, "whether this value is a URL or a descriptor depends on what stands before it",
        hint: "write whole candidates in each section: {{url}} {{width}}w")
    }
  }

  var needsSegment: Bool { part == .url && url.needsSegment }
  mutating func settleSegment(isCertain: Bool) throws(Refusal) { try url.settleSegment(isCertain: isCertain) }

  func joined(with other: SourceSetContext) -> SourceSetContext {
    if self == other { return self }
    var both = self
    if part == .url, other.part == .url, hasStartHole == other.hasStartHole, endsInComma == other.endsInComma
    {
      both.url = url.joined(with: other.url)
    } else {
      both.part = .unclear
    }
    return both
  }
}
