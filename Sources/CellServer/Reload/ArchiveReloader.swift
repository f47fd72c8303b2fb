import CMicrohttpd
package import CellTemplates
import Dispatch
import Synchronization

/// Reloads the cells on request and makes a server adopt them.
///
/// Attempts run one at a time on a thread of low priority, unless somebody waits for them. Any number of requests during an
/// attempt cause one more attempt, which therefore reads the newest files. The thread ends with the object, after the
/// current attempt.
package final class ArchiveReloader: Sendable {
  package enum Outcome: Sendable {
    /// Requests that begin from now on use this archive. The kinds that the previous one had and this one lacks are
    /// lost.
    case adopted(CellArchive, lostKinds: [String])
    /// The cells and the rows that schemas show are the same as before; nothing was done.
    case unchanged(hash: String)
    /// The new cells have errors; the previous ones stay.
    case refused(any Error)
  }

  /// Receives the outcome of an attempt and its duration in seconds.
  package typealias Report = @Sendable (Outcome, _ seconds: Double) -> Void

  /// The state shared by the thread and its clients.
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

    /// Waits for a request. Returns false if there will be no more.
    /// - Parameter former: archives of which those that nobody uses any longer are freed meanwhile.
    func wait(freeing former: inout FormerArchives) -> Bool {
      while true {
        former.free()
        if former.isEmpty {
          wakeup.wait()
          break
        }
        if wakeup.wait(timeout: .now() + 1) == .success { break }
      }
      // Requests from here on are answered by the next attempt.
      isAsked.store(false, ordering: .sequentiallyConsistent)
      return !hasEnded.load(ordering: .acquiring)
    }
  }

  /// Archives that have been replaced, as long as requests still use them. Otherwise, a worker would free the archive of the
  /// last request that used it, which takes milliseconds.
  private struct FormerArchives {
    private var archives: [CellArchive] = []

    var isEmpty: Bool { archives.isEmpty }

    mutating func add(_ archive: CellArchive) { archives.append(archive) }

    mutating func free() {
      for position in archives.indices.reversed() where isKnownUniquelyReferenced(&archives[position]) {
        archives.remove(at: position)
      }
    }
  }

  private let requests = Requests()

  /// - Parameters:
  ///   - archive: the archive that the server serves now.
  ///   - isWaitedFor: whether somebody waits for each attempt. Otherwise requests go first.
  ///   - load: reads and verifies the cells, or throws the reason for failure. Called on the reloader's
  ///     thread.
  ///   - report: called on the reloader's thread.
  /// - Throws: an error if the process may not have more threads.
  package init(
    server: Server, serving archive: CellArchive, statistics: ReloadStatistics, isWaitedFor: Bool = false,
    load: @escaping @Sendable () throws -> CellArchive, report: @escaping Report
  ) throws(TransportError) {
    // Taken by the thread, which must not keep it.
    let first = Mutex<CellArchive?>(archive)
    try SystemThread.start(named: "reload") { [requests] in
      if !isWaitedFor { cf_lower_current_thread() }
      guard var served = first.withLock({ $0.take() }) else { return }
      var former = FormerArchives()
      while requests.wait(freeing: &former) {
        let begin = MonotonicClock.microseconds()
        let outcome = Self.attempt(serving: served, on: server, load)
        let seconds = Double(MonotonicClock.microseconds() - begin) / 1e6
        switch outcome {
        case .adopted(let archive, _):
          former.add(served)
          served = archive
          statistics.noteSuccess(seconds: seconds)
        case .unchanged: statistics.noteSuccess(seconds: seconds)
        case .refused: statistics.noteFailure(seconds: seconds)
        }
        report(outcome, seconds)
      }
    }
  }

  deinit { requests.end() }

  /// Requests an attempt and returns at once. May be called from any thread.
  package func request() { requests.ask() }

  private static func attempt(
    serving served: CellArchive, on server: Server, _ load: () throws -> CellArchive
  ) -> Outcome {
    let archive: CellArchive
    do {
      archive = try load()
    } catch {
      return .refused(error)
    }
    if archive.hash == served.hash, archive.examples == served.examples {
      return .unchanged(hash: archive.hash)
    }
    let thread = WaitingThread()
    Task(executorPreference: thread) {
      await server.adopt(archive)
      thread.finish()
    }
    thread.run()
    return .adopted(archive, lostKinds: served.kindNames.filter { archive.kindNumber($0) == nil })
  }
}
