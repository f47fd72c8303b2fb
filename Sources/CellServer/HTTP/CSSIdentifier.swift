/// Writes texts as identifiers of CSS.
enum CSSIdentifier {
  /// As `CSS.escape` does (CSSOM, "serialize an identifier").
  static func escaped(_ text: String) -> String {
    var output = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      let isDigit = ("0"..."9").contains(scalar)
      let startsName = place == 0 || place == 1 && scalars[0] == "-"
      switch scalar {
      case "\0": output.append("\u{FFFD}")
      case "\u{1}"..."\u{1F}", "\u{7F}": output += code(scalar)
      case _ where isDigit && startsName: output += code(scalar)
      case "-" where scalars.count == 1: output += ["\\", "-"]
      case _ where scalar.value >= 0x80 || isDigit, "-", "_", "a"..."z", "A"..."Z": output.append(scalar)
      default: output += ["\\", scalar]
      }
    }
    return String(output)
  }

  private static func code(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    "\\\(String(scalar.value, radix: 16)) ".unicodeScalars
  }
}
