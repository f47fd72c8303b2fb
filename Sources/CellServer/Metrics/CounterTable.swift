import Synchronization

/// Counters in a row, all 0 at first: one thread adds, any reads.
///
/// `@unchecked Sendable`: the memory is allocated in `init`, freed in `deinit`, and never moves; in it are atomics.
struct CounterTable: ~Copyable, @unchecked Sendable {
  let count: Int
  // `count` initialized counters.
  private let counters: UnsafeMutablePointer<Atomic<Int>>

  init(count: Int) {
    self.count = count
    counters = .allocate(capacity: count)
    for place in 0..<count { (counters + place).initialize(to: Atomic(0)) }
  }

  deinit {
    counters.deinitialize(count: count)
    counters.deallocate()
  }

  /// Adds to a counter, on the one thread that does: a load and a store, where an atomic addition would cost more.
  @inline(__always)
  func add(_ amount: Int, at place: Int) {
    precondition(place >= 0 && place < count)
    counters[place].store(counters[place].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  /// Replaces what is counted, on the one thread that does.
  @inline(__always)
  func set(_ value: Int, at place: Int) {
    precondition(place >= 0 && place < count)
    counters[place].store(value, ordering: .relaxed)
  }

  subscript(place: Int) -> Int {
    precondition(place >= 0 && place < count)
    return counters[place].load(ordering: .relaxed)
  }
}
