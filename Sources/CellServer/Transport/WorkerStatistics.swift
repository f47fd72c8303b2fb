import Synchronization

/// What one worker counts; written by its thread, read by any.
package final class WorkerStatistics: Sendable {
  private let openConnections = Atomic<Int>(0)
  private let runningRequests = Atomic<Int>(0)
  private let answeredRequests = Atomic<Int>(0)
  private let refusedRequests = Atomic<Int>(0)
  private let cutConnections = Atomic<Int>(0)
  private let heldInFlight = Atomic<Int>(0)

  package init() {}

  /// Open connections.
  package var connections: Int { openConnections.load(ordering: .relaxed) }
  /// Requests whose line has come and whose answer has not gone.
  package var inFlight: Int { runningRequests.load(ordering: .relaxed) }
  /// Answers handed over for sending, refusals included.
  package var requests: Int { answeredRequests.load(ordering: .relaxed) }
  /// Requests refused by their head.
  package var refusals: Int { refusedRequests.load(ordering: .relaxed) }
  /// Connections cut at a deadline.
  package var cuts: Int { cutConnections.load(ordering: .relaxed) }
  /// Bytes counted in the worker's budget, as of its last turn.
  package var heldBytes: Int { heldInFlight.load(ordering: .relaxed) }

  // One thread writes: a load and a store do, where an atomic addition would cost more.
  private static func add(_ amount: Int, to counter: borrowing Atomic<Int>) {
    counter.store(counter.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  func connectionsChange(by amount: Int) { Self.add(amount, to: openConnections) }
  func inFlightChanges(by amount: Int) { Self.add(amount, to: runningRequests) }
  func countAnswer() { Self.add(1, to: answeredRequests) }
  func countRefusal(_ reason: RefusalReason) { Self.add(1, to: refusedRequests) }
  func countCut(_ deadline: CutReason) { Self.add(1, to: cutConnections) }
  func note(heldBytes: Int) { heldInFlight.store(heldBytes, ordering: .relaxed) }
}
