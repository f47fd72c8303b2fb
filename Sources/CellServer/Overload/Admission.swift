/// Decides whether a worker is so late that a request is better refused at once than served late.
///
/// A turn of the loop serves every connection that was readable when it began. So a request that comes up
/// late in the turn has waited at least as long as the turn has taken. After `queueMilliseconds`, the rest of
/// the turn's requests are refused. Refusing is fast, so the next turn is short again. An accepted request
/// therefore waits at most about twice that time under any load, and the worker's time goes to answers that
/// clients still want.
///
/// A single long turn is a burst and is served. Requests are refused only in a second long turn at most
/// `queueMilliseconds` after the first. Short turns may lie between the two, in which bodies are read and
/// nothing is answered. Confined to the worker's thread. Times are from `MonotonicClock.milliseconds`, in
/// steps of about 4 ms.
struct Admission {
  /// `Int.max`: no request is ever refused for lateness.
  let queueMilliseconds: Int
  private var turnBegan = 0
  private var behindUntil = 0
  /// Whether a recent turn took too long.
  private(set) var isBehind = false

  init(queueSeconds: Double) {
    queueMilliseconds = queueSeconds > 0 ? max(Int(queueSeconds * 1000), 1) : .max
  }

  mutating func turnBegins(at now: Int) {
    turnBegan = now
    isBehind = now <= behindUntil
  }

  mutating func turnEnds(at now: Int) {
    if now - turnBegan > queueMilliseconds { behindUntil = now + queueMilliseconds }
  }

  /// Whether a request that comes up now is too late. Reads the clock only if a recent turn took too long.
  var isOverdue: Bool { isBehind && MonotonicClock.milliseconds() - turnBegan > queueMilliseconds }
}
