import Glibc

/// Waits for SIGTERM, SIGINT and SIGHUP. Also works for process 1 of a container, which has no default
/// handlers.
struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks the signals in this thread and all threads it starts, so that none is lost or ends the process.
  /// Must be called before any other thread exists. SIGHUP is already blocked: `CStartup` does that before
  /// `main`.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Whether SIGTERM or SIGINT has come and nothing has waited for it yet.
  static var isEndPending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
  }

  /// Waits for SIGTERM or SIGINT.
  /// - Parameters:
  ///   - seconds: how long to wait; nil means forever.
  ///   - onHangUp: called for each SIGHUP received meanwhile.
  /// - Returns: the signal; nil if none came in time.
  mutating func waitForEnd(seconds: Double? = nil, onHangUp: () -> Void = {}) -> Int32? {
    let end = seconds.map { Self.now + $0 }
    while true {
      var signal: Int32 = -1
      if let end {
        let rest = max(end - Self.now, 0)
        var time = timespec(tv_sec: Int(rest), tv_nsec: Int((rest - rest.rounded(.down)) * 1e9))
        signal = sigtimedwait(&set, nil, &time)
        if signal < 0, errno == EAGAIN { return nil }
      } else {
        signal = sigwaitinfo(&set, nil)
      }
      // Negative if interrupted by a debugger or a stop.
      if signal == SIGHUP { onHangUp() } else if signal > 0 { return signal }
    }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
