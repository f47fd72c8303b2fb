import Testing

@testable import Cells

@Suite struct ByteBufferTests {
  /// What a text takes does not depend on how it came.
  @Test(arguments: [1, 300, 1_000, 70_000, 300_000, 400_000, 1_000_000, 5_000_001])
  func capacityFollowsFromTheLength(count: Int) {
    var whole = ByteBuffer()
    whole.append(text: String(repeating: "a", count: count))
    for (start, piece) in [(0, 1 + count / 1_000), (100, 1 + count / 3), (4_096, 1 + count / 17)]
    where start <= count {
      var parts = ByteBuffer(capacity: start)
      while parts.count < count {
        parts.append(text: String(repeating: "a", count: min(piece, count - parts.count)))
      }
      #expect(parts.capacity == whole.capacity, "\(start), \(piece)")
    }
    #expect(whole.capacity >= count && whole.capacity < max(257, 2 * count))
    if count > 256 << 10 { #expect(whole.capacity <= count + count / 4) }
  }
}
