/// The plans of one kind, and when another is worth making.
///
/// Owns its plans; `removeAll` frees them.
struct KindPlans: BitwiseCopyable {
  private static let plansLimit = 8
  private static let mostTries = 8
  /// Rows with a plan that make up for one that was drawn in vain for one.
  private static let rowsPerTry = 16

  // `plansLimit` plans, of which the first `count` are initialized; allocated with the first.
  private var plans: UnsafeMutablePointer<RowPlan>?
  private(set) var count = 0
  /// The plan of the row before.
  private var last = 0
  /// The next one to make way.
  private var oldest = 0
  /// Rows may be drawn to learn from: making a plan takes longer than drawing without one, so where no row is like
  /// another it stops soon.
  private var tries = Self.mostTries
  private var rowsWithPlan = 0

  init() {}

  var mayLearn: Bool { tries > 0 }

  /// The plan for a row; nil where there is none. Valid until the kind learns another.
  @inline(__always)
  mutating func plan(
    for row: JSONTape.Index, on tape: JSONTape, _ terms: RowPlan.Terms
  ) -> UnsafePointer<RowPlan>? {
    guard let plans else { return nil }
    let nodeCount = JSONShape.nodeCount(of: row, on: tape)
    let expected = plans[last].successor
    if !plans[expected].fits(row, nodeCount: nodeCount, on: tape, terms) {
      guard let found = search(for: row, nodeCount, on: tape, terms) else { return nil }
      plans[last].successor = found
      last = found
    } else {
      last = expected
    }
    rowsWithPlan &+= 1
    if rowsWithPlan == Self.rowsPerTry { gainTry() }
    return UnsafePointer(plans + last)
  }

  @inline(never)
  private func search(
    for row: JSONTape.Index, _ nodeCount: Int, on tape: JSONTape, _ terms: RowPlan.Terms
  ) -> Int? {
    guard let plans else { return nil }
    return (0..<count).first { plans[$0].fits(row, nodeCount: nodeCount, on: tape, terms) }
  }

  private mutating func gainTry() {
    rowsWithPlan = 0
    tries = min(tries + 1, Self.mostTries)
  }

  /// A row is drawn to learn from.
  mutating func spendTry() { tries -= 1 }

  /// The kind's rows cannot be planned.
  mutating func giveUp() { tries = 0 }

  /// Takes a plan over, in place of the oldest where there are many. Returns by how many bytes more it holds now.
  mutating func insert(_ plan: RowPlan) -> Int {
    let plans = self.plans ?? .allocate(capacity: Self.plansLimit)
    self.plans = plans
    if count < Self.plansLimit {
      (plans + count).initialize(to: plan)
      last = count
      count += 1
      return plan.heldBytes
    }
    let freed = plans[oldest].heldBytes
    plans[oldest].deallocate()
    plans[oldest] = plan
    last = oldest
    oldest = (oldest + 1) % Self.plansLimit
    return plan.heldBytes - freed
  }

  /// Frees all plans. What was learnt of the worth of plans stays.
  mutating func removeAll() {
    guard let plans else { return }
    for number in 0..<count { plans[number].deallocate() }
    plans.deallocate()
    self.plans = nil
    (count, last, oldest) = (0, 0, 0)
  }
}
