#if canImport(Glibc)
  import Glibc
#endif

/// A growable run of bytes that one owner holds: a request's body, a cell's output, an answer.
///
/// `padding` readable bytes always follow the content, so that a parser may read words past its end.
/// Content beyond `count` is never shown; capacity grows by doubling. Not shared: non-copyable, freed in
/// `deinit`.
package struct ByteBuffer: ~Copyable {
  /// Readable bytes behind the capacity, enough for simdjson's widest read.
  package static let padding = 64

  // The one allocation of this buffer: `capacity + padding` bytes, alive until `deinit` or a growth replaces
  // it.
  private var storage: UnsafeMutableRawPointer
  package private(set) var count: Int
  package private(set) var capacity: Int

  package init(capacity: Int = 0) {
    self.capacity = Swift.max(capacity, 0)
    count = 0
    storage = Self.allocate(self.capacity)
  }

  deinit { free(storage) }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(capacity + padding) else { fatalError("out of memory") }
    return memory
  }

  package var isEmpty: Bool { count == 0 }

  /// The content. Valid until the buffer is next changed or freed.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: storage, count: count) }

  /// The content, for a C library that works in place. Valid until the buffer is next changed or freed.
  package var mutableBytes: UnsafeMutableRawBufferPointer {
    mutating get { UnsafeMutableRawBufferPointer(start: storage, count: count) }
  }

  /// Zeroes the padding, so that words read past the content are the same every time.
  package mutating func clearPadding() {
    memset(storage + count, 0, Self.padding)
  }

  /// Makes room for `additional` more bytes; capacity at least doubles when it must grow.
  @inline(__always)
  package mutating func reserve(_ additional: Int) {
    // `count` never exceeds `capacity`.
    if additional > capacity &- count { grow(by: additional) }
  }

  /// Makes room for `wanted` bytes in all and no more: for whoever has counted them before.
  package mutating func reserveExactly(_ wanted: Int) {
    if wanted > capacity { resize(to: wanted) }
  }

  @inline(never)
  private mutating func grow(by additional: Int) {
    resize(to: Swift.max(count + additional, capacity * 2, 256))
  }

  private mutating func resize(to wanted: Int) {
    guard let memory = realloc(storage, wanted + Self.padding) else { fatalError("out of memory") }
    storage = memory
    capacity = wanted
  }

  @inline(__always)
  package mutating func append(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    append(start, count: source.count)
  }

  /// Appends `length` bytes at `start`, which must not lie in this buffer.
  @inline(__always)
  package mutating func append(_ start: UnsafeRawPointer, count length: Int) {
    reserve(length)
    memcpy(storage + count, start, length)
    count += length
  }

  /// Appends `length` bytes at `start`, behind which at least 32 more bytes can be read: copied 32 at a time,
  /// which is faster than a call for the short runs that templates are made of.
  ///
  /// What is written beyond `length` falls into the capacity or the padding, and is no content.
  @inline(__always)
  mutating func appendPadded(_ start: UnsafeRawPointer, count length: Int) {
    reserve(length)
    let target = storage + count
    target.storeBytes(of: start.loadUnaligned(as: SIMD32<UInt8>.self), as: SIMD32<UInt8>.self)
    if length > 32 {
      if length > 256 {
        memcpy(target + 32, start + 32, length - 32)
      } else {
        var done = 32
        while done < length {
          let chunk = start.loadUnaligned(fromByteOffset: done, as: SIMD32<UInt8>.self)
          target.storeBytes(of: chunk, toByteOffset: done, as: SIMD32<UInt8>.self)
          done &+= 32
        }
      }
    }
    count &+= length
  }

  /// The place for the next byte. At least `capacity - count + padding` bytes may be written there; what is
  /// to stay is told to `advance`. Valid until the buffer is next changed.
  @inline(__always)
  package var end: UnsafeMutableRawPointer {
    mutating get { storage + count }
  }

  /// Takes all bytes before `end`, a place in the capacity that `self.end` led to, as content.
  @inline(__always)
  package mutating func setEnd(_ end: UnsafeMutableRawPointer) {
    count = end - storage
  }

  /// Takes `length` bytes that were written at `end` as content.
  @inline(__always)
  package mutating func advance(by length: Int) {
    count += length
  }

  @inline(__always)
  package mutating func append(byte: UInt8) {
    reserve(1)
    storage.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawPointer(text.utf8Start), count: text.utf8CodeUnitCount)
  }

  /// Appends the text's UTF-8. Literals go by `append(_:)`, which copies them from where they lie.
  package mutating func append(text: some StringProtocol) {
    var copy = String(text)
    copy.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends the decimal digits of `number`.
  package mutating func append(decimal number: Int) {
    if number >= 0 && number < 10 {
      append(byte: UInt8(48 + number))
    } else {
      append(text: String(number))
    }
  }

  #if DEBUG
    /// Whether the content is that of another buffer from `place` on, as far as it goes; that is as long.
    func startsLike(_ other: borrowing ByteBuffer, from place: Int) -> Bool {
      memcmp(storage, other.storage + place, count) == 0
    }
  #endif

  /// Drops everything from `length` on.
  package mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  /// Forgets the content and gives memory beyond `keptCapacity` bytes back.
  package mutating func reset(keptCapacity: Int) {
    count = 0
    if capacity > keptCapacity {
      free(storage)
      storage = Self.allocate(keptCapacity)
      capacity = keptCapacity
    }
  }

  /// The content as text, invalid UTF-8 repaired; for messages and tests.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
