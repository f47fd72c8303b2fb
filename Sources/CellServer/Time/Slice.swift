import Cells

/// How much of an answer is made in one go: so many bytes of output, or so much time, whichever comes first.
///
/// The clock is read every `rows` rows only, and within a row that takes long: see `RowPause`.
struct Slice {
  /// Rows that are judged or drawn between two looks at the clock.
  static let rows = 64
  /// Never less time than that, in microseconds, however many share a turn.
  private static let leastMicroseconds = 500

  /// A slice ends when the output holds more.
  let outputBytes: Int
  private let microseconds: Int
  /// When it ends, in microseconds of `MonotonicClock`; nil: its time runs from the first look at the clock.
  private var end: Int?

  /// The first slice of a request. Its time begins at the first look at the clock, so that a request of few rows needs
  /// none.
  /// - Parameter isSpent: parsing was as much as may be done in one go.
  init(microseconds: Int, outputBytes: Int, isSpent: Bool = false) {
    self.microseconds = isSpent ? 0 : microseconds
    self.outputBytes = outputBytes
  }

  /// One of many; it begins now.
  /// - Parameter sharers: those who have one in the same turn of the loop.
  init(microseconds: Int, sharers: Int, outputBytes: Int) {
    let share = max(microseconds / max(sharers, 1), min(microseconds, Self.leastMicroseconds))
    self.init(microseconds: share, outputBytes: outputBytes)
    _ = isOver()
  }

  /// Rows pause with it. It has begun.
  var rowPause: RowPause { RowPause(atMicroseconds: end ?? .max) }

  /// Looks at the clock.
  mutating func isOver() -> Bool {
    let now = MonotonicClock.microseconds()
    let (end, isNever) = (self.end ?? now).addingReportingOverflow(self.end == nil ? microseconds : 0)
    self.end = isNever ? .max : end
    return now >= (self.end ?? now)
  }
}
