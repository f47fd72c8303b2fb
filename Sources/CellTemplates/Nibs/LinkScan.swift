/// Finds the references to other files in pages and style sheets, as far as they are written in them.
package struct LinkScan: HTMLTokenSink {
  /// As written, without quotes and with character references decoded; unresolved and unfiltered.
  package private(set) var references: [String] = []
  private var bytes: [UInt8]
  private var element: [UInt8] = []
  private var attribute: [UInt8] = []

  /// The references of a page: of attributes that load files, `style` attributes and `<style>` elements. Cost: linear.
  package static func references(ofPage bytes: [UInt8]) -> [String] {
    var scan = LinkScan(bytes: bytes)
    var tokenizer = HTMLTokenizer()
    tokenizer.feed(0..<bytes.count, of: bytes, &scan)
    return scan.references
  }

  /// The references of a style sheet: `url(…)` and `@import`. Cost: linear.
  package static func references(ofStyles bytes: some Collection<UInt8>) -> [String] {
    let bytes = Array(bytes)
    var found: [String] = []
    var place = 0
    while place < bytes.count {
      let begin = place
      place += 1
      if isWord("url(", at: begin, in: bytes) {
        let start = skipSpaces(from: begin + 4, in: bytes)
        guard start < bytes.count else { break }
        let isQuoted = bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'")
        let end = isQuoted ? bytes[start] : UInt8(ascii: ")")
        let first = isQuoted ? start + 1 : start
        let last = bytes[first...].firstIndex(of: end) ?? bytes.count
        found.append(text(bytes[first..<last]))
        place = last + 1
      } else if isWord("@import", at: begin, in: bytes) {
        let start = skipSpaces(from: begin + 7, in: bytes)
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'")
        else { continue }
        let last = bytes[(start + 1)...].firstIndex(of: bytes[start]) ?? bytes.count
        found.append(text(bytes[(start + 1)..<last]))
        place = last + 1
      }
    }
    return found
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func isWord(_ word: StaticString, at place: Int, in bytes: [UInt8]) -> Bool {
    guard place + word.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount {
      let byte = bytes[place + offset]
      let lower = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
      if lower != word.utf8Start[offset] { return false }
    }
    return true
  }

  private static func skipSpaces(from start: Int, in bytes: [UInt8]) -> Int {
    var place = start
    while place < bytes.count, HTMLTokenizer.isSpace(bytes[place]) { place += 1 }
    return place
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let last = bytes.last, HTMLTokenizer.isSpace(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: HTMLTokenSink

  mutating func tagName(_ name: [UInt8], isEnd: Bool, at: Int) { element = isEnd ? [] : name }

  mutating func attributeName(_ name: [UInt8], at: Int) { attribute = name }

  mutating func attributeValue(_ range: Range<Int>, isQuoted: Bool) {
    let name = String(decoding: attribute, as: UTF8.self)
    switch name {
    case "src", "poster", "background": add(range)
    case "href", "xlink:href":
      // Of links that people follow, nothing is loaded.
      if !["a", "area", "base"].contains(String(decoding: element, as: UTF8.self)) { add(range) }
    case "srcset", "imagesrcset":
      for candidate in decoded(range).split(separator: ",") {
        if let url = candidate.split(whereSeparator: \.isWhitespace).first { references.append(String(url)) }
      }
    case "style": references += Self.references(ofStyles: decoded(range).utf8)
    default: break
    }
  }

  mutating func attributeEnd(at: Int) {}

  mutating func tagEnd(isSelfClosing: Bool, at: Int) -> HTMLTokenizer.NextContent {
    if element.isEmpty { return HTMLTokenizer.NextContent() }
    return HTMLTokenizer.NextContent(
      content: Elements.content(of: ExactString(decoding: element)), element: element)
  }

  mutating func text(_ range: Range<Int>, in content: HTMLTokenizer.Content) {
    guard element.elementsEqual("style".utf8) else { return }
    references += Self.references(ofStyles: bytes[range])
  }

  mutating func comment(startingAt start: Int, endingAt end: Int) {}
  mutating func fault(_ fault: HTMLFault, at: Int) {}

  private mutating func add(_ range: Range<Int>) { references.append(decoded(range)) }

  private func decoded(_ range: Range<Int>) -> String {
    String(decoding: ReferenceDecoder.decoded(bytes[range]), as: UTF8.self)
  }
}
