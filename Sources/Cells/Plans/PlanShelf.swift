import CRowPlan

/// The plans of all kinds that a factory has recorded. Bounded for each kind and in total.
///
/// One for each factory, used on its thread.
final class PlanShelf {
  /// The limit of all plans in bytes. If it would be exceeded, the plans of one kind after another are dropped until there
  /// is room; those still useful are recorded again.
  private static let limitBytes = 8 << 20

  // `count` entries, one for each kind.
  private let kinds: UnsafeMutablePointer<KindPlans>
  private let count: Int
  private var heldBytes = 0
  /// The kind whose plans are dropped next.
  private var hand = 0
  private let tally: FactoryTally
  /// Records the row being rendered for a plan.
  var recorder = PlanRecorder()

  #if DEBUG
    let comparison = PlanComparison()
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

  /// The plans of a kind of the archive. Valid as long as the shelf exists.
  func plans(ofKind kind: UInt32) -> UnsafeMutablePointer<KindPlans> {
    precondition(kind < count)
    return kinds + Int(kind)
  }

  func insert(_ plan: RowPlan, into plans: UnsafeMutablePointer<KindPlans>) {
    if heldBytes + Int(plan.held_bytes) > Self.limitBytes { makeRoom(for: Int(plan.held_bytes)) }
    holds(plans.pointee.insert(plan))
    tally.plans.learnt += 1
  }

  /// Remembers that rows of this shape cannot be planned.
  func giveUp(_ shape: UInt64, of plans: UnsafeMutablePointer<KindPlans>) {
    holds(plans.pointee.giveUp(shape))
  }

  /// Counts rows rendered by plans.
  @inline(__always)
  func noteRows(_ count: Int) { tally.plans.rows &+= count }

  /// Goes round the kinds once at most.
  private func makeRoom(for bytes: Int) {
    for _ in 0..<count where heldBytes + bytes > Self.limitBytes {
      holds(-kinds[hand].removeAll())
      hand = (hand + 1) % count
    }
  }

  private func removeAll() {
    for kind in 0..<count { holds(-kinds[kind].removeAll()) }
  }

  private func holds(_ change: Int) {
    heldBytes += change
    tally.plans.heldBytes += change
  }
}
