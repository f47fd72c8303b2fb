import Cells
import CellTemplates
import Synchronization

/// What one worker counts. Written by its thread, read by any.
///
/// Counting a request takes no lock and allocates nothing. It costs some tens of nanoseconds in addition to
/// the clock readings that the histograms need.
package final class WorkerStatistics: Sendable {
  /// The values without labels.
  enum Tally: Int, CaseIterable {
    case openConnections, openedConnections
    case runningRequests, answeredRequests, abortedRequests
    case heldBytes
    case bodyBytes, answerBytes
    case badRows, unformattedValues
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
  /// The start of each route's counters in `requestCounts`, in units of `StatusLabel.count`.
  private let routeStarts: [Int]
  /// By route.
  let requestDurations: HistogramTable
  let parseDurations = HistogramTable(count: 1)
  let renderDurations = HistogramTable(count: 1)
  let turnDurations = HistogramTable(count: 1)
  let longestTurn = RecentMaximum()
  private let adoptedArchives = Atomic<Int>(0)

  // All of these are used only by the worker's thread, so `nonisolated(unsafe)` shares nothing. Exclusivity checks are
  // off, because every request or turn accesses each: no method calls other code while it accesses one.
  @exclusivity(unchecked) nonisolated(unsafe) private var latest = MonotonicClock.nanoseconds()
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var turnBegan = 0
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var lastTurnNanoseconds = 0
  @exclusivity(unchecked) nonisolated(unsafe) private var placedArchive = ContentHash(high: 0, low: 0)
  /// The label indexes of that archive's kinds; empty before the first request with a kind. Owned; replaced
  /// when the archive changes.
  @exclusivity(unchecked) nonisolated(unsafe) private var positions = UnsafeMutableBufferPointer<UInt16>(
    start: nil, count: 0)

  init(kinds: KindLabels, routes: RouteLabels) {
    self.kinds = kinds
    rowCounts = CounterTable(count: kinds.count)
    let series = routes.layout(kinds: kinds.count)
    routeStarts = series.starts
    requestCounts = CounterTable(count: series.count * StatusLabel.count)
    requestDurations = HistogramTable(count: routes.count)
  }

  deinit { positions.deallocate() }

  /// For uses that need only the sums.
  package convenience init() { self.init(kinds: KindLabels(limit: 0), routes: RouteLabels([])) }

  // MARK: - What has been counted

  func value(_ tally: Tally) -> Int { tallies[tally.rawValue] }

  /// Open connections.
  package var connections: Int { value(.openConnections) }
  /// Requests whose request line has arrived and whose answer has not been sent.
  package var inFlight: Int { value(.runningRequests) }
  /// Answers passed on for sending, including refusals.
  package var requests: Int { value(.answeredRequests) }
  /// Requests refused regardless of their cells.
  package var refusals: Int { RefusalReason.allCases.reduce(0) { $0 + refusals(for: $1) } }
  /// Connections cut, at a deadline or to make room.
  package var cuts: Int { CutReason.allCases.reduce(0) { $0 + cuts(at: $1) } }
  /// Bytes counted in the worker's budget at the end of its last turn.
  package var heldBytes: Int { value(.heldBytes) }

  func refusals(for reason: RefusalReason) -> Int { refusalCounts[reason.rawValue] }
  func cuts(at deadline: CutReason) -> Int { cutCounts[deadline.rawValue] }
  /// Rows rendered of a kind, given by its index in `KindLabels`.
  func rows(ofKindAt position: Int) -> Int { rowCounts[position] }
  /// Answers for a subject with the status at an index of `StatusLabel`.
  func requests(for subject: RequestSubject, statusAt position: Int) -> Int {
    requestCounts[series(of: subject) + position]
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
  /// Counts a request that ended before its answer was sent completely.
  func countAborted() { add(1, to: .abortedRequests) }
  /// Called only by `OverloadPolicy`.
  func countRefusal(_ reason: RefusalReason) { refusalCounts.add(1, at: reason.rawValue) }
  /// How many archives the worker has adopted since its start.
  var adoptions: Int { adoptedArchives.load(ordering: .relaxed) }

  func countAdoption() { adoptedArchives.add(1, ordering: .relaxed) }

  func countCut(_ deadline: CutReason) { cutCounts.add(1, at: deadline.rawValue) }
  func note(heldBytes: Int) { tallies.set(heldBytes, at: Tally.heldBytes.rawValue) }
  func countBody(bytes: Int) { add(bytes, to: .bodyBytes) }
  func countBadRows(_ count: Int) { if count > 0 { add(count, to: .badRows) } }

  /// Counts values that were printed as they are, because they do not fit their formats.
  func countUnformatted(_ count: Int) { if count > 0 { add(count, to: .unformattedValues) } }

  /// Counts rendered rows.
  func countRows(_ count: Int, ofKind kind: UInt32, in archive: CellArchive) {
    rowCounts.add(count, at: position(ofKind: kind, in: archive))
  }

  /// The index in `KindLabels` of an archive's kind.
  func position(ofKind kind: UInt32, in archive: CellArchive) -> Int {
    // Compares the fields, because the type's own `==` is in another module and ten times slower.
    let hash = archive.contentHash
    if hash.low != placedArchive.low || hash.high != placedArchive.high || positions.isEmpty {
      position(archive)
    }
    precondition(Int(kind) < positions.count)
    return Int(positions[Int(kind)])
  }

  @inline(never)
  private func position(_ archive: CellArchive) {
    let found = kinds.positions(of: archive)
    positions.deallocate()
    positions = .allocate(capacity: found.count)
    _ = positions.initialize(from: found)
    placedArchive = archive.contentHash
  }

  /// Takes over what the factory's pools and plans have counted since it was created.
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

  /// The last clock reading in nanoseconds of `MonotonicClock`; recent while a turn is in progress.
  var latestNanoseconds: Int { latest }

  /// Reads the clock, in nanoseconds of `MonotonicClock`.
  func clock() -> Int {
    latest = MonotonicClock.nanoseconds()
    return latest
  }

  /// Called when a turn of the loop begins.
  func turnBegins() { noteTurn(at: clock()) }

  /// Called when a turn begins right at the end of the previous one.
  func turnFollows() { noteTurn(at: latest) }

  private func noteTurn(at now: Int) {
    turnBegan = now
    tallies.set(now, at: Tally.turnBegan.rawValue)
  }

  /// Called when the turn ends.
  func turnEnds() {
    guard turnBegan > 0 else { return }
    let duration = clock() - turnBegan
    turnDurations.observe(nanoseconds: duration, in: 0)
    longestTurn.observe(duration, at: latest)
    lastTurnNanoseconds = duration
    tallies.set(0, at: Tally.turnBegan.rawValue)
  }

  /// The longest turn of the last one to two minutes, including the current one, in nanoseconds. May be
  /// called from any thread.
  func longestTurnNanoseconds(at now: Int = MonotonicClock.nanoseconds()) -> Int {
    let began = value(.turnBegan)
    return max(longestTurn.value(at: now), began > 0 ? now - began : 0)
  }

  func countParse(nanoseconds: Int) { parseDurations.observe(nanoseconds: nanoseconds, in: 0) }
  func countRender(nanoseconds: Int) { renderDurations.observe(nanoseconds: nanoseconds, in: 0) }

  /// Counts an answered request, or the end of a streamed answer.
  func countRequest(_ subject: RequestSubject, status: Int, sentBytes: Int, nanoseconds: Int) {
    requestCounts.add(1, at: series(of: subject) + StatusLabel.position(of: status))
    requestDurations.observe(nanoseconds: nanoseconds, in: subject.route.number)
    add(sentBytes, to: .answerBytes)
  }
}
