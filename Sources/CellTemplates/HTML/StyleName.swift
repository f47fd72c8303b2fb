/// The CSS identifier before a place, as far as needed to know which function a parenthesis opens.
struct StyleName: Hashable {
  /// In lowercase; longer ones name no function that matters.
  private var bytes: [UInt8] = []
  private(set) var holdsHole = false
  /// Whether an escape is part of it, so that its letters are others than are written.
  private var holdsEscape = false
  /// Whether it follows `#` or `@`, so that a parenthesis opens no function.
  private var isMarked = false

  private static let limitBytes = 32

  /// Called for each byte outside of strings, comments and escapes.
  mutating func feed(_ byte: UInt8) {
    if Self.isNameByte(byte) {
      if bytes.count <= Self.limitBytes { bytes.append(HTMLTokenizer.lowercased(byte)) }
      return
    }
    if !bytes.isEmpty || holdsHole || holdsEscape || isMarked { self = StyleName() }
    isMarked = byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@")
  }

  mutating func hole() { holdsHole = true }

  mutating func escape() { holdsEscape = true }

  /// Whether a parenthesis right after it opens a `url()`.
  var isURL: Bool { !holdsEscape && !isMarked && bytes == Array("url".utf8) }

  /// What a parenthesis right after it opens.
  var bracket: StyleBrackets.Kind {
    if holdsEscape { return .other }
    if bytes.isEmpty { return .function }
    if isMarked { return .other }
    return Self.loading.contains(String(decoding: bytes, as: UTF8.self)) ? .loading : .function
  }

  /// Functions whose bare words are files, or that run or find more than a value. Sources: CSS Values 4 and 5, CSS
  /// Images 4, CSS Conditional 3, CSS Painting; Internet Explorer's `expression`.
  private static let loading: Set = [
    "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade", "element",
    "-moz-element",
    "url-prefix", "domain", "regexp", "media-document", "paint", "expression", "attr", "-webkit-canvas",
    "progid",
    "format", "local",
  ]

  private static func isNameByte(_ byte: UInt8) -> Bool {
    HTMLTokenizer.isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte >= 0x80
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  func joined(with other: StyleName) -> StyleName {
    if self == other { return self }
    var both = self
    both.holdsHole = holdsHole || other.holdsHole
    // A parenthesis may open either's function: neither is known.
    both.holdsEscape = true
    return both
  }
}
