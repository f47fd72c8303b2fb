import CellTemplates

/// State for all rows of one request: the work so far, and the positions of names in large objects.
///
/// A look-up walks over an object's members, which is fastest for a small object. A large object would be
/// walked again for every name, row or item that uses it, so the positions of all names are kept for the last
/// `indexedObjects` large objects. Building this index counts as turns, so the work is bounded even if more
/// objects alternate.
final class RowScope {
  /// The maximum number of members of an object without an index.
  static let smallObjectMembers = 32
  private static let indexedObjects = 8

  /// The names of the row itself.
  let names: RowNames
  /// Hint slots for programs without slots in a cell, as many as any program needs. Hints of any program are
  /// valid; hints of the same program are just right more often. Freed in `deinit`.
  let spareSlots: UnsafeMutablePointer<UInt32>
  let escapers = TextEscapers()
  // Read and written as a whole by the single rendering thread, so accesses never overlap.
  /// Turns of loops, and calls, so far.
  @exclusivity(unchecked) var turns = 0
  /// When rendering pauses.
  @exclusivity(unchecked) var pause = RowPause.never
  /// The part of `turns` spent on indexing large objects, where 16 members count as one turn. It depends on
  /// earlier look-ups, so plans do not include it.
  @exclusivity(unchecked) private(set) var lookupTurns = 0
  private let nameCount: Int
  /// Large objects by node, with the positions of their names. At most `indexedObjects`, allocated one by
  /// one.
  // No code is called during an access.
  @exclusivity(unchecked) private var indexes: [(object: JSONTape.Index, names: RowNames)] = []
  /// The object used last, and the one replaced next.
  @exclusivity(unchecked) private var latest = 0
  @exclusivity(unchecked) private var oldest = 0

  /// The element of a list found last.
  @exclusivity(unchecked) private var latestElement = (list: noIndex, position: 0, node: noIndex)

  init(for archive: CellArchive) {
    nameCount = archive.names.count
    names = RowNames(nameCount: nameCount)
    let most = archive.programs.array.lazy.map { Int($0.slotCount) }.max() ?? 0
    spareSlots = .allocate(capacity: most)
    spareSlots.initialize(repeating: 0, count: most)
  }

  deinit { spareSlots.deallocate() }

  /// The value of an object's member, the last one if the name is repeated; nil if there is none.
  /// - Parameter turns: increased by the cost of the look-up.
  @inline(__always)
  func value(
    named name: UInt32, in object: JSONTape.Index, on tape: JSONTape, turns: inout Int
  ) -> JSONTape.Index? {
    if tape.count(object) <= Self.smallObjectMembers { return tape.value(named: name, in: object) }
    return valueInLargeObject(named: name, object, tape, turns: &turns)
  }

  /// Same, for an object with more than `smallObjectMembers`. The first look-up is linear in its members.
  func valueInLargeObject(
    named name: UInt32, _ object: JSONTape.Index, _ tape: JSONTape, turns: inout Int
  ) -> JSONTape.Index? {
    // Only objects have names, regardless of their count.
    guard tape.kind(object) == .object else { return nil }
    if !isLatest(object) {
      let taken = index(object, tape)
      turns &+= taken
      lookupTurns &+= taken
    }
    let names = indexes[latest].names
    let place = names.places[Int(name)]
    return place.row == names.row ? place.value : nil
  }

  /// The element at an index, from 0; nil if there is none or `list` is not an array. Linear in the elements
  /// before it, or in those after the element found last if that precedes it in the same list. So looking up
  /// elements in order, as in `{{list.0}} {{list.1}}`, walks over the list once.
  func element(_ position: Int, of list: JSONTape.Index, on tape: JSONTape) -> JSONTape.Index? {
    guard tape.kind(list) == .array, position < tape.count(list) else { return nil }
    var (place, node) = (0, list + 1)
    if latestElement.list == list, latestElement.position <= position {
      (place, node) = (latestElement.position, latestElement.node)
    }
    while place < position {
      node = tape.end(node)
      place &+= 1
    }
    latestElement = (list, position, node)
    return node
  }

  /// Makes the object the latest one if it is indexed.
  private func isLatest(_ object: JSONTape.Index) -> Bool {
    if latest < indexes.count, indexes[latest].object == object { return true }
    for place in 0..<indexes.count where indexes[place].object == object {
      latest = place
      return true
    }
    return false
  }

  /// Indexes the object, replacing the oldest index. Returns the turns this takes.
  private func index(_ object: JSONTape.Index, _ tape: JSONTape) -> Int {
    if indexes.count < Self.indexedObjects {
      latest = indexes.count
      indexes.append((object, RowNames(nameCount: nameCount)))
    } else {
      latest = oldest
      oldest = (oldest + 1) % Self.indexedObjects
      indexes[latest].object = object
    }
    indexes[latest].names.populate(from: object, on: tape)
    return tape.count(object) >> 4
  }

  /// The memory of the indexes in bytes.
  var indexBytes: Int { indexes.count * RowNames.bytes(nameCount: nameCount) }

  /// Clears everything, because the next tape is another.
  func reset() {
    (turns, lookupTurns) = (0, 0)
    pause = .never
    latestElement.list = noIndex
    // No object has this node, so the indexes are invalid.
    for place in 0..<indexes.count { indexes[place].object = noIndex }
  }
}
