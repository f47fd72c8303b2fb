import CXXHash

/// Computes the `ContentHash` of bytes that arrive in several pieces.
package struct ContentHasher: ~Copyable {
  // Owned by this value and freed in `deinit`.
  private let state: UnsafeMutableRawPointer

  package init() {
    guard let state = cf_xxh3_128_begin() else { fatalError("out of memory") }
    self.state = state
  }

  deinit { cf_xxh3_128_end(state) }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    cf_xxh3_128_append(state, bytes.baseAddress, bytes.count)
  }

  /// The hash of all bytes appended so far.
  package var hash: ContentHash {
    let hash = cf_xxh3_128_value(state)
    return ContentHash(high: hash.high, low: hash.low)
  }
}
