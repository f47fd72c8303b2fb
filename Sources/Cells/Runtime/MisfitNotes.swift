import CellTemplates

/// Which values did not fit their formats, for `check`. Requests only count them.
final class MisfitNotes {
  struct Misfit: Hashable {
    let value: JSONTape.Index
    /// The number of the format that it did not fit: the one in force in the locale.
    let format: UInt32
  }

  /// A value, and the format that the template has for it.
  private struct Place: Hashable {
    let value: JSONTape.Index
    let written: UInt32
  }

  /// The most that are noted.
  static let limit = 100

  /// In the order in which they were found, each once in all locales.
  private(set) var found: [Misfit] = []
  private var known: Set<Place> = []

  /// - Parameters:
  ///   - written: the number of the format that the template has.
  ///   - format: the number of the one that replaces it in the locale.
  func note(_ value: RenderValue, written: UInt32, inForce format: UInt32) {
    guard value.isNode, found.count < Self.limit else { return }
    if known.insert(Place(value: value.raw, written: written)).inserted {
      found.append(Misfit(value: value.raw, format: format))
    }
  }
}
