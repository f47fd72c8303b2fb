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

/// The elements that a list makes, those of lists in it included, as far as they are counted.
struct ElementCount: BitwiseCopyable {
  private let keepsNothing: Bool
  private var node: JSONTape.Index
  private let end: JSONTape.Index
  private(set) var count: UInt32 = 0

  /// - Parameter keepsNothing: whether there is an element for `null` and false, too.
  init(of list: JSONTape.Index, on tape: JSONTape, keepsNothing: Bool) {
    self.keepsNothing = keepsNothing
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
      case .null, .false: count += keepsNothing ? 1 : 0
      default: count += 1
      }
      node = tape.end(node)
    }
    return met
  }
}
