/// Tells whether a turn of the loop only polled works that wait for another thread.
///
/// libmicrohttpd would poll such works again at once, which keeps a processor busy. Instead, the loop pauses
/// after such a turn, unless a descriptor is ready. Anything that libmicrohttpd postponed waits for the same
/// time. Confined to the worker's thread.
struct WaitingTurns {
  /// The length of the pause.
  static let pauseMilliseconds: Int32 = 1

  private var isAsked = false
  private var isInterrupted = false

  /// Call when a waiting work was polled.
  mutating func note() { isAsked = true }

  /// Call when anything else was done.
  mutating func interrupt() { isInterrupted = true }

  /// How long the loop may pause after the turn, in milliseconds.
  var pause: Int32 { isAsked && !isInterrupted ? Self.pauseMilliseconds : 0 }

  /// Begins the next turn.
  mutating func end() { (isAsked, isInterrupted) = (false, false) }
}
