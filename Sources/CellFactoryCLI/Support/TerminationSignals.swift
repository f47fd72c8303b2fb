import Glibc

/// SIGTERM and SIGINT as something to wait for. As process 1 of a container, too, where nobody else handles
/// them.
struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks both signals for this thread and all it starts. Call it before any other thread is there.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of them.
  mutating func wait() -> Int32 {
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }
}
