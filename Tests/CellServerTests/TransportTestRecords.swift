import CellServer
import Synchronization

/// The records of a server, from all threads.
final class Records: Sendable {
  private let records = Mutex<[RequestRecord]>([])

  var all: [RequestRecord] { records.withLock { $0 } }
  func add(_ record: RequestRecord) { records.withLock { $0.append(record) } }
}
