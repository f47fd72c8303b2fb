import CZlib
import Cells

/// Owns one zlib stream that writes a content coding. Confined to one thread at a time.
final class Compressor {
  /// Memory of one stream: window, hash chains and pending output as given in zlib's manual, rounded up.
  static let stateBytes = 272 << 10

  enum Flush {
    case none
    /// The client can decode everything appended so far.
    case sync
    /// The stream ends.
    case finish
  }

  let coding: ContentCoding
  private let level: Int32
  // Allocated until `deinit`. zlib keeps the address, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// nil if there is not enough memory.
  init?(_ coding: ContentCoding, level: Int) {
    self.coding = coding
    self.level = Int32(level)
    stream = .allocate(capacity: 1)
    guard cf_deflate_start(stream, self.level, coding.windowBits) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Resets the state; the next bytes start a new stream.
  func reset() { cf_deflate_reset(stream, level) }

  /// Compresses `bytes` and appends the result to `output`. Without a flush, zlib may hold back some of it,
  /// bounded by its state.
  func append(_ bytes: UnsafeRawBufferPointer, _ flush: Flush, to output: inout ByteBuffer) {
    let mode =
      switch flush {
      case .none: Z_NO_FLUSH
      case .sync: Z_SYNC_FLUSH
      case .finish: Z_FINISH
      }
    var left = bytes.count
    while true {
      output.reserve(max(left / 4, Self.leastRoom))
      let room = output.capacity - output.count
      var written = room
      // In bounds of both buffers: reads the rest of `bytes`, and writes into the free capacity of `output`.
      let result = cf_deflate(
        stream, bytes.baseAddress.map { $0 + (bytes.count - left) }, &left, output.end, &written, mode)
      output.advance(by: written)
      precondition(result >= Z_OK || result == Z_BUF_ERROR, "zlib refuses its own stream")
      if flush == .finish ? result == Z_STREAM_END : left == 0 && written < room { return }
    }
  }

  private static let leastRoom = 512
}
