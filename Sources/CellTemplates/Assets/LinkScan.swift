/// Finds the references to other files in pages and style sheets, as far as they are written in them.
package struct LinkScan: HTMLTokenSink {
  /// Unresolved and unfiltered.
  private var links: [FileLink] = []
  private let bytes: [UInt8]
  private let budget: LoadBudget
  private var element: [UInt8] = []
  private var attribute: [UInt8] = []
  /// Whether the `src` of the current tag becomes a part of the page, and its link.
  private var isEmbedding = false
  private var sourcePlace: Int?

  /// The references of a page: of attributes that load files, `style` attributes and `<style>` elements. Cost: linear.
  /// - Parameter budget: pays for each link, which the caller releases. If it is spent, links are missing.
  package static func links(ofPage bytes: [UInt8], budget: LoadBudget) -> [FileLink] {
    var scan = LinkScan(bytes: bytes, budget: budget)
    var tokenizer = HTMLTokenizer()
    budget.spend(bytes.count)
    tokenizer.feed(0..<bytes.count, of: bytes, &scan)
    return scan.links
  }

  /// The references of a style sheet: `url(…)`, `image-set(…)` and `@import`. Cost: linear.
  /// - Parameter budget: as for a page.
  package static func links(ofStyles bytes: some Collection<UInt8>, budget: LoadBudget) -> [FileLink] {
    budget.spend(bytes.count)
    var links: [FileLink] = []
    var reader = StyleReader(bytes)
    while let piece = reader.next() {
      guard let reference = piece.reference else { continue }
      guard budget.keep(pieces: 1) else { break }
      links.append(FileLink(reference: reader.text(of: reference), at: reference.lowerBound))
    }
    return links
  }

  private init(bytes: [UInt8], budget: LoadBudget) { (self.bytes, self.budget) = (bytes, budget) }

  // MARK: HTMLTokenSink

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {
    element = isEnd ? [] : name
    (isEmbedding, sourcePlace) = (false, nil)
  }

  mutating func attributeName(_ name: [UInt8], at: Int) {
    attribute = name
    if name.elementsEqual("data-embed".utf8) { isEmbedding = true }
  }

  mutating func attributeValue(_ range: Range<Int>, quote: UInt8?) {
    switch String(decoding: attribute, as: UTF8.self) {
    case "src":
      sourcePlace = links.count
      add(range)
    case "poster", "background": add(range)
    case "href", "xlink:href":
      // Of links that people follow, nothing is loaded.
      if !["a", "area", "base"].contains(String(decoding: element, as: UTF8.self)) { add(range) }
    case "srcset", "imagesrcset":
      for url in SourceSetLinks.urls(in: decoded(range)) {
        add(FileLink(reference: url, at: range.lowerBound))
      }
    case "style":
      for link in Self.links(ofStyles: decoded(range).utf8, budget: budget) {
        links.append(FileLink(reference: link.reference, at: range.lowerBound))
      }
    default: break
    }
  }

  mutating func attributeEnd(at: Int) {}

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    if isEmbedding, let sourcePlace, sourcePlace < links.count { links[sourcePlace].isEmbedded = true }
    if element.isEmpty { return HTMLTokenizer.NextContent() }
    return HTMLTokenizer.NextContent(
      content: ElementRules.textMode(of: ExactString(decoding: element), in: .html), element: element)
  }

  mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content) {
    guard element.elementsEqual("style".utf8) else { return }
    for link in Self.links(ofStyles: bytes[range], budget: budget) {
      links.append(FileLink(reference: link.reference, at: range.lowerBound + link.at))
    }
  }

  mutating func comment(startingAt start: Int, endingAt end: Int) {}
  mutating func fault(_ fault: HTMLFault, at: Int) {}

  private mutating func add(_ range: Range<Int>) {
    add(FileLink(reference: decoded(range), at: range.lowerBound))
  }

  private mutating func add(_ link: FileLink) {
    if budget.keep(pieces: 1) { links.append(link) }
  }

  private func decoded(_ range: Range<Int>) -> String {
    String(decoding: ReferenceDecoder.decoded(bytes[range]), as: UTF8.self)
  }
}
