import CellTemplates
import Cells
import Synchronization

/// What a server's workers count, plus facts about its process, for `/metrics`.
///
/// May be used from any thread. Counts of a worker are kept after it ends.
package final class Metrics: Sendable {
  /// The results of reloads.
  package let reloads = ReloadStatistics()
  let kinds: KindLabels
  let routes: RouteLabels
  let build: BuildInformation
  let process = ProcessStatistics()
  private let added = Mutex<[WorkerStatistics]>([])
  private let connections = Atomic<Int>(0)
  private let inFlightBytes = Atomic<Int>(0)

  /// - Parameters:
  ///   - version: the program's version.
  ///   - kindLimit: the number of kinds with a label of their own, 0...`highestKindLimit`.
  ///   - routes: the routes with a label of their own.
  init(version: String, kindLimit: Int, routes: RouteLabels) {
    kinds = KindLabels(limit: kindLimit)
    self.routes = routes
    build = BuildInformation(version: version)
  }

  package static let defaultKindLimit = 100
  package static let highestKindLimit = KindLabels.highestLimit

  /// The statistics of a new worker. Workers are numbered in the order of these calls.
  func addWorker() -> WorkerStatistics {
    let statistics = WorkerStatistics(kinds: kinds, routes: routes)
    added.withLock { $0.append(statistics) }
    return statistics
  }

  func note(connectionLimit: Int, inFlightLimitBytes: Int) {
    connections.store(connectionLimit, ordering: .relaxed)
    inFlightBytes.store(inFlightLimitBytes, ordering: .relaxed)
  }

  var workers: [WorkerStatistics] { added.withLock { $0 } }
  /// The server's limit; 0 before the server starts.
  var connectionLimit: Int { connections.load(ordering: .relaxed) }
  /// The limit of each worker; 0 before the server starts.
  var inFlightLimitBytes: Int { inFlightBytes.load(ordering: .relaxed) }
}
