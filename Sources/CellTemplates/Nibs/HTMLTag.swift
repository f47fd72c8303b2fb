/// A tag of a document, as far as needed for scenery and for the bounds of cells.
struct HTMLTag {
  /// The attributes that matter there. A tag may have millions of others, which are not kept.
  enum AttributeName: String, CaseIterable {
    case cell = "data-cell"
    case classes = "data-class"
    case raw = "data-raw"
    case missing = "data-missing"
    case design = "data-design"
    case outlet = "data-outlet"
    case tag = "data-tag"
    case when = "data-when"
    case bind = "data-bind"
    case include = "data-include"
    case format = "data-format"
    case plural = "data-plural"
    case choice = "data-case"
    case embed = "data-embed"
    case action = "data-action"
    case rel
    case href
    case lang

    /// Those of the elements of a cell, which fill, print or remove them.
    static let ofElements: [AttributeName] = [
      .outlet, .tag, .when, .missing, .bind, .include, .format, .plural, .choice, .embed,
    ]

    init?(_ bytes: [UInt8]) {
      guard let name = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(bytes) }) else {
        return nil
      }
      self = name
    }
  }

  struct Attribute {
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
  /// The first attribute with each name, which is the one that parsers use.
  var attributes: [AttributeName: Attribute] = [:]
  /// The offset of the first Mustache tag in it that is no comment.
  var hole: Int?
  var isSelfClosing = false

  func attribute(_ name: AttributeName) -> Attribute? { attributes[name] }

  func isNamed(_ name: StaticString) -> Bool {
    self.name.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}

/// Collects tags one at a time from a tokenizer that is fed up to the next `>`.
struct HTMLTagCollector: HTMLTokenSink {
  /// Whether content is parsed as in SVG and MathML, where no element has raw text.
  var isForeign = false
  private var open: HTMLTag?
  /// The current attribute, if it is kept.
  private var current: HTMLTag.AttributeName?
  /// The first Mustache tag in the open tag, which may be in its name.
  private var firstHole: Int?
  private(set) var complete: HTMLTag?

  /// The tag completed by the last feed.
  mutating func take() -> HTMLTag? {
    defer { complete = nil }
    return complete
  }

  /// Called for a Mustache tag in the current value.
  mutating func hole() {
    if let current { open?.attributes[current]?.isDynamic = true }
  }

  /// Called for a Mustache tag in the current tag that is no comment.
  mutating func hole(at: Int) { firstHole = firstHole ?? at }

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
    open = HTMLTag(name: name, isEnd: isEnd, range: at..<at)
    current = nil
  }

  mutating func attributeName(_ name: [UInt8], at: Int) {
    current = HTMLTag.AttributeName(name).flatMap { open?.attribute($0) == nil ? $0 : nil }
    if let current { open?.attributes[current] = HTMLTag.Attribute(at: at) }
  }

  mutating func attributeValue(_ range: Range<Int>, quote: UInt8?) {
    guard let current else { return }
    let start = open?.attributes[current]?.value?.lowerBound ?? range.lowerBound
    open?.attributes[current]?.value = start..<range.upperBound
  }

  mutating func attributeEnd(at: Int) {}

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    guard var tag = open else { return HTMLTokenizer.NextContent() }
    tag.hole = firstHole
    firstHole = nil
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
