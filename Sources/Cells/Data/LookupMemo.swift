import CellTemplates

/// What look-ups remember for the rows of one request: the members of the row, of large objects, and the
/// element of a list found last. It only makes look-ups faster and never changes what they find.
///
/// A look-up walks over an object's members, which is fastest for a small object. A large object would be
/// walked again for every name, row or item that uses it, so the last `indexedObjects` large objects are
/// indexed. Building an index counts as turns, so the work is bounded even if more objects alternate.
final class LookupMemo {
  /// The maximum number of members of an object without an index.
  static let smallObjectMembers = 32
  private static let indexedObjects = 8

  /// The members of the row itself.
  let row: MemberIndex
  private let nameCount: Int
  // All unchecked, because look-ups ask for them: a single thread renders, and no access calls other code.
  /// The turns spent on indexing large objects, where 16 members count as one turn. They depend on earlier
  /// look-ups, so plans do not include them.
  @exclusivity(unchecked) private(set) var indexingTurns = 0
  /// Large objects by node. At most `indexedObjects`, allocated one by one.
  @exclusivity(unchecked) private var indexes: [(object: JSONTape.Index, members: MemberIndex)] = []
  /// The object used last, and the one replaced next.
  @exclusivity(unchecked) private var (latest, oldest) = (0, 0)
  /// The element of a list found last.
  @exclusivity(unchecked) private var latestElement = (list: noIndex, position: 0, node: noIndex)

  /// - Parameter nameCount: the number of names in the archive.
  init(nameCount: Int) {
    self.nameCount = nameCount
    row = MemberIndex(nameCount: nameCount)
  }

  /// The value of a member of an object with more than `smallObjectMembers`; nil if there is none, or if
  /// `object` is not an object. The first look-up is linear in its members.
  /// - Parameter turns: increased by the cost of the look-up.
  func value(
    named name: UInt32, inLarge object: JSONTape.Index, on tape: JSONTape, turns: inout Int
  ) -> JSONTape.Index? {
    // Only objects have names, regardless of their count.
    guard tape.kind(object) == .object else { return nil }
    if !isLatest(object) {
      let taken = index(object, tape)
      turns &+= taken
      indexingTurns &+= taken
    }
    return indexes[latest].members.value(named: name)
  }

  /// The element at an index, from 0; nil if there is none or `list` is not an array. Takes constant time in a
  /// list of scalars, because each is one node. Otherwise linear in the elements before it, or in those after
  /// the element found last if that precedes it in the same list. So looking up elements in order, as in
  /// `{{list.0}} {{list.1}}`, walks over the list once.
  func element(_ position: Int, of list: JSONTape.Index, on tape: JSONTape) -> JSONTape.Index? {
    guard tape.kind(list) == .array, position < tape.count(list) else { return nil }
    if Int(tape.end(list) - list) == tape.count(list) + 1 { return list + 1 + JSONTape.Index(position) }
    var (index, node) = (0, list + 1)
    if latestElement.list == list, latestElement.position <= position {
      (index, node) = (latestElement.position, latestElement.node)
    }
    while index < position {
      node = tape.end(node)
      index &+= 1
    }
    latestElement = (list, position, node)
    return node
  }

  /// Makes the object the latest one if it is indexed.
  private func isLatest(_ object: JSONTape.Index) -> Bool {
    if latest < indexes.count, indexes[latest].object == object { return true }
    for index in 0..<indexes.count where indexes[index].object == object {
      latest = index
      return true
    }
    return false
  }

  /// Indexes the object, replacing the oldest index. Returns the turns this takes.
  private func index(_ object: JSONTape.Index, _ tape: JSONTape) -> Int {
    if indexes.count < Self.indexedObjects {
      latest = indexes.count
      indexes.append((object, MemberIndex(nameCount: nameCount)))
    } else {
      latest = oldest
      oldest = (oldest + 1) % Self.indexedObjects
      indexes[latest].object = object
    }
    indexes[latest].members.populate(from: object, on: tape)
    return tape.count(object) >> 4
  }

  /// The memory of the indexes in bytes.
  var indexBytes: Int { indexes.count * MemberIndex.bytes(nameCount: nameCount) }

  /// Clears everything, because the next tape is another.
  func reset() {
    indexingTurns = 0
    latestElement.list = noIndex
    // No object has this node, so the indexes are invalid.
    for index in 0..<indexes.count { indexes[index].object = noIndex }
  }
}
