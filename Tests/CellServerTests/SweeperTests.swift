import Cells
import Testing

@testable import CellServer

/// Sweeps without a socket: the connections have no descriptor.
@Suite struct SweeperTests {
  private let table = ConnectionTable()
  private let statistics = WorkerStatistics()
  private let sweeper: Sweeper

  init() {
    let deadlines = Deadlines(
      headMilliseconds: 1000, bodyMilliseconds: 1000, idleMilliseconds: 1000, writeMilliseconds: 1000,
      leastBytes: 1)
    sweeper = Sweeper(table, deadlines, statistics)
    let settings = ServerSettings()
    let budget = MemoryBudget(limitBytes: 1 << 20)
    let pool = BufferPool(budget: budget, compression: nil)
    for index in 1...1000 {
      table.add(
        ClientConnection(
          descriptor: -1, handle: OpaquePointer(bitPattern: index)!,
          exchange: Exchange(settings: settings, budget: budget, pool: pool),
          state: .waiting(ConnectionState.Waiting(since: 0, until: 1000, isFirst: false))))
    }
  }

  /// One turn of a sweep, after which libmicrohttpd closes what was cut. Returns how many connections that were.
  private func turn(at now: Int) -> Int {
    var cut: [ClientConnection] = []
    sweeper.sweep(at: now) { cut.append($0) }
    for connection in cut { table.remove(connection) }
    return cut.count
  }

  /// Sweeps at a time to its end. Returns how many connections each turn cut.
  private func sweep(at now: Int) -> [Int] {
    var turns = [turn(at: now)]
    while sweeper.isGoingOn { turns.append(turn(at: now)) }
    return turns
  }

  @Test func aSweepCutsAllIdleConnectionsThatAreLateTogether() {
    #expect(sweep(at: 1).allSatisfy { $0 == 0 })
    // Most have been found idle, and are no longer watched.
    let turns = sweep(at: 1000)
    #expect(turns.reduce(0, +) == 1000)
    #expect(turns.allSatisfy { $0 <= Sweeper.cutsEachTurn })
    #expect(table.isEmpty)
    #expect(statistics.cuts(at: .idle) == 1000)
  }

  /// A close moves the last connection to another index.
  @Test func connectionsThatCloseMeanwhileKeepNoOtherFromBeingCut() {
    _ = sweep(at: 1)
    repeat {
      _ = turn(at: 1000)
      for index in [0, table.all.count / 2] where index < table.all.count { table.remove(table.all[index]) }
    } while sweeper.isGoingOn
    #expect(table.isEmpty)
  }
}
