import CMarkup
import CSimdJSON

/// What a kind's cells draw for rows of one shape: runs of bytes that are the same for all of them, and between these the
/// row's own texts, each through its escaper. All that sections, outlets, partials and lines have to decide is decided.
///
/// A shape is all of a parsed row but the texts of its strings and numbers: rows of one shape have the same names in the
/// same places, nest in the same way, and are empty, zero, `null`, true or false in the same places.
///
/// Holds nothing of a row's texts. Owns its memory; whoever made it deallocates it, once.
typealias RowPlan = cf_plan

/// Different for whatever else than the row decides what is drawn.
struct PlanTerms: BitwiseCopyable {
  let number: Int64

  init(_ limits: RenderLimits) {
    let missing: Int64 =
      switch limits.missing {
      case .keep: 0
      case .blank: 1
      case .error: 2
      }
    number = Int64(limits.partialDepth) &* 3 &+ missing
  }
}

extension RowPlan {
  /// - Parameters:
  ///   - row: the plan is for rows of its shape.
  ///   - turns: of loops and calls that a row takes, without those for reading long texts.
  ///   - pieces: the last of them is the end.
  init(
    for row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms, turns: Int, pieces: [cf_piece],
    literals: [UInt8]
  ) {
    let nodeCount = Self.nodeCount(of: row, on: tape)
    let paddedCount = (nodeCount + 1) & ~1
    let nothing = cf_row_node(head: 0, offset: 0, length: 0, link: 0)
    let masks = UnsafeMutablePointer<cf_row_node>.allocate(capacity: 2 * paddedCount)
    masks.initialize(repeating: nothing, count: 2 * paddedCount)
    let wanted = masks + paddedCount
    for place in 0..<nodeCount {
      let mask = Self.shapeMask(of: row + UInt32(place), on: tape)
      let node = tape.rowNodes(from: row)[place]
      masks[place] = mask
      wanted[place] = cf_row_node(
        head: node.head & mask.head, offset: 0, length: 0, link: node.link & mask.link)
    }
    let ownPieces = UnsafeMutablePointer<cf_piece>.allocate(capacity: pieces.count)
    ownPieces.initialize(from: pieces, count: pieces.count)
    let literalBytes = literals.count + Int(CF_MARKUP_PADDING)
    let ownLiterals = UnsafeMutablePointer<UInt8>.allocate(capacity: literalBytes)
    ownLiterals.initialize(repeating: 0, count: literalBytes)
    ownLiterals.update(from: literals, count: literals.count)
    let heldBytes =
      2 * paddedCount * MemoryLayout<cf_row_node>.stride + pieces.count * MemoryLayout<cf_piece>.stride
      + literalBytes
    self.init(
      pieces: ownPieces, end: ownPieces + pieces.count, literals: ownLiterals, masks: masks, wanted: wanted,
      node_count: Int64(nodeCount), terms: terms.number, turns: Int64(turns),
      held_bytes: Int64(heldBytes))
  }

  /// The bits of a node that tell a row's shape.
  ///
  /// A head tells kind, depth, emptiness and zero, and which keys are superseded; a key's link is its name. Where the
  /// other nodes' links lead follows from the heads. What a head says of models is said of other rows.
  @inline(__always)
  private static func shapeMask(of node: JSONTape.Index, on tape: JSONTape) -> cf_row_node {
    let head = ~(CF_JSON_LIKE_MODEL.rawValue | CF_JSON_MODEL.rawValue)
    return cf_row_node(head: head, offset: 0, length: 0, link: tape.kind(node) == .key ? ~0 : 0)
  }

  /// A number that rows of one shape share under the same terms, and others hardly ever. Cost: the row's nodes.
  static func shapeHash(of row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: terms.number)
    for place in 0..<nodeCount(of: row, on: tape) {
      let mask = shapeMask(of: row + UInt32(place), on: tape)
      let node = tape.rowNodes(from: row)[place]
      let word = UInt64(node.head & mask.head) << 32 | UInt64(node.link & mask.link)
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return hash
  }

  func deallocate() {
    masks.deallocate()
    pieces.deallocate()
    literals.deallocate()
  }

  /// Nodes of a value, its own one among them.
  @inline(__always)
  static func nodeCount(of index: JSONTape.Index, on tape: JSONTape) -> Int { Int(tape.end(index) &- index) }

  /// Whether the row is one that the plan was made for.
  @inline(__always)
  static func fits(
    _ plan: UnsafePointer<RowPlan>, _ row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms
  ) -> Bool {
    plan.pointee.node_count == nodeCount(of: row, on: tape) && plan.pointee.terms == terms.number
      && cf_has_shape(tape.rowNodes(from: row), plan)
  }
}
