/// Parses the text of a `script`, `style` or similar as markup from its start tag on, as inside an SVG.
struct MarkupReading {
  /// The offset to continue from.
  private(set) var next: Int
  /// The first `<` that could start a tag.
  var less: Int?
  private var tokenizer = HTMLTokenizer()
  private var tags = Tags()

  init(at start: Int) {
    next = start
    tokenizer.isForeign = true
  }

  mutating func read(_ range: Range<Int>, of bytes: [UInt8]) {
    tokenizer.feed(range, of: bytes, &tags)
    next = range.upperBound
  }

  /// Whether the text contains no tag with special rules and ends with its end tag, so that what follows is
  /// parsed the same way.
  var isInStep: Bool {
    if tags.holdsKnown || tokenizer.isInComment || tokenizer.isUndecided { return false }
    var (tokenizer, tags) = (tokenizer, tags)
    let end = Array("</x>".utf8)
    tokenizer.feed(end.indices, of: end, &tags)
    return tokenizer.mode == .text
  }

  private struct Tags: HTMLTokenSink {
    /// An end tag, a comment, or an element that changes how its content or what follows is parsed.
    var holdsKnown = false

    mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
      if isEnd || Elements.isKnown(ExactString(decoding: name)) { holdsKnown = true }
    }

    mutating func comment(startingAt start: Int, endingAt end: Int) { holdsKnown = true }

    mutating func fault(_ fault: HTMLFault, at: Int) {
      switch fault {
      case .cdata, .cdataInHTML, .doctype: holdsKnown = true
      default: return
      }
    }

    func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
      HTMLTokenizer.NextContent(isForeign: true)
    }

    func text(_ range: Range<Int>, in content: HTMLTokenizer.Content) {}
    func attributeName(_ name: [UInt8], at: Int) {}
    func attributeValue(_ range: Range<Int>, quote: UInt8?) {}
    func attributeEnd(at: Int) {}
  }
}
