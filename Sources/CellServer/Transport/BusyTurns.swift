/// Whether a turn of the loop follows another at once, without a look at what there is beside the daemon's connections.
///
/// The daemon looks at its own descriptors anyway, and to have the loop ask whether one of these is ready costs a small
/// request some 2 % of its time. Confined to the worker's thread. Times are in nanoseconds of `MonotonicClock`.
package struct BusyTurns {
  /// A turn that gives so many answers is busy: while it went on, more requests have come, as a rule.
  package static let leastAnswers = 2
  /// For so long busy turns follow one another. What else there is, jobs and new connections, waits no longer than this and
  /// one turn.
  package static let nanoseconds = 250_000

  /// Answers that had been given when the last turn ended.
  private var answers = 0
  private var lookedAt = 0

  package init() {}

  /// The loop has looked at all there is.
  package mutating func looked(at now: Int) { lookedAt = now }

  /// A turn has ended. Whether the next one follows at once.
  /// - Parameter answers: how many have been given in all turns.
  package mutating func next(answers: Int, at now: Int) -> Bool {
    let isBusy = answers - self.answers >= Self.leastAnswers
    self.answers = answers
    return isBusy && now - lookedAt < Self.nanoseconds
  }
}
