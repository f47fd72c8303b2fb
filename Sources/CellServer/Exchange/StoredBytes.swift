package import CellTemplates
package import Cells

/// Bytes that exist and do not change: the body of answers. May be used from any thread.
package struct StoredBytes: Sendable {
  private enum Source {
    case buffer(SharedBuffer)
    /// A file of an archive, by its number.
    case asset(CellArchive, Int)
  }

  package let count: Int
  private let source: Source

  package init(_ buffer: SharedBuffer) {
    count = buffer.bytes.count
    source = .buffer(buffer)
  }

  package init(_ bytes: [UInt8]) {
    self.init(SharedBuffer(bytes))
  }

  /// A file that nibs link to. The archive is kept as long as the bytes.
  package init(asset number: Int, of archive: CellArchive) {
    count = archive.assetBytes(number).count
    source = .asset(archive, number)
  }

  /// Appends a part of the bytes.
  func append(_ range: Range<Int>, to output: inout ByteBuffer) {
    switch source {
    case .buffer(let buffer):
      output.append(UnsafeRawBufferPointer(rebasing: buffer.bytes[range]))
    case .asset(let archive, let number):
      output.append(UnsafeRawBufferPointer(rebasing: archive.assetBytes(number)[range]))
    }
  }
}
