/// What each fault that the tokenizer finds is called, and how it is mended.
extension Walker {
  mutating func fault(_ fault: HTMLFault, at: Int) {
    if fault == .cdata, state.element.open.isDisjoint(with: [.fallback, .assumed]) { return }
    let (code, message, hint): (DiagnosticCode, String, String) =
      switch fault {
      case .equalsBeforeName:
        (.invalidMarkup, "an attribute's name is missing before =", "write name=\"value\"")
      case .quoteInName:
        (
          .invalidMarkup, "a quote or < in an attribute's name",
          "close the value or tag before it, and leave a space"
        )
      case .missingValue: (.invalidMarkup, "the attribute's value is missing", "write =\"\", or remove the =")
      case .joinedName:
        (.dynamicName, "this text would continue the name before it", "leave a space between them")
      case .doctype: (.pageElement, "a document type belongs to the page, not to a cell", "remove it")
      case .cdataInHTML:
        (.invalidMarkup, "CDATA is read as a comment outside SVG and MathML", "escape the text instead")
      case .cdata:
        (
          .invalidMarkup,
          "not all parsers read CDATA here: in a <noscript>, or if the cell is not inside an <svg>",
          "escape the text instead"
        )
      case .lessInName: (.invalidMarkup, "a < in the name of a tag", "close the tag before it with >")
      case .slashBeforeBranch:
        (
          .invalidMarkup, "a slash in a tag is at the start or end of a section or partial",
          "remove it; keep the /> that closes an SVG element together"
        )
      case .nul: (.invalidMarkup, "a NUL byte", "remove it")
      case .commentInScript:
        (.invalidMarkup, "<!-- in a script may hide its end tag", "write <\\!-- in strings, // for comments")
      }
    report(code, at: at, message, hint: hint)
  }
}
