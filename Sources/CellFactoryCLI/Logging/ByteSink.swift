/// A destination that bytes can be appended to.
protocol ByteSink {
  mutating func append(_ byte: UInt8)
  mutating func append(_ bytes: UnsafeRawBufferPointer)
}

extension Array: ByteSink where Element == UInt8 {
  mutating func append(_ bytes: UnsafeRawBufferPointer) { append(contentsOf: bytes) }
}

/// Borrowed memory of fixed size. Bytes that do not fit are dropped.
struct FixedBytes: ByteSink {
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  /// - Parameter memory: must outlive this value.
  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// The bytes appended so far. Valid as long as the memory, until more is appended.
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
