import CEscape
import Glibc
import CNodes
import CRowPlan

/// The output of a kind's cells for rows of one shape: runs of bytes common to all of them, and between these
/// the row's own texts, each with its escaper. Everything that sections, outlets, partials and lines decide
/// is already decided.
///
/// A shape is a parsed row without the texts of its strings and numbers. Rows of one shape have the same
/// names in the same positions, the same nesting, and empty, zero, `null`, true and false values in the same
/// positions.
///
/// Contains none of a row's texts. Owns its memory; its creator must deallocate it once. See `PLANS.md`.
typealias RowPlan = cf_plan

/// What a row of a plan counts for.
struct PlanCost {
  /// The loop iterations and calls, without those for reading long texts and for indexing.
  var iterations: Int
  /// What the row does not find.
  var tally: ValueTally
}

extension RowPlan {
  /// Takes what was recorded of a row, by name, as the parts of the plan that it becomes.
  /// - Parameters:
  ///   - row: a row of the shape that the plan is for.
  ///   - pieces: the last piece must be the end.
  init(
    for row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms, _ cost: PlanCost, guards: [cf_guard],
    pieces: [cf_piece],
    literals: [UInt8]
  ) {
    let nodeCount = Self.nodeCount(of: row, on: tape)
    let paddedCount = (nodeCount + 1) & ~1
    let nothing = cf_node(head: 0, offset: 0, length: 0, link: 0)
    let masks = UnsafeMutablePointer<cf_node>.allocate(capacity: 2 * paddedCount)
    masks.initialize(repeating: nothing, count: 2 * paddedCount)
    let wanted = masks + paddedCount
    for index in 0..<nodeCount {
      let mask = Self.shapeMask(of: row + UInt32(index), on: tape)
      let node = tape.nodes(from: row)[index]
      masks[index] = mask
      wanted[index] = cf_node(
        head: node.head & mask.head, offset: 0, length: 0, link: node.link & mask.link)
    }
    let ownPieces = UnsafeMutablePointer<cf_piece>.allocate(capacity: pieces.count)
    ownPieces.initialize(from: pieces, count: pieces.count)
    let literalBytes = literals.count + Int(CF_ESCAPE_PADDING)
    let ownLiterals = UnsafeMutablePointer<UInt8>.allocate(capacity: literalBytes)
    ownLiterals.initialize(repeating: 0, count: literalBytes)
    ownLiterals.update(from: literals, count: literals.count)
    let ownGuards = UnsafeMutablePointer<cf_guard>.allocate(capacity: guards.count)
    ownGuards.initialize(from: guards, count: guards.count)
    let heldBytes =
      guards.count * MemoryLayout<cf_guard>.stride + 2 * paddedCount * MemoryLayout<cf_node>.stride + pieces
      .count * MemoryLayout<cf_piece>.stride
      + literalBytes
    // The plan of C, whose members are named here once.
    self.init(
      pieces: ownPieces, end: ownPieces + pieces.count, literals: ownLiterals, masks: masks, wanted: wanted,
      node_count: Int64(nodeCount), guards: ownGuards, guard_count: Int64(guards.count),
      conditions: terms.conditions, family: 0,
      outcomes: guards.enumerated().reduce(0) { $0 | ($1.element.holds ? 1 << UInt64($1.offset) : 0) },
      terms: terms.number, iterations: Int64(cost.iterations),
      missing: Int64(cost.tally.missing), drawn: Int64(cost.tally.drawn), held_bytes: Int64(heldBytes))
  }

  /// The bits of a node that belong to a row's shape.
  ///
  /// The head has kind, depth, emptiness and zero, and which keys are superseded; a key's link is its name.
  /// The links of other nodes follow from the heads. The model flags in a head relate to other rows and are
  /// excluded.
  @inline(__always)
  private static func shapeMask(of node: JSONTape.Index, on tape: JSONTape) -> cf_node {
    let head = ~(CF_NODE_LIKE_MODEL.rawValue | CF_NODE_MODEL.rawValue)
    return cf_node(head: head, offset: 0, length: 0, link: tape.kind(node) == .key ? ~0 : 0)
  }

  /// A hash of the shape and the terms. Equal for equal shapes and terms, rarely equal otherwise. Cost: the
  /// row's nodes.
  static func shapeHash(of row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: terms.number)
    for index in 0..<nodeCount(of: row, on: tape) {
      let mask = shapeMask(of: row + UInt32(index), on: tape)
      let node = tape.nodes(from: row)[index]
      let word = UInt64(node.head & mask.head) << 32 | UInt64(node.link & mask.link)
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return hash
  }

  func deallocate() {
    masks.deallocate()
    guards.deallocate()
    pieces.deallocate()
    literals.deallocate()
  }

  /// The number of nodes of a value, including its own.
  @inline(__always)
  static func nodeCount(of index: JSONTape.Index, on tape: JSONTape) -> Int { Int(tape.end(index) &- index) }

  /// Whether both are for rows of one shape, and ask the same of them, whatever the outcomes.
  func isAlike(_ other: RowPlan) -> Bool {
    guard node_count == other.node_count, terms == other.terms, guard_count == other.guard_count else {
      return false
    }
    let bytes = 2 * ((Int(node_count) + 1) & ~1) * MemoryLayout<cf_node>.stride
    guard memcmp(masks, other.masks, bytes) == 0 else { return false }
    return (0..<Int(guard_count)).allSatisfy { guards[$0].asksAs(other.guards[$0]) }
  }

  /// Whether the plan was made for rows like this one.
  @inline(__always)
  static func fits(
    _ plan: UnsafePointer<RowPlan>, _ row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms
  ) -> Bool {
    plan.pointee.node_count == nodeCount(of: row, on: tape) && plan.pointee.terms == terms.number
      && cf_has_shape(tape.nodes(from: row), tape.start, plan)
  }
}
