/// Numbers the programs of a compilation and remembers which are still to be written. One for a compilation.
final class ProgramLinker {
  /// One way of calling one template.
  struct Key: Hashable {
    let template: Int
    /// What the HTML parser would be doing at the call.
    var context = HTMLContext.text
    /// The lines are marked, so that they can be indented.
    let marksLines: Bool
  }

  let budget: LoadBudget
  private let templateOfKind: [String: Int]
  private var numbers: [Key: UInt32] = [:]
  private(set) var keys: [Key] = []
  private var written = 0

  private var contexts: [HTMLContext: UInt32] = [.text: 0]

  init(kinds: [String], budget: LoadBudget) {
    self.budget = budget
    templateOfKind = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
  }

  func template(ofKind kind: String) -> Int? {
    // A kind is ASCII; a string that only looks like one (the Kelvin sign for K) names none.
    KindName.isValid(kind) ? templateOfKind[kind] : nil
  }

  /// A number for a context, given in the order of first use; 0 is element text.
  func number(of context: HTMLContext) -> UInt32 {
    if let known = contexts[context] { return known }
    let number = UInt32(contexts.count)
    contexts[context] = number
    return number
  }

  /// The number of a program; a new one waits to be written.
  func program(_ key: Key) -> UInt32 {
    if let known = numbers[key] { return known }
    let number = UInt32(keys.count)
    keys.append(key)
    numbers[key] = number
    return number
  }

  func existingProgram(_ key: Key) -> UInt32? { numbers[key] }

  /// The next program to be written, in the order of their numbers; nil when none is left.
  func next() -> Key? {
    guard written < keys.count else { return nil }
    written += 1
    return keys[written - 1]
  }
}
