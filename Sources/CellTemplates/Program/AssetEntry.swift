/// A file that nibs link to. Consists of 32-bit words, like all entries of archives.
package struct AssetEntry: BitwiseCopyable, Equatable, Sendable {
  /// Its path relative to the templates folder.
  package var path: LiteralRef
  /// An `AssetType`.
  package var type: UInt32
  /// A range of the table of asset bytes.
  package var start: UInt32
  package var count: UInt32
  private var hashHighHigh: UInt32
  private var hashHighLow: UInt32
  private var hashLowHigh: UInt32
  private var hashLowLow: UInt32

  package init(path: LiteralRef, type: AssetType, start: UInt32, count: UInt32, hash: ContentHash) {
    (self.path, self.type, self.start, self.count) = (path, type.rawValue, start, count)
    hashHighHigh = UInt32(truncatingIfNeeded: hash.high >> 32)
    hashHighLow = UInt32(truncatingIfNeeded: hash.high)
    hashLowHigh = UInt32(truncatingIfNeeded: hash.low >> 32)
    hashLowLow = UInt32(truncatingIfNeeded: hash.low)
  }

  /// The hash of its bytes.
  package var hash: ContentHash {
    ContentHash(
      high: UInt64(hashHighHigh) << 32 | UInt64(hashHighLow),
      low: UInt64(hashLowHigh) << 32 | UInt64(hashLowLow))
  }
}
