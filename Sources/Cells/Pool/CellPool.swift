/// The idle cells of one factory by kind; bounded for each kind and in total.
struct CellPool: ~Copyable {
  /// The idle cells of one kind.
  private struct KindCells {
    /// Last in, first out, because the last cell's memory is warm.
    var idle: [Cell] = []
    /// Whether the kind was used since the clock hand last passed it; it is spared once.
    var wasUsed = false
    /// Whether it is on the clock. It is taken off when the hand finds no idle cells.
    var isOnClock = false
  }

  private let policy: ReusePolicy
  // Not an array, whose uniqueness would be checked at each access. One for each kind, none without reuse; freed in `deinit`.
  private let kinds: UnsafeMutableBufferPointer<KindCells>
  /// The kinds that have had idle cells, for the clock hand.
  private var clock: [UInt32] = []
  private var hand = 0
  /// The memory of the idle cells in bytes, at most `keptBytes`.
  private(set) var keptByCells = 0
  static let keptBytes = 4 << 20
  /// The number of idle cells.
  private(set) var held = 0
  private let tally: FactoryTally

  init(kindCount: Int, policy: ReusePolicy, tally: FactoryTally) {
    self.policy = policy
    self.tally = tally
    kinds = .allocate(capacity: policy.isOn ? kindCount : 0)
    kinds.initialize(repeating: KindCells())
  }

  deinit {
    tally.reuse.held -= held
    kinds.deinitialize()
    kinds.deallocate()
  }

  var isOn: Bool { policy.isOn }

  mutating func dequeue(kind: UInt32) -> Cell? {
    guard policy.isOn, !cells(of: kind).pointee.idle.isEmpty else {
      tally.reuse.misses += 1
      return nil
    }
    let cell = cells(of: kind).pointee.idle.removeLast()
    cells(of: kind).pointee.wasUsed = true
    keptByCells -= cell.capacity
    tally.reuse.hits += 1
    holds(-1)
    return cell
  }

  mutating func enqueue(_ cell: consuming Cell) {
    guard policy.isOn else { return }
    let kind = cell.kind
    let cells = cells(of: kind)
    if cells.pointee.idle.count == policy.cellsPerKind || cell.slotBytes > Self.keptBytes {
      tally.reuse.evictions += 1
      return
    }
    if held == policy.cellsInAll { evict() }
    while keptByCells + cell.slotBytes > Self.keptBytes { evict() }
    cell.prepareForReuse(keptBytes: Self.keptBytes - keptByCells - cell.slotBytes)
    keptByCells += cell.capacity
    cells.pointee.idle.append(cell)
    cells.pointee.wasUsed = true
    if !cells.pointee.isOnClock {
      cells.pointee.isOnClock = true
      clock.append(kind)
    }
    holds(+1)
  }

  @inline(__always)
  private func cells(of kind: UInt32) -> UnsafeMutablePointer<KindCells> {
    precondition(kind < kinds.count, "a kind of another archive")
    // There is one.
    return kinds.baseAddress! + Int(kind)
  }

  private mutating func holds(_ change: Int) {
    held += change
    tally.reuse.held += change
  }

  /// Frees one idle cell, of which there must be some, chosen by the clock algorithm: of the next kind not used since the hand last
  /// passed it.
  private mutating func evict() {
    while true {
      hand = hand + 1 < clock.count ? hand + 1 : 0
      let cells = cells(of: clock[hand])
      if cells.pointee.idle.isEmpty {
        cells.pointee.isOnClock = false
        // What takes its place comes in the next round.
        clock[hand] = clock[clock.count - 1]
        clock.removeLast()
      } else if cells.pointee.wasUsed {
        cells.pointee.wasUsed = false
      } else {
        keptByCells -= cells.pointee.idle.removeFirst().capacity
        tally.reuse.evictions += 1
        holds(-1)
        return
      }
    }
  }
}
