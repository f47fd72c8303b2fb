/// A `<style>` element or a stylesheet link, as an archive keeps it.
struct StyleElement: HTMLTokenSink {
  /// The values of attributes that matter, decoded, by name.
  private(set) var attributes: [String: String] = [:]
  /// The content.
  private(set) var content: [UInt8] = []
  private var element: [UInt8]?
  private var attribute: String?
  private var isComplete = false
  private let bytes: [UInt8]

  init(_ text: some Collection<UInt8>) {
    bytes = Array(text)
    var tokenizer = HTMLTokenizer()
    tokenizer.feed(0..<bytes.count, of: bytes, &self)
  }

  var isLink: Bool { element.map { $0.elementsEqual("link".utf8) } ?? false }

  /// Whether browsers apply it: of another type, or an alternative, it is not a style sheet of the page.
  var isApplied: Bool {
    let type = attributes["type"].map { $0.lowercased() } ?? ""
    let words = (attributes["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    return (type.isEmpty || type == "text/css") && !(isLink && words.contains("alternate"))
  }

  var media: MediaQueries { attributes["media"].map { MediaQueries($0) } ?? .all }

  // MARK: HTMLTokenSink

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
    attribute = nil
    if element == nil, !isEnd { element = name } else { isComplete = true }
  }

  mutating func attributeName(_ name: [UInt8], at: Int) {
    let name = String(decoding: name, as: UTF8.self)
    let isKept = !isComplete && attributes[name] == nil && ["href", "media", "type", "rel"].contains(name)
    attribute = isKept ? name : nil
  }

  mutating func attributeValue(_ range: Range<Int>, quote: UInt8?) {
    guard let attribute else { return }
    attributes[attribute] = String(decoding: ReferenceDecoder.decoded(bytes[range]), as: UTF8.self)
  }

  mutating func attributeEnd(at: Int) { attribute = nil }

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    guard let element, !isComplete, !isLink else { return HTMLTokenizer.NextContent() }
    return HTMLTokenizer.NextContent(
      content: Elements.content(of: ExactString(decoding: element)), element: element)
  }

  mutating func text(_ range: Range<Int>, in _: HTMLTokenizer.Content) {
    if !isComplete, element != nil { content += bytes[range] }
  }

  mutating func comment(startingAt start: Int, endingAt end: Int) {}
  mutating func fault(_ fault: HTMLFault, at: Int) {}
}
