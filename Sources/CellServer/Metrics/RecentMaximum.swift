/// The largest recent value, over the last one to two windows. One thread observes, any thread reads.
///
/// Reads may happen during writes: around the end of a window, a value may be missed or reported slightly too
/// long.
struct RecentMaximum: ~Copyable, Sendable {
  static let windowNanoseconds = 60_000_000_000

  private static let end = 0
  /// Index of the current window's maximum; `largestBefore` is the previous window's.
  private static let largest = 1
  private static let largestBefore = 2
  private let numbers = CounterTable(count: 3)

  /// - Parameter now: nanoseconds of `MonotonicClock`; must never decrease.
  func observe(_ value: Int, at now: Int) {
    if now >= numbers[Self.end] {
      // An older window no longer counts.
      let isNext = now - numbers[Self.end] < Self.windowNanoseconds
      numbers.set(isNext ? numbers[Self.largest] : 0, at: Self.largestBefore)
      numbers.set(value, at: Self.largest)
      numbers.set(now + Self.windowNanoseconds, at: Self.end)
    } else if value > numbers[Self.largest] {
      numbers.set(value, at: Self.largest)
    }
  }

  /// The largest recent value at time `now`; 0 if there was none.
  func value(at now: Int) -> Int {
    let late = now - numbers[Self.end]
    if late >= Self.windowNanoseconds { return 0 }
    return late >= 0 ? numbers[Self.largest] : max(numbers[Self.largest], numbers[Self.largestBefore])
  }
}
