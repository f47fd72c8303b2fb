#if canImport(Glibc)
  import Glibc
#endif

/// The time of day.
package enum WallClock {
  /// Seconds since 1970, cut.
  package static func seconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}
