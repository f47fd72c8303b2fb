import Cells

/// A bounded piece of work on an answer. It ends after a number of output bytes or an amount of time,
/// whichever comes first.
///
/// The clock is read once every `rows` rows, and within a long row: see `RowPause`.
struct Slice {
  /// Rows checked or rendered between two clock readings.
  static let rows = 64
  /// So many bytes of output count as one more row.
  static let bytesLikeRow = 1024
  /// The shortest slice in microseconds, however many works share a turn.
  private static let leastMicroseconds = 500

  /// The slice ends when the output is longer.
  let outputBytes: Int
  private let microseconds: Int
  /// When the slice ends, in microseconds of `MonotonicClock`; nil until the clock is first read.
  private var end: Int?

  private init(microseconds: Int, outputBytes: Int) {
    self.microseconds = microseconds
    self.outputBytes = outputBytes
  }

  /// The first slice of a request.
  /// - Parameter start: when reading its body began, in nanoseconds of `MonotonicClock`.
  init(microseconds: Int, since start: Int, outputBytes: Int) {
    self.init(microseconds: microseconds, outputBytes: outputBytes)
    let (end, isNever) = (start / 1000).addingReportingOverflow(microseconds)
    self.end = isNever ? .max : end
  }

  /// A later slice, which starts now.
  /// - Parameter sharers: the number of works with a slice in the same turn of the loop.
  init(microseconds: Int, sharers: Int, outputBytes: Int) {
    let share = max(microseconds / max(sharers, 1), min(microseconds, Self.leastMicroseconds))
    self.init(microseconds: share, outputBytes: outputBytes)
    _ = isOver()
  }

  /// Makes rows pause when the slice ends. The slice must have started.
  var rowPause: RowPause { RowPause(atMicroseconds: end ?? .max) }

  /// Whether the slice has ended. Reads the clock.
  mutating func isOver() -> Bool {
    let now = MonotonicClock.microseconds()
    let (end, isNever) = (self.end ?? now).addingReportingOverflow(self.end == nil ? microseconds : 0)
    self.end = isNever ? .max : end
    return now >= (self.end ?? now)
  }
}
