import CMarkup
import CellTemplates

/// Escaping as one pass that copies while it looks: 16 bytes are stored and judged at a time.
extension ByteBuffer {
  /// Appends `source` through `escaper`. At least `padding` bytes behind the source can be read.
  @inline(never)
  mutating func append(_ source: UnsafeRawBufferPointer, through escaper: Escaper) {
    switch escaper {
    case .html: appendEscaped(source) { cf_markup_or_nul_mask($0) }
    case .text: appendEscaped(source) { cf_markup_mask($0) }
    case .rawHTML: appendEscaped(source) { Self.nulMask($0) }
    case .none: append(source)
    }
  }

  /// Appends `source`, for element text, up to the first 16 bytes in which there may be one to escape. Returns how many
  /// bytes it took: all, or a multiple of 16.
  @inline(__always)
  mutating func appendClean(_ source: UnsafeRawBufferPointer) -> Int {
    guard let start = source.baseAddress else { return 0 }
    let count = source.count
    reserve(count)
    let target = end
    var place = 0
    while place < count {
      // As in `appendEscaped`: the last chunk reaches into the padding of both.
      let chunk = start + place
      (target + place).storeBytes(of: chunk.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      let found = cf_markup_or_nul_mask(chunk)
      // Behind the source's end stands the quote that ended it.
      if found != 0, place &+ found.trailingZeroBitCount < count {
        advance(by: place)
        return place
      }
      place &+= 16
    }
    advance(by: count)
    return count
  }

  /// - Parameter mask: a bit for each of the 16 bytes at a place that must be escaped, the first byte's the lowest.
  @inline(__always)
  private mutating func appendEscaped(_ source: UnsafeRawBufferPointer, mask: (UnsafeRawPointer) -> UInt32) {
    guard let start = source.baseAddress else { return }
    let count = source.count
    // Room for all that is left to copy, and behind it, in the padding, for the rest of a chunk or an entity.
    reserve(count)
    var chunk = start
    var target = end
    var left = count
    while left > 0 {
      // 16 bytes from a place inside the source: at its end they reach into the padding, and so does the store.
      target.storeBytes(of: chunk.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      let found = mask(chunk)
      if found == 0 {
        chunk += 16
        target += 16
        left &-= 16
        continue
      }
      let clean = found.trailingZeroBitCount
      if clean >= left { break }
      setEnd(target + clean)
      left &-= clean &+ 1
      appendEntity(for: chunk.load(fromByteOffset: clean, as: UInt8.self), beforeCount: left)
      chunk += clean &+ 1
      target = end
    }
    // Behind the last byte there is none that counts: `left` says by how much the last chunk went too far, if it did.
    setEnd(target + left)
  }

  /// The bits of the bytes that are 0; 16 bytes at `bytes` can be read.
  private static func nulMask(_ bytes: UnsafeRawPointer) -> UInt32 {
    var mask: UInt32 = 0
    for place in 0..<16 where bytes.load(fromByteOffset: place, as: UInt8.self) == 0 { mask |= 1 << UInt32(place) }
    return mask
  }

  /// Appends what stands for `byte`, as one word, and keeps room for the `left` bytes that are still to be copied.
  @inline(__always)
  private mutating func appendEntity(for byte: UInt8, beforeCount left: Int) {
    let entity = Self.entity(for: byte)
    reserve(entity.count + left)
    end.storeBytes(of: entity.bytes.littleEndian, as: UInt64.self)
    advance(by: entity.count)
  }

  /// The bytes of a character reference, the first in the lowest place, and how many they are.
  @inline(__always)
  private static func entity(for byte: UInt8) -> (bytes: UInt64, count: Int) {
    switch byte {
    case UInt8(ascii: "&"): (0x3B_706D_6126, 5)  // &amp;
    case UInt8(ascii: "<"): (0x3B_746C_26, 4)  // &lt;
    case UInt8(ascii: ">"): (0x3B_7467_26, 4)  // &gt;
    case UInt8(ascii: "\""): (0x3B74_6F75_7126, 6)  // &quot;
    case UInt8(ascii: "'"): (0x3B_3933_2326, 5)  // &#39;
    default: (0xBD_BFEF, 3)  // U+FFFD, for NUL
    }
  }
}
