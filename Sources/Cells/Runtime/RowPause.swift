import Glibc

/// When drawing a row pauses, for others to have their turn: at the next place where it can go on, once the time is over.
package struct RowPause: BitwiseCopyable {
  /// Turns between two looks at the clock.
  static let turnsPerLook = 256

  private let microseconds: Int
  /// In microseconds of the monotonic clock; nil: the time runs from the first look at the clock.
  private var end: Int?

  /// Rows are drawn in one go, whatever it takes.
  package static let never = RowPause(afterMicroseconds: .max)

  /// - Parameter microseconds: from the first look at the clock on, so that rows that are soon drawn need none.
  package init(afterMicroseconds microseconds: Int) { self.microseconds = microseconds }

  /// - Parameter end: in microseconds of the monotonic clock.
  package init(atMicroseconds end: Int) {
    microseconds = 0
    self.end = end
  }

  var isNever: Bool { microseconds == .max }

  /// Looks at the clock.
  package mutating func isOver() -> Bool {
    if isNever { return false }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    let end = self.end ?? now + microseconds
    self.end = end
    return now >= end
  }
}
