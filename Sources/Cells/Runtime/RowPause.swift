import Glibc

/// Decides when rendering a row pauses so that others get their turn: at the next possible place after the
/// time is over.
package struct RowPause: BitwiseCopyable {
  /// Turns between two checks of the clock.
  static let iterationsPerLook = 64

  private let microseconds: Int
  /// In microseconds of the monotonic clock; nil if the time starts with the first check.
  private var end: Int?

  /// Rows are always rendered without a pause.
  package static let never = RowPause(afterMicroseconds: .max)

  /// - Parameter microseconds: counted from the first check of the clock, so fast rows need no check.
  package init(afterMicroseconds microseconds: Int) { self.microseconds = microseconds }

  /// - Parameter end: in microseconds of the monotonic clock; `Int.max` is never.
  package init(atMicroseconds end: Int) {
    microseconds = end == .max ? .max : 0
    self.end = end
  }

  var isNever: Bool { microseconds == .max }

  /// Checks the clock.
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
