/// The largest of the values of the last while, which is one window long at least, and two at most: one thread observes, any
/// reads.
///
/// It is read while it is written: around a window's end, a value may be missed, or be told for a moment longer.
struct RecentMaximum: ~Copyable, Sendable {
  static let windowNanoseconds = 60_000_000_000

  private static let end = 0
  /// Of this window, and of the one before.
  private static let largest = 1
  private static let largestBefore = 2
  private let numbers = CounterTable(count: 3)

  /// - Parameter now: in nanoseconds of `MonotonicClock`, which it never goes back behind.
  func observe(_ value: Int, at now: Int) {
    if now >= numbers[Self.end] {
      // What came long before is over.
      let isNext = now - numbers[Self.end] < Self.windowNanoseconds
      numbers.set(isNext ? numbers[Self.largest] : 0, at: Self.largestBefore)
      numbers.set(value, at: Self.largest)
      numbers.set(now + Self.windowNanoseconds, at: Self.end)
    } else if value > numbers[Self.largest] {
      numbers.set(value, at: Self.largest)
    }
  }

  /// 0: nothing was observed for a while.
  func value(at now: Int) -> Int {
    let late = now - numbers[Self.end]
    if late >= Self.windowNanoseconds { return 0 }
    return late >= 0 ? numbers[Self.largest] : max(numbers[Self.largest], numbers[Self.largestBefore])
  }
}
