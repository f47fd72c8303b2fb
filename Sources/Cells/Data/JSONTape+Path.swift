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

  /// The path from `root` to a value inside it, for messages.
  /// - Parameter budget: how many members and elements may be visited; reduced by those visited.
  /// - Returns: nil if the budget is too small.
  package func path(from root: Index, to node: Index, budget: inout Int) -> [PathPart]? {
    precondition(contains(node, in: root), "the node does not lie in the root")
    var parts: [PathPart] = []
    var here = root
    while here != node {
      let isObject = kind(here) == .object
      var child = isObject ? here + 2 : here + 1
      var index = 0
      while !contains(node, in: child) {
        if budget <= 0 { return nil }
        budget -= 1
        child = isObject ? end(child) + 1 : end(child)
        index += 1
      }
      parts.append(isObject ? .member(String(decoding: bytes(child - 1), as: UTF8.self)) : .element(index))
      here = child
    }
    return parts
  }
}
