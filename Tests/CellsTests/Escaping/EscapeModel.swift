import CEscape

/// A model of `CEscape`'s escapers: the replacement for every byte, one by one, following the rules.
enum EscapeModel: CaseIterable {
  case html, attribute, text, rawHTML, urlPart, urlComponent, scriptJSON

  func escaper(in variant: cf_escapers) -> EscaperVariant.Function {
    switch self {
    case .html: variant.html
    case .attribute: variant.attribute
    case .text: variant.text
    case .rawHTML: variant.raw_html
    case .urlPart: variant.url_part
    case .urlComponent: variant.url_component
    case .scriptJSON: variant.script_json
    }
  }

  /// The replacement for the bytes at `position`, and the number of bytes it replaces; nil if the byte is
  /// copied.
  private func replacement(at position: Int, of source: [UInt8]) -> (count: Int, text: String)? {
    let byte = source[position]
    switch self {
    case .rawHTML: return byte == 0 ? (1, "\u{FFFD}") : nil
    case .text: return Self.entity(byte)
    case .html: return byte == 0 ? (1, "\u{FFFD}") : Self.entity(byte)
    case .attribute:
      if byte == 0x0D { return (1, "&#13;") }
      return byte == 0 ? (1, "\u{FFFD}") : Self.entity(byte)
    case .urlComponent: return Self.isUnreserved(byte) ? nil : (1, Self.percentEncoded(byte))
    case .urlPart:
      if byte == UInt8(ascii: "&") { return (1, "&amp;") }
      if Self.isUnreserved(byte) || "!#$*+,/:;=?@[]".utf8.contains(byte) { return nil }
      let behind = source[(position + 1)...].prefix(2)
      if byte == UInt8(ascii: "%"), behind.count == 2, behind.allSatisfy(Self.isHex) { return nil }
      return (1, Self.percentEncoded(byte))
    case .scriptJSON:
      switch byte {
      case UInt8(ascii: "&"): return (1, "\\u0026")
      case UInt8(ascii: "<"): return (1, "\\u003c")
      case UInt8(ascii: ">"): return (1, "\\u003e")
      default:
        let character = source[position...].prefix(3)
        if character.elementsEqual("\u{2028}".utf8) { return (3, "\\u2028") }
        if character.elementsEqual("\u{2029}".utf8) { return (3, "\\u2029") }
        return nil
      }
    }
  }

  private static func entity(_ byte: UInt8) -> (count: Int, text: String)? {
    switch byte {
    case UInt8(ascii: "&"): (1, "&amp;")
    case UInt8(ascii: "<"): (1, "&lt;")
    case UInt8(ascii: ">"): (1, "&gt;")
    case UInt8(ascii: "\""): (1, "&quot;")
    case UInt8(ascii: "'"): (1, "&#39;")
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF".utf8.contains(byte) }

  private static func percentEncoded(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF")
    return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
  }

  /// Escapes the whole source.
  func escape(_ source: [UInt8]) -> [UInt8] { escape(source, room: Int.max).output }

  /// The output that fits into `room` bytes, and the number of source bytes it represents: up to the first
  /// replacement that leaves too little room for the rest unescaped.
  func escape(_ source: [UInt8], room: Int) -> (taken: Int, output: [UInt8]) {
    var output: [UInt8] = []
    var position = 0
    while position < source.count {
      guard let replacement = replacement(at: position, of: source) else {
        output.append(source[position])
        position += 1
        continue
      }
      let rest = source.count - position - replacement.count
      if output.count + replacement.text.utf8.count + rest > room { break }
      output.append(contentsOf: replacement.text.utf8)
      position += replacement.count
    }
    return (position, output)
  }
}
