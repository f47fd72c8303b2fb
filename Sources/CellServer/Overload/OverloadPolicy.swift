/// Which requests of a worker are refused because it has too much to do: the only place that decides on 503, says it, and
/// counts who is refused. What memory there is the `MemoryBudget` knows; where it has none, this says what follows.
///
/// Confined to the worker's thread.
package final class OverloadPolicy {
  /// What there is not enough of.
  enum Shortage {
    /// Memory to hold a body.
    case bodyMemory
    /// Memory to read a body's rows, or to make their answer.
    case rowMemory
    /// Time: the request has waited too long for its turn.
    case time
    /// Room beside the answers that are being made in slices.
    case works

    var reason: RefusalReason {
      switch self {
      case .bodyMemory, .rowMemory: .memory
      case .time: .queue
      case .works: .inFlight
      }
    }

    /// What the client is told.
    var problem: Problem {
      switch self {
      case .bodyMemory, .time, .works: .overloaded()
      case .rowMemory:
        .overloaded(detail: "too much is being worked on; try again soon", retryAfterSeconds: 1)
      }
    }
  }

  let statistics: WorkerStatistics
  // Unchecked, both: no method calls out while it has hold of one.
  @exclusivity(unchecked) private var admission: Admission
  @exclusivity(unchecked) private var works = 0
  private let workLimit: Int
  private let onRefusal: (@Sendable () -> Void)?

  /// - Parameters:
  ///   - queueSeconds: how long requests may wait for their turn; 0: however long.
  ///   - works: answers that may be made in slices at once.
  ///   - onRefusal: told of each request that is refused for a shortage.
  package init(
    queueSeconds: Double = 0, works: Int = .max, statistics: WorkerStatistics = WorkerStatistics(),
    onRefusal: (@Sendable () -> Void)? = nil
  ) {
    admission = Admission(queueSeconds: queueSeconds)
    workLimit = works
    self.statistics = statistics
    self.onRefusal = onRefusal
  }

  // MARK: - Time

  func turnBegins(at now: Int) { admission.turnBegins(at: now) }
  func turnEnds(at now: Int) { admission.turnEnds(at: now) }
  /// Whether a turn of the loop took too long just now.
  var isBehind: Bool { admission.isBehind }
  /// Whether a request that comes up now has waited too long.
  var isOverdue: Bool { admission.isOverdue }

  // MARK: - Works

  /// Whether another answer may be made in slices beside those that are.
  var hasRoomForWork: Bool { works < workLimit }
  func workBegins() { works += 1 }
  func workEnds() { works -= 1 }

  // MARK: - Refusals

  /// Counts a request that is refused for a shortage, once, and tells of it.
  func note(_ shortage: Shortage) {
    statistics.countRefusal(shortage.reason)
    onRefusal?()
  }

  /// The same, and what the client is told.
  func refuse(for shortage: Shortage) -> Problem {
    note(shortage)
    return shortage.problem
  }

  /// Counts a request that its head, or its framing, refuses.
  func note(refusedHead problem: Problem) {
    statistics.countRefusal(
      problem.code == .headTooLarge
        ? .headTooLarge : problem.code == .bodyTooLarge ? .bodyTooLarge : .guarded)
  }

  /// Counts a request whose content is too large; whatever else is wrong with content refuses its rows alone.
  func note(refusedContent problem: Problem) {
    if problem.code == .bodyTooLarge { statistics.countRefusal(.bodyTooLarge) }
  }
}
