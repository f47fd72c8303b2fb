import Glibc

/// SIGTERM, SIGINT and SIGHUP as something to wait for. As process 1 of a container, too, where nobody else handles
/// them.
struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks them for this thread and all it starts: none is lost, nor ends the process. Call it before any other thread is
  /// there. SIGHUP is blocked already: `CStartup` does that before `main`.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for SIGTERM or SIGINT.
  /// - Parameters:
  ///   - seconds: how long; nil: for ever.
  ///   - onHangUp: called for a SIGHUP in the meantime.
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
      // Below 0: interrupted, by a debugger or a stop.
      if signal == SIGHUP { onHangUp() } else if signal > 0 { return signal }
    }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
