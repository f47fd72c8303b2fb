package import Cells

/// A body that exists, and is sent in pieces: copying it whole would hold up the event loop. Confined to its worker's thread.
package final class StoredBody: AnswerWork {
  /// Bodies up to this size are copied at once.
  private static let copiedBytes = 64 << 10

  private let bytes: StoredBytes
  /// The bytes that are reserved for it in the budget.
  private var reservedBytes: Int
  private let budget: MemoryBudget
  private var writtenBytes = 0

  private init(_ bytes: StoredBytes, reservedBytes: Int, budget: MemoryBudget) {
    self.bytes = bytes
    self.reservedBytes = reservedBytes
    self.budget = budget
  }

  /// The answer with these bytes as its body, or a refusal if there is no room for them.
  /// - Parameter isShared: whether others keep the bytes anyway, so that they are not counted.
  package static func answer(
    _ answer: consuming Answer, _ bytes: StoredBytes, isShared: Bool, budget: MemoryBudget
  ) -> Answer {
    if bytes.count <= copiedBytes {
      bytes.append(0..<bytes.count, to: &answer.body)
      return answer
    }
    let needed = isShared ? 0 : bytes.count
    guard budget.hasRoomForStream(), budget.reserve(needed) else { return Answer(problem: budget.refuse()) }
    answer.streamedBytes = bytes.count
    answer.rest = .streamed(StoredBody(bytes, reservedBytes: needed, budget: budget))
    return answer
  }

  /// Never called: the head is final from the start.
  package func advance(
    over body: inout ByteBuffer, sharers: Int, factory: isolated CellFactory
  ) -> Answer? { nil }

  package func write(
    into output: inout ByteBuffer, bytes wanted: Int, over body: inout ByteBuffer, sharers: Int,
    factory: isolated CellFactory
  ) -> BodyProgress {
    let end = min(writtenBytes + wanted, bytes.count)
    bytes.append(writtenBytes..<end, to: &output)
    writtenBytes = end
    return end == bytes.count ? .complete : .more
  }

  package func end() {
    budget.release(reservedBytes)
    reservedBytes = 0
  }
}
