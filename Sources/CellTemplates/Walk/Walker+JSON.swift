/// Sections in JSON: their two ends leave the same state, commas between the items of a list aside.
extension Walker {
  /// The work for what is expected before and after a section, in the budget's units.
  private static let unitsPerJSONSection = 100

  /// Begins a section, if the place is in JSON.
  /// - Returns: false, with a report, if it begins inside a string.
  mutating func mayBranchJSON(
    at: Int, _ name: MustacheName, _ isInverted: Bool, _ section: inout JSONContext.Section?
  ) -> Bool {
    guard let json = state.json, !state.tokenizer.isInComment else { return true }
    walks.budget.spend(Self.unitsPerJSONSection)
    do throws(Refusal) {
      section = try JSONContext.Section(at: json, of: name.text, isInverted: isInverted)
      return true
    } catch {
      report(error, at: at)
      return false
    }
  }

  /// Compares the ends of a section in JSON, at the end of its content. If they are compatible, the state is as where
  /// the content starts, so that the rest of the two can be compared.
  mutating func joinJSON(_ section: JSONContext.Section?, at: Int) {
    guard let section, let json = state.json else { return }
    let start = section.start
    if section.join(to: json) {
      // The content started with this.
      state.json = start
    } else {
      report(
        .invalidJSONBlock, at: at,
        "this section of a JSON block ends inside of other brackets or strings than it starts in",
        hint: "put whole values or members into it, with their commas")
    }
  }
}
