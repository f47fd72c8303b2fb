/// The items of an outlet's list, as far as they are counted. A list in it is no item: its items are.
struct ItemCount: BitwiseCopyable {
  private var node: JSONTape.Index
  private let end: JSONTape.Index
  private(set) var count: UInt32 = 0
  /// Those that are `null` or false.
  private(set) var absentCount: UInt32 = 0

  @inline(__always)
  init(of list: JSONTape.Index, on tape: JSONTape) {
    node = list &+ 1
    end = tape.end(list)
  }

  var isComplete: Bool { node >= end }

  /// Counts some more.
  /// - Returns: the items of the lists that were met.
  @inline(__always)
  mutating func countPart(on tape: JSONTape) -> Int {
    var met = 0
    var nodes = ListItems.nodesPerLook
    while node < end, nodes > 0 {
      nodes &-= 1
      switch tape.kind(node) {
      case .array:
        met &+= tape.count(node)
        node &+= 1
        continue
      case .null, .false: absentCount &+= 1
      default: break
      }
      count &+= 1
      node = tape.end(node)
    }
    return met
  }
}
