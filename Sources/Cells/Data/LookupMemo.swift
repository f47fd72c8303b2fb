import CFormats
import CellTemplates

/// What look-ups remember for the rows of one request: the members of the row, of large objects, and the
/// element of a list found last. It only makes look-ups faster and never changes what they find.
///
/// A look-up walks over an object's members, which is fastest for a small object. A large object would be
/// walked again for every name, row or item that uses it, so the last `indexedObjects` large objects are
/// indexed. Building an index counts as iterations, so the work is bounded even if more objects alternate.
///
/// What takes long is done in parts, between which a look-up may pause: see `MemberLookup`.
final class LookupMemo {
  /// The maximum number of members of an object without an index.
  static let smallObjectMembers = 32
  private static let indexedObjects = 8
  /// Iterations of one look-up between two looks at the clock.
  static let iterationsPerLook = 64

  /// The members of the row itself.
  let row: MemberIndex
  private let nameCount: Int
  // All unchecked, because look-ups ask for them: a single thread renders, and no access calls other code.
  /// The iterations spent on indexing large objects, where 16 members count as one. They depend on earlier
  /// look-ups, so plans do not include them.
  @exclusivity(unchecked) private(set) var indexingIterations = 0
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

  /// The look-up that has paused.
  struct PausedLookup: BitwiseCopyable {
    /// The context it is in; -1 for the row and what is outside.
    var depth: Int
    /// The next name of the path, and the value it is looked up in; `noIndex` while the first name is looked
    /// up.
    var segment = noIndex
    var value: JSONTape.Index = 0
    /// Whether the first name was found in the request's owner.
    var isInOwner = false
  }

  /// A condition that has paused on its way through its literals.
  struct PausedCondition {
    let value: RenderValue
    /// The literal to go on with, and what those before it have shown.
    var literal = 0
    /// The value that was found last for a literal.
    var found: RenderValue?
    var isEqual = false
    /// Whether the work of all literals is counted.
    var isCounted = false
    /// Whether values were found for several literals.
    var isForeign = false
  }

  /// Whether a look-up could not be finished in time. Whoever does it again clears this.
  @exclusivity(unchecked) var isUnfinished = false
  /// Where the next look-up of a path continues.
  @exclusivity(unchecked) var paused: PausedLookup?
  /// Where the condition that has paused continues; nil if it was still looking for its own value.
  @exclusivity(unchecked) var pausedCondition: PausedCondition?

  /// Indexes an object with more than `smallObjectMembers`, or a part of it. Linear in its members the first
  /// time.
  /// - Parameter iterations: increased by the cost of the index.
  /// - Returns: false if there is more to index.
  func indexPart(_ object: JSONTape.Index, on tape: JSONTape, iterations: inout Int) -> Bool {
    if !isLatest(object) {
      let taken = beginIndex(of: object, tape)
      iterations &+= taken
      indexingIterations &+= taken
    }
    let members = indexes[latest].members
    if members.isIncomplete { members.recordPart(of: object, on: tape) }
    return !members.isIncomplete
  }

  /// The value of a member of the object indexed last; nil if there is none.
  func valueInIndexed(named name: UInt32) -> JSONTape.Index? { indexes[latest].members.value(named: name) }

  /// Elements walked over at once.
  private static let elementsAtOnce = 4096

  /// Finds the element at an index of an array, or comes nearer to it. Takes constant time in a list of
  /// scalars, because each is one node. Otherwise linear in the elements before it, or in those after the
  /// element found last if that precedes it in the same list. So looking up elements in order, as in
  /// `{{list.0}} {{list.1}}`, walks over the list once.
  /// - Parameter position: less than the number of elements.
  /// - Returns: nil if it is further on: call again.
  func element(_ position: Int, of list: JSONTape.Index, on tape: JSONTape) -> JSONTape.Index? {
    if Int(tape.end(list) - list) == tape.count(list) + 1 { return list + 1 + JSONTape.Index(position) }
    var (index, node) = (0, list + 1)
    if latestElement.list == list, latestElement.position <= position {
      (index, node) = (latestElement.position, latestElement.node)
    }
    let stop = min(position, index &+ Self.elementsAtOnce)
    while index < stop {
      node = tape.end(node)
      index &+= 1
    }
    latestElement = (list, index, node)
    return index == position ? node : nil
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

  /// Begins to index the object, replacing the oldest index. Returns the iterations this takes.
  private func beginIndex(of object: JSONTape.Index, _ tape: JSONTape) -> Int {
    if indexes.count < Self.indexedObjects {
      latest = indexes.count
      indexes.append((object, MemberIndex(nameCount: nameCount)))
    } else {
      latest = oldest
      oldest = (oldest + 1) % Self.indexedObjects
      indexes[latest].object = object
    }
    indexes[latest].members.begin(from: object)
    return tape.count(object) >> 4
  }

  /// The memory of the indexes in bytes, that of the row included.
  var indexBytes: Int { (1 + indexes.count) * MemberIndex.bytes(nameCount: nameCount) }

  /// Where a step continues that has paused on its way through a list or a text that it must see before it prints.
  enum PausedReading {
    case items(ListItems)
    case itemCount(ItemCount)
    case cut(cf_truncation)
  }

  /// With the iterations when it paused; nil if no step has paused so.
  @exclusivity(unchecked) var pausedReading: (reading: PausedReading, iterations: Int)?
  /// The value that a step has found before it paused at the look-up of its currency.
  @exclusivity(unchecked) var foundValue: RenderValue?

  /// Drops a look-up that has paused, because its row is not continued.
  @inline(__always)
  func forgetPause() {
    (isUnfinished, paused, pausedCondition, pausedReading, foundValue) = (false, nil, nil, nil, nil)
  }

  /// Clears everything, because the next tape is another.
  func reset() {
    indexingIterations = 0
    forgetPause()
    latestElement.list = noIndex
    // No object has this node, so the indexes are invalid.
    for index in 0..<indexes.count { indexes[index].object = noIndex }
  }
}
