/// What the HTML parser would be doing at a place of a template, as far as it decides how a template called
/// there is compiled.
struct HTMLContext: Hashable {
  /// Element text, and every place of a text cell.
  static let text = HTMLContext()
}
