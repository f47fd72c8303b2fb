import CellTemplates

/// The items of a list that is printed as a text.
struct ListItems: BitwiseCopyable {
  /// Nodes looked at between two looks at the clock.
  static let nodesPerLook = 4096

  let escaper: Escaper
  private let first: JSONTape.Index
  private var node: JSONTape.Index
  private let end: JSONTape.Index
  /// The items that are printed.
  private(set) var itemCount = 0
  /// How many have been printed.
  var index = 0

  init(of list: JSONTape.Index, on tape: JSONTape, through escaper: Escaper) {
    self.escaper = escaper
    first = list + 1
    node = first
    end = tape.end(list)
  }

  /// Whether there is no further item, nor anything that is left out.
  var isAtEnd: Bool { node >= end }

  /// Counts the next items.
  /// - Returns: true if all are counted, false if one is a list or an object, nil if there is more to count.
  mutating func countPart(on tape: JSONTape) -> Bool? {
    var nodes = Self.nodesPerLook
    while let item = next(on: tape, &nodes) {
      switch tape.kind(item) {
      case .array, .object: return false
      default: itemCount += 1
      }
    }
    guard isAtEnd else { return nil }
    node = first
    return true
  }

  /// The next item that is printed; nil at the end, or if there is none among as many nodes as `nodes`.
  mutating func next(on tape: JSONTape, _ nodes: inout Int) -> JSONTape.Index? {
    while node < end, nodes > 0 {
      nodes -= 1
      let item = node
      node = tape.end(item)
      switch tape.kind(item) {
      case .null, .false: continue
      default: return item
      }
    }
    return nil
  }
}
