@testable import Cells
import Glibc
import Testing

@Suite(.serialized) struct DiscardedMemoryTests {
  /// Resident memory of the process, in bytes.
  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    return (Int(fields[1]) ?? 0) * Int(getpagesize())
  }

  /// Blocks too small for pages of their own lie between small ones, which may stay for long.
  @Test(arguments: [20_000, 100_000, 250_000]) func pagesGoBackThoughSmallBlocksStay(bytes: Int) {
    let count = 200_000_000 / bytes
    let small = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: count)
    let large = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: count)
    let before = Self.residentBytes
    for position in 0..<count {
      var buffer = ByteBuffer(capacity: bytes)
      memset(buffer.end, 1, bytes)
      buffer.advance(by: bytes)
      (large + position).initialize(to: buffer)
      (small + position).initialize(to: ByteBuffer(capacity: 16))
    }
    let filled = Self.residentBytes - before
    large.deinitialize(count: count)
    let kept = Self.residentBytes - before
    // Some may lie in pages that other tests have left.
    #expect(filled > 60_000_000, "\(filled)")
    #expect(kept < filled / 2, "\(kept) of \(filled)")
    small.deinitialize(count: count)
    small.deallocate()
    large.deallocate()
  }
}
