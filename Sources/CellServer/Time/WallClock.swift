#if canImport(Glibc)
  import Glibc
#endif

/// The time of day.
enum WallClock {
  /// Seconds since 1970, cut.
  static func seconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}
