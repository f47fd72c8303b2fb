/// A tag of a document, as far as needed for scenery and for the bounds of cells.
struct HTMLTag {
  struct Attribute {
    /// In lowercase.
    let name: [UInt8]
    let at: Int
    /// Without quotes; nil if there is none.
    var value: Range<Int>?
    /// Whether the value contains a Mustache tag.
    var isDynamic = false
  }

  /// In lowercase.
  let name: [UInt8]
  let isEnd: Bool
  /// From its `<` to after its `>`.
  var range: Range<Int>
  var attributes: [Attribute] = []
  var isSelfClosing = false

  /// The first attribute with a name, which is the one that parsers use.
  func attribute(_ name: StaticString) -> Attribute? {
    attributes.first {
      $0.name.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
  }

  func isNamed(_ name: StaticString) -> Bool {
    self.name.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}

/// Collects tags one at a time from a tokenizer that is fed up to the next `>`.
struct HTMLTagCollector: HTMLTokenSink {
  /// Whether content is parsed as in SVG and MathML, where no element has raw text.
  var isForeign = false
  private var open: HTMLTag?
  private(set) var complete: HTMLTag?

  /// The tag completed by the last feed.
  mutating func take() -> HTMLTag? {
    defer { complete = nil }
    return complete
  }

  /// Called for a Mustache tag in the current value.
  mutating func hole() {
    guard let last = open?.attributes.indices.last else { return }
    open?.attributes[last].isDynamic = true
  }

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
    open = HTMLTag(name: name, isEnd: isEnd, range: at..<at)
  }

  mutating func attributeName(_ name: [UInt8], at: Int) {
    open?.attributes.append(HTMLTag.Attribute(name: name, at: at))
  }

  mutating func attributeValue(_ range: Range<Int>, isQuoted: Bool) {
    guard let last = open?.attributes.indices.last else { return }
    let start = open?.attributes[last].value?.lowerBound ?? range.lowerBound
    open?.attributes[last].value = start..<range.upperBound
  }

  mutating func attributeEnd(at: Int) {}

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    guard var tag = open else { return HTMLTokenizer.NextContent() }
    tag.range = tag.range.lowerBound..<at
    tag.isSelfClosing = isSelfClosing
    complete = tag
    open = nil
    let content =
      tag.isEnd || isForeign
      ? HTMLTokenizer.Content.data : Elements.content(of: ExactString(decoding: tag.name))
    return HTMLTokenizer.NextContent(content: content, element: tag.name)
  }

  mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content) {}
  mutating func comment(startingAt start: Int, endingAt end: Int) {}
  mutating func fault(_ fault: HTMLFault, at: Int) {}
}
