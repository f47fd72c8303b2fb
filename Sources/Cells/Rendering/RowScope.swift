import CellTemplates

/// What is counted and remembered for all rows of one request: the work so far, and where names stand in large
/// objects.
///
/// A look-up walks over an object's members. For a small object that is the fastest way; a large one would be walked
/// again for every row or item that looks into it, so what was found there once is kept.
final class RowScope {
  /// Members an object may have before what is found in it is kept.
  static let smallObjectMembers = 32
  private static let keptPlaces = 1024

  /// The row's own names.
  let names: RowNames
  /// Hint slots for programs that a cell has none for, as many as any program needs: hints are good for any program,
  /// and only more often right for one's own. Freed in `deinit`.
  let spareSlots: UnsafeMutablePointer<UInt32>
  let escapers = TextEscapers()
  // Read and set as a whole, by the one thread that draws: no access lasts.
  /// Turns of loops, and calls, so far.
  @exclusivity(unchecked) var turns = 0
  // Nobody calls out while it has hold of them.
  @exclusivity(unchecked) private var places: [UInt64: UInt32] = [:]

  init(for archive: CellArchive) {
    names = RowNames(nameCount: archive.names.count)
    let most = archive.programs.array.lazy.map { Int($0.slotCount) }.max() ?? 0
    spareSlots = .allocate(capacity: most)
    spareSlots.initialize(repeating: 0, count: most)
  }

  deinit { spareSlots.deallocate() }

  /// The value of a member of an object, the last one of its name; nil where there is none.
  @inline(__always)
  func value(named name: UInt32, in object: JSONTape.Index, on tape: JSONTape) -> JSONTape.Index? {
    if tape.count(object) <= Self.smallObjectMembers { return tape.value(named: name, in: object) }
    return valueInLargeObject(named: name, object, tape)
  }

  /// The same, of an object with more than `smallObjectMembers`.
  func valueInLargeObject(
    named name: UInt32, _ object: JSONTape.Index, _ tape: JSONTape
  ) -> JSONTape.Index? {
    let key = UInt64(object) << 32 | UInt64(name)
    if let known = places[key] { return known == UInt32.max ? nil : known }
    let found = tape.value(named: name, in: object)
    places[key] = found ?? UInt32.max
    return found
  }

  /// Forgets all: the tape will be another.
  func reset() {
    turns = 0
    if !places.isEmpty { places.removeAll(keepingCapacity: places.count <= Self.keptPlaces) }
  }
}
