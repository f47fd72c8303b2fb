/// Cuts a template into text and tags. Reports what is no tag and goes on behind it.
struct MustacheScanner {
  private let source: TemplateSource
  private let bytes: [UInt8]
  private var open: [UInt8] = Array("{{".utf8)
  private var close: [UInt8] = Array("}}".utf8)
  private var tokens: [MustacheToken] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: TemplateSource) {
    self.source = source
    bytes = source.bytes
  }

  mutating func scan(from start: Int) -> [MustacheToken] {
    var place = start
    while let tagStart = find(open, from: place) {
      if tagStart > place { tokens.append(.text(place..<tagStart)) }
      guard let tagEnd = scanTag(at: tagStart) else {
        place = bytes.count
        break
      }
      place = tagEnd
    }
    if place < bytes.count { tokens.append(.text(place..<bytes.count)) }
    return tokens
  }

  /// Reads the tag at `start`; returns the offset behind it, nil where it is never closed.
  private mutating func scanTag(at start: Int) -> Int? {
    var place = skipSpace(from: start + open.count)
    let sigil = place < bytes.count ? bytes[place] : 0
    var terminator = close
    var kind = MustacheTag.Kind.variable
    switch sigil {
    case UInt8(ascii: "{"): (kind, terminator) = (.raw, [UInt8(ascii: "}")] + close)
    case UInt8(ascii: "="): (kind, terminator) = (.delimiters, [UInt8(ascii: "=")] + close)
    case UInt8(ascii: "&"): kind = .raw
    case UInt8(ascii: "#"): kind = .section
    case UInt8(ascii: "^"): kind = .inverted
    case UInt8(ascii: "/"): kind = .end
    case UInt8(ascii: ">"): kind = .partial
    case UInt8(ascii: "<"): kind = .parent
    case UInt8(ascii: "$"): kind = .block
    case UInt8(ascii: "!"): kind = .comment
    default: break
    }
    if kind != .variable { place += 1 }
    guard let contentEnd = find(terminator, from: place) else {
      reportUnclosed(kind, at: start, contentFrom: place)
      return nil
    }
    let range = start..<(contentEnd + terminator.count)
    let content = trim(place..<contentEnd)
    switch kind {
    case .comment:
      append(kind, name: "", isDynamic: false, range: range)
    case .delimiters:
      setDelimiters(content, at: start)
      append(kind, name: "", isDynamic: false, range: range)
    default:
      let mayBeDynamic = kind == .partial || kind == .parent || kind == .end
      let isDynamic = mayBeDynamic && !content.isEmpty && bytes[content.lowerBound] == UInt8(ascii: "*")
      let name = isDynamic ? trim(content.lowerBound + 1..<content.upperBound) : content
      append(kind, name: source.text(name), isDynamic: isDynamic, range: range)
    }
    return range.upperBound
  }

  private mutating func append(_ kind: MustacheTag.Kind, name: String, isDynamic: Bool, range: Range<Int>) {
    tokens.append(.tag(MustacheTag(kind: kind, name: name, isDynamic: isDynamic, range: range)))
  }

  private mutating func reportUnclosed(_ kind: MustacheTag.Kind, at start: Int, contentFrom place: Int) {
    let ending = String(decoding: close, as: UTF8.self)
    switch kind {
    case .delimiters:
      diagnostics.append(
        Diagnostic(
          .invalidDelimiters, in: source, at: start, "these delimiters are not ended by an equals sign",
          hint: "write both delimiters between equals signs: {{=<% %>=}}"))
    case .raw where find(close, from: place) != nil:
      diagnostics.append(
        Diagnostic(
          .unclosedTag, in: source, at: start, "this raw tag is never closed by }\(ending)",
          hint: "write as many braces at the end as at the start: {{{name}}}"))
    default:
      diagnostics.append(
        Diagnostic(
          .unclosedTag, in: source, at: start, "this tag is never closed", hint: "close it with \(ending)"))
    }
  }

  private mutating func setDelimiters(_ content: Range<Int>, at start: Int) {
    let parts = bytes[content].split(whereSeparator: Self.isSpace)
    guard parts.count == 2, !parts.contains(where: { $0.contains(UInt8(ascii: "=")) }) else {
      diagnostics.append(
        Diagnostic(
          .invalidDelimiters, in: source, at: start,
          "a delimiter tag holds two delimiters, apart by white space and without equals signs",
          hint: "write for example {{=<% %>=}}"))
      return
    }
    open = Array(parts[0])
    close = Array(parts[1])
  }

  private func find(_ needle: [UInt8], from start: Int) -> Int? {
    guard start <= bytes.count - needle.count else { return nil }
    var place = start
    let last = bytes.count - needle.count
    while place <= last {
      if bytes[place] == needle[0], bytes[place..<place + needle.count].elementsEqual(needle) { return place }
      place += 1
    }
    return nil
  }

  private func skipSpace(from start: Int) -> Int {
    var place = start
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place
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
