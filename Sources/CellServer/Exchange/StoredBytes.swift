import Cells
package import CellTemplates

/// Bytes that exist and do not change: the body of answers. May be used from any thread.
package struct StoredBytes: Sendable {
  private enum Place {
    case array([UInt8])
    /// A file of an archive, by its number.
    case asset(CellArchive, Int)
  }

  package let count: Int
  private let place: Place

  package init(_ bytes: [UInt8]) {
    count = bytes.count
    place = .array(bytes)
  }

  /// A file that nibs link to. The archive is kept as long as the bytes.
  package init(asset number: Int, of archive: CellArchive) {
    count = archive.assetBytes(number).count
    place = .asset(archive, number)
  }

  /// Appends a part of the bytes.
  func append(_ range: Range<Int>, to output: inout ByteBuffer) {
    switch place {
    case .array(let bytes):
      bytes.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .asset(let archive, let number):
      output.append(UnsafeRawBufferPointer(rebasing: archive.assetBytes(number)[range]))
    }
  }
}
