import Synchronization

/// An array of counters, initially 0. One thread writes, any thread reads.
///
/// `@unchecked Sendable`: the memory is allocated in `init`, freed in `deinit`, never moves, and holds only
/// atomics.
struct CounterTable: ~Copyable, @unchecked Sendable {
  let count: Int
  // `count` initialized counters.
  private let counters: UnsafeMutablePointer<Atomic<Int>>

  init(count: Int) {
    self.count = count
    counters = .allocate(capacity: count)
    for position in 0..<count { (counters + position).initialize(to: Atomic(0)) }
  }

  deinit {
    counters.deinitialize(count: count)
    counters.deallocate()
  }

  /// Adds to a counter. Writing thread only, so a load and a store suffice, which cost less than an atomic
  /// addition.
  @inline(__always)
  func add(_ amount: Int, at position: Int) {
    precondition(position >= 0 && position < count)
    counters[position].store(counters[position].load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  /// Replaces a counter's value. Writing thread only.
  @inline(__always)
  func set(_ value: Int, at position: Int) {
    precondition(position >= 0 && position < count)
    counters[position].store(value, ordering: .relaxed)
  }

  subscript(position: Int) -> Int {
    precondition(position >= 0 && position < count)
    return counters[position].load(ordering: .relaxed)
  }
}
