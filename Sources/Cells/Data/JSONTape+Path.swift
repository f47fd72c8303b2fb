extension JSONTape {
  /// One part of the path to a node.
  package enum PathPart: Equatable {
    case member(String)
    case element(Int)
  }

  /// Whether `node` is `root` or inside it.
  package func contains(_ node: Index, in root: Index) -> Bool {
    node >= root && node < end(root)
  }

  /// Finds the path from a value to a node inside it, for messages. May take long in a large list: it is found in parts.
  package struct PathFinder {
    /// The most bytes of a member's name that are kept.
    private static let nameBytes = 1 << 10
    private let node: Index
    private var here: Index
    private var child: Index = 0
    private var index = 0
    /// The path so far.
    package private(set) var parts: [PathPart] = []

    /// - Parameter node: must be inside `root`.
    package init(from root: Index, to node: Index, on tape: JSONTape) {
      precondition(tape.contains(node, in: root), "the node does not lie in the root")
      self.node = node
      here = root
      child = tape.firstChild(of: here)
    }

    /// Visits members and elements until the path is complete.
    /// - Parameter budget: how many of them may be visited, and levels entered; reduced by those that are.
    /// - Returns: false if the budget is too small.
    package mutating func find(on tape: JSONTape, budget: inout Int) -> Bool {
      while here != node {
        if budget <= 0 { return false }
        budget -= 1
        let isObject = tape.kind(here) == .object
        while !tape.contains(node, in: child) {
          if budget <= 0 { return false }
          budget -= 1
          child = isObject ? tape.end(child) + 1 : tape.end(child)
          index += 1
        }
        parts.append(
          isObject
            ? .member(String(decoding: tape.bytes(child - 1).prefix(Self.nameBytes), as: UTF8.self))
            : .element(index))
        here = child
        child = tape.firstChild(of: here)
        index = 0
      }
      return true
    }
  }

  /// The first value in an object or array.
  private func firstChild(of parent: Index) -> Index { kind(parent) == .object ? parent + 2 : parent + 1 }
}
