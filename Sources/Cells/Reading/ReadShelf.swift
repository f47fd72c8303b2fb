import CellTemplates

/// What the kinds of an archive read of their rows, for those that were asked about last.
///
/// Confined to one thread, like the edition that it belongs to. Freeing it may take long; `RetiredShelves` does it in parts.
final class ReadShelf {
  /// What is kept of all kinds, by number: names, vertices and states.
  final class Tally {
    var size = 0
  }

  private static let kindLimit = 64
  /// Each takes up to 200 bytes. Kinds for which there is no room are read anew for each row, which takes as long as they have
  /// names.
  private static let sizeLimit = 1 << 16

  private let tally = Tally()
  private var known: [UInt32: ReadStates] = [:]
  /// From the first to the last that was made.
  private var order: [UInt32] = []

  var isEmpty: Bool { known.isEmpty }
  var size: Int { tally.size }

  /// Made now if it is not kept: 1 to 2 ms for as many names as are looked at.
  func states(of kind: UInt32, in archive: CellArchive, names: JSONNames) -> ReadStates {
    // They grow while they are used.
    while order.count > 1, tally.size > Self.sizeLimit { freeOne() }
    if let states = known[kind] { return states }
    if order.count == Self.kindLimit { freeOne() }
    let states = ReadStates(ReadNames(of: kind, in: archive, names: names), archive, tally)
    known[kind] = states
    order.append(kind)
    return states
  }

  /// Frees what was made first.
  func freeOne() { known[order.removeFirst()] = nil }
}

/// The shelves of editions that are no longer used. They are freed kind by kind, so that a new archive does not hold up the
/// requests that follow.
final class RetiredShelves {
  /// Called when there is something to free, and nothing was.
  var begin: () -> Void = {}
  private var shelves: [ReadShelf] = []

  func add(_ shelf: ReadShelf) {
    if shelf.isEmpty { return }
    shelves.append(shelf)
    if shelves.count == 1 { begin() }
  }

  /// Frees what is kept of one kind.
  /// - Returns: whether there is more to free.
  func freeOne() -> Bool {
    shelves.last?.freeOne()
    if shelves.last?.isEmpty == true { shelves.removeLast() }
    return !shelves.isEmpty
  }
}
