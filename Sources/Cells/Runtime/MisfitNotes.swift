import CellTemplates

/// Which values did not fit their formats, for `check`. Requests only count them.
final class MisfitNotes {
  struct Misfit: Hashable {
    let value: JSONTape.Index
    /// The format's number.
    let format: UInt32
  }

  /// The most that are noted.
  static let limit = 100

  /// In the order in which they were found, each once.
  private(set) var found: [Misfit] = []
  private var known: Set<Misfit> = []

  func note(_ value: RenderValue, _ format: UInt32) {
    guard value.isNode, found.count < Self.limit else { return }
    let misfit = Misfit(value: value.raw, format: format)
    if known.insert(misfit).inserted { found.append(misfit) }
  }
}
