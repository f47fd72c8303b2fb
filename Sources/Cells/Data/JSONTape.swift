import CMarkup
import CSimdJSON

/// A view of parsed JSON: nodes in document order. Two pointers; copied freely.
///
/// Valid as long as the ``JSONParser`` and the text it came from are not changed (see
/// ``JSONParser/tape(over:)``). Indexes come from the parser and from the tape itself, so they are not
/// checked: an object's members are
///
///     var key = object + 1
///     while key < tape.end(object) {
///       let value = key + 1
///       key = tape.end(value)
///     }
///
/// and an array's elements likewise from `array + 1`, each followed by `end(element)`.
package struct JSONTape {
  package typealias Index = UInt32

  /// The id of a key that is in no table of names.
  package static var unknownName: UInt32 { UInt32.max }

  // Both belong to others, the parser and the buffer, which outlive every use of the tape: see above.
  let nodes: UnsafePointer<cf_json_node>
  package let text: UnsafeRawPointer

  /// The nodes, each a `cf_json_node`: four words of 32 bits.
  package var rawNodes: UnsafeRawPointer { UnsafeRawPointer(nodes) }

  /// `nodes` may be nil where nothing was parsed yet; then there is no index to ask for.
  init(nodes: UnsafePointer<cf_json_node>?, text: UnsafeRawPointer) {
    // A pointer to no node at all is never read; any that is not nil will do.
    self.nodes = nodes ?? UnsafePointer(bitPattern: MemoryLayout<cf_json_node>.alignment)!
    self.text = text
  }

  /// The node at `index`, which came from this tape and so is one of its nodes.
  @inline(__always)
  private func node(_ index: Index) -> UnsafePointer<cf_json_node> { nodes + Int(index) }

  /// The nodes from `index` on, as functions of `CMarkup` take them.
  @inline(__always)
  func rowNodes(from index: Index) -> UnsafePointer<cf_row_node> {
    // The same four words: `cf_json_node` and `cf_row_node` are declared alike.
    UnsafeRawPointer(node(index)).assumingMemoryBound(to: cf_row_node.self)
  }

  @inline(__always)
  package func kind(_ index: Index) -> JSONKind {
    // The parser writes the raw values 0...7 only, and an enum of eight cases is stored as their number.
    unsafeBitCast(UInt8(truncatingIfNeeded: node(index).pointee.head), to: JSONKind.self)
  }

  /// Arrays and objects open around the node.
  @inline(__always)
  package func depth(_ index: Index) -> Int { Int(node(index).pointee.head >> 16) }

  /// Where the node's text stands in the buffer: strings and keys behind the quote, arrays and objects their
  /// bracket.
  @inline(__always)
  package func offset(_ index: Index) -> Int { Int(node(index).pointee.offset) }

  /// A string's or key's content, unescaped; a number's or literal's text as sent. Not for arrays and
  /// objects.
  @inline(__always)
  package func bytes(_ index: Index) -> UnsafeRawBufferPointer {
    let node = node(index)
    // The parser wrote both from a place inside the text.
    return UnsafeRawBufferPointer(start: text + Int(node.pointee.offset), count: Int(node.pointee.length))
  }

  /// The first byte of all text, from which offsets count.
  @inline(__always)
  var start: UnsafePointer<UInt8> { text.assumingMemoryBound(to: UInt8.self) }

  /// The first byte of that, where a string's or number's length is its `count`.
  @inline(__always)
  func start(_ index: Index) -> UnsafePointer<UInt8> {
    (text + Int(node(index).pointee.offset)).assumingMemoryBound(to: UInt8.self)
  }

  /// Elements of an array; members of an object as sent, repeated ones counted; bytes of a string or number.
  @inline(__always)
  package func count(_ index: Index) -> Int { Int(node(index).pointee.length) }

  /// The index behind a value's subtree; `index + 1` for a scalar. Not for keys.
  @inline(__always)
  package func end(_ index: Index) -> Index { node(index).pointee.link }

  /// Whether a number's mantissa has no digit but 0: `0`, `-0`, `0.00`, `0e5`. False for all other nodes.
  @inline(__always)
  package func isZero(_ index: Index) -> Bool { node(index).pointee.head & CF_JSON_ZERO.rawValue != 0 }

  /// The id of a key, or ``unknownName``.
  @inline(__always)
  package func nameID(_ key: Index) -> UInt32 { node(key).pointee.link }

  /// Whether a later member of the same object has this key's name. Only known names are compared.
  @inline(__always)
  package func isSuperseded(_ key: Index) -> Bool {
    node(key).pointee.head & CF_JSON_SUPERSEDED.rawValue != 0
  }

  /// The value of the member with the name `id`, the last one if it is repeated; nil if there is none, or
  /// `object` is no object. `id` is one of the table's, not ``unknownName``. Cost: the members before it.
  package func value(named id: UInt32, in object: Index) -> Index? {
    assert(id != Self.unknownName)
    guard kind(object) == .object else { return nil }
    let end = end(object)
    let head = Self.keyHead(in: node(object))
    var key = object + 1
    while key < end {
      let node = node(key)
      // The whole head: a superseded key has a flag in it.
      if node.pointee.link == id && node.pointee.head == head { return key + 1 }
      key = self.end(key + 1)
    }
    return nil
  }

  /// The value of the member whose key is expected `place` nodes behind its object; nil if it is not there, or
  /// `object` is no object.
  ///
  /// - Parameter place: may be anything: the node there counts only if it is a key of this very object that has this
  ///   name and is not superseded.
  @inline(__always)
  package func value(named id: UInt32, in object: Index, expectedAt place: UInt32) -> Index? {
    let container = node(object)
    // Both are below 2^32, so their sum is no surprise. Inside the object's nodes, and one deeper than it: a member of
    // this object, not of one in it. What is no object has no key one deeper than itself.
    let key = UInt(object) &+ UInt(place)
    if key < UInt(container.pointee.link) {
      let node = nodes + Int(bitPattern: key)
      if node.pointee.link == id && node.pointee.head == Self.keyHead(in: container) {
        return Index(truncatingIfNeeded: key &+ 1)
      }
    }
    return nil
  }

  /// The head of a key of this object that is not superseded.
  @inline(__always)
  private static func keyHead(in object: UnsafePointer<cf_json_node>) -> UInt32 {
    ((object.pointee.head >> 16) &+ 1) << 16 | UInt32(JSONKind.key.rawValue)
  }
}
