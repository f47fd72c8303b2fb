/// Decides whether the next turn of the loop starts at once, without polling anything but the daemon's
/// connections.
///
/// The daemon polls its own descriptors anyway, and asking the loop whether it is ready costs a small request
/// about 2 % of its time. Confined to the worker's thread. Times are nanoseconds of `MonotonicClock`.
package struct BusyTurns {
  /// A turn with this many answers is busy: more requests have usually arrived during it.
  package static let leastAnswers = 2
  /// How long busy turns may follow one another. Jobs and new connections wait at most this long plus one
  /// turn.
  package static let nanoseconds = 250_000

  /// The number of answers when the last turn ended.
  private var answers = 0
  private var lookedAt = 0

  package init() {}

  /// Called when the loop has polled everything.
  package mutating func looked(at now: Int) { lookedAt = now }

  /// Called at the end of a turn. Returns whether the next turn follows at once.
  /// - Parameter answers: the number of answers in all turns so far.
  package mutating func next(answers: Int, at now: Int) -> Bool {
    let isBusy = answers - self.answers >= Self.leastAnswers
    self.answers = answers
    return isBusy && now - lookedAt < Self.nanoseconds
  }
}
