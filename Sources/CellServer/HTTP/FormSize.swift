/// What form fields may become at most, told by one look at their text: with so much room nothing grows on
/// the way.
struct FormSize {
  /// The text's own.
  private(set) var bytes = 0
  private(set) var pairs = 1
  /// Names, parts of names counted each.
  private(set) var names = 1
  private var escapes = 0

  init(of text: borrowing Span<UInt8>) {
    bytes = text.count
    var isName = true
    for place in 0..<text.count {
      switch text[place] {
      case UInt8(ascii: "&"):
        pairs += 1
        names += 1
        isName = true
      case UInt8(ascii: "="): isName = false
      case UInt8(ascii: "."): if isName { names += 1 }
      case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "%"): escapes += 1
      default: break
      }
    }
  }

  init() {}

  /// Room for the JSON: `"":` and `{},` or `[],` for a name, `"",` for a string, six bytes for one that is
  /// escaped.
  var jsonBytes: Int { 2 + bytes + 6 * names + 3 * pairs + 5 * escapes }
}
