/// Ends a turn of the loop after some milliseconds: what is left to do is put off to the next turns.
///
/// Requests that have arrived are answered until the turn has lasted for some time. Works, which make or stream an answer in
/// slices, have a time of their own, so neither keeps the other waiting. Both are served in rounds: each connection once before
/// any of them is served again, in as many turns as that takes.
/// Confined to the worker's thread. Times are nanoseconds of `MonotonicClock`.
struct TurnShares {
  /// How long a turn begins to answer requests.
  static let requestNanoseconds = 1_000_000
  /// What each request in flight adds to that: a request that is put off has to be asked again, which takes some tenths of a
  /// microsecond. So this costs a few percent at most, up to some hundred requests.
  static let nanosecondsPerRequest = 4000
  /// The most that requests in flight add.
  static let addedNanoseconds = 2_000_000
  /// How long a turn begins slices of works.
  static let workNanoseconds = 1_500_000
  /// What sending a byte of a work's answer takes of that: the system copies it, and gives it to the client's socket if that is
  /// on the same machine. Libmicrohttpd sends it after the slice, so it cannot be measured there.
  static let nanosecondsPerSentByte = 1

  /// When requests are put off.
  private var requestsEnd = Int.max
  /// The time that requests and works have taken in this turn. What is left of it went into reading.
  private(set) var answeringNanoseconds = 0
  /// Whether this turn has answered a request other than a probe.
  private var hasAnswered = false
  /// The time that works have taken in this turn.
  private var spent = 0
  private var workRounds = Rounds()
  private var requestRounds = Rounds()
  /// When the request that has waited longest came up, in milliseconds. Counts requests that this turn has put off or read
  /// late; `Int.max` if it has done neither.
  private(set) var oldestMilliseconds = Int.max

  mutating func turnBegins(at now: Int, requestsInFlight: Int) {
    requestsEnd =
      now + Self.requestNanoseconds
      + min(requestsInFlight * Self.nanosecondsPerRequest, Self.addedNanoseconds)
    hasAnswered = false
    answeringNanoseconds = 0
    spent = 0
    oldestMilliseconds = .max
    workRounds.turnBegins()
    requestRounds.turnBegins()
  }

  /// Whether some of the requests that come up now are put off.
  func mayPutOffRequests(at now: Int) -> Bool { isOver(at: now) || requestRounds.goesOn }

  /// Whether a request that comes up now is answered in this turn.
  /// - Parameter served: the round in which its connection was served last. One that pipelines requests has one answer in a
  ///   round, so that it does not keep others waiting.
  mutating func admitsRequest(at now: Int, served: inout Int) -> Bool {
    requestRounds.admits(&served, hasTime: !isOver(at: now))
  }

  /// Whether the time for requests is over. It is not before the first of a turn, even if probes, and requests that were refused
  /// for their heads, have taken all of it.
  private func isOver(at now: Int) -> Bool { hasAnswered && now >= requestsEnd }

  /// Notes a request that is put off or was read late.
  mutating func noteWaiting(since milliseconds: Int) {
    oldestMilliseconds = min(oldestMilliseconds, milliseconds)
  }

  /// Whether a work may do a slice now.
  /// - Parameter served: the round in which it was served last.
  mutating func admitsWork(served: inout Int) -> Bool {
    workRounds.admits(&served, hasTime: spent < Self.workNanoseconds)
  }

  mutating func workTook(_ nanoseconds: Int) {
    spent += nanoseconds
    answeringNanoseconds += nanoseconds
  }

  /// Notes bytes of a work's answer that are about to be sent.
  mutating func sends(bytes count: Int) { workTook(count * Self.nanosecondsPerSentByte) }

  /// Notes a request that was answered, or whose answer has begun.
  mutating func requestTook(_ nanoseconds: Int, isProbe: Bool = false) {
    answeringNanoseconds += nanoseconds
    if !isProbe { hasAnswered = true }
  }
}

/// Rounds in which each is served before any is served again, in as many turns as that takes.
private struct Rounds {
  private var number = 0
  /// Whether this round began in an earlier turn.
  private(set) var goesOn = false
  /// Whether one has been put off to the next turn of this round.
  private var isOpen = false

  mutating func turnBegins() {
    goesOn = isOpen
    isOpen = false
    if !goesOn { number += 1 }
  }

  /// Whether one is served now.
  /// - Parameter served: the round in which it was served last.
  mutating func admits(_ served: inout Int, hasTime: Bool) -> Bool {
    if goesOn, served == number { return false }
    if !hasTime {
      if served != number { isOpen = true }
      return false
    }
    served = number
    return true
  }
}
