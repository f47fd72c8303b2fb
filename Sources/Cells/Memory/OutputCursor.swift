/// The place in a buffer where the next byte goes, and where the room ends: two words that a loop can keep in
/// registers, where the buffer itself would be read and written for every step.
///
/// Made by ``ByteBuffer/cursor(limit:)`` and told to the buffer by ``ByteBuffer/setEnd(_:)``. Valid until the
/// buffer is next changed in any other way.
package struct OutputCursor {
  // Inside the buffer's allocation, behind which its padding follows.
  private(set) var target: UnsafeMutableRawPointer
  let limit: UnsafeMutableRawPointer

  /// Bytes that may be written; below 0 where the buffer is longer than it may be.
  @inline(__always)
  var room: Int { limit - target }

  /// The same as bytes, as functions in C take them.
  @inline(__always)
  package var bytes: UnsafeMutablePointer<UInt8> { target.assumingMemoryBound(to: UInt8.self) }

  @inline(__always)
  package var byteLimit: UnsafeMutablePointer<UInt8> { limit.assumingMemoryBound(to: UInt8.self) }

  /// Appends a byte, for which there is room.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    target.storeBytes(of: byte, as: UInt8.self)
    target += 1
  }

  /// Copies `count` bytes, for which there is room, from `source`, behind which 32 more bytes can be read.
  ///
  /// 32 at a time: what is written beyond `count` falls into the room or the buffer's padding, and is no
  /// content.
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

  /// Takes all bytes before `target`, a place that this cursor's led to, as written.
  @inline(__always)
  mutating func advance(to target: UnsafeMutableRawPointer) { self.target = target }
}

extension ByteBuffer {
  /// Where to write on, as long as the buffer holds at most `limit` bytes in all.
  @inline(__always)
  package mutating func cursor(limit: Int) -> OutputCursor {
    let end = self.end
    return OutputCursor(target: end, limit: end + (Swift.min(capacity, limit) &- count))
  }

  /// Where a cursor of this buffer stands, in bytes from the first.
  @inline(__always)
  mutating func place(of cursor: OutputCursor) -> Int { cursor.target - end &+ count }
}
