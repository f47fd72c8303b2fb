/// The HTML standard's tokenizer for the contents of templates, fed with runs of literal bytes.
///
/// Between two runs there may be a hole, the end of a section, or a call; `mode` says where in the markup
/// that is. The value is the complete state, so two places are equivalent if their values are equal. One pass
/// without look-ahead. Source: HTML standard, 13.2.5 "Tokenization".
struct HTMLTokenizer: Hashable {
  enum Mode: UInt8 {
    /// Element text, parsed according to `content`.
    case text
    case tagOpen, endTagOpen, tagName
    case beforeName, attributeName, afterName, beforeValue
    case doubleQuoted, singleQuoted, unquoted, afterValue, selfClosing
    /// After a name that ended in one of two branches: no name character may follow.
    case nameClosed
    case markupDeclaration
    case commentStart, commentStartDash, comment, commentEndDash, commentEnd, commentEndBang, bogusComment
    case doctype, cdata, cdataBracket, cdataEnd
  }

  /// How the text of the innermost element is parsed.
  enum Content: UInt8 {
    case data
    /// `title`, `textarea`: character references, no tags.
    case rcdata
    /// `style`, `xmp`, `iframe`, `noembed`, `noframes`, `noscript`.
    case rawText
    case script
    case plaintext
  }

  /// The content after a tag.
  struct NextContent {
    var content = Content.data
    /// For all but `data` and `plaintext`: the element whose end tag ends the content.
    var element: [UInt8] = []
    var isForeign = false
  }

  var mode = Mode.text
  var content = Content.data
  /// Whether the place is in SVG or MathML, where CDATA sections are text and all content is `data`. Set by
  /// the code that tracks elements.
  var isForeign = false
  /// The tag's or attribute's name so far; after `<!`, the bytes that determine what it is.
  var name: [UInt8] = []
  var isEndTag = false
  /// The element whose end tag ends RCDATA or raw text, and how much of that end tag has been seen.
  var closing: [UInt8] = []
  var matched = 0

  /// The start of the current markup or name. Not part of the state.
  var starts = Starts()

  struct Starts: Hashable {
    var markup = 0
    var name = 0
    static func == (left: Starts, right: Starts) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  init() {}

  /// At the start of an element's RCDATA or raw text.
  init(content: Content, of element: [UInt8]) {
    self.content = content
    closing = element
  }

  // MARK: Where it is

  var isInComment: Bool {
    switch mode {
    case .commentStart, .commentStartDash, .comment, .commentEndDash, .commentEnd, .commentEndBang,
      .bogusComment:
      true
    default: false
    }
  }

  /// Between a tag's name and its `>`, outside values.
  var isInTag: Bool {
    switch mode {
    case .tagName, .beforeName, .attributeName, .afterName, .beforeValue, .afterValue, .selfClosing,
      .nameClosed:
      true
    default: false
    }
  }

  var isInValue: Bool { mode == .doubleQuoted || mode == .singleQuoted || mode == .unquoted }

  /// After text that may still become markup: `<`, `</`, `<!-`, or part of an end tag in RCDATA.
  var isUndecided: Bool {
    switch mode {
    case .tagOpen, .endTagOpen, .markupDeclaration, .doctype: true
    case .text: matched > 0
    default: false
    }
  }

  /// After `<` or `</`, which is text if nothing follows.
  var endsInLess: Bool { mode == .tagOpen || mode == .endTagOpen }

  /// Treats the trailing `<` or `</` as text.
  mutating func passLess() {
    precondition(endsInLess)
    mode = .text
  }

  /// The start of what the run ended in, if it was not reported completely: a tag's or attribute's name, or
  /// undecided markup.
  var unfinishedStart: Int? {
    switch mode {
    case .tagOpen, .endTagOpen, .markupDeclaration, .tagName: starts.markup
    case .attributeName: starts.name
    case .text where content == .rcdata && matched > 0: starts.markup
    default: nil
    }
  }

  /// The start of the comment being parsed.
  var commentStart: Int { starts.markup }

  // MARK: Branches

  /// Ends a name at the start or end of a branch; it must not continue after it.
  mutating func closeName(at offset: Int, _ sink: inout some HTMLTokenSink) {
    switch mode {
    case .attributeName:
      endName(&sink)
      sink.attributeEnd(at: offset)
      mode = .nameClosed
    case .afterName:
      sink.attributeEnd(at: offset)
      mode = .beforeName
    case .tagName:
      sink.tagName(name, isEnd: isEndTag, at: starts.markup)
      mode = .nameClosed
    case .selfClosing:
      sink.fault(.slashBeforeBranch, at: offset - 1)
      mode = .beforeName
    default:
      return
    }
    name.removeAll()
  }

  /// Continues after something refused and reported, as if it were a word, so that it is reported once.
  mutating func passRefused(at offset: Int) {
    switch mode {
    case .text: matched = 0
    case .beforeValue: mode = .unquoted
    case .beforeName, .afterValue, .selfClosing, .nameClosed, .afterName:
      mode = .attributeName
      name = []
      starts.name = offset
    default: return
    }
  }

  /// The state after two branches that end in `self` and `other`; nil if they are incompatible.
  func joined(with other: HTMLTokenizer) -> HTMLTokenizer? {
    if self == other { return self }
    guard isInTag, other.isInTag, isEndTag == other.isEndTag, mode != .beforeValue, other.mode != .beforeValue
    else {
      return nil
    }
    var both = self
    let isOpen =
      mode == .nameClosed || mode == .tagName || other.mode == .nameClosed || other.mode == .tagName
    both.mode = isOpen ? .nameClosed : .beforeName
    both.name = []
    return both
  }

  /// After an attribute name at the end of a loop whose body contains nothing else.
  mutating func reopenName() {
    if mode == .nameClosed { mode = .beforeName }
  }

  // MARK: Reading

  /// Parses a run. Reports to the sink in source order.
  mutating func feed(_ range: Range<Int>, of bytes: [UInt8], _ sink: inout some HTMLTokenSink) {
    var offset = range.lowerBound
    while offset < range.upperBound, !sink.isDone {
      switch mode {
      case .text:
        readText(&offset, to: range.upperBound, bytes, &sink)
      case .doubleQuoted, .singleQuoted, .unquoted:
        readValue(&offset, to: range.upperBound, bytes, &sink)
      default:
        if step(bytes[offset], at: offset, &sink) { offset += 1 }
      }
    }
  }

  private mutating func readText(
    _ offset: inout Int, to end: Int, _ bytes: [UInt8], _ sink: inout some HTMLTokenSink
  ) {
    let start = offset
    if content == .data || content == .plaintext {
      while offset < end {
        let byte = bytes[offset]
        if byte == 0 { sink.fault(.nul, at: offset) }
        if byte == UInt8(ascii: "<"), content == .data { break }
        offset += 1
      }
      if offset > start { sink.text(start..<offset, in: content) }
      if offset < end {
        starts.markup = offset
        mode = .tagOpen
        offset += 1
      }
      return
    }
    // The `<` of an earlier run that may still start the end tag.
    var undecided = matched > 0 ? starts.markup : nil
    while offset < end {
      let byte = bytes[offset]
      if byte == 0 { sink.fault(.nul, at: offset) }
      let isEnd = matchesEnd(byte, at: offset, &sink)
      if let less = undecided, matched < 2 {
        sink.text(less..<less + 1, in: content)
        undecided = nil
      }
      if isEnd {
        let markup = starts.markup
        if markup > start { sink.text(start..<markup, in: content) }
        beginClosingTag(&sink)
        return
      }
      offset += 1
    }
    sink.text(start..<(matched > 0 ? max(start, starts.markup) : end), in: content)
  }

  /// Matches `</name` in RCDATA and raw text. Returns true at the byte after it, if that ends the name.
  private mutating func matchesEnd(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    if content == .script {
      let opener: [UInt8] = [0x3C, 0x21, 0x2D, 0x2D]
      name = name.count < 4 && byte == opener[name.count] ? name + [byte] : byte == opener[0] ? [byte] : []
      if name.count == 4 {
        sink.fault(.commentInScript, at: offset - 3)
        name = []
      }
    }
    if matched == closing.count + 2,
      Self.isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    {
      return true
    }
    switch matched {
    case 1 where byte == UInt8(ascii: "/"): matched = 2
    case 2..<(closing.count + 2) where Self.lowercased(byte) == closing[matched - 2]: matched += 1
    default:
      matched = byte == UInt8(ascii: "<") ? 1 : 0
      if matched == 1 { starts.markup = offset }
    }
    return false
  }

  mutating func beginClosingTag(_ sink: inout some HTMLTokenSink) {
    sink.tagName(closing, isEnd: true, at: starts.markup)
    isEndTag = true
    content = .data
    closing = []
    name = []
    matched = 0
    mode = .beforeName
  }

  private mutating func readValue(
    _ offset: inout Int, to end: Int, _ bytes: [UInt8], _ sink: inout some HTMLTokenSink
  ) {
    let start = offset
    let isQuoted = mode != .unquoted
    let quote = mode == .doubleQuoted ? UInt8(ascii: "\"") : UInt8(ascii: "'")
    while offset < end {
      let byte = bytes[offset]
      if byte == 0 { sink.fault(.nul, at: offset) }
      if isQuoted ? byte == quote : Self.isSpace(byte) || byte == UInt8(ascii: ">") { break }
      offset += 1
    }
    if offset > start { sink.attributeValue(start..<offset, isQuoted: isQuoted) }
    guard offset < end else { return }
    if isQuoted { offset += 1 }
    sink.attributeEnd(at: offset)
    mode = isQuoted ? .afterValue : .beforeName
  }

  /// Parses one byte of markup. Returns false if the new mode must parse it again.
  private mutating func step(_ byte: UInt8, at offset: Int, _ sink: inout some HTMLTokenSink) -> Bool {
    if byte == 0 { sink.fault(.nul, at: offset) }
    switch mode {
    case .tagOpen: return stepTagOpen(byte, at: offset, &sink)
    case .endTagOpen: return stepEndTagOpen(byte, at: offset, &sink)
    case .tagName, .beforeName, .attributeName, .afterName, .beforeValue, .afterValue, .selfClosing,
      .nameClosed:
      return stepTag(byte, at: offset, &sink)
    case .markupDeclaration: return stepDeclaration(byte, at: offset, &sink)
    case .cdata, .cdataBracket, .cdataEnd: return stepCDATA(byte, at: offset, &sink)
    default: return stepComment(byte, at: offset, &sink)
    }
  }

  // MARK: Bytes

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
