@testable import CellServer
import Cells
import Glibc
import Testing

/// Which requests get the memory for reading a large body, and which wait for it.
@Suite struct MemoryBudgetTests {
  /// Of 1600 bytes, the last 100 are reserved for small amounts.
  private let budget = MemoryBudget(limitBytes: 1600)
  private let readers: [MemoryBudget.Ticket]

  init() { readers = [budget.drawTicket(), budget.drawTicket(), budget.drawTicket()] }

  private func ask(_ bytes: Int, _ reader: Int) -> MemoryBudget.Room {
    budget.reserveReading(bytes, for: readers[reader])
  }

  private func end(_ bytes: Int, _ reader: Int) {
    budget.release(bytes)
    budget.endReading(of: readers[reader])
  }

  @Test func requestsWithoutRoomWaitForReaders() {
    #expect(ask(1000, 0) == .reserved)
    #expect(ask(1000, 1) == .soon)
    #expect(ask(1000, 1) == .soon && budget.heldBytes == 1000)
    end(1000, 0)
    #expect(ask(1000, 1) == .reserved && budget.heldBytes == 1000)
    end(1000, 1)
    #expect(budget.heldBytes == 0)
  }

  /// Discarded memory counts until it is given back: readers wait, others give back what they need.
  @Test func discardedMemoryCounts() {
    let megabyte = 1 << 20
    let budget = MemoryBudget(limitBytes: 16 * megabyte)
    DiscardedMemory.defer()
    defer { DiscardedMemory.end() }
    func discard(_ bytes: Int) { _ = ByteBuffer(capacity: bytes) }
    discard(8 * megabyte)
    #expect(DiscardedMemory.bytes == 8 * megabyte)
    let reader = budget.drawTicket()
    #expect(budget.reserveReading(12 * megabyte, for: reader) == .soon)
    DiscardedMemory.drop(5 * megabyte)
    #expect(DiscardedMemory.bytes == 3 * megabyte)
    #expect(budget.reserveReading(12 * megabyte, for: reader) == .reserved)
    #expect(budget.reserve(3 * megabyte), "what is needed is given back")
    #expect(DiscardedMemory.bytes < 2 * megabyte && budget.heldBytes == 15 * megabyte)
    discard(100_000)
    #expect(DiscardedMemory.bytes < 2 * megabyte, "small blocks are freed at once")
  }

  /// Dropping more than a block has would empty its neighbours' pages.
  @Test func discardingMoreThanABlockHasEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGABRT)) {
      DiscardedMemory.defer()
      guard let block = malloc(1 << 20) else { return }
      DiscardedMemory.discard(block, bytes: 2 << 20)
      DiscardedMemory.end()
    }
  }

  @Test func discardedBlocksLeaveTheirNeighbours() {
    let count = 300_000
    DiscardedMemory.defer()
    let blocks = (0..<8).map { number in
      let block = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      memset(block, Int32(number) + 1, count)
      return block
    }
    for number in [1, 3, 4, 6] { DiscardedMemory.discard(blocks[number], bytes: count) }
    while DiscardedMemory.bytes > 0 { DiscardedMemory.drop(70_000) }
    DiscardedMemory.end()
    for number in [0, 2, 5, 7] {
      let bytes = UnsafeRawBufferPointer(start: blocks[number], count: count)
      let isLeft = bytes.allSatisfy { $0 == UInt8(number + 1) }
      #expect(isLeft, "block \(number)")
      blocks[number].deallocate()
    }
  }

  @Test func severalReadAtOnceIfThereIsRoom() {
    #expect(ask(700, 0) == .reserved)
    #expect(ask(700, 1) == .reserved)
    #expect(ask(700, 2) == .soon)
    end(700, 1)
    #expect(ask(700, 2) == .reserved)
  }

  /// Otherwise a large request would wait forever while small ones keep arriving.
  @Test func requestsAreServedInOrder() {
    #expect(ask(1000, 0) == .reserved)
    #expect(ask(1400, 1) == .soon)
    #expect(ask(200, 2) == .soon, "though there is room")
    end(1000, 0)
    #expect(ask(200, 2) == .soon)
    #expect(ask(1400, 1) == .reserved)
    #expect(ask(200, 2) == .soon)
    end(1400, 1)
    #expect(ask(200, 2) == .reserved)
  }

  @Test func memoryOfAnswersIsNeverWaitedFor() {
    #expect(budget.reserve(900))
    #expect(ask(1000, 0) == .none)
    #expect(ask(200, 1) == .reserved)
    #expect(ask(1000, 0) == .soon)
    end(200, 1)
    #expect(ask(1000, 0) == .none)
    #expect(ask(200, 2) == .reserved, "who was refused is in nobody's way")
  }

  @Test func disconnectedClientsBlockNobody() {
    #expect(ask(1000, 0) == .reserved)
    #expect(ask(1000, 1) == .soon)
    #expect(ask(400, 2) == .soon)
    end(0, 1)
    #expect(ask(400, 2) == .reserved)
  }
}
