/// Decodes the character references in an attribute's value byte by byte, as far as inner languages can
/// distinguish them.
///
/// References to ASCII are decoded, because URLs, styles and lists have ASCII syntax. Other names are passed
/// on as written: to the inner languages they are equivalent to the text. Source: HTML standard, 13.2.5.72 to
/// 13.2.5.80, and 13.5 "Named character references".
struct ReferenceDecoder: Hashable {
  /// The part of a reference read so far, including `&`.
  private var pending: [UInt8] = []

  /// Whether the value ends in a reference that could continue.
  var isUnfinished: Bool { !pending.isEmpty }

  /// A whole value.
  static func decoded(_ value: some Sequence<UInt8>) -> [UInt8] {
    var decoder = ReferenceDecoder()
    var output: [UInt8] = []
    for byte in value { decoder.feed(byte, &output) }
    decoder.finish(&output)
    return output
  }

  mutating func feed(_ byte: UInt8, _ output: inout [UInt8]) {
    if pending.isEmpty {
      if byte == UInt8(ascii: "&") { pending = [byte] } else { output.append(byte) }
      return
    }
    if Self.continues(pending, byte) {
      pending.append(byte)
      return
    }
    let isClosed = byte == UInt8(ascii: ";") && pending.count > 1
    flush(before: byte, isClosed: isClosed, &output)
    if !isClosed { feed(byte, &output) }
  }

  /// Called at the end of the value.
  mutating func finish(_ output: inout [UInt8]) {
    if !pending.isEmpty { flush(before: 0, isClosed: false, &output) }
  }

  /// Whether `byte` can continue the reference.
  static func continues(_ reference: [UInt8], _ byte: UInt8) -> Bool {
    if reference.count == 1 && byte == UInt8(ascii: "#") { return true }
    let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    guard reference.count > 1, reference[1] == UInt8(ascii: "#") else {
      return isDigit || HTMLTokenizer.isLetter(byte)
    }
    let lower = byte | 0x20
    if reference.count == 2 { return isDigit || lower == UInt8(ascii: "x") }
    let isHex = reference[2] | 0x20 == UInt8(ascii: "x")
    return isDigit || (isHex && lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "f"))
  }

  /// Completes element text that ends in an unfinished reference, keeping its meaning.
  static func completed(_ reference: [UInt8]) -> [UInt8] {
    let ampersand = Array("&amp;".utf8)
    if reference.count > 1, reference[1] == UInt8(ascii: "#") {
      let isHex = reference.count > 2 && reference[2] | 0x20 == UInt8(ascii: "x")
      let hasDigits = reference.count > (isHex ? 3 : 2)
      return hasDigits ? reference + [UInt8(ascii: ";")] : ampersand + reference.dropFirst()
    }
    // The longest name without a semicolon counts, whatever letters follow.
    for end in stride(from: min(reference.count, 7), to: 2, by: -1)
    where unterminated.contains(String(decoding: reference[1..<end], as: UTF8.self)) {
      return reference[..<end] + [UInt8(ascii: ";")] + reference[end...]
    }
    return ampersand + reference.dropFirst()
  }

  private mutating func flush(before next: UInt8, isClosed: Bool, _ output: inout [UInt8]) {
    defer { pending.removeAll() }
    if pending.count > 1, pending[1] == UInt8(ascii: "#") {
      if let scalar = number() {
        output += Array(String(scalar).utf8)
        return
      }
    } else if isClosed || (next != UInt8(ascii: "=") && Self.legacy.contains(pending)) {
      if let text = Self.names[String(decoding: pending.dropFirst(), as: UTF8.self)] {
        output += Array(text.utf8)
        return
      }
    }
    output += pending
    if isClosed { output.append(next) }
  }

  private func number() -> Unicode.Scalar? {
    let isHex = pending.count > 2 && pending[2] | 0x20 == UInt8(ascii: "x")
    let digits = pending.dropFirst(isHex ? 3 : 2)
    if digits.isEmpty { return nil }
    var value: UInt32 = 0
    for digit in digits {
      let number =
        digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : (digit | 0x20) - UInt8(ascii: "a") + 10
      value = min(value * (isHex ? 16 : 10) + UInt32(number), 0x110000)
    }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Names that are also valid without a semicolon.
  private static let legacy: Set<[UInt8]> = Set(
    ["&amp", "&AMP", "&lt", "&LT", "&gt", "&GT", "&quot", "&QUOT"].map { Array($0.utf8) })

  /// All names that are valid without a semicolon in element text.
  private static let unterminated: Set<String> = {
    let names = """
      AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT Iacute Icirc \
      Igrave Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN Uacute Ucirc Ugrave Uuml Yacute \
      aacute acirc acute aelig agrave amp aring atilde auml brvbar ccedil cedil cent copy curren deg divide eacute \
      ecirc egrave eth euml frac12 frac14 frac34 gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro \
      middot nbsp not ntilde oacute ocirc ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect \
      shy sup1 sup2 sup3 szlig thorn times uacute ucirc ugrave uml uuml yacute yen yuml
      """
    return Set(names.split(separator: " ").map(String.init))
  }()

  /// Every name that decodes to text with ASCII in it.
  private static let names: [String: String] = [
    "AMP": "&", "DiacriticalGrave": "`", "GT": ">", "Hat": "^", "LT": "<", "NewLine": "\n", "QUOT": "\"",
    "Tab": "\t", "UnderBar": "_", "VerticalLine": "|", "amp": "&", "apos": "'", "ast": "*",
    "bne": "=\u{20E5}", "bsol": "\\", "colon": ":", "comma": ",", "commat": "@", "dollar": "$", "equals": "=",
    "excl": "!", "fjlig": "fj", "grave": "`", "gt": ">", "lbrace": "{", "lbrack": "[", "lcub": "{",
    "lowbar": "_", "lpar": "(", "lsqb": "[", "lt": "<", "midast": "*", "num": "#", "nvgt": ">\u{20D2}",
    "nvlt": "<\u{20D2}", "percnt": "%", "period": ".", "plus": "+", "quest": "?", "quot": "\"", "rbrace": "}",
    "rbrack": "]", "rcub": "}", "rpar": ")", "rsqb": "]", "semi": ";", "sol": "/", "verbar": "|", "vert": "|",
  ]
}
