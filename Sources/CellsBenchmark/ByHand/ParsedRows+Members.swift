import Cells

/// How handwritten renderers read nodes. Nodes are identified by their index; 0, the list of rows, means
/// none.
extension ParsedRows {
  enum Kind {
    static let null = 0
    static let `false` = 1
    static let `true` = 2
    static let number = 3
    static let string = 4
    static let array = 5
    static let object = 6
    static let key = 7
  }

  @inline(__always)
  func kind(_ node: Int) -> Int { Int(UInt8(truncatingIfNeeded: nodes[node].head)) }

  /// The number of a list's elements or a string's bytes.
  @inline(__always)
  func count(_ node: Int) -> Int { Int(nodes[node].length) }

  /// The node after a value.
  @inline(__always)
  func end(_ node: Int) -> Int { Int(nodes[node].link) }

  /// Whether the node is a string or a number.
  @inline(__always)
  func isText(_ node: Int) -> Bool { UInt8(truncatingIfNeeded: nodes[node].head) &- 3 <= 1 }

  /// Whether a string or number is neither empty nor zero. Only numbers have the flag, and only strings can
  /// be empty.
  @inline(__always)
  func isTruthyText(_ node: Int) -> Bool {
    nodes[node].head & (1 << 8) == 0 && nodes[node].length != 0
  }

  /// Whether the node is an object without flags, except those that compare it with others: no name in it is
  /// repeated.
  @inline(__always)
  func isPlainObject(_ node: Int) -> Bool {
    nodes[node].head & 0x3FFF == UInt32(Kind.object)
  }

  /// The last member with the name; 0 if there is none or the value is not an object.
  @inline(never)
  func member(_ name: UInt32, of object: Int) -> Int {
    guard kind(object) == Kind.object else { return 0 }
    var found = 0
    var key = object + 1
    let end = end(object)
    while key < end {
      if nodes[key].link == name { found = key + 1 }
      key = self.end(key + 1)
    }
    return found
  }
}

/// Iterates once over the members of an object without repeated names, in the expected order.
struct Members {
  private let rows: ParsedRows
  private var key: Int
  private let end: Int

  /// - Parameter object: a plain object.
  @inline(__always)
  init(of object: Int, in rows: ParsedRows) {
    self.rows = rows
    key = object + 1
    end = rows.end(object)
  }

  /// The value of the next member if it has this name; otherwise 0.
  @inline(__always)
  mutating func next(_ name: UInt32) -> Int {
    guard key < end, rows.nodes[key].link == name else { return 0 }
    let value = key + 1
    key = rows.end(value)
    return value
  }

  /// Whether all members were read: then members that were not found do not exist.
  @inline(__always)
  var isAtEnd: Bool { key == end }
}
