import CellTemplates
import Cells
import Synchronization

/// What a server's workers count, and what else there is to say of its process, for `/metrics`.
///
/// Any thread. A worker is added when it is made; what it has counted stays.
package final class Metrics: Sendable {
  /// What comes of the attempts to load the cells again.
  package let reloads = ReloadStatistics()
  let kinds: KindLabels
  let routes: RouteLabels
  let build: BuildInformation
  let process = ProcessStatistics()
  private let added = Mutex<[WorkerStatistics]>([])
  private let connections = Atomic<Int>(0)
  private let inFlightBytes = Atomic<Int>(0)

  /// - Parameters:
  ///   - version: the program's own.
  ///   - kindLimit: how many kinds are told apart, 0...`highestKindLimit`.
  ///   - routes: those that are told apart.
  init(version: String, kindLimit: Int, routes: RouteLabels) {
    kinds = KindLabels(limit: kindLimit)
    self.routes = routes
    build = BuildInformation(version: version)
  }

  package static let defaultKindLimit = 100
  package static let highestKindLimit = KindLabels.highestLimit

  /// What a new worker counts; its number is its place among those that were added.
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
  /// Of the server, 0 where there is none.
  var connectionLimit: Int { connections.load(ordering: .relaxed) }
  /// Of each worker, 0 where there is none.
  var inFlightLimitBytes: Int { inFlightBytes.load(ordering: .relaxed) }
}
