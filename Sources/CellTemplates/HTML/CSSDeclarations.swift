/// The declarations of a static `style`.
enum CSSDeclarations {
  struct Declaration {
    /// In lowercase, unless it is a custom property; nil if there is no colon.
    let property: ExactString?
    /// All of it, without white space around.
    let text: ArraySlice<UInt8>
  }

  /// Splits a style at its semicolons, but not at those in quotes, brackets, comments and escapes.
  /// - Parameter budget: counts each declaration; once it is spent, the rest is left out.
  static func split(_ style: [UInt8], budget: LoadBudget) -> [Declaration] {
    var found: [Declaration] = []
    var (start, depth, position) = (0, 0, 0)
    var quote: UInt8?
    func add(_ end: Int) {
      let text = trimmed(style[start..<end])
      if text.isEmpty || !budget.keep(pieces: LoadBudget.tokenPieces) { return }
      let colon = text.firstIndex(of: UInt8(ascii: ":"))
      found.append(Declaration(property: colon.flatMap { property(trimmed(text[..<$0])) }, text: text))
    }
    while position < style.count, !budget.isSpent {
      let byte = style[position]
      if byte == UInt8(ascii: "\\") {
        position += 1
      } else if let open = quote {
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
        case UInt8(ascii: "/") where style[position...].starts(with: "/*".utf8):
          position += 2
          while position < style.count, !style[position...].starts(with: "*/".utf8) { position += 1 }
          position += 1
        case UInt8(ascii: ";") where depth == 0:
          add(position)
          start = position + 1
        default: break
        }
      }
      position += 1
    }
    if start < style.count { add(style.count) }
    return found
  }

  /// A property's name as it is compared; nil if it is none.
  static func property(_ name: ArraySlice<UInt8>) -> ExactString? {
    let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    guard let first = name.first, !isDigit(first),
      name.allSatisfy({
        HTMLTokenizer.isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    return name.starts(with: "--".utf8)
      ? ExactString(String(decoding: name, as: UTF8.self)) : ExactString(inLowercase: name)
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = text.drop(while: HTMLTokenizer.isSpace)
    return start[..<(start.lastIndex { !HTMLTokenizer.isSpace($0) }.map { $0 + 1 } ?? start.startIndex)]
  }
}
