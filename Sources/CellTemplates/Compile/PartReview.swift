/// Finds holes that no data can fill, and names that are controls, too. `Walker` reports those in comments.
enum PartReview {
  static func warnings(of parts: [CellPart], in source: TemplateSource, budget: LoadBudget) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    var reserved: Set<String> = []
    for part in parts where budget.spend() {
      if let name = reservedName(of: part, among: parts, budget), reserved.insert(name).inserted {
        let warning = Diagnostic(
          .reservedField, in: source, at: part.at,
          "\"\(name)\" is data of this cell, so that no query can say \(meanings[name] ?? "it")",
          hint: "use another name, or say it in an envelope")
        if budget.keep(warning) { warnings.append(warning) }
      }
      guard let (reason, hint) = fault(of: part, among: parts, budget) else { continue }
      let warning = Diagnostic(.unfillableHole, in: source, at: part.at, reason, hint: hint)
      if budget.keep(warning) { warnings.append(warning) }
    }
    return warnings
  }

  /// The controls of queries that are data for a cell that reads them, with what they say.
  private static let meanings = [
    "locale": "the locale", "time_zone": "the time zone", "now": "what time it is",
  ]

  /// The name among them that a part looks up in the row.
  private static func reservedName(
    of part: CellPart, among parts: [CellPart], _ budget: LoadBudget
  ) -> String? {
    let isOutward: Bool
    switch part.role {
    case .variable, .section, .inverted, .dynamic, .plural: isOutward = true
    case .outlet, .taggedOutlet, .bind, .bound, .condition: isOutward = false
    case .action, .partial, .parent, .block: return nil
    }
    var segments = part.name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    let isOfRow = segments.first == "@row"
    if isOfRow { segments.removeFirst() }
    guard let name = segments.first.map(String.init), meanings[name] != nil else { return nil }
    // Inside an outlet, elements look in its value alone.
    var parent = isOutward || isOfRow ? nil : part.parent
    while let position = parent, budget.spend() {
      switch parts[position].role {
      case .outlet, .taggedOutlet, .section: return nil
      default: parent = parts[position].parent
      }
    }
    return name
  }

  private static func fault(
    of part: CellPart, among parts: [CellPart], _ budget: LoadBudget
  ) -> (reason: String, hint: String)? {
    switch part.role {
    case .variable, .section, .inverted, .dynamic, .plural: break
    case .outlet, .taggedOutlet, .bind, .bound, .action, .partial, .parent, .block, .condition: return nil
    }
    if let dot = part.name.firstIndex(of: "."), part.name[..<dot] != "@row",
      AtNames.contains(part.name[..<dot].utf8)
    {
      return (
        "\"\(part.name)\" is always missing: \(part.name[..<dot]) contains no names",
        "write {{\(part.name[..<dot])}}, or only the name"
      )
    }
    guard part.role != .inverted, let outer = emptyName(around: part, among: parts, budget) else {
      return nil
    }
    // The name may be quoted once for each part inside, however long it is.
    let shown = NameRule.shown(outer.utf8)
    return (
      "\"\(part.name)\" is always missing here, because \"\(shown)\" is empty",
      "move it out of {{^\(shown)}}, or use another name"
    )
  }

  /// Whether a name starts with another name and a dot.
  private static func isInside(_ name: String, _ outer: String, _ budget: LoadBudget) -> Bool {
    // Looked at first, since it is found at once.
    guard name.utf8.dropFirst(outer.utf8.count).first == UInt8(ascii: ".") else { return false }
    return starts(name, with: outer, budget)
  }

  /// The names may differ in their last letters alone.
  private static func starts(_ name: String, with outer: String, _ budget: LoadBudget) -> Bool {
    budget.spend(outer.utf8.count / 16) && name.utf8.starts(with: outer.utf8)
  }

  /// The name of an inverted section around a part because of which the part is always missing.
  private static func emptyName(
    around part: CellPart, among parts: [CellPart], _ budget: LoadBudget
  ) -> String? {
    var parent = part.parent
    while let position = parent, budget.spend() {
      let outer = parts[position]
      switch outer.role {
      case .inverted:
        // A falsy value may still be printed: `0`.
        if part.role == .section, part.name.utf8.count == outer.name.utf8.count,
          starts(part.name, with: outer.name, budget)
        {
          return outer.name
        }
        if outer.name != ".", isInside(part.name, outer.name, budget) { return outer.name }
      case .block, .plural: break
      // From here on, names may refer to something else.
      default: return nil
      }
      parent = outer.parent
    }
    return nil
  }
}
