/// The state of parsing CSS declarations, as far as needed to know where values are allowed.
///
/// Source: CSS Syntax 3, 4 "Tokenization". A value's escaper allows so few characters that it only matters
/// whether they are the value of a declaration rather than the name of a property or function.
struct StyleContext: Hashable {
  private enum Last: Hashable {
    case other, slash, backslash, star
    /// An escape with this many hexadecimal digits, which white space may end.
    case escape(Int)
  }

  private var isProperty: Bool
  private var string: UInt8 = 0
  private var isComment = false
  private var depth = 0
  private var last = Last.other
  /// Whether the current identifier contains a value.
  private var identifierHoldsHole = false
  private var isUnclear = false

  /// - Parameter isValue: whether the attribute is a single value, like `fill` in SVG.
  init(isValue: Bool) {
    isProperty = !isValue
  }

  mutating func feed(_ byte: UInt8) throws(Refusal) {
    let before = last
    last = .other
    if !isComment, goesOnWithEscape(byte, before) { return }
    if isComment {
      if before == .star, byte == UInt8(ascii: "/") {
        isComment = false
      } else if byte == UInt8(ascii: "*") {
        last = .star
      }
      return
    }
    if byte == UInt8(ascii: "\\") {
      last = .backslash
      return
    }
    if string != 0 {
      if byte == string { string = 0 }
      return
    }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): string = byte
    case UInt8(ascii: "/"): last = .slash
    case UInt8(ascii: "*") where before == .slash: isComment = true
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      if identifierHoldsHole, byte == UInt8(ascii: "(") {
        throw Refusal(
          .unsafeStyle, "a value before this parenthesis would name a CSS function",
          hint:
            "write the function's name as static text, or use a plain word, number or colour")
      }
      depth += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
    case UInt8(ascii: ":") where depth == 0 && isProperty: isProperty = false
    case UInt8(ascii: ";") where depth == 0: isProperty = true
    default: break
    }
    let isName =
      HTMLTokenizer.isLetter(byte) || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte >= 0x80
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    if !isName { identifierHoldsHole = false }
  }

  /// Whether `byte` belongs to the escape started by a backslash.
  private mutating func goesOnWithEscape(_ byte: UInt8, _ before: Last) -> Bool {
    let lower = byte | 0x20
    let isHex =
      (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
      || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f"))
    switch before {
    case .backslash:
      if isHex { last = .escape(1) }
      return true
    case .escape(let count) where isHex && count < 6:
      last = .escape(count + 1)
      return true
    case .escape: return HTMLTokenizer.isSpace(byte)
    default: return false
    }
  }

  mutating func hole() throws(Refusal) -> Escaper {
    let place: String
    if isUnclear {
      place = "at a place that depends on the sections before it"
    } else if isComment {
      place = "in a comment"
    } else if string != 0 {
      place = "in quotes"
    } else if depth > 0 {
      place = "in parentheses"
    } else if last != .other {
      place = "after a slash or an escape"
    } else if isProperty {
      place = "where a property's name must be"
    } else {
      identifierHoldsHole = true
      return .style
    }
    throw Refusal(
      .unsafeStyle, "a value in a style is \(place)",
      hint: "write it as the value of a declaration, as in width: {{width}}px")
  }

  func joined(with other: StyleContext) -> StyleContext {
    if self == other { return self }
    var both = self
    both.identifierHoldsHole = identifierHoldsHole || other.identifierHoldsHole
    if both.isProperty != other.isProperty || string != other.string || isComment != other.isComment
      || depth != other.depth || last != other.last
    {
      both.isUnclear = true
    }
    both.isUnclear = both.isUnclear || other.isUnclear
    return both
  }
}
