import CZlib
import Cells

/// The owner of one stream of zlib, which writes gzip (RFC 1952). Confined to one thread at a time.
final class Compressor {
  /// What a stream keeps: its window, hash chains and pending output, as zlib's manual has it, and a little.
  static let stateBytes = 272 << 10

  enum Flush {
    case none
    /// All that was appended can be read by the client.
    case sync
    /// The stream ends.
    case finish
  }

  // One stream, alive until `deinit`: zlib keeps its address, so it may not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// nil: there is no memory for it.
  init?(level: Int) {
    stream = .allocate(capacity: 1)
    guard cf_gzip_start(stream, Int32(level)) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Forgets everything; the next bytes begin a new stream.
  func reset() { deflateReset(stream) }

  /// Compresses `bytes` behind what came before. What comes of them is appended to `output`, all of it where `flush` asks
  /// for that; else zlib may keep some, bounded by its state.
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
      // Both are within their buffers: the end of `bytes` from what is left, and the room behind `output`'s content.
      let result = cf_gzip(
        stream, bytes.baseAddress.map { $0 + (bytes.count - left) }, &left, output.end, &written, mode)
      output.advance(by: written)
      precondition(result >= Z_OK || result == Z_BUF_ERROR, "zlib refuses its own stream")
      if flush == .finish ? result == Z_STREAM_END : left == 0 && written < room { return }
    }
  }

  private static let leastRoom = 512
}
