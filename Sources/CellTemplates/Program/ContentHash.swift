import CXXHash

/// A 128-bit hash of bytes (XXH3, seed 0). The same on every machine and in every run.
///
/// It distinguishes contents and detects damage; it does not protect against deliberate collisions.
package struct ContentHash: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package init(of bytes: UnsafeRawBufferPointer) {
    let hash = cf_xxh3_128(bytes.baseAddress, bytes.count)
    high = hash.high
    low = hash.low
  }

  package init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { ContentHash(of: $0) }
  }

  /// 32 lowercase hexadecimal digits, high half first.
  package var hex: String {
    String(unsafeUninitializedCapacity: 32) { digits in
      writeHex { digits[$0] = $1 }
      return 32
    }
  }

  /// Calls `put` with the index and character of each of the 32 digits.
  @inline(__always)
  package func writeHex(_ put: (Int, UInt8) -> Void) {
    for position in 0..<32 {
      let half = position < 16 ? high : low
      let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - (position & 15) * 4)) & 15
      put(position, nibble < 10 ? 48 + nibble : 87 + nibble)
    }
  }
}
