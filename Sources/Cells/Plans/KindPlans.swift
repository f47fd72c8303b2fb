import CMarkup

/// The plans of one kind, and when another is worth making.
///
/// Owns its plans; `removeAll` frees them.
struct KindPlans: BitwiseCopyable {
  private static let plansLimit = 16
  private static let mostTries = 8
  /// Rows with a plan that make up for one that was drawn in vain for one.
  private static let rowsPerTry = 16
  /// Rows without a plan that do: so few are drawn to learn from that it costs next to nothing, and a kind whose rows
  /// change for the better is noticed.
  private static let unplannedRowsPerTry = 256
  private static let barrenShapesLimit = 16

  // `plansLimit` plans, of which the first `count` are initialized; allocated with the first.
  private var plans: UnsafeMutablePointer<RowPlan>?
  private(set) var count = 0
  /// With them: the plan that rows of as many nodes had the last time, as `CMarkup` keeps it.
  private(set) var expected: UnsafeMutablePointer<UInt8>?
  /// The next one to make way.
  private var oldest = 0
  /// Rows may be drawn to learn from: making a plan takes longer than drawing without one, so where no row is like
  /// another it stops soon.
  private var tries = Self.mostTries
  private var rowsWithPlan = 0
  private var rowsWithoutPlan = 0
  /// Hashes of shapes whose rows cannot be planned, `barrenShapesLimit` of them, of which the first `barrenCount` are
  /// initialized; allocated with the first. Two shapes of one hash cost one of them its plan, and nothing else.
  private var barrenShapes: UnsafeMutablePointer<UInt64>?
  private var barrenCount = 0
  private var oldestBarren = 0

  init() {}

  var mayLearn: Bool { tries > 0 }

  /// Whether the last rows have shown that rows of the shape cannot be planned.
  func isBarren(_ shape: UInt64) -> Bool {
    guard let barrenShapes else { return false }
    for place in 0..<barrenCount where barrenShapes[place] == shape { return true }
    return false
  }

  /// Whether it is worth asking.
  var knowsBarrenShapes: Bool { barrenCount > 0 }

  /// The plan for a row; nil where there is none. Valid until the kind learns another.
  mutating func plan(
    for row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms
  ) -> UnsafePointer<RowPlan>? {
    guard let plans else { return nil }
    var plan = UnsafePointer(plans)
    let end = plan + count
    // Not by an iterator: in a debug build that allocates, and rows take no allocation.
    while plan < end {
      if RowPlan.fits(plan, row, on: tape, terms) {
        noteRows(1)
        return plan
      }
      plan += 1
    }
    return nil
  }

  /// All plans, for a run of rows; nil where there are none.
  @inline(__always)
  var all: UnsafePointer<RowPlan>? { plans.map { UnsafePointer($0) } }

  /// Rows were drawn by their plans.
  @inline(__always)
  mutating func noteRows(_ count: Int) {
    rowsWithPlan &+= count
    if rowsWithPlan >= Self.rowsPerTry { gainTry() }
  }

  /// A row is drawn without a plan, and nothing is learnt from it.
  mutating func noteUnplannedRow() {
    rowsWithoutPlan &+= 1
    if rowsWithoutPlan >= Self.unplannedRowsPerTry { gainTry() }
  }

  private mutating func gainTry() {
    rowsWithPlan = 0
    rowsWithoutPlan = 0
    tries = min(tries + 1, Self.mostTries)
  }

  /// A row is drawn to learn from.
  mutating func spendTry() { tries -= 1 }

  /// Rows of the shape cannot be planned; where many shapes are known for that, the one known longest makes way. Returns
  /// by how many bytes more the plans hold now.
  mutating func giveUp(_ shape: UInt64) -> Int {
    guard let shapes = barrenShapes else {
      let shapes = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.barrenShapesLimit)
      shapes.initialize(to: shape)
      (barrenShapes, barrenCount) = (shapes, 1)
      return Self.barrenShapesLimit * MemoryLayout<UInt64>.stride
    }
    if barrenCount < Self.barrenShapesLimit {
      (shapes + barrenCount).initialize(to: shape)
      barrenCount += 1
    } else {
      shapes[oldestBarren] = shape
      oldestBarren = (oldestBarren + 1) % Self.barrenShapesLimit
    }
    return 0
  }

  /// Takes a plan over, in place of the oldest where there are many. Returns by how many bytes more it holds now.
  mutating func insert(_ plan: RowPlan) -> Int {
    let plans = self.plans ?? allocate()
    if count < Self.plansLimit {
      (plans + count).initialize(to: plan)
      count += 1
      return Int(plan.held_bytes)
    }
    let freed = Int(plans[oldest].held_bytes)
    plans[oldest].deallocate()
    plans[oldest] = plan
    oldest = (oldest + 1) % Self.plansLimit
    return Int(plan.held_bytes) - freed
  }

  private mutating func allocate() -> UnsafeMutablePointer<RowPlan> {
    let plans = UnsafeMutablePointer<RowPlan>.allocate(capacity: Self.plansLimit)
    let expected = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CF_EXPECTED_PLANS))
    expected.initialize(repeating: 0, count: Int(CF_EXPECTED_PLANS))
    (self.plans, self.expected) = (plans, expected)
    return plans
  }

  /// Frees all plans. What was learnt of the worth of plans stays.
  mutating func removeAll() {
    for number in 0..<count { plans?[number].deallocate() }
    plans?.deallocate()
    expected?.deallocate()
    barrenShapes?.deallocate()
    (plans, expected, barrenShapes) = (nil, nil, nil)
    (count, oldest, barrenCount, oldestBarren) = (0, 0, 0, 0)
  }
}
