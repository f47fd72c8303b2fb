/// The places of the URLs in a static `srcset`.
///
/// Source: HTML standard, "parse a srcset attribute": a URL ends at white space, so commas may be part of it; those at its end, and those
/// after a descriptor and outside parentheses, end the candidate.
struct SourceSetLinks: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The range of the next URL, in bytes.
  mutating func next() -> Range<Int>? {
    skip { HTMLTokenizer.isSpace($0) || $0 == Self.comma }
    if offset == bytes.count { return nil }
    let start = offset
    skip { !HTMLTokenizer.isSpace($0) }
    var end = offset
    while bytes[end - 1] == Self.comma { end -= 1 }
    if end == offset { skipDescriptor() }
    return start..<end
  }

  private mutating func skipDescriptor() {
    var isInParentheses = false
    skip { byte in
      if byte == UInt8(ascii: "(") { isInParentheses = true }
      if byte == UInt8(ascii: ")") { isInParentheses = false }
      return isInParentheses || byte != Self.comma
    }
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while offset < bytes.count, isSkipped(bytes[offset]) { offset += 1 }
  }

  private static let comma = UInt8(ascii: ",")

  /// The text with other URLs. The rest stays as written.
  /// - Parameter link: returns the URL in place of another; nil if that stays.
  static func replacing(in text: String, _ link: (String) -> String?) -> String {
    let links = SourceSetLinks(text)
    var output: [UInt8] = []
    var end = 0
    for range in links {
      guard let url = link(String(decoding: links.bytes[range], as: UTF8.self)) else { continue }
      output += links.bytes[end..<range.lowerBound]
      output += url.utf8
      end = range.upperBound
    }
    return String(decoding: output + links.bytes[end...], as: UTF8.self)
  }

  /// The URLs.
  static func urls(in text: String) -> some Sequence<String> {
    let links = SourceSetLinks(text)
    return links.lazy.map { String(decoding: links.bytes[$0], as: UTF8.self) }
  }
}
