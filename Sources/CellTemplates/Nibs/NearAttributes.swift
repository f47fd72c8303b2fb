/// Attributes of nibs that were probably misspelt.
enum NearAttributes {
  /// What comes after `data-`.
  private static let ours = [
    "outlet", "cell", "tag", "bind", "when", "include", "missing", "embed", "design", "class", "format",
    "plural", "case",
    "raw", "action",
  ]
  /// Shorter names are too near to others' for one edit to mean anything: `data-call`.
  private static let shortestEdited = 5

  /// The attribute that was meant by a `data-` attribute with a plural s, or one edit away; nil if none was.
  /// - Parameter attribute: in lowercase.
  static func meant(by attribute: ExactString) -> String? {
    let name = attribute.text
    guard name.hasPrefix("data-"), name.utf8.count <= NearestName.limitBytes else { return nil }
    let written = String(name.dropFirst(5))
    if ours.contains(written) { return nil }
    let singular = ours.first { $0 + "s" == written || $0 + "es" == written }
    let near = { NearestName.find(written, among: ours.filter { $0.utf8.count >= shortestEdited }, edits: 1) }
    return (singular ?? near()).map { "data-" + $0 }
  }
}
