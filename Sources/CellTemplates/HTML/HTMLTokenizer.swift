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

  private mutating func readValue(
    _ offset: inout Int, to end: Int, _ bytes: [UInt8], _ sink: inout some HTMLTokenSink
  ) {
    let start = offset
    var quote: UInt8?
    if mode != .unquoted { quote = mode == .doubleQuoted ? UInt8(ascii: "\"") : UInt8(ascii: "'") }
    while offset < end {
      let byte = bytes[offset]
      if byte == 0 { sink.fault(.nul, at: offset) }
      if quote.map({ byte == $0 }) ?? (Self.isSpace(byte) || byte == UInt8(ascii: ">")) { break }
      offset += 1
    }
    if offset > start { sink.attributeValue(start..<offset, quote: quote) }
    guard offset < end else { return }
    if quote != nil { offset += 1 }
    sink.attributeEnd(at: offset)
    mode = quote != nil ? .afterValue : .beforeName
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
