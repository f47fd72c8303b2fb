/// How long a worker that stops still serves. Times are milliseconds of `MonotonicClock`.
struct Drain {
  /// How long connections without a request stay open: their next request may be on its way.
  static let graceMilliseconds = 500

  /// When the drain ends, even if requests are still in progress.
  private let deadline: Int
  /// When connections without a request are cut.
  private let grace: Int

  init(from now: Int, until deadline: Int) {
    self.deadline = deadline
    grace = min(now + Self.graceMilliseconds, deadline)
  }

  func isOver(at now: Int) -> Bool { now >= deadline }

  /// Whether connections without a request are cut now.
  func cutsIdle(at now: Int) -> Bool { now >= grace }
}
