import Synchronization

/// Lets one of many equal complaints through in a while, and counts those it held back.
final class RateLimiter: Sendable {
  private struct State {
    var next: ContinuousClock.Instant?
    var suppressed = 0
  }

  private let interval: Duration
  private let state = Mutex(State())

  init(every interval: Duration) {
    self.interval = interval
  }

  /// How many were held back since the last that was let through; nil: hold this one back.
  func pass() -> Int? {
    state.withLock { state in
      let now = ContinuousClock.now
      if let next = state.next, now < next {
        state.suppressed += 1
        return nil
      }
      state.next = now + interval
      defer { state.suppressed = 0 }
      return state.suppressed
    }
  }
}
