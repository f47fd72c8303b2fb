/// The elements that a list makes, those of lists in it included, as far as they are counted.
struct ElementCount: BitwiseCopyable {
  private let countsNulls: Bool
  private var node: JSONTape.Index
  private let end: JSONTape.Index
  private(set) var count: UInt32 = 0

  /// - Parameter countsNulls: whether there is an element for `null` and false, too.
  init(of list: JSONTape.Index, on tape: JSONTape, countsNulls: Bool) {
    self.countsNulls = countsNulls
    node = list + 1
    end = tape.end(list)
  }

  var isComplete: Bool { node >= end }

  /// Counts some more.
  /// - Returns: the items of the lists that were met.
  mutating func countPart(on tape: JSONTape) -> Int {
    var met = 0
    for _ in 0..<ListItems.nodesPerLook where node < end {
      switch tape.kind(node) {
      case .array:
        met += tape.count(node)
        node += 1
        continue
      case .null, .false: count += countsNulls ? 1 : 0
      default: count += 1
      }
      node = tape.end(node)
    }
    return met
  }
}
