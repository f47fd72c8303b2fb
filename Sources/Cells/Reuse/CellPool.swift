/// The idle cells of one factory, by kind; bounded for each kind and in all.
struct CellPool {
  private let policy: ReusePolicy
  /// By number of kind; the last one in is the first one out, since its memory is warm.
  private var idle: [[Cell]]
  /// Kinds used since the hand last passed them: they are spared once.
  private var wasUsed: [Bool]
  private var hand = 0
  private(set) var statistics: ReuseStatistics

  /// - Parameter statistics: what the factory's pools before this one have done; what they held is none of this one's.
  init(kindCount: Int, policy: ReusePolicy, statistics: ReuseStatistics) {
    self.policy = policy
    self.statistics = statistics
    self.statistics.held = 0
    idle = Array(repeating: [], count: policy.isOn ? kindCount : 0)
    wasUsed = Array(repeating: false, count: policy.isOn ? kindCount : 0)
  }

  var isOn: Bool { policy.isOn }

  mutating func dequeue(kind: UInt32) -> Cell? {
    guard policy.isOn, let cell = idle[Int(kind)].popLast() else {
      statistics.misses += 1
      return nil
    }
    wasUsed[Int(kind)] = true
    statistics.hits += 1
    statistics.held -= 1
    return cell
  }

  mutating func enqueue(_ cell: Cell) {
    guard policy.isOn else { return }
    let kind = Int(cell.kind)
    if idle[kind].count == policy.cellsPerKind {
      statistics.evictions += 1
      return
    }
    cell.prepareForReuse()
    if statistics.held == policy.cellsInAll { evict() }
    idle[kind].append(cell)
    wasUsed[kind] = true
    statistics.held += 1
  }

  /// Frees one idle cell: of the next kind, in the clock's order, that has not been used since the hand was
  /// there.
  private mutating func evict() {
    while true {
      hand = (hand + 1) % idle.count
      if idle[hand].isEmpty { continue }
      if wasUsed[hand] {
        wasUsed[hand] = false
      } else {
        idle[hand].removeFirst()
        statistics.evictions += 1
        statistics.held -= 1
        return
      }
    }
  }
}
