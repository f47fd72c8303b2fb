import CMemory

#if canImport(Glibc)
  import Glibc
#endif

/// A growable byte buffer with a single owner: a request's body, a cell's output, an answer.
///
/// The content is always followed by `padding` readable bytes, so that a parser may read whole words past the
/// end. Bytes after `count` are never exposed. Noncopyable; freed in `deinit`.
///
/// Capacity grows in fixed steps: powers of two, and from 256 KiB on four steps for each, where `realloc` moves pages instead of
/// bytes. So what a text takes depends on its length, and not on what the buffer held before.
package struct ByteBuffer: ~Copyable {
  /// Readable bytes after the capacity, enough for simdjson's widest read.
  package static let padding = 64

  // The buffer's only allocation: `capacity + padding` bytes, valid until it is replaced by growth or freed
  // in `deinit`.
  private var storage: UnsafeMutableRawPointer
  package private(set) var count: Int
  package private(set) var capacity: Int

  package init(capacity: Int = 0) {
    self.capacity = Swift.max(capacity, 0)
    count = 0
    storage = Self.allocate(self.capacity)
  }

  deinit { Self.release(storage, capacity) }

  /// Frees a buffer's allocation. The pages of a large one go back to the system, in parts if the thread defers that.
  @inline(__always)
  private static func release(_ storage: UnsafeMutableRawPointer, _ capacity: Int) {
    if capacity < DiscardedMemory.returnedBytes { free(storage) } else { cf_discard(storage, capacity, free) }
  }

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

  /// Zeroes the padding, so that reads past the content are deterministic.
  package mutating func clearPadding() {
    memset(storage + count, 0, Self.padding)
  }

  /// Makes room for `additional` more bytes.
  @inline(__always)
  package mutating func reserve(_ additional: Int) {
    // `count` never exceeds `capacity`.
    if additional > capacity &- count { grow(by: additional) }
  }

  /// Makes room for exactly `wanted` bytes in total, for callers that have charged for them.
  package mutating func reserveExactly(_ wanted: Int) {
    if wanted > capacity { resize(to: wanted) }
  }

  @inline(never)
  private mutating func grow(by additional: Int) {
    resize(to: Self.capacity(for: count + additional))
  }

  /// The step that holds `count` bytes.
  static func capacity(for count: Int) -> Int {
    if count <= 256 { return 256 }
    let highest = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
    let step = 1 << (count > 256 << 10 ? highest - 2 : highest + 1)
    return (count + step - 1) & ~(step - 1)
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

  /// Appends `length` bytes at `start`, after which at least 32 more bytes must be readable. Copies 32 bytes
  /// at a time, which is faster than a call for the short runs in templates.
  ///
  /// Bytes written beyond `length` fall into the capacity or the padding.
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

  /// The address for the next byte. At least `capacity - count + padding` bytes may be written there; call
  /// `advance` to make them content. Valid until the buffer is next changed.
  @inline(__always)
  package var end: UnsafeMutableRawPointer {
    mutating get { storage + count }
  }

  /// Makes all bytes before `end` content. `end` must be an address in the capacity, derived from `self.end`.
  @inline(__always)
  package mutating func setEnd(_ end: UnsafeMutableRawPointer) {
    count = end - storage
  }

  /// Makes the first `length` bytes the content. All of them must have been written.
  package mutating func setEnd(to length: Int) {
    precondition(length >= 0 && length <= capacity)
    count = length
  }

  /// Makes `length` bytes written at `end` content.
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

  /// Appends the text as UTF-8. For literals, use `append(_:)`, which copies them without a `String`.
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
    /// Whether this buffer's content equals the other buffer's content from `offset` on, which must be at
    /// least as long.
    func startsLike(_ other: borrowing ByteBuffer, from offset: Int) -> Bool {
      memcmp(storage, other.storage + offset, count) == 0
    }
  #endif

  /// Removes everything from `length` on.
  package mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  /// Removes the content and releases capacity beyond `keptCapacity` bytes.
  package mutating func reset(keptCapacity: Int) {
    count = 0
    if capacity > keptCapacity {
      Self.release(storage, capacity)
      storage = Self.allocate(keptCapacity)
      capacity = keptCapacity
    }
  }

  /// Releases capacity that neither the content nor `keptCapacity` bytes need.
  package mutating func trim(to keptCapacity: Int) {
    let wanted = max(count, keptCapacity)
    if capacity <= wanted { return }
    let memory = Self.allocate(wanted)
    memory.copyMemory(from: storage, byteCount: count)
    Self.release(storage, capacity)
    (storage, capacity) = (memory, wanted)
  }

  /// Releases capacity beyond the step that holds the content.
  package mutating func trimToStep() { trim(to: Self.capacity(for: count)) }

  /// The content as text with invalid UTF-8 repaired, for messages and tests.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
