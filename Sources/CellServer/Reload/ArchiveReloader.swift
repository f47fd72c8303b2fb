import CMicrohttpd
package import CellTemplates
import Dispatch
import Synchronization

/// Loads the cells again when it is asked to, and has a server adopt them.
///
/// One attempt after another, on a thread of its own that gives way to the workers. Asked during an attempt, however
/// often, it makes one more afterwards: what it then reads is as new as the last word. The thread ends with the object,
/// after the attempt that is going on.
package final class ArchiveReloader: Sendable {
  package enum Outcome: Sendable {
    /// Requests that begin from now on are answered from this archive.
    case adopted(CellArchive)
    /// The same cells as before: nothing was done.
    case unchanged(hash: String)
    /// The new cells have errors, and the old ones stay.
    case refused(any Error)
  }

  /// What came of one attempt, and the seconds it took.
  package typealias Report = @Sendable (Outcome, _ seconds: Double) -> Void

  /// What the thread and those who ask share.
  private final class Requests: Sendable {
    private let isAsked = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)
    private let wakeup = DispatchSemaphore(value: 0)

    func ask() {
      if !isAsked.exchange(true, ordering: .acquiringAndReleasing) { wakeup.signal() }
    }

    func end() {
      hasEnded.store(true, ordering: .releasing)
      wakeup.signal()
    }

    /// Waits until somebody has asked; `false`: nobody will any more.
    func wait() -> Bool {
      wakeup.wait()
      // From here on whoever asks is answered by the next attempt.
      isAsked.store(false, ordering: .sequentiallyConsistent)
      return !hasEnded.load(ordering: .acquiring)
    }
  }

  private let requests = Requests()

  /// - Parameters:
  ///   - archive: what the server serves now.
  ///   - load: reads and verifies the cells anew, or throws why not; called on the reloader's thread.
  ///   - report: called on the reloader's thread.
  /// - Throws: where the process may have no more threads.
  package init(
    server: Server, serving archive: CellArchive, statistics: ReloadStatistics,
    load: @escaping @Sendable () throws -> CellArchive, report: @escaping Report
  ) throws(TransportError) {
    let hash = archive.hash
    try SystemThread.start(named: "reload") { [requests] in
      cf_lower_current_thread()
      var served = hash
      while requests.wait() {
        let begin = MonotonicClock.microseconds()
        let outcome = Self.attempt(serving: served, on: server, load)
        let seconds = Double(MonotonicClock.microseconds() - begin) / 1e6
        switch outcome {
        case .adopted(let archive):
          served = archive.hash
          statistics.noteSuccess(seconds: seconds)
        case .unchanged: statistics.noteSuccess(seconds: seconds)
        case .refused: statistics.noteFailure(seconds: seconds)
        }
        report(outcome, seconds)
      }
    }
  }

  deinit { requests.end() }

  /// Asks for an attempt, and returns at once. Any thread.
  package func request() { requests.ask() }

  private static func attempt(
    serving hash: String, on server: Server, _ load: () throws -> CellArchive
  ) -> Outcome {
    let archive: CellArchive
    do {
      archive = try load()
    } catch {
      return .refused(error)
    }
    if archive.hash == hash { return .unchanged(hash: hash) }
    let adoption = DispatchSemaphore(value: 0)
    Task {
      await server.adopt(archive)
      adoption.signal()
    }
    adoption.wait()
    return .adopted(archive)
  }
}
