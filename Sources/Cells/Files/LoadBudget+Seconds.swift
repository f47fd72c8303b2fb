package import CellTemplates
import Glibc

extension LoadBudget {
  /// A budget that ends `seconds` from now, or earlier if `isCancelled` says so.
  package convenience init(seconds: Double, isCancelled: @escaping () -> Bool = { false }) {
    let end = Self.now + seconds
    self.init(
      isOver: { Self.now >= end || isCancelled() },
      message: "loading took more than \(Self.plain(seconds)) seconds and stopped at this file",
      hint: "write smaller or simpler templates and samples, or raise --load-seconds")
  }

  /// Seconds of a monotonic clock.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func plain(_ seconds: Double) -> String {
    Int(exactly: seconds).map(String.init) ?? "\(seconds)"
  }
}
