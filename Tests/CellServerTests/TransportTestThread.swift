import Glibc

/// A thread of a test's own: a blocking client must not take one of the pool that runs the tests.
final class TestThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    // The new thread takes over this one reference.
    let start = Unmanaged.passRetained(Body(body)).toOpaque()
    pthread_create(
      &thread, nil,
      {
        Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run(); return nil
      }, start)
  }

  func join() { pthread_join(thread, nil) }
}

/// How long a test waits for what must come. A busy machine may stand still for seconds, so this is far more
/// than anything takes; only what never comes costs as much.
enum Patience {
  static let seconds = 60.0

  /// Waits until the condition holds, and lets others have the thread: for what a task of the pool has to bring about.
  static func eventually(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicSeconds.now + seconds
    while !condition() {
      if MonotonicSeconds.now > end { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  /// Waits until the condition holds; `false` if it does not in time.
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
