/// Whether a worker has fallen so far behind that a request is better refused at once than served late.
///
/// A turn of the loop serves every connection that was readable when it began, so a request that comes up late in it has
/// waited for at least as long as the turn has taken. Past `queueMilliseconds` the rest of the turn's requests are
/// refused: that is soon done, and whoever comes in the next turn finds it short again. So what is accepted waits for at
/// most about two such times, however many ask, and the worker's time goes to answers that are still wanted.
///
/// One long turn is a burst, which is served; it takes a second one, soon after, to refuse: no later than
/// `queueMilliseconds`, for between two there may be short ones, in which bodies are read and nothing is answered.
/// Confined to the worker's thread. Times are of `MonotonicClock.milliseconds`, whose steps are about 4 ms.
struct Admission {
  /// `Int.max`: nobody is ever refused for the time.
  let queueMilliseconds: Int
  private var turnBegan = 0
  private var behindUntil = 0
  /// Whether a turn took too long just now.
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

  /// Whether a request that comes up now is too late. Looks at the clock only where there is reason to.
  var isOverdue: Bool { isBehind && MonotonicClock.milliseconds() - turnBegan > queueMilliseconds }
}
