import Cells
import CellTemplates
import Synchronization

/// What one worker counts; written by its thread, read by any.
///
/// Nothing here locks or allocates on the way of a request, and a request's counting costs some tens of nanoseconds
/// beside the looks at the clock that its histograms need.
package final class WorkerStatistics: Sendable {
  /// What is counted without a label.
  enum Tally: Int, CaseIterable {
    case openConnections, openedConnections
    case runningRequests, answeredRequests, abortedRequests
    case heldBytes
    case bodyBytes, answerBytes
    case badRows
    case reuseHits, reuseMisses, reuseEvictions, reuseHeld
    case plannedRows, learntPlans, planBytes
    case turnBegan
  }

  let kinds: KindLabels
  private let tallies = CounterTable(count: Tally.allCases.count)
  private let refusalCounts = CounterTable(count: RefusalReason.allCases.count)
  private let cutCounts = CounterTable(count: CutReason.allCases.count)
  /// By kind.
  private let rowCounts: CounterTable
  /// By route, kind and status; see `series`.
  private let requestCounts: CounterTable
  /// Where among them those of each route begin, in series of all statuses.
  private let routeStarts: [Int]
  /// By route.
  let requestDurations: HistogramTable
  let parseDurations = HistogramTable(count: 1)
  let renderDurations = HistogramTable(count: 1)
  let turnDurations = HistogramTable(count: 1)
  let longestTurn = RecentMaximum()

  // Used by the worker's thread only, all of these, one call at a time.
  @exclusivity(unchecked) nonisolated(unsafe) private var latest = MonotonicClock.nanoseconds()
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var turnBegan = 0
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var lastTurnBegan = 0
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var lastTurnNanoseconds = 0
  @exclusivity(unchecked) nonisolated(unsafe) private var placedArchive = ContentHash(high: 0, low: 0)
  /// Of that archive's kinds; empty until the first is asked for. Owned, and replaced with it.
  @exclusivity(unchecked) nonisolated(unsafe) private var places = UnsafeMutableBufferPointer<UInt16>(
    start: nil, count: 0)

  init(kinds: KindLabels, routes: RouteLabels) {
    self.kinds = kinds
    rowCounts = CounterTable(count: kinds.count)
    let series = routes.layout(kinds: kinds.count)
    routeStarts = series.starts
    requestCounts = CounterTable(count: series.count * StatusLabel.count)
    requestDurations = HistogramTable(count: routes.count)
  }

  deinit { places.deallocate() }

  /// For who looks at nothing but its sums.
  package convenience init() { self.init(kinds: KindLabels(limit: 0), routes: RouteLabels([])) }

  // MARK: - What has been counted

  func value(_ tally: Tally) -> Int { tallies[tally.rawValue] }

  /// Open connections.
  package var connections: Int { value(.openConnections) }
  /// Requests whose line has come and whose answer has not gone.
  package var inFlight: Int { value(.runningRequests) }
  /// Answers handed over for sending, refusals included.
  package var requests: Int { value(.answeredRequests) }
  /// Requests refused whatever their cells are.
  package var refusals: Int { RefusalReason.allCases.reduce(0) { $0 + refusals(for: $1) } }
  /// Connections cut at a deadline.
  package var cuts: Int { CutReason.allCases.reduce(0) { $0 + cuts(at: $1) } }
  /// Bytes counted in the worker's budget, as of its last turn.
  package var heldBytes: Int { value(.heldBytes) }

  func refusals(for reason: RefusalReason) -> Int { refusalCounts[reason.rawValue] }
  func cuts(at deadline: CutReason) -> Int { cutCounts[deadline.rawValue] }
  /// Rows drawn of a kind, by its place among the `KindLabels`.
  func rows(ofKindAt place: Int) -> Int { rowCounts[place] }
  /// Answers to requests for a subject with the status at a place of `StatusLabel`.
  func requests(for subject: RequestSubject, statusAt place: Int) -> Int {
    requestCounts[series(of: subject) + place]
  }

  private func series(of subject: RequestSubject) -> Int {
    (routeStarts[subject.route.number] + subject.kind) * StatusLabel.count
  }

  // MARK: - Counting, on the worker's thread

  private func add(_ amount: Int, to tally: Tally) { tallies.add(amount, at: tally.rawValue) }

  func connectionOpens() {
    add(1, to: .openConnections)
    add(1, to: .openedConnections)
  }
  func connectionCloses() { add(-1, to: .openConnections) }
  func inFlightChanges(by amount: Int) { add(amount, to: .runningRequests) }
  func countAnswer() { add(1, to: .answeredRequests) }
  /// The request has ended, and its answer has not been sent, or not all of it.
  func countAborted() { add(1, to: .abortedRequests) }
  /// `OverloadPolicy` alone calls this.
  func countRefusal(_ reason: RefusalReason) { refusalCounts.add(1, at: reason.rawValue) }
  func countCut(_ deadline: CutReason) { cutCounts.add(1, at: deadline.rawValue) }
  func note(heldBytes: Int) { tallies.set(heldBytes, at: Tally.heldBytes.rawValue) }
  func countBody(bytes: Int) { add(bytes, to: .bodyBytes) }
  func countBadRows(_ count: Int) { if count > 0 { add(count, to: .badRows) } }

  /// Rows were drawn.
  func countRows(_ count: Int, ofKind kind: UInt32, in archive: CellArchive) {
    rowCounts.add(count, at: place(ofKind: kind, in: archive))
  }

  /// The place of an archive's kind among the `KindLabels`.
  func place(ofKind kind: UInt32, in archive: CellArchive) -> Int {
    // Field by field: the comparison of the whole is another module's, and costs ten times as much.
    let hash = archive.contentHash
    if hash.low != placedArchive.low || hash.high != placedArchive.high || places.isEmpty { place(archive) }
    precondition(Int(kind) < places.count)
    return Int(places[Int(kind)])
  }

  @inline(never)
  private func place(_ archive: CellArchive) {
    let found = kinds.places(of: archive)
    places.deallocate()
    places = .allocate(capacity: found.count)
    _ = places.initialize(from: found)
    placedArchive = archive.contentHash
  }

  /// Takes over what the factory's pools and plans have counted since it was made.
  func note(_ reuse: ReuseStatistics, _ plans: PlanStatistics) {
    tallies.set(reuse.hits, at: Tally.reuseHits.rawValue)
    tallies.set(reuse.misses, at: Tally.reuseMisses.rawValue)
    tallies.set(reuse.evictions, at: Tally.reuseEvictions.rawValue)
    tallies.set(reuse.held, at: Tally.reuseHeld.rawValue)
    tallies.set(plans.rows, at: Tally.plannedRows.rawValue)
    tallies.set(plans.learnt, at: Tally.learntPlans.rawValue)
    tallies.set(plans.heldBytes, at: Tally.planBytes.rawValue)
  }

  // MARK: - Time, on the worker's thread

  /// When the clock was last looked at, in nanoseconds of `MonotonicClock`: a moment ago, in a turn that goes on.
  var latestNanoseconds: Int { latest }

  /// Looks at the clock; in nanoseconds of `MonotonicClock`.
  func clock() -> Int {
    latest = MonotonicClock.nanoseconds()
    return latest
  }

  /// A turn of the loop begins.
  func turnBegins() { noteTurn(at: clock()) }

  /// A turn begins where the last one has ended.
  func turnFollows() { noteTurn(at: latest) }

  private func noteTurn(at now: Int) {
    turnBegan = now
    tallies.set(now, at: Tally.turnBegan.rawValue)
  }

  /// The turn is over.
  func turnEnds() {
    guard turnBegan > 0 else { return }
    let duration = clock() - turnBegan
    turnDurations.observe(nanoseconds: duration, in: 0)
    longestTurn.observe(duration, at: latest)
    (lastTurnBegan, lastTurnNanoseconds) = (turnBegan, duration)
    tallies.set(0, at: Tally.turnBegan.rawValue)
  }

  /// The longest turn of the last one or two minutes, in nanoseconds, the one that is going on included. Any thread.
  func longestTurnNanoseconds(at now: Int = MonotonicClock.nanoseconds()) -> Int {
    let began = value(.turnBegan)
    return max(longestTurn.value(at: now), began > 0 ? now - began : 0)
  }

  func countParse(nanoseconds: Int) { parseDurations.observe(nanoseconds: nanoseconds, in: 0) }
  func countRender(nanoseconds: Int) { renderDurations.observe(nanoseconds: nanoseconds, in: 0) }

  /// A request has its answer, or a streamed one has ended.
  func countRequest(_ subject: RequestSubject, status: Int, sentBytes: Int, nanoseconds: Int) {
    requestCounts.add(1, at: series(of: subject) + StatusLabel.place(of: status))
    requestDurations.observe(nanoseconds: nanoseconds, in: subject.route.number)
    add(sentBytes, to: .answerBytes)
  }
}
