import Testing

@testable import CellTemplates

/// Character references are decoded as in browsers: all names of the standard, and numbers.
@Suite struct ReferenceDecoderTests {
  private static func decoded(_ text: String, in place: ReferenceDecoder.Place) -> String {
    var decoder = ReferenceDecoder(in: place)
    var output: [UInt8] = []
    for byte in text.utf8 { decoder.feed(byte, &output) }
    decoder.finish(&output)
    return String(decoding: output, as: UTF8.self)
  }

  /// By bytes: `String` compares letters, however they are composed.
  private static func expect(_ text: String, in place: ReferenceDecoder.Place, _ expected: String) {
    #expect(Array(decoded(text, in: place).utf8) == Array(expected.utf8), "\(text)")
  }

  @Test(arguments: [
    ("5&nbsp;&euro; f&uuml;r", "5\u{A0}\u{20AC} f\u{FC}r"), ("gr&ouml;&szlig;e", "gr\u{F6}\u{DF}e"),
    ("&sol;&colon;&Tab;&NewLine;&lpar;&amp;", "/:\t\n(&"),
    ("&NotEqualTilde;&bne;", "\u{2242}\u{338}=\u{20E5}"),
    ("&CounterClockwiseContourIntegral;&AElig;&zwnj;", "\u{2233}\u{C6}\u{200C}"), ("&Afr;", "\u{1D504}"),
    ("&notin;&nvlt;", "\u{2209}<\u{20D2}"), ("&uuml&lt", "\u{FC}<"), ("&copy-&copy&", "\u{A9}-\u{A9}&"),
    ("&hellip &hellipx; &; &&amp;x", "&hellip &hellipx; &; &&x"), ("&Nbsp; &NBSP;", "&Nbsp; &NBSP;"),
    ("&#252;&#xFC;&#XfC", "\u{FC}\u{FC}\u{FC}"), ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("&#128;&#x96;&#159;&#129;", "\u{20AC}\u{2013}\u{178}\u{81}"), ("&#;&#x;&#", "&#;&#x;&#"),
  ])
  func everywhere(_ text: String, _ expected: String) {
    Self.expect(text, in: .attribute, expected)
    Self.expect(text, in: .text, expected)
  }

  /// Text, its meaning in an attribute, and that in an element's text.
  @Test(arguments: [
    ("?a=1&copy=2", "?a=1&copy=2", "?a=1\u{A9}=2"), ("&copy2&ampx;", "&copy2&ampx;", "\u{A9}2&x;"),
    ("&notit;&notit", "&notit;&notit", "\u{AC}it;\u{AC}it"), ("&lt=", "&lt=", "<="),
  ])
  func withoutSemicolon(_ text: String, _ inAttribute: String, _ inText: String) {
    Self.expect(text, in: .attribute, inAttribute)
    Self.expect(text, in: .text, inText)
  }

  @Test func placeholdersAreDecodedAsText() {
    let text = Placeholder.text(of: [.literal(Array(" gr&ouml;&szlig;er\n&copy2 ".utf8))])
    #expect(text == Array("gr\u{F6}\u{DF}er \u{A9}2".utf8))
  }

  @Test func everyNameIsFound() {
    let entries = NamedReferences.table.split { $0 <= 0x20 }.map { $0.split(separator: UInt8(ascii: ":")) }
    #expect(entries.count == 2125)
    #expect(NamedReferences.unterminated.count == 106)
    for entry in entries {
      let numbers = entry[1].split(separator: UInt8(ascii: "+")).map { String(decoding: $0, as: UTF8.self) }
      let scalars = numbers.map { Unicode.Scalar(UInt32($0, radix: 16)!)! }
      let text = String(String.UnicodeScalarView(scalars))
      #expect(NamedReferences.text(of: entry[0]).map { Array($0.utf8) } == Array(text.utf8))
      #expect(entry[0].count <= NamedReferences.longestBytes)
    }
    for name in NamedReferences.unterminated {
      #expect(NamedReferences.text(of: Array(name.utf8)[...]) != nil, "\(name)")
    }
    let long = String(repeating: "a", count: 40)
    for name in ["", "A", "0", "AEligx", "AEli", "zwnjx", "zzzz", "notit", long] {
      #expect(NamedReferences.text(of: Array(name.utf8)[...]) == nil, "\(name)")
    }
  }
}
