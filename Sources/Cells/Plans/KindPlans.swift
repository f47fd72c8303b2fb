import CRowPlan

/// The plans of one kind, and whether recording another is worthwhile.
///
/// Owns its plans; `removeAll` frees them.
struct KindPlans: BitwiseCopyable {
  private static let plansLimit = 16
  private static let mostTries = 8
  /// Rows rendered by a plan that earn one attempt to record another.
  private static let rowsPerTry = 16
  /// Rows rendered without a plan that earn one attempt. Attempts are so rare then that they cost next to
  /// nothing, but a kind whose rows become similar is noticed.
  private static let unplannedRowsPerTry = 256
  private static let barrenShapesLimit = 16

  // `plansLimit` plans, of which the first `count` are initialized; allocated with the first plan.
  private var plans: UnsafeMutablePointer<RowPlan>?
  private(set) var count = 0
  /// The most pieces of a plan, also of one that has been replaced.
  private(set) var mostPieces = 0
  /// For each node count, the plan that fitted last, as maintained by `CRowPlan`. Allocated together with the
  /// plans.
  private(set) var expected: UnsafeMutablePointer<UInt8>?
  /// Index of the next plan to be replaced.
  private var oldest = 0
  /// The number of families of plans so far.
  private var families: UInt64 = 0
  /// Remaining attempts to record a plan. Recording takes longer than rendering without a plan, so if no two
  /// rows are similar, it soon stops.
  private var tries = Self.mostTries
  private var rowsWithPlan = 0
  private var rowsWithoutPlan = 0
  /// Hashes of shapes whose rows cannot be planned: `barrenShapesLimit`, of which the first `barrenCount` are
  /// initialized; allocated with the first. If two shapes have the same hash, one of them loses its plan;
  /// nothing else happens.
  private var barrenShapes: UnsafeMutablePointer<UInt64>?
  private var barrenCount = 0
  private var oldestBarren = 0

  init() {}

  var mayLearn: Bool { tries > 0 }

  /// Whether recent rows have shown that rows of this shape cannot be planned.
  func isBarren(_ shape: UInt64) -> Bool {
    guard let barrenShapes else { return false }
    for index in 0..<barrenCount where barrenShapes[index] == shape { return true }
    return false
  }

  /// Whether `isBarren` can return true.
  var knowsBarrenShapes: Bool { barrenCount > 0 }

  /// The plan for a row; nil if there is none. Valid until a plan is inserted.
  mutating func plan(
    for row: JSONTape.Index, on tape: JSONTape, _ terms: PlanTerms
  ) -> UnsafePointer<RowPlan>? {
    guard let plans else { return nil }
    var plan = UnsafePointer(plans)
    let end = plan + count
    // Not a `for` loop: in a debug build its iterator allocates, and rendering a row must not allocate.
    while plan < end {
      if RowPlan.fits(plan, row, on: tape, terms) {
        noteRows(1)
        return plan
      }
      plan += 1
    }
    return nil
  }

  /// All plans, for a run of rows; nil if there are none.
  @inline(__always)
  var all: UnsafePointer<RowPlan>? { plans.map { UnsafePointer($0) } }

  /// Counts rows rendered by a plan.
  @inline(__always)
  mutating func noteRows(_ count: Int) {
    rowsWithPlan &+= count
    if rowsWithPlan >= Self.rowsPerTry { gainTry() }
  }

  /// Counts a row rendered without a plan and without recording one.
  mutating func noteUnplannedRow() {
    rowsWithoutPlan &+= 1
    if rowsWithoutPlan >= Self.unplannedRowsPerTry { gainTry() }
  }

  @inline(never)
  private mutating func gainTry() {
    rowsWithPlan = 0
    rowsWithoutPlan = 0
    tries = min(tries + 1, Self.mostTries)
  }

  /// Counts an attempt to record a plan.
  mutating func spendTry() { tries -= 1 }

  /// Gives an attempt back: the row was too long to record, which says nothing of others of its shape.
  mutating func takeTryBack() { tries = min(tries + 1, Self.mostTries) }

  /// Remembers that rows of the shape cannot be planned, in place of the oldest such shape if there are many.
  /// Returns by how many bytes the memory held has grown.
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

  /// Takes ownership of a plan, which replaces the oldest if there are many. Returns by how many bytes the
  /// memory held has grown.
  mutating func insert(_ new: RowPlan) -> Int {
    let tableBytes = plans == nil ? Self.tableBytes : 0
    let plans = self.plans ?? allocate()
    var plan = new
    mostPieces = max(mostPieces, plan.end - plan.pieces)
    if plan.guard_count > 0 { plan.family = family(of: plan) }
    if count < Self.plansLimit {
      (plans + count).initialize(to: plan)
      count += 1
      return Int(plan.held_bytes) + tableBytes
    }
    let freed = Int(plans[oldest].held_bytes)
    plans[oldest].deallocate()
    plans[oldest] = plan
    oldest = (oldest + 1) % Self.plansLimit
    return Int(plan.held_bytes) - freed
  }

  /// The family of a plan with guards: that of a plan that differs only in outcomes, or a new one. Cost: all plans.
  private mutating func family(of plan: RowPlan) -> UInt64 {
    for number in 0..<count where plans?[number].isAlike(plan) == true { return plans?[number].family ?? 0 }
    families += 1
    return families
  }

  /// The memory of `plans` and `expected` themselves.
  private static var tableBytes: Int {
    plansLimit * MemoryLayout<RowPlan>.stride + Int(CF_EXPECTED_PLANS)
  }

  private mutating func allocate() -> UnsafeMutablePointer<RowPlan> {
    let plans = UnsafeMutablePointer<RowPlan>.allocate(capacity: Self.plansLimit)
    let expected = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CF_EXPECTED_PLANS))
    expected.initialize(repeating: 0, count: Int(CF_EXPECTED_PLANS))
    (self.plans, self.expected) = (plans, expected)
    return plans
  }

  /// Frees all plans. The counts that decide about attempts are kept. Returns how many bytes of memory were held.
  @discardableResult
  mutating func removeAll() -> Int {
    var bytes = plans == nil ? 0 : Self.tableBytes
    if barrenShapes != nil { bytes += Self.barrenShapesLimit * MemoryLayout<UInt64>.stride }
    for number in 0..<count {
      bytes += Int(plans?[number].held_bytes ?? 0)
      plans?[number].deallocate()
    }
    plans?.deallocate()
    expected?.deallocate()
    barrenShapes?.deallocate()
    (plans, expected, barrenShapes) = (nil, nil, nil)
    (count, mostPieces, oldest, barrenCount, oldestBarren) = (0, 0, 0, 0, 0)
    return bytes
  }
}
