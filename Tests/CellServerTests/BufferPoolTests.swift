import Cells
import Testing

@testable import CellServer

/// Which buffers bodies and answers get, and what is charged for them.
@Suite struct BufferPoolTests {
  private let budget = MemoryBudget(limitBytes: 16 << 20)

  /// A body waits for its client: it must not hold the memory of an answer.
  @Test func aBodyGetsNoBufferThatIsMuchTooLarge() {
    let pool = BufferPool(budget: budget, compression: nil)
    let answer = pool.take()
    answer.buffer.reserveExactly(400 << 10)
    let body = pool.takeForBody(of: 20_000)
    body.buffer.reserveExactly(20_000)
    pool.give(answer)
    pool.give(body)
    let alike = pool.takeForBody(of: 15_000)
    #expect(alike.buffer.capacity == 20_000)
    pool.give(alike)
    let other = pool.takeForBody(of: 2)
    #expect(other.buffer.capacity == 0)
    let next = pool.take()
    #expect(next.buffer.capacity == 400 << 10, "answers take what answers had")
  }

  /// However their sizes follow each other.
  @Test func bodiesLeaveRoomForAnswers() {
    let pool = BufferPool(budget: budget, compression: nil)
    for size in 0..<200 {
      let body = pool.takeForBody(of: 100 + size * 7919 % 30_000)
      body.buffer.reserveExactly(100 + size * 7919 % 30_000)
      let answer = pool.take()
      answer.buffer.reserveExactly(10_000)
      pool.give(body)
      pool.give(answer)
    }
    let answer = pool.take()
    #expect(answer.buffer.capacity == 10_000)
    #expect(pool.freeBytes <= 30_100)
  }

  /// A large body that gets a buffer of an earlier one is charged for all of it, and keeps the charge.
  @Test func aReusedBufferIsChargedWhole() {
    let pool = BufferPool(budget: budget, compression: nil)
    func charged(_ body: HeldBuffer, byteCount: Int) -> [Int] {
      let bytes = [UInt8](repeating: 65, count: byteCount)
      #expect(body.makeRoom(for: byteCount, announced: 200_000, in: budget))
      let before = budget.heldBytes
      bytes.withUnsafeBytes { body.buffer.append($0) }
      body.releaseSurplus(in: budget)
      return [before, budget.heldBytes]
    }
    let first = pool.takeForBody(of: 200_000)
    #expect(charged(first, byteCount: 150_000) == [150_000, 150_000])
    pool.give(first)
    #expect(budget.heldBytes == 0)
    let second = pool.takeForBody(of: 100_000)
    #expect(charged(second, byteCount: 10) == [150_000, 150_000])
    pool.give(second)
    // Without room for all of it, it is let go.
    #expect(budget.reserve(budget.largestBytes - 20_000))
    let third = pool.takeForBody(of: 100_000)
    #expect(third.buffer.capacity == 150_000)
    #expect(charged(third, byteCount: 10).last == budget.largestBytes - 20_000 + 10)
  }
}
