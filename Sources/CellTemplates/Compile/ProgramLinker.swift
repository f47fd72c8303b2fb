/// Numbers the programs of a compilation and tracks which are still to be written. One for each compilation.
final class ProgramLinker {
  /// One way of calling one template.
  struct Key: Hashable {
    let template: Int
    /// The HTML context of the call.
    var context = KeptContext.text
    /// Whether line starts are marked, so that lines can be indented.
    let marksLines: Bool
  }

  let budget: LoadBudget
  private let templateOfKind: [String: Int]
  private var numbers: [Key: UInt32] = [:]
  private(set) var keys: [Key] = []
  private var written = 0

  private var places: [BlockPlace: UInt32] = [.text: 0]

  init(kinds: [String], budget: LoadBudget) {
    self.budget = budget
    templateOfKind = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
  }

  func template(ofKind kind: String) -> Int? {
    // Kinds are ASCII; a string that only compares equal (the Kelvin sign for K) is not a kind.
    KindName.isValid(kind) ? templateOfKind[kind] : nil
  }

  /// The number of a block's place, assigned in order of first use; 0 is element text.
  func number(of place: BlockPlace) -> UInt32 {
    if let known = places[place] { return known }
    let number = UInt32(places.count)
    places[place] = number
    return number
  }

  /// The number of a program. A new one is queued to be written.
  func program(_ key: Key) -> UInt32 {
    if let known = numbers[key] { return known }
    let number = UInt32(keys.count)
    keys.append(key)
    numbers[key] = number
    return number
  }

  func existingProgram(_ key: Key) -> UInt32? { numbers[key] }

  /// The next program to write, in order of number; nil if none is left.
  func next() -> Key? {
    guard written < keys.count else { return nil }
    written += 1
    return keys[written - 1]
  }
}
