import CSimdJSON

/// The shape of a parsed value: all of it but the texts of its strings and numbers. Values of one shape have the same
/// names in the same places, nest in the same way, and are empty, zero, `null`, true or false in the same places.
///
/// Owns its memory; whoever made it deallocates it, once.
struct JSONShape: BitwiseCopyable {
  /// What of a node's four words belongs to the shape.
  private struct Pattern: BitwiseCopyable {
    var mask: SIMD4<UInt32>
    var wanted: SIMD4<UInt32>
  }

  /// Nodes of the value.
  let nodeCount: Int
  // `nodeCount` patterns.
  private let patterns: UnsafeMutablePointer<Pattern>

  /// The shape of the value at `index`.
  init(of index: JSONTape.Index, on tape: JSONTape) {
    nodeCount = Self.nodeCount(of: index, on: tape)
    patterns = .allocate(capacity: nodeCount)
    for place in 0..<nodeCount {
      // A head tells kind, depth, emptiness and zero, and which keys are superseded; a key's link is its name. Where the
      // other nodes' links lead follows from the heads.
      let isKey = tape.kind(index + UInt32(place)) == .key
      let mask = SIMD4<UInt32>(~0, 0, 0, isKey ? ~0 : 0)
      let wanted = Self.words(tape.nodes + Int(index) + place) & mask
      (patterns + place).initialize(to: Pattern(mask: mask, wanted: wanted))
    }
  }

  func deallocate() { patterns.deallocate() }

  /// Bytes of memory it takes.
  var heldBytes: Int { nodeCount * MemoryLayout<Pattern>.stride }

  /// Nodes of the value at `index`, its own one among them.
  @inline(__always)
  static func nodeCount(of index: JSONTape.Index, on tape: JSONTape) -> Int { Int(tape.end(index) &- index) }

  /// Whether the value at `index` has this shape; it has `nodeCount` nodes.
  @inline(__always)
  func matches(_ index: JSONTape.Index, on tape: JSONTape) -> Bool {
    let nodes = tape.nodes + Int(index)
    var difference = SIMD4<UInt32>(repeating: 0)
    for place in 0..<nodeCount {
      difference |= (Self.words(nodes + place) & patterns[place].mask) ^ patterns[place].wanted
    }
    return difference == SIMD4(repeating: 0)
  }

  @inline(__always)
  private static func words(_ node: UnsafePointer<cf_json_node>) -> SIMD4<UInt32> {
    UnsafeRawPointer(node).loadUnaligned(as: SIMD4<UInt32>.self)
  }
}
