#if canImport(Glibc)
  import Glibc
#endif

/// A clock that never goes backwards, counted from an arbitrary moment.
enum MonotonicClock {
  /// Milliseconds, accurate to about 4 ms. The cheap reading, for deadlines.
  static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  static func microseconds() -> Int { nanoseconds() / 1000 }

  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
