import Glibc

/// A separate thread for a blocking client, which must not block the pool that runs the tests.
final class TestThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    // The new thread takes over this reference.
    let start = Unmanaged.passRetained(Body(body)).toOpaque()
    pthread_create(
      &thread, nil,
      {
        Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run(); return nil
      }, start)
  }

  func join() { pthread_join(thread, nil) }
}

/// The time limit for waiting. A busy machine may stall for seconds, so the limit is much longer than
/// anything takes; only a failure costs as much.
enum Patience {
  static let seconds = 60.0

  /// Waits until the condition holds and yields the thread, for conditions that depend on a task of the pool.
  static func eventually(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicSeconds.now + seconds
    while !condition() {
      if MonotonicSeconds.now > end { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  /// Waits until the condition holds; returns `false` on timeout.
  static func awaits(_ condition: () -> Bool) -> Bool {
    let end = MonotonicSeconds.now + seconds
    while !condition() {
      if MonotonicSeconds.now > end { return false }
      usleep(5000)
    }
    return true
  }
}

enum MonotonicSeconds {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
