/// The brackets that are open at a place of a style.
struct StyleBrackets: Hashable {
  enum Kind: UInt8, Hashable {
    /// Parentheses of a function that takes values, or of an expression in one.
    case function
    /// Those of a function that loads what it names.
    case loading
    case other
  }

  /// The outermost ones.
  private var kinds: [Kind] = []
  /// How many more are open.
  private var more = 0

  /// The most that are told apart: each is copied where sections meet.
  private static let limit = 32

  var isEmpty: Bool { kinds.isEmpty }
  var areFunctions: Bool { more == 0 && kinds.allSatisfy { $0 == .function } }
  var holdLoading: Bool { kinds.contains(.loading) }

  mutating func open(_ kind: Kind) {
    if kinds.count < Self.limit { kinds.append(kind) } else { more += 1 }
  }

  /// A bracket that closes none is ignored.
  mutating func close() {
    if more > 0 { more -= 1 } else { _ = kinds.popLast() }
  }
}
