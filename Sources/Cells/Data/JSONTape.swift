import CNodes

/// A view of parsed JSON: nodes in document order. Consists of two pointers and is cheap to copy.
///
/// Valid until the ``JSONParser`` or its text changes (see ``JSONParser/tape(over:)``). Indexes come from the
/// parser or the tape itself and are not checked. To iterate over an object's members:
///
///     var key = object + 1
///     while key < tape.end(object) {
///       let value = key + 1
///       key = tape.end(value)
///     }
///
/// An array's elements start at `array + 1`, and each is followed by `end(element)`.
package struct JSONTape {
  package typealias Index = UInt32

  /// The id of a key that is not in the table of names.
  package static var unknownName: UInt32 { CF_NODE_UNKNOWN_NAME }

  // Owned by the parser and the buffer, which outlive every use of the tape; see above.
  let nodes: UnsafePointer<cf_node>
  package let text: UnsafeRawPointer

  /// The nodes, each a `cf_node`: four 32-bit words.
  package var rawNodes: UnsafeRawPointer { UnsafeRawPointer(nodes) }

  /// `nodes` may be nil if nothing has been parsed; then there are no valid indexes.
  init(nodes: UnsafePointer<cf_node>?, text: UnsafeRawPointer) {
    // Never dereferenced if there are no nodes; any nonnil pointer will do.
    self.nodes = nodes ?? UnsafePointer(bitPattern: MemoryLayout<cf_node>.alignment)!
    self.text = text
  }

  /// The node at `index`, which must come from this tape.
  @inline(__always)
  func node(_ index: Index) -> UnsafePointer<cf_node> { nodes + Int(index) }

  /// The nodes from `index` on, for functions in C.
  @inline(__always)
  func nodes(from index: Index) -> UnsafePointer<cf_node> { node(index) }

  @inline(__always)
  package func kind(_ index: Index) -> JSONKind {
    // The parser writes only the raw values 0...7.
    verifiedCode(UInt8(truncatingIfNeeded: node(index).pointee.head))
  }

  /// The number of arrays and objects around the node.
  @inline(__always)
  package func depth(_ index: Index) -> Int { Int(node(index).pointee.head >> CF_NODE_DEPTH_SHIFT) }

  /// Where the node's text is in the buffer: after the quote for strings and keys, at the bracket for arrays
  /// and objects.
  @inline(__always)
  package func offset(_ index: Index) -> Int { Int(node(index).pointee.offset) }

  /// The unescaped content of a string or key; the original text of a number or literal. Not for arrays and
  /// objects.
  @inline(__always)
  package func bytes(_ index: Index) -> UnsafeRawBufferPointer {
    let node = node(index)
    // The parser has set both to a range inside the text.
    return UnsafeRawBufferPointer(start: text + Int(node.pointee.offset), count: Int(node.pointee.length))
  }

  /// The first byte of the text, from which offsets count.
  @inline(__always)
  var start: UnsafePointer<UInt8> { text.assumingMemoryBound(to: UInt8.self) }

  /// The first byte of a string or number, whose length is its `count`.
  @inline(__always)
  func start(_ index: Index) -> UnsafePointer<UInt8> {
    (text + Int(node(index).pointee.offset)).assumingMemoryBound(to: UInt8.self)
  }

  /// The elements of an array; the members of an object as sent, including repeated ones; the bytes of a
  /// string or number.
  @inline(__always)
  package func count(_ index: Index) -> Int { Int(node(index).pointee.length) }

  /// The index after a value's subtree; `index + 1` for a scalar. Not for keys.
  @inline(__always)
  package func end(_ index: Index) -> Index { node(index).pointee.link }

  /// Whether all digits of a number's mantissa are 0: `0`, `-0`, `0.00`, `0e5`. False for other nodes.
  @inline(__always)
  package func isZero(_ index: Index) -> Bool { node(index).pointee.head & CF_NODE_ZERO.rawValue != 0 }

  /// The id of a key, or ``unknownName``.
  @inline(__always)
  package func nameID(_ key: Index) -> UInt32 { node(key).pointee.link }
}
