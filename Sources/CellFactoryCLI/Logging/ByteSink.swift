/// Somewhere that bytes are appended to.
protocol ByteSink {
  mutating func append(_ byte: UInt8)
  mutating func append(_ bytes: UnsafeRawBufferPointer)
}

extension Array: ByteSink where Element == UInt8 {
  mutating func append(_ bytes: UnsafeRawBufferPointer) { append(contentsOf: bytes) }
}

/// Memory of a fixed size, lent for a while; what does not fit is left out.
struct FixedBytes: ByteSink {
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  /// - Parameter memory: outlives this value.
  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// What was appended. Valid as long as the memory, until more is appended.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  mutating func append(_ byte: UInt8) {
    guard count < memory.count else { return }
    memory[count] = byte
    count += 1
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= memory.count - count else { return }
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }
}
