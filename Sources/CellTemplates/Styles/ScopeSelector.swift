/// The selector in `@scope (…)`, as a client sends it.
package enum ScopeSelector {
  package static let limitBytes = 1024

  /// Why the text cannot be a selector there, as the end of a sentence that starts with its name; nil if it can. Such a text
  /// ends neither the parenthesis nor the rule, whether or not it is a selector that browsers know.
  package static func fault(in text: String) -> String? {
    if text.utf8.count > limitBytes { return "must have at most \(limitBytes) bytes" }
    if text.allSatisfy(\.isWhitespace) { return "must be a selector, such as .feed" }
    if NameRule.holdsControl(text.utf8) { return "must have no control characters" }
    var reader = StyleReader(text.utf8)
    while let piece = reader.next() {
      switch piece.token {
      case .word, .function, .space, .string: break
      case .open(let byte) where byte != UInt8(ascii: "{"): break
      case .close where !piece.isStray: break
      case .other where isPlain(reader.bytes[piece.range]): break
      default:
        return "must be a selector: \(NameRule.shown(reader.bytes[piece.range])) is not allowed in it"
      }
    }
    return reader.missingEnd(isWhole: false).isEmpty
      ? nil : "must be a selector: it ends within a bracket, a string or an escape"
  }

  /// Whether a token is `#name`, or one of the signs of selectors.
  private static func isPlain(_ token: ArraySlice<UInt8>) -> Bool {
    guard let first = token.first else { return false }
    return first == UInt8(ascii: "#") || token.count == 1 && ".#:*>+~,=^$|".utf8.contains(first)
  }
}
