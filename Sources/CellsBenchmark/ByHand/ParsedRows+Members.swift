import Cells

/// How a renderer written by hand reads nodes. They are named by their places; 0, the list of rows, stands for none.
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

  /// A list's elements, a string's bytes.
  @inline(__always)
  func count(_ node: Int) -> Int { Int(nodes[node].length) }

  /// What follows a value.
  @inline(__always)
  func end(_ node: Int) -> Int { Int(nodes[node].link) }

  /// A string or a number.
  @inline(__always)
  func isText(_ node: Int) -> Bool { UInt8(truncatingIfNeeded: nodes[node].head) &- 3 <= 1 }

  /// Whether a string or number is neither empty nor zero: only numbers have the flag, and only strings are empty.
  @inline(__always)
  func isTruthyText(_ node: Int) -> Bool {
    nodes[node].head & (1 << 8) == 0 && nodes[node].length != 0
  }

  /// An object whose flags are all clear, but for those that compare it with others: no name is repeated in it.
  @inline(__always)
  func isPlainObject(_ node: Int) -> Bool {
    nodes[node].head & 0x3FFF == UInt32(Kind.object)
  }

  /// The last member of that name; 0 if there is none, or the value is no object.
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

/// Goes once over the members of an object that has no name twice, in the order one expects them.
struct Members {
  private let rows: ParsedRows
  private var key: Int
  private let end: Int

  /// - Parameter object: a plain one.
  @inline(__always)
  init(of object: Int, in rows: ParsedRows) {
    self.rows = rows
    key = object + 1
    end = rows.end(object)
  }

  /// The value of the next member, if it has that name; else 0.
  @inline(__always)
  mutating func next(_ name: UInt32) -> Int {
    guard key < end, rows.nodes[key].link == name else { return 0 }
    let value = key + 1
    key = rows.end(value)
    return value
  }

  /// Whether all were taken: then what was not found is not there.
  @inline(__always)
  var isAtEnd: Bool { key == end }
}
