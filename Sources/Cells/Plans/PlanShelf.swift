import CMarkup

/// The plans of all kinds: what a factory has learnt of the rows that come. Bounded for each kind and in all.
///
/// One for each factory, used on its thread.
final class PlanShelf {
  /// Bytes of all plans together. If more would be needed all are forgotten, and those that are still of use are learnt
  /// again.
  private static let limitBytes = 8 << 20

  // `count` of them, one for each kind.
  private let kinds: UnsafeMutablePointer<KindPlans>
  private let count: Int
  @exclusivity(unchecked) private var heldBytes = 0
  private let tally: FactoryTally
  /// Of the row that is drawn to learn from.
  // Only the renderer uses it, one call at a time.
  @exclusivity(unchecked) var recorder = PlanRecorder()

  #if DEBUG
    /// What rows that were drawn by their plans draw without them.
    @exclusivity(unchecked) var drawnAgain = ByteBuffer()
  #endif

  init(kindCount: Int, tally: FactoryTally) {
    self.tally = tally
    count = kindCount
    kinds = .allocate(capacity: count)
    kinds.initialize(repeating: KindPlans(), count: count)
  }

  deinit {
    removeAll()
    kinds.deallocate()
  }

  /// The plans of a kind of the archive. Valid as long as the shelf.
  func plans(ofKind kind: UInt32) -> UnsafeMutablePointer<KindPlans> {
    precondition(kind < count)
    return kinds + Int(kind)
  }

  func insert(_ plan: RowPlan, into plans: UnsafeMutablePointer<KindPlans>) {
    if heldBytes + Int(plan.held_bytes) > Self.limitBytes { removeAll() }
    holds(plans.pointee.insert(plan))
    tally.plans.learnt += 1
  }

  /// Rows of a shape of the kind cannot be planned.
  func giveUp(_ shape: UInt64, of plans: UnsafeMutablePointer<KindPlans>) {
    holds(plans.pointee.giveUp(shape))
  }

  /// Rows were drawn by their plans.
  @inline(__always)
  func noteRows(_ count: Int) { tally.plans.rows &+= count }

  private func removeAll() {
    for kind in 0..<count { kinds[kind].removeAll() }
    holds(-heldBytes)
  }

  private func holds(_ change: Int) {
    heldBytes += change
    tally.plans.heldBytes += change
  }
}
