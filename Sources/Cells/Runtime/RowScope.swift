import CellTemplates

/// What is counted and remembered for all rows of one request: the work so far, and where names stand in large
/// objects.
///
/// A look-up walks over an object's members. For a small object that is the fastest way; a large one would be walked
/// again for every name, row or item that looks into it, so the places of all its names are kept, those of the last
/// `indexedObjects` large objects. To find them takes turns, so that the work is bounded where more objects take turns.
final class RowScope {
  /// Members an object may have before the places of its names are kept.
  static let smallObjectMembers = 32
  private static let indexedObjects = 8

  /// The row's own names.
  let names: RowNames
  /// Hint slots for programs that a cell has none for, as many as any program needs: hints are good for any program,
  /// and only more often right for one's own. Freed in `deinit`.
  let spareSlots: UnsafeMutablePointer<UInt32>
  let escapers = TextEscapers()
  // Read and set as a whole, by the one thread that draws: no access lasts.
  /// Turns of loops, and calls, so far.
  @exclusivity(unchecked) var turns = 0
  /// When drawing pauses.
  @exclusivity(unchecked) var pause = RowPause.never
  /// Of them, those that finding names in large objects took: 16 members are a turn. They depend on what was looked up
  /// before, so no plan counts them.
  @exclusivity(unchecked) private(set) var lookupTurns = 0
  private let nameCount: Int
  /// Large objects, by the nodes, and the places of their names. At most `indexedObjects`; allocated one by one.
  // Nobody calls out while it has hold of them.
  @exclusivity(unchecked) private var indexes: [(object: JSONTape.Index, names: RowNames)] = []
  /// The one that was asked last, and the one that makes way next.
  @exclusivity(unchecked) private var latest = 0
  @exclusivity(unchecked) private var oldest = 0

  /// The element of a list that was found last.
  @exclusivity(unchecked) private var latestElement = (list: noIndex, position: 0, node: noIndex)

  init(for archive: CellArchive) {
    nameCount = archive.names.count
    names = RowNames(nameCount: nameCount)
    let most = archive.programs.array.lazy.map { Int($0.slotCount) }.max() ?? 0
    spareSlots = .allocate(capacity: most)
    spareSlots.initialize(repeating: 0, count: most)
  }

  deinit { spareSlots.deallocate() }

  /// The value of a member of an object, the last one of its name; nil where there is none.
  /// - Parameter turns: what finding it takes is added.
  @inline(__always)
  func value(
    named name: UInt32, in object: JSONTape.Index, on tape: JSONTape, turns: inout Int
  ) -> JSONTape.Index? {
    if tape.count(object) <= Self.smallObjectMembers { return tape.value(named: name, in: object) }
    return valueInLargeObject(named: name, object, tape, turns: &turns)
  }

  /// The same, of an object with more than `smallObjectMembers`. The first look-up costs its members.
  func valueInLargeObject(
    named name: UInt32, _ object: JSONTape.Index, _ tape: JSONTape, turns: inout Int
  ) -> JSONTape.Index? {
    // Other values than objects have no names, whatever they count.
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

  /// The element at a position, from 0; nil if there is none, or `list` is no array. Cost: the elements before it; or
  /// those behind the element that was found last, if it stands before it in the same list, so that names in the order
  /// of a list, `{{list.0}} {{list.1}}`, walk over it once.
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

  /// Makes the object the latest of those whose names are known, if it is one of them.
  private func isLatest(_ object: JSONTape.Index) -> Bool {
    if latest < indexes.count, indexes[latest].object == object { return true }
    for place in 0..<indexes.count where indexes[place].object == object {
      latest = place
      return true
    }
    return false
  }

  /// Takes the names of the object, in place of those known longest. Returns the turns it takes.
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

  /// Bytes of memory that the places of names in large objects take.
  var indexBytes: Int { indexes.count * RowNames.bytes(nameCount: nameCount) }

  /// Forgets all: the tape will be another.
  func reset() {
    (turns, lookupTurns) = (0, 0)
    pause = .never
    latestElement.list = noIndex
    // No object has the place, so that what is known of others is forgotten.
    for place in 0..<indexes.count { indexes[place].object = noIndex }
  }
}
