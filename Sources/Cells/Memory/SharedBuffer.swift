/// Bytes that do not change, shared by any number of owners and threads. The last owner frees them, in parts if its thread
/// defers that (`DiscardedMemory`).
package final class SharedBuffer: Sendable {
  // Only read after `init`.
  private nonisolated(unsafe) let buffer: ByteBuffer

  package init(_ buffer: consuming ByteBuffer) { self.buffer = buffer }

  /// A copy of these bytes.
  package convenience init(copying bytes: UnsafeRawBufferPointer) {
    var buffer = ByteBuffer(capacity: bytes.count)
    buffer.append(bytes)
    self.init(buffer)
  }

  /// A copy of these bytes.
  package convenience init(_ bytes: [UInt8]) {
    var buffer = ByteBuffer(capacity: bytes.count)
    buffer.append(bytes)
    self.init(buffer)
  }

  /// Valid as long as this object.
  package var bytes: UnsafeRawBufferPointer { buffer.bytes }
}
