/// Decides which requests of a worker are refused because of overload. All that refuse for load do it through this type,
/// which words and counts it: the exchange and the worker for bodies, time and slots, and what reads rows or makes answers
/// for memory. `Admission` knows which requests have waited too long, and `MemoryBudget` whether there is memory left.
///
/// A new reason is a case of `Shortage` and one of `RefusalReason`. `/readyz` and the preview answer 503 for reasons other
/// than load.
///
/// Confined to the worker's thread.
package final class OverloadPolicy {
  /// A resource that has run out.
  enum Shortage {
    /// Memory to hold a body.
    case bodyMemory
    /// Memory to read a body's rows or to make their answer.
    case rowMemory
    /// Time: the request has waited too long for its turn.
    case time
    /// Slots for answers made in slices.
    case slots
    /// Memory for archives: too many have followed the one that the answer is made with.
    case archives

    var reason: RefusalReason {
      switch self {
      case .bodyMemory, .rowMemory, .archives: .memory
      case .time: .queue
      case .slots: .inFlight
      }
    }

    /// The problem sent to the client.
    var problem: Problem {
      switch self {
      case .bodyMemory, .time, .slots: .overloaded()
      case .rowMemory:
        .overloaded(detail: "too many rows are being processed; try again soon", retryAfterSeconds: 1)
      case .archives:
        .overloaded(
          detail: "the cells were loaded anew several times while this answer was made; try again",
          retryAfterSeconds: 1)
      }
    }
  }

  let statistics: WorkerStatistics
  // Exclusivity checks are off for both, which every request accesses: no method calls other code while it accesses
  // one.
  @exclusivity(unchecked) private var admission: Admission
  @exclusivity(unchecked) private var answersInMaking = 0
  private let slots: Int
  private let onRefusal: (@Sendable () -> Void)?

  /// - Parameters:
  ///   - queueSeconds: how long requests may wait for their turn; 0 means no limit.
  ///   - slots: the most answers made in slices at once.
  ///   - onRefusal: called for each request refused because of a shortage.
  package init(
    queueSeconds: Double = 0, slots: Int = .max, statistics: WorkerStatistics = WorkerStatistics(),
    onRefusal: (@Sendable () -> Void)? = nil
  ) {
    admission = Admission(queueSeconds: queueSeconds)
    self.slots = slots
    self.statistics = statistics
    self.onRefusal = onRefusal
  }

  // MARK: - Time

  func turnBegins(at now: Int) { admission.turnBegins(at: now) }
  func turnEnds(at now: Int, oldest: Int) { admission.turnEnds(at: now, oldest: oldest) }
  /// Whether requests have recently waited too long.
  var isBehind: Bool { admission.isBehind }
  /// The shortage of time if a request that came up at `start` has waited too long.
  /// - Parameter isExempt: whether it is served however late; asked only if it is late.
  func shortage(waitingSince start: Int, isExempt: @autoclosure () -> Bool) -> Shortage? {
    admission.isOverdue(since: start) && !isExempt() ? .time : nil
  }

  // MARK: - Slots

  /// The shortage if no other answer may be made in slices.
  var shortageOfSlots: Shortage? { answersInMaking < slots ? nil : .slots }
  func makingBegins() { answersInMaking += 1 }
  func makingEnds() { answersInMaking -= 1 }

  // MARK: - Refusals

  /// Counts and reports a request refused because of a shortage. Called once for each request.
  func note(_ shortage: Shortage) {
    statistics.countRefusal(shortage.reason)
    onRefusal?()
  }

  /// Same as `note`; returns the problem to send.
  func refuse(for shortage: Shortage) -> Problem {
    note(shortage)
    return shortage.problem
  }

  /// Counts a request refused because of its head or its framing.
  func note(refusedHead problem: Problem) {
    statistics.countRefusal(
      problem.code == .headTooLarge
        ? .headTooLarge : problem.code == .bodyTooLarge ? .bodyTooLarge : .guarded)
  }

  /// Counts a request whose content is too large. Other problems of the content only affect its rows.
  func note(refusedContent problem: Problem) {
    if problem.code == .bodyTooLarge { statistics.countRefusal(.bodyTooLarge) }
  }
}
