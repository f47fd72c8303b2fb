/// The write position in a buffer and the end of its room: two words that a loop can keep in registers
/// instead of reading and writing the buffer's fields for every step.
///
/// Created by ``ByteBuffer/cursor(limit:)`` and committed by ``ByteBuffer/setEnd(_:)``. Valid until the
/// buffer is changed in any other way.
package struct OutputCursor {
  // Both are inside the buffer's allocation, which is followed by its padding.
  private(set) var target: UnsafeMutableRawPointer
  let limit: UnsafeMutableRawPointer

  /// The bytes that may be written; negative if the buffer is longer than its limit.
  @inline(__always)
  var room: Int { limit - target }

  /// The same as a byte pointer, for C functions.
  @inline(__always)
  package var bytes: UnsafeMutablePointer<UInt8> { target.assumingMemoryBound(to: UInt8.self) }

  @inline(__always)
  package var byteLimit: UnsafeMutablePointer<UInt8> { limit.assumingMemoryBound(to: UInt8.self) }

  /// Appends a byte; there must be room.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    target.storeBytes(of: byte, as: UInt8.self)
    target += 1
  }

  /// Copies `count` bytes from `source`; there must be room, and 32 more bytes must be readable after them.
  ///
  /// Copies 32 bytes at a time. Bytes written beyond `count` fall into the room or the buffer's padding.
  @inline(__always)
  mutating func copy(_ source: UnsafeRawPointer, count: Int) {
    target.storeBytes(of: source.loadUnaligned(as: SIMD32<UInt8>.self), as: SIMD32<UInt8>.self)
    if count > 32 {
      let next = source.loadUnaligned(fromByteOffset: 32, as: SIMD32<UInt8>.self)
      target.storeBytes(of: next, toByteOffset: 32, as: SIMD32<UInt8>.self)
      if count > 64 { (target + 64).copyMemory(from: source + 64, byteCount: count &- 64) }
    }
    target += count
  }

  /// Marks all bytes before `target` as written. `target` must be derived from this cursor's.
  @inline(__always)
  mutating func advance(to target: UnsafeMutableRawPointer) { self.target = target }
}

extension ByteBuffer {
  /// A cursor for appending, as long as the buffer has at most `limit` bytes.
  @inline(__always)
  package mutating func cursor(limit: Int) -> OutputCursor {
    let end = self.end
    return OutputCursor(target: end, limit: end + (Swift.min(capacity, limit) &- count))
  }

  /// The position of a cursor of this buffer, in bytes from the start.
  @inline(__always)
  mutating func offset(of cursor: OutputCursor) -> Int { cursor.target - end &+ count }
}
