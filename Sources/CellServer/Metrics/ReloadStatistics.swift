import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// What came of the attempts to load the cells again. Any thread writes, one attempt after another; any reads.
///
/// The load at the start is none of them; but it is the first success, so the time of the last is never unknown.
package final class ReloadStatistics: Sendable {
  private let successCount = Atomic<Int>(0)
  private let failureCount = Atomic<Int>(0)
  private let lastSucceeded = Atomic<Bool>(true)
  private let lastNanoseconds = Atomic<Int>(0)
  private let lastSuccess = Atomic<Int>(ReloadStatistics.nowNanoseconds())

  /// To be made when the cells have been loaded for the first time.
  package init() {}

  /// The new cells have taken the place of the old.
  /// - Parameter seconds: what loading them took.
  package func noteSuccess(seconds: Double) {
    successCount.add(1, ordering: .relaxed)
    lastSuccess.store(Self.nowNanoseconds(), ordering: .relaxed)
    note(seconds: seconds, succeeded: true)
  }

  /// The new cells have errors; the old ones stay.
  /// - Parameter seconds: until that was known.
  package func noteFailure(seconds: Double) {
    failureCount.add(1, ordering: .relaxed)
    note(seconds: seconds, succeeded: false)
  }

  private func note(seconds: Double, succeeded: Bool) {
    // A clock that was set back, or nonsense, is no reason to trap.
    let nanoseconds = Int(exactly: (max(seconds, 0) * 1e9).rounded()) ?? 0
    lastNanoseconds.store(nanoseconds, ordering: .relaxed)
    lastSucceeded.store(succeeded, ordering: .relaxed)
  }

  package var successes: Int { successCount.load(ordering: .relaxed) }
  package var failures: Int { failureCount.load(ordering: .relaxed) }
  /// Whether the cells that are served are those that were asked for last.
  package var lastWasSuccessful: Bool { lastSucceeded.load(ordering: .relaxed) }
  /// What the last attempt took, in nanoseconds; 0 if there was none.
  var lastDurationNanoseconds: Int { lastNanoseconds.load(ordering: .relaxed) }
  /// When the cells that are served were loaded, in nanoseconds since 1970.
  var lastSuccessNanoseconds: Int { lastSuccess.load(ordering: .relaxed) }

  private static func nowNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
