/// The idle cells of one factory by kind; bounded for each kind and in total.
struct CellPool {
  private let policy: ReusePolicy
  /// By kind number; last in, first out, because the last cell's memory is warm.
  private var idle: [[Cell]]
  /// Kinds used since the clock hand last passed them; they are spared once.
  private var wasUsed: [Bool]
  private var hand = 0
  /// Capacity of the idle cells' buffers in bytes, at most `keptBytes`.
  private(set) var bufferBytes = 0
  static let keptBytes = 4 << 20
  /// The number of idle cells.
  private(set) var held = 0
  private let tally: FactoryTally

  init(kindCount: Int, policy: ReusePolicy, tally: FactoryTally) {
    self.policy = policy
    self.tally = tally
    idle = Array(repeating: [], count: policy.isOn ? kindCount : 0)
    wasUsed = Array(repeating: false, count: policy.isOn ? kindCount : 0)
  }

  var isOn: Bool { policy.isOn }

  mutating func dequeue(kind: UInt32) -> Cell? {
    guard policy.isOn, let cell = idle[Int(kind)].popLast() else {
      tally.reuse.misses += 1
      return nil
    }
    wasUsed[Int(kind)] = true
    bufferBytes -= cell.capacity
    tally.reuse.hits += 1
    holds(-1)
    return cell
  }

  mutating func enqueue(_ cell: consuming Cell) {
    guard policy.isOn else { return }
    let kind = Int(cell.kind)
    if idle[kind].count == policy.cellsPerKind {
      tally.reuse.evictions += 1
      return
    }
    cell.prepareForReuse(keptBytes: Self.keptBytes - bufferBytes)
    bufferBytes += cell.capacity
    if held == policy.cellsInAll { evict() }
    idle[kind].append(cell)
    wasUsed[kind] = true
    holds(+1)
  }

  private mutating func holds(_ change: Int) {
    held += change
    tally.reuse.held += change
  }

  /// Frees one idle cell, chosen by the clock algorithm: of the next kind not used since the hand last passed
  /// it.
  private mutating func evict() {
    while true {
      hand = (hand + 1) % idle.count
      if idle[hand].isEmpty { continue }
      if wasUsed[hand] {
        wasUsed[hand] = false
      } else {
        bufferBytes -= idle[hand].removeFirst().capacity
        tally.reuse.evictions += 1
        holds(-1)
        return
      }
    }
  }
}
