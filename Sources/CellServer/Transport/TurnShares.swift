/// Ends a turn of the loop after some milliseconds: what is left to do is put off to the next turns.
///
/// Requests that have arrived are answered until the turn has lasted for some time. Works, which make or stream an answer in
/// slices, have a time of their own, so neither keeps the other waiting. Each has a
/// waiting line.
/// Confined to the worker's thread. Times are nanoseconds of `MonotonicClock`.
struct TurnShares {
  /// How long a turn begins to answer requests.
  static let requestNanoseconds = 1_000_000
  /// What each request in flight adds to that: a request that is put off has to be asked again, which takes some tenths of a
  /// microsecond. So this costs a few percent at most, up to some hundred requests.
  static let nanosecondsPerRequest = 4000
  /// What sending its answer takes beside answering a request, and often ending its connection. Libmicrohttpd does that later.
  static let sendingNanoseconds = 8000
  /// The most that requests in flight add.
  static let addedNanoseconds = 500_000
  /// How much longer a turn answers probes, so that they pass requests that are put off; and how many it answers in any case.
  static let probeNanoseconds = 500_000
  static let leastProbes = 8
  /// How long a turn begins slices of works.
  static let workNanoseconds = 1_500_000
  /// How much of works' answers a turn gives away that the next turn sends, when nothing can put it off any more. To send 32 KiB,
  /// the system takes from 5 to some 200 microseconds: the smaller the client's receive buffer, the longer.
  static let sentLaterBytes = 384 << 10
  /// What a whole answer counts for at least: its head, and often the end of its connection.
  static let leastAnswerBytes = 12 << 10

  /// When requests are put off: the earlier, the more have been answered.
  private var requestsEnd = Int.max
  /// The time that requests and works have taken in this turn. What is left of it went into reading.
  private(set) var answeringNanoseconds = 0
  /// The probes that this turn has answered after that time.
  private var lateProbes = 0
  /// Whether this turn has answered a request other than a probe.
  private var hasAnswered = false
  /// Whether the time for requests was found to be over, which it stays.
  private var isKnownToBeOver = false
  /// The time that works have taken in this turn, and sending what they made.
  private var spent = 0
  /// The longest that a request was answered beyond the time for requests. Works have so much less time.
  private var overtime = 0
  /// When something was given away last, which may have been sent since; `nil` if that time is counted.
  private var gaveAt: Int?
  /// The bytes of works' answers that this turn has given away, and the next sends.
  private var sentLater = 0
  private var works = WaitingLine()
  private var requests = WaitingLine()
  /// When the request that has waited longest came up, in milliseconds. Counts requests that this turn has put off or read
  /// late; `Int.max` if it has done neither.
  private(set) var oldestMilliseconds = Int.max

  mutating func turnBegins(at now: Int, requestsInFlight: Int) {
    requestsEnd =
      now + Self.requestNanoseconds
      + min(requestsInFlight * Self.nanosecondsPerRequest, Self.addedNanoseconds)
    hasAnswered = false
    isKnownToBeOver = false
    lateProbes = 0
    answeringNanoseconds = 0
    spent = 0
    overtime = 0
    gaveAt = nil
    sentLater = 0
    oldestMilliseconds = .max
    runBegins()
  }

  /// Called before each run of the daemon in a turn.
  mutating func runBegins() {
    works.runBegins()
    requests.runBegins()
  }

  /// Whether some of the requests and probes that come up now are put off.
  func mayPutOffRequests(at now: Int) -> Bool { now >= requestsEnd || requests.isWaitedIn }

  /// Whether a request that comes up now is answered in this turn.
  /// - Parameter place: where its connection stands. One that pipelines requests waits for each as others do.
  mutating func admitsRequest(at now: Int, place: inout WaitingLine.Place) -> Bool {
    if isOver(at: now) { isKnownToBeOver = true }
    return requests.admits(&place, hasTime: !isKnownToBeOver)
  }

  /// Whether a request that came up in an earlier turn is put off again, because it is not its turn, or because the time for
  /// requests is over. Thousands may wait, and each is asked about in every run, so this does not look at the clock.
  /// - Parameter place: as in `admitsRequest`.
  mutating func putsOffRequest(place: inout WaitingLine.Place) -> Bool {
    guard !mayHaveSent, isKnownToBeOver || requests.holdsBack(place) else { return false }
    requests.putOff(&place, hasTime: !isKnownToBeOver)
    return true
  }

  /// Whether a probe that comes up now is answered in this turn. It passes requests that are put off, but not if its connection has
  /// been answered since they came: one that pipelines probes waits as others do.
  mutating func admitsProbe(at now: Int, place: inout WaitingLine.Place) -> Bool {
    let isLate = now >= requestsEnd + Self.probeNanoseconds
    let isAdmitted = requests.admitsPassing(&place, hasTime: !isLate || lateProbes < Self.leastProbes)
    if isLate, isAdmitted { lateProbes += 1 }
    return isAdmitted
  }

  /// Whether the time for requests is over. It is not before the first of a turn, even if probes, and requests that were refused
  /// for their heads, have taken all of it.
  private func isOver(at now: Int) -> Bool { hasAnswered && now >= requestsEnd }

  /// Notes a request that is put off or was read late.
  mutating func noteWaiting(since milliseconds: Int) {
    oldestMilliseconds = min(oldestMilliseconds, milliseconds)
  }

  /// Whether a work may do a slice now.
  /// - Parameter place: where its connection stands.
  mutating func admitsWork(place: inout WaitingLine.Place) -> Bool {
    works.admits(&place, hasTime: hasTimeForWorks && sentLater < Self.sentLaterBytes)
  }

  /// Whether a part of a work's streamed body is given away now, which may have to be made first.
  /// - Parameters:
  ///   - place: where the work's connection stands.
  ///   - isSentLater: whether the part is sent in the next turn.
  mutating func admitsPart(place: inout WaitingLine.Place, isSentLater: Bool) -> Bool {
    works.admits(
      &place, hasTime: hasTimeForWorks && (!isSentLater || sentLater < Self.sentLaterBytes))
  }

  /// The first work of a turn always has time.
  private var hasTimeForWorks: Bool { spent == 0 || spent + overtime < Self.workNanoseconds }

  mutating func workTook(_ nanoseconds: Int) {
    spent += nanoseconds
    answeringNanoseconds += nanoseconds
  }

  /// Notes a part of a streamed body, or a whole answer, that was given to libmicrohttpd.
  mutating func gives(bytes count: Int, isSentLater: Bool, at now: Int) {
    gaveAt = now
    if isSentLater { sentLater += count }
  }

  /// Whether something was given away, and may have been sent since.
  var mayHaveSent: Bool { gaveAt != nil }

  /// Counts the time since something was given away. Called when the loop comes to whatever follows.
  mutating func countSending(until now: Int) {
    if let start = gaveAt.take() { workTook(now - start) }
  }

  /// Notes a request that was answered, or whose answer has begun.
  mutating func requestTook(from start: Int, until now: Int, isProbe: Bool = false) {
    answeringNanoseconds += now - start
    requestsEnd -= Self.sendingNanoseconds
    overtime = max(overtime, now - max(requestsEnd, start))
    if !isProbe { hasAnswered = true }
    if isOver(at: now) { isKnownToBeOver = true }
  }
}
