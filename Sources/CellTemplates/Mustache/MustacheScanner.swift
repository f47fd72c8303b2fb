/// Splits a template into text and tags. Reports malformed tags and continues after them.
struct MustacheScanner {
  private let source: TemplateSource
  private let bytes: [UInt8]
  private var open: [UInt8] = Array("{{".utf8)
  private var close: [UInt8] = Array("}}".utf8)
  private var tokens: [MustacheToken] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Set once a search found no closing delimiter in the rest of the template.
  private var hasNoClose = false
  /// The end of the template.
  private let limit: Int
  private let budget: LoadBudget
  /// How many bytes may still be searched in vain for a closing delimiter. Once negative, nothing is
  /// searched.
  var vainBytes = Int.max

  /// - Parameter limit: the end of the template; nil for the end of the file.
  init(_ source: TemplateSource, to limit: Int? = nil, budget: LoadBudget) {
    self.source = source
    self.budget = budget
    bytes = source.bytes
    self.limit = limit ?? source.bytes.count
  }

  mutating func scan(from start: Int) -> [MustacheToken] {
    var position = start
    while let tagStart = find(open, from: position, to: limit) {
      // Accounts for a tag, the text before it, and what is made of them.
      let pieces = tagStart > position ? 3 : 2
      guard budget.keep(pieces: pieces), budget.spend(tagStart - position) else { return tokens }
      if tagStart > position { tokens.append(.text(position..<tagStart)) }
      guard let tagEnd = scanTag(at: tagStart) else {
        position = limit
        break
      }
      position = tagEnd
    }
    if position < limit { tokens.append(.text(position..<limit)) }
    return tokens
  }

  /// The start of the next tag, if it is before `end`.
  func nextTag(from start: Int, before end: Int) -> Int? {
    find(open, from: start, to: min(limit, end + open.count - 1))
  }

  /// Whether the tag at `start` is a comment.
  func isComment(at start: Int) -> Bool {
    let position = skipSpace(from: start + open.count)
    return position < limit && bytes[position] == UInt8(ascii: "!")
  }

  /// Skips the tag at `start`. Returns the offset after it, or nil if it is not a closed tag.
  mutating func skipTag(at start: Int) -> Int? {
    defer {
      tokens.removeAll(keepingCapacity: true)
      diagnostics.removeAll()
    }
    guard let end = scanTag(at: start), diagnostics.isEmpty else { return nil }
    return end
  }

  /// The longest delimiter tag in bytes. The search for its end stops there.
  private static let delimiterTagLimitBytes = 1024

  /// Reads the tag at `start`. Returns the offset to continue from, or nil if no tag after it can be closed.
  private mutating func scanTag(at start: Int) -> Int? {
    var position = skipSpace(from: start + open.count)
    let kind = Self.kind(position < limit ? bytes[position] : 0)
    if kind.hasSigil { position += 1 }
    if kind.kind == .delimiters { return scanDelimiters(at: start, from: position) }
    switch end(from: position, isComment: kind.kind == .comment) {
    case .none:
      report(.unclosedTag, at: start, "this tag is never closed", hint: "close it with \(closing)")
      return nil
    case .opened(let next):
      report(
        .unclosedTag, at: start, "this tag is not closed before the next begins",
        hint: "close it with \(closing)")
      return next
    case .closed(let close) where kind.isBraced:
      guard let contentEnd = bracedEnd(from: position, closedAt: close) else {
        report(
          .unclosedTag, at: start, "this raw tag is not closed by }\(closing)",
          hint: "write as many braces at the end as at the start: {{{name}}}")
        return close + self.close.count
      }
      return append(.raw, content: position..<contentEnd, range: start..<contentEnd + 1 + self.close.count)
    case .closed(let close):
      return append(kind.kind, content: position..<close, range: start..<close + self.close.count)
    }
  }

  private static func kind(_ sigil: UInt8) -> (kind: MustacheTag.Kind, hasSigil: Bool, isBraced: Bool) {
    switch sigil {
    case UInt8(ascii: "{"): (.raw, true, true)
    case UInt8(ascii: "="): (.delimiters, true, false)
    case UInt8(ascii: "&"): (.raw, true, false)
    case UInt8(ascii: "#"): (.section, true, false)
    case UInt8(ascii: "^"): (.inverted, true, false)
    case UInt8(ascii: "/"): (.end, true, false)
    case UInt8(ascii: ">"): (.partial, true, false)
    case UInt8(ascii: "<"): (.parent, true, false)
    case UInt8(ascii: "$"): (.block, true, false)
    case UInt8(ascii: "!"): (.comment, true, false)
    default: (.variable, false, false)
    }
  }

  private enum TagEnd {
    case closed(Int)
    /// Another tag opens first. Names contain no opening delimiters, so the first tag was left open.
    case opened(Int)
    case none
  }

  /// Whichever comes first: the end of the tag or, except for comments, the start of the next.
  private mutating func end(from start: Int, isComment: Bool) -> TagEnd {
    if vainBytes < 0 || (isComment && hasNoClose) { return .none }
    var position = start
    // Asked for each byte: the comparison with a long delimiter may take hundreds of steps.
    while position < limit, budget.spend() {
      if matches(close, at: position) { return .closed(position) }
      if !isComment, matches(open, at: position) { return .opened(position) }
      position += 1
    }
    hasNoClose = true
    vainBytes -= limit - start
    return .none
  }

  /// The end of the name in `{{{name}}}`, whose first closing delimiter is at `closed`; nil without the third
  /// brace.
  private func bracedEnd(from start: Int, closedAt closed: Int) -> Int? {
    let terminator = [UInt8(ascii: "}")] + close
    if closed > start, matches(terminator, at: closed - 1) { return closed - 1 }
    return matches(terminator, at: closed) ? closed : nil
  }

  private mutating func append(_ kind: MustacheTag.Kind, content: Range<Int>, range: Range<Int>) -> Int {
    if kind == .comment {
      append(kind, name: "", isDynamic: false, range: range)
      return range.upperBound
    }
    let content = trim(content)
    if [.variable, .raw, .section, .inverted].contains(kind), let bar = bar(in: content) {
      append(
        kind, name: source.text(trim(content.lowerBound..<bar)), isDynamic: false,
        format: bar + 1..<content.upperBound, range: range)
      return range.upperBound
    }
    let mayBeDynamic = kind == .partial || kind == .parent || kind == .end
    let isDynamic = mayBeDynamic && !content.isEmpty && bytes[content.lowerBound] == UInt8(ascii: "*")
    let name = isDynamic ? trim(content.lowerBound + 1..<content.upperBound) : content
    append(kind, name: source.text(name), isDynamic: isDynamic, range: range)
    return range.upperBound
  }

  /// The bar before a format: it has white space before it.
  private func bar(in content: Range<Int>) -> Int? {
    content.dropFirst().first { bytes[$0] == UInt8(ascii: "|") && Self.isSpace(bytes[$0 - 1]) }
  }

  private mutating func append(
    _ kind: MustacheTag.Kind, name: String, isDynamic: Bool, format: Range<Int>? = nil, range: Range<Int>
  ) {
    tokens.append(
      .tag(MustacheTag(kind: kind, name: name, isDynamic: isDynamic, format: format, range: range)))
  }

  private var closing: String { String(decoding: close, as: UTF8.self) }

  private mutating func report(_ code: DiagnosticCode, at start: Int, _ message: String, hint: String) {
    let diagnostic = Diagnostic(code, in: source, at: start, message, hint: hint)
    if budget.keep(diagnostic) { diagnostics.append(diagnostic) }
  }

  private mutating func scanDelimiters(at start: Int, from position: Int) -> Int? {
    let terminator = [UInt8(ascii: "=")] + close
    let limit = min(limit, position + Self.delimiterTagLimitBytes)
    if let contentEnd = find(terminator, from: position, to: limit) {
      let parts = bytes[position..<contentEnd].split(whereSeparator: Self.isSpace)
      if parts.count == 2, !parts.contains(where: { $0.contains(UInt8(ascii: "=")) }) {
        let range = start..<contentEnd + terminator.count
        append(.delimiters, name: "", isDynamic: false, range: range)
        open = Array(parts[0])
        close = Array(parts[1])
        return range.upperBound
      }
    }
    report(
      .invalidDelimiters, at: start,
      "a delimiter tag must contain two delimiters between equals signs, separated by white space",
      hint: "write for example {{=<% %>=}}")
    guard let closed = find(close, from: position, to: limit) else { return nil }
    return closed + close.count
  }

  private func matches(_ needle: [UInt8], at position: Int) -> Bool {
    bytes[position] == needle[0] && position + needle.count <= limit
      && bytes[position..<position + needle.count].elementsEqual(needle)
  }

  private func find(_ needle: [UInt8], from start: Int, to end: Int) -> Int? {
    var position = start
    while position + needle.count <= end {
      if matches(needle, at: position) { return position }
      position += 1
      // For the same reason.
      if position & 0xFFF == 0, !budget.spend(0x1000) { return nil }
    }
    return nil
  }

  private func skipSpace(from start: Int) -> Int {
    var position = start
    while position < limit, Self.isSpace(bytes[position]) { position += 1 }
    return position
  }

  private func trim(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isSpace(bytes[start]) { start += 1 }
    while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }
}
