import Cells

/// A tree of names built from form fields, stored in flat arrays. Each name has either values, which are strings or
/// JSON, or child names.
///
/// Names are looked up by a hash with a per-process seed, so that clients cannot prepare collisions.
struct FieldTree: ~Copyable {
  typealias Index = UInt32
  static let root: Index = 0
  /// The most text whose offsets and counts fit `UInt32`.
  static let textLimitBytes = 1 << 31
  private static let none = Index.max

  private enum Content: UInt8 { case nothing, values, object }

  private struct Node {
    var hash: UInt32
    var parent: Index
    /// The decoded name, in `decoded`.
    var nameStart: UInt32
    var nameCount: UInt32
    var nextSibling = none
    /// Index of the first child or first value.
    var first = none
    var last = none
    var content = Content.nothing
  }

  private struct Value {
    /// In `decoded`.
    var start: UInt32
    var count: UInt32
    var next = none
    /// Whether it is JSON, and not the content of a string.
    var isJSON: Bool
  }

  private let size: FormSize
  private var nodes: [Node] = []
  private var values: [Value] = []
  private var decoded: ByteBuffer
  /// End of the prefix of `decoded` known to be valid UTF-8, while a string is added.
  private var checkedCount = 0
  /// Indexes into `nodes` by hash: open addressing, at most half full. `prepare` fills them up to `slotCount`, a power
  /// of two, which is enough for all names.
  private var slots: [Index] = []
  private let slotCount: Int
  private static let preparedSlots = 256 << 10

  /// Makes an empty tree with room for everything a text of that size can produce. Unused room is never
  /// touched.
  init(_ size: FormSize) {
    self.size = size
    decoded = ByteBuffer(capacity: size.bytes)
    nodes.reserveCapacity(size.names + 1)
    values.reserveCapacity(size.fields)
    slotCount = max(16, 1 << (Int.bitWidth - (2 * size.names).leadingZeroBitCount))
    slots.reserveCapacity(slotCount)
    nodes.append(Node(hash: 0, parent: Self.none, nameStart: 0, nameCount: 0, content: .object))
  }

  /// Continues preparing for names to be added. Returns false if there is more.
  mutating func prepare() -> Bool {
    let count = min(Self.preparedSlots, slotCount - slots.count)
    slots.append(contentsOf: repeatElement(Self.none, count: count))
    return slots.count == slotCount
  }

  /// An upper bound of the memory for the tree and its JSON. There can be four slots for each name.
  static func estimatedBytes(_ size: FormSize) -> Int {
    size.bytes + size.jsonBytes + (size.names + 1) * MemoryLayout<Node>.stride
      + size.fields * MemoryLayout<Value>.stride + 4 * max(size.names, 16) * MemoryLayout<Index>.stride
  }

  func isObject(_ node: Index) -> Bool { nodes[Int(node)].content == .object }

  /// Whether the node holds more than one value and so prints as an array.
  func holdsSeveral(_ node: Index) -> Bool {
    nodes[Int(node)].content == .values && nodes[Int(node)].first != nodes[Int(node)].last
  }

  /// Makes the node an object. Returns false if it already holds a value.
  mutating func makeObject(_ node: Index) -> Bool {
    if nodes[Int(node)].content == .values { return false }
    nodes[Int(node)].content = .object
    return true
  }

  /// The child of the object `parent` whose decoded name is `text[range]`, added if it is new.
  mutating func child(
    named text: borrowing Span<UInt8>, _ range: Range<Int>, of parent: Index
  ) throws(PercentDecoding.Fault) -> Index {
    let start = decoded.count
    try PercentDecoding.append(text, range, plusIsSpace: true, to: &decoded)
    let hash = hash(of: start..<decoded.count, parent: parent)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != Self.none {
      if isNode(slots[slot], named: start..<decoded.count, hash: hash, parent: parent) {
        decoded.truncate(to: start)
        return slots[slot]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let new = Index(nodes.count)
    nodes.append(
      Node(
        hash: hash, parent: parent, nameStart: UInt32(start), nameCount: UInt32(decoded.count - start)))
    slots[slot] = new
    if nodes[Int(parent)].first == Self.none {
      nodes[Int(parent)].first = new
    } else {
      nodes[Int(nodes[Int(parent)].last)].nextSibling = new
    }
    nodes[Int(parent)].last = new
    return new
  }

  /// Adds an empty value to a node that is not an object. `addToValue` appends to it.
  mutating func addValue(to node: Index, isJSON: Bool) {
    precondition(nodes[Int(node)].content != .object)
    let new = Index(values.count)
    values.append(Value(start: UInt32(decoded.count), count: 0, isJSON: isJSON))
    checkedCount = decoded.count
    if nodes[Int(node)].content == .nothing {
      nodes[Int(node)].content = .values
      nodes[Int(node)].first = new
    } else {
      values[Int(nodes[Int(node)].last)].next = new
    }
    nodes[Int(node)].last = new
  }

  /// Decodes `text[range]` and appends it to the value added last. A range must not split an escape.
  mutating func addToValue(
    _ text: borrowing Span<UInt8>, _ range: Range<Int>, isLast: Bool
  ) throws(PercentDecoding.Fault) {
    let start = decoded.count
    let isASCII = try PercentDecoding.appendUnchecked(text, range, plusIsSpace: true, to: &decoded)
    values[values.count - 1].count += UInt32(decoded.count - start)
    if isASCII && checkedCount == start {
      checkedCount = decoded.count
      return
    }
    // A multi-byte character may be split between two ranges.
    let open =
      isLast
      ? decoded.count : checkedCount + PercentDecoding.openCharacter(in: bytes(checkedCount..<decoded.count))
    if !PercentDecoding.isUTF8(bytes(checkedCount..<open)) { throw .notUTF8 }
    checkedCount = open
  }

  /// What finds the first fault in the value added last, which must be complete.
  func faultFinder(depthLimit: Int) -> JSONFaultFinder {
    let value = values[values.count - 1]
    return JSONFaultFinder(Int(value.start)..<Int(value.start + value.count), depthLimit: depthLimit)
  }

  /// Looks at about `bytes` more bytes of the value that the finder was made for. Returns true when its fault is known.
  func look(by finder: JSONFaultFinder, bytes: Int) -> Bool { finder.look(at: decoded, bytes: bytes) }

  /// Writes the tree as compact JSON in pieces. It follows the tree's links, so depth uses no stack.
  struct Writer: ~Copyable {
    private enum Next { case node, content, value, valueEnd }

    private var buffer: ByteBuffer
    private var parent = FieldTree.root
    private var node: Index
    private var value = FieldTree.none
    private var next = Next.node
    /// The part of the current name or value not yet written, as a range of `decoded`. The opening quote of a string is
    /// written.
    private var text: Range<Int>?
    private var isJSON = false

    fileprivate init(_ tree: borrowing FieldTree) {
      buffer = ByteBuffer(capacity: tree.size.jsonBytes)
      buffer.append("{")
      node = tree.nodes[0].first
    }

    /// Writes about `bytes` more bytes. Returns true when the JSON is complete.
    mutating func write(_ tree: borrowing FieldTree, bytes: Int) -> Bool {
      let start = buffer.count
      while buffer.count - start < bytes {
        if let text {
          let end = text.lowerBound + min(bytes, text.count)
          let part = tree.bytes(text.lowerBound..<end)
          if isJSON { buffer.append(part) } else { JSONTape.appendJSONContent(part, to: &buffer) }
          self.text = end < text.upperBound ? end..<text.upperBound : nil
          if self.text == nil, !isJSON { buffer.append("\"") }
        } else if goOn(in: tree) {
          return true
        }
      }
      return false
    }

    /// Takes the next step. Returns true if it was the last one.
    private mutating func goOn(in tree: borrowing FieldTree) -> Bool {
      switch next {
      case .node where node == FieldTree.none:
        buffer.append("}")
        if parent == FieldTree.root { return true }
        node = tree.nodes[Int(parent)].nextSibling
        parent = tree.nodes[Int(parent)].parent
        if node != FieldTree.none { buffer.append(",") }
      case .node:
        let this = tree.nodes[Int(node)]
        begin(this.nameStart, this.nameCount, isJSON: false)
        next = .content
      case .content:
        let this = tree.nodes[Int(node)]
        if this.content == .object {
          buffer.append(":{")
          parent = node
          node = this.first
          next = .node
        } else {
          buffer.append(this.first == this.last ? ":" : ":[")
          value = this.first
          next = .value
        }
      case .value:
        let this = tree.values[Int(value)]
        begin(this.start, this.count, isJSON: this.isJSON)
        next = .valueEnd
      case .valueEnd:
        value = tree.values[Int(value)].next
        if value != FieldTree.none {
          buffer.append(",")
          next = .value
          break
        }
        let this = tree.nodes[Int(node)]
        if this.first != this.last { buffer.append("]") }
        node = this.nextSibling
        if node != FieldTree.none { buffer.append(",") }
        next = .node
      }
      return false
    }

    private mutating func begin(_ start: UInt32, _ count: UInt32, isJSON: Bool) {
      if !isJSON { buffer.append("\"") }
      text = Int(start)..<Int(start + count)
      self.isJSON = isJSON
    }

    /// The JSON written so far.
    mutating func takeBuffer() -> ByteBuffer {
      var taken = ByteBuffer()
      swap(&taken, &buffer)
      return taken
    }
  }

  func writer() -> Writer { Writer(self) }

  /// Part of the decoded text; valid until `decoded` changes.
  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: decoded.bytes[range])
  }

  private func hash(of name: Range<Int>, parent: Index) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(bytes: bytes(name))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  private func isNode(_ node: Index, named name: Range<Int>, hash: UInt32, parent: Index) -> Bool {
    let other = nodes[Int(node)]
    guard other.hash == hash, other.parent == parent, Int(other.nameCount) == name.count else { return false }
    return bytes(name).elementsEqual(
      bytes(Int(other.nameStart)..<Int(other.nameStart + other.nameCount)))
  }
}
