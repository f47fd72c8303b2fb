/// The text that a browser displays for an element's designed content.
enum Placeholder {
  /// nil if the content has more than static markup.
  static func text(of nodes: [CellNode]) -> [UInt8]? {
    var html: [UInt8] = []
    for node in nodes {
      switch node {
      case .literal(let bytes): html += bytes
      case .lineStart: continue
      default: return nil
      }
    }
    var collector = TextCollector(bytes: html)
    var tokenizer = HTMLTokenizer()
    tokenizer.feed(0..<html.count, of: html, &collector)
    return collapse(collector.text)
  }

  /// Collapses white space to single spaces and trims it.
  private static func collapse(_ text: [UInt8]) -> [UInt8] {
    var collapsed: [UInt8] = []
    for word in HTMLWords(text[...]) {
      if !collapsed.isEmpty { collapsed.append(0x20) }
      collapsed += word
    }
    return collapsed
  }

  private struct TextCollector: HTMLTokenSink {
    let bytes: [UInt8]
    var text: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content) {
      var decoder = ReferenceDecoder(in: .text)
      for byte in bytes[range] { decoder.feed(byte, &text) }
      decoder.finish(&text)
    }

    mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent { .init() }
    mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) {}
    mutating func attributeName(_ name: [UInt8], at: Int) {}
    mutating func attributeValue(_ range: Range<Int>, quote: UInt8?) {}
    mutating func attributeEnd(at: Int) {}
    mutating func comment(startingAt start: Int, endingAt end: Int) {}
    mutating func fault(_ fault: HTMLFault, at: Int) {}
  }
}
