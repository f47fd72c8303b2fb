/// A piece of an everyday page, and what becomes of it.
struct Snippet: CustomStringConvertible, Sendable {
  struct Row {
    let json: String
    let isAttack: Bool
    var owner: String?
    /// What the output contains, and what it does not.
    var fragments: [String] = []
    var absent: [String] = []
  }

  struct Expected {
    /// `LINE:COLUMN CODE`
    let position: String
    /// Words of the hint.
    var hints: [String] = []
  }

  let family: String
  let name: String
  /// The line of its heading.
  let line: Int
  /// Their names and texts; the first has the cell that is rendered.
  var files: [(name: String, text: String)] = []
  var rows: [Row] = []
  /// All errors and warnings, in order.
  var diagnostics: [Expected] = []

  init(family: String, name: String, line: Int) { (self.family, self.name, self.line) = (family, name, line) }

  var description: String { "\(family).md:\(line) \(name)" }

  /// The kind of the first cell.
  var kind: String? {
    guard let first = files.first else { return nil }
    if first.name.hasSuffix(".mustache") { return String(first.name.dropLast(9)) }
    return first.text.firstMatch(of: /data-cell="([^"]+)"/).map { String($0.1) }
  }

  /// Whether a person can see from the page what is expected: of what is refused nothing is rendered; of the rest there
  /// is a row and an attack, each with something that is found in the output.
  func isComplete(isRefused: Bool) -> Bool {
    if files.isEmpty || kind == nil { return false }
    if isRefused { return rows.isEmpty && diagnostics.allSatisfy { !$0.hints.isEmpty } }
    return rows.contains(where: \.isAttack) && rows.contains { !$0.isAttack }
      && rows.allSatisfy { !$0.fragments.isEmpty }
  }
}
