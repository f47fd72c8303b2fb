/// A section that is walked. A class, because the walk keeps one for each nested section on its stack, and what is done
/// before and after its content is in functions of its own for the same reason.
final class OpenSection {
  let at: Int
  let isInverted: Bool
  let json: JSONContext.Section?
  let entry: HTMLContext
  /// What the content starts with in this pass.
  var start: HTMLContext
  /// What follows the section.
  var joined: HTMLContext
  /// The value at the end of the content, if it is in one.
  var printed: ValueContext?
  /// Whether the start is more than the entry.
  var isWidened = false
  var isSettled = false

  init(at: Int, isInverted: Bool, json: JSONContext.Section?, entry: HTMLContext) {
    self.at = at
    self.isInverted = isInverted
    self.json = json
    self.entry = entry
    (start, joined) = (entry, entry)
    if let json { start.json = json.start }
  }
}
