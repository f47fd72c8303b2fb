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

enum MonotonicSeconds {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
