/// Decodes the character references of a text byte by byte, as a browser does.
///
/// Inner languages are judged by the decoded text, and it is what is compared, kept, and escaped anew. Source: HTML
/// standard, 13.2.5.72 to 13.2.5.80.
struct ReferenceDecoder: Hashable {
  /// Where the references are written. In an attribute's value, a name without a semicolon is no reference if `=`, a letter or a digit
  /// follows.
  enum Place { case attribute, text }

  /// The bytes of the longest reference by name without a semicolon, with `&`.
  static let unterminatedBytes = 7

  private let place: Place
  /// The part of a reference read so far, including `&`.
  private var pending: [UInt8] = []

  init(in place: Place = .attribute) { self.place = place }

  /// Whether the value ends in a reference that could continue.
  var isUnfinished: Bool { !pending.isEmpty }

  /// A whole value of an attribute.
  static func decoded(_ value: some Sequence<UInt8>) -> [UInt8] {
    var decoder = ReferenceDecoder()
    var output: [UInt8] = []
    for byte in value { decoder.feed(byte, &output) }
    decoder.finish(&output)
    return output
  }

  /// - Returns: whether the byte belongs to a reference that begins before it.
  @discardableResult
  mutating func feed(_ byte: UInt8, _ output: inout [UInt8]) -> Bool {
    if pending.isEmpty {
      if byte == UInt8(ascii: "&") { pending = [byte] } else { output.append(byte) }
      return false
    }
    if Self.continues(pending, byte) {
      pending.append(byte)
      return true
    }
    let isClosed = byte == UInt8(ascii: ";") && pending.count > 1
    flush(before: byte, isClosed: isClosed, &output)
    if !isClosed { feed(byte, &output) }
    return isClosed
  }

  /// Called at the end of the value.
  mutating func finish(_ output: inout [UInt8]) {
    if !pending.isEmpty { flush(before: 0, isClosed: false, &output) }
  }

  /// Whether `byte` can continue the reference, of which the first three bytes matter.
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
    guard let end = nameEnd(in: reference) else { return ampersand + reference.dropFirst() }
    return reference[..<end] + [UInt8(ascii: ";")] + reference[end...]
  }

  /// Returns where the longest name that needs no semicolon ends, or nil if the reference begins with no such name.
  private static func nameEnd(in reference: [UInt8]) -> Int? {
    stride(from: min(reference.count, unterminatedBytes), to: 2, by: -1).first {
      NamedReferences.unterminated.contains(String(decoding: reference[1..<$0], as: UTF8.self))
    }
  }

  private mutating func flush(before next: UInt8, isClosed: Bool, _ output: inout [UInt8]) {
    defer { pending.removeAll() }
    var rest = pending[...]
    if pending.count > 1, pending[1] == UInt8(ascii: "#") {
      if let scalar = number() {
        output += String(scalar).utf8
        return
      }
    } else if isClosed, let text = NamedReferences.text(of: pending[1...]) {
      output += text.utf8
      return
    } else if let end = Self.nameEnd(in: pending), let text = NamedReferences.text(of: pending[1..<end]),
      place == .text || (end == pending.count && next != UInt8(ascii: "="))
    {
      output += text.utf8
      rest = pending[end...]
    }
    output += rest
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
    if 0x80..<0xA0 ~= value { return Self.windows1252[Int(value) - 0x80] }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// What the numbers from 0x80 on mean: the letters of Windows, where it has some.
  private static let windows1252: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
