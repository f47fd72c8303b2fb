import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The results of reloads. Written by any thread, one reload at a time; read by any.
///
/// The load at startup is not counted as a reload. It does count as the first success, so that the time of
/// the last success is always known.
package final class ReloadStatistics: Sendable {
  private let successCount = Atomic<Int>(0)
  private let failureCount = Atomic<Int>(0)
  private let lastSucceeded = Atomic<Bool>(true)
  private let lastNanoseconds = Atomic<Int>(0)
  private let lastSuccess = Atomic<Int>(ReloadStatistics.nowNanoseconds())

  /// Must be created when the cells have been loaded for the first time.
  package init() {}

  /// Records that the new cells are served.
  /// - Parameter seconds: how long loading them took.
  package func noteSuccess(seconds: Double) {
    successCount.add(1, ordering: .relaxed)
    lastSuccess.store(Self.nowNanoseconds(), ordering: .relaxed)
    note(seconds: seconds, succeeded: true)
  }

  /// Records that the new cells have errors, so that the previous ones stay.
  /// - Parameter seconds: how long the attempt took.
  package func noteFailure(seconds: Double) {
    failureCount.add(1, ordering: .relaxed)
    note(seconds: seconds, succeeded: false)
  }

  private func note(seconds: Double, succeeded: Bool) {
    // A clock that was set back must not trap.
    let nanoseconds = Int(exactly: (max(seconds, 0) * 1e9).rounded()) ?? 0
    lastNanoseconds.store(nanoseconds, ordering: .relaxed)
    lastSucceeded.store(succeeded, ordering: .relaxed)
  }

  package var successes: Int { successCount.load(ordering: .relaxed) }
  package var failures: Int { failureCount.load(ordering: .relaxed) }
  /// Whether the last attempt succeeded.
  package var lastWasSuccessful: Bool { lastSucceeded.load(ordering: .relaxed) }
  /// How long the last attempt took, in nanoseconds; 0 if there was none.
  var lastDurationNanoseconds: Int { lastNanoseconds.load(ordering: .relaxed) }
  /// When the cells being served were loaded, in nanoseconds since 1970.
  var lastSuccessNanoseconds: Int { lastSuccess.load(ordering: .relaxed) }

  private static func nowNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
