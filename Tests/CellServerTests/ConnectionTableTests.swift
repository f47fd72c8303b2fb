import Cells
import Glibc
import Synchronization
import Testing

@testable import CellServer

/// Which connections are closed to make room for others.
@Suite struct ConnectionTableTests {
  /// A request may arrive while the idle connections are chosen. That must neither trap nor choose too many.
  @Test func requestsThatArriveMeanwhileAreNoFault() {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (server, client) = (ends[0], ends[1])
    defer {
      close(server)
      close(client)
    }
    let table = ConnectionTable()
    let budget = MemoryBudget(limitBytes: 1 << 20)
    let pool = BufferPool(budget: budget, compression: nil)
    for index in 1...4 {
      table.add(
        ClientConnection(
          descriptor: server, handle: OpaquePointer(bitPattern: index)!,
          exchange: Exchange(settings: ServerSettings(), budget: budget, pool: pool),
          state: .waiting(ConnectionState.Waiting(since: 0, until: 1000, isFirst: false))))
    }
    let isOver = Mutex(false)
    let end = MonotonicSeconds.now + Patience.seconds
    let sender = TestThread {
      var byte: UInt8 = 0
      while !isOver.withLock({ $0 }) {
        _ = send(client, &byte, 1, 0)
        _ = recv(server, &byte, 1, 0)
      }
    }
    var counts: Set<Int> = []
    func look() { counts.insert(table.longestIdle(2, at: ConnectionTable.roomAfterMilliseconds).count) }
    for _ in 0..<100_000 { look() }
    // The other thread may have had no time yet.
    while counts.count == 1, MonotonicSeconds.now < end { look() }
    isOver.withLock { $0 = true }
    sender.join()
    #expect(counts.isSubset(of: [0, 1, 2]) && counts.count > 1, "\(counts)")
  }
}
