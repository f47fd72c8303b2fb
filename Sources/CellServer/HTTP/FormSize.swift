/// Upper bounds of what form fields can produce, from one pass over their text. With room for these, nothing
/// reallocates later.
struct FormSize {
  /// Bytes of the text.
  private(set) var bytes = 0
  /// Non-empty pairs.
  private(set) var fields = 0
  /// Names, counting each dot-separated part.
  private(set) var names = 0
  private var escapes = 0
  private var isName = true
  private var isEmpty = true

  init() {}

  init(of text: borrowing Span<UInt8>) { add(text, 0..<text.count) }

  /// Adds the next part of the text.
  mutating func add(_ text: borrowing Span<UInt8>, _ range: Range<Int>) {
    bytes += range.count
    for position in range {
      let byte = text[position]
      if byte == UInt8(ascii: "&") {
        (isName, isEmpty) = (true, true)
        continue
      }
      if isEmpty {
        isEmpty = false
        fields += 1
        names += 1
      }
      switch byte {
      case UInt8(ascii: "="): isName = false
      case UInt8(ascii: "."): if isName { names += 1 }
      case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "%"): escapes += 1
      default: break
      }
    }
  }

  /// Room for the JSON: `"":` and `{},` or `[],` for each name, `"",` for each string, six bytes for each
  /// escaped byte.
  var jsonBytes: Int { 2 + bytes + 6 * names + 3 * fields + 5 * escapes }
}
