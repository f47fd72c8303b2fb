/// Decides whether a worker is so late that a request is better refused at once than served late.
///
/// A request waits from the turn of the loop in which it came up: within that turn, and in later ones if it is put off.
/// After `queueMilliseconds` it is refused. Refusing is fast, so the next ones wait less. An accepted request therefore
/// waits at most about twice that time under any load, and the worker's time goes to answers that clients still want.
///
/// A single burst is served. A request is refused only if, in the last `queueMilliseconds`, another was found to have waited too
/// long, and it arrived after that. Confined to the worker's thread. Times are from
/// `MonotonicClock.milliseconds`, in steps of about 4 ms.
struct Admission {
  /// `Int.max`: no request is ever refused for lateness.
  let queueMilliseconds: Int
  private var turnBegan = 0
  /// When the worker was found to be behind, and until when it counts as that.
  private var behindSince = 0
  private var behindUntil = 0
  /// Whether requests have recently waited too long.
  private(set) var isBehind = false

  init(queueSeconds: Double) {
    queueMilliseconds = queueSeconds > 0 ? max(Int(queueSeconds * 1000), 1) : .max
  }

  mutating func turnBegins(at now: Int) {
    turnBegan = now
    isBehind = now <= behindUntil
  }

  /// - Parameter oldest: when the request that has waited longest came up; `Int.max` if none waits.
  mutating func turnEnds(at now: Int, oldest: Int) {
    let start = min(turnBegan, oldest)
    guard now - start > queueMilliseconds else { return }
    // Otherwise the worker is still behind.
    if start > behindUntil { behindSince = now }
    behindUntil = now + queueMilliseconds
  }

  /// Whether a request that came up at `start` is too late. Reads the clock only if the worker was behind then.
  func isOverdue(since start: Int) -> Bool {
    start <= behindUntil && start >= behindSince
      && MonotonicClock.milliseconds() - start > queueMilliseconds
  }
}
