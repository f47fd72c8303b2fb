import CMarkup
import CellTemplates

/// Escaping as one pass that copies while it looks: 16 bytes, or eight, are stored and judged at a time.
extension ByteBuffer {
  /// Appends `source` through one of the escapers that nearly every hole has; false, and nothing is appended, for the
  /// others. At least `padding` bytes behind the source can be read.
  @inline(never)
  mutating func append(_ source: UnsafeRawBufferPointer, throughMarkup escaper: Escaper) -> Bool {
    switch escaper {
    case .html: appendMarkup(source) { cf_markup_or_nul_mask($0) }
    case .attribute: appendMarkup(source) { cf_attribute_mask($0) }
    case .text: appendMarkup(source) { cf_markup_mask($0) }
    case .rawHTML: appendMarkup(source) { Self.nulMask($0) }
    case .none: append(source)
    default: return false
    }
    return true
  }

  /// Appends `source` through any escaper but `json`, which takes values, not text. At least `padding` bytes behind
  /// the source can be read. Cost: linear.
  ///
  /// A function of its own, out of the renderer's loop: what these escapers do is more than a call.
  @inline(never)
  mutating func append(
    _ source: UnsafeRawBufferPointer, through escaper: Escaper, allowing schemes: AllowedSchemes
  ) {
    switch escaper {
    case .none, .rawHTML, .text, .html, .attribute: _ = append(source, throughMarkup: escaper)
    case .url: appendURL(URLText(source), allowing: schemes)
    case .urlPart: appendURLPart(source)
    case .urlComponent: appendURLComponent(source)
    case .urlAfterSlash: appendURLAfterSlash(source)
    case .urlSegment: appendURLSegment(source)
    case .sameOriginURL: appendSameOriginURL(URLText(source))
    case .fragmentURL: appendFragmentURL(URLText(source))
    case .urlList: appendURLList(source, allowing: schemes)
    case .srcset: appendSourceSet(source, allowing: schemes)
    case .srcsetDescriptor: appendSourceDescriptor(source)
    case .style: appendStyleValue(source)
    case .discard: break
    case .json: preconditionFailure("JSON is made from values, not from text")
    }
  }

  /// Appends `source` with the marked bytes replaced.
  ///
  /// - Parameters:
  ///   - marks: the high bit of each byte of a word that `replace` must see; only the lowest mark has to be right.
  ///   - replace: appends what stands for the bytes at its pointer, of which so many are left in the source, and tells
  ///     how many it took. It reserves room for what it appends and for all that is left behind that.
  @inline(__always)
  mutating func append(
    _ source: UnsafeRawBufferPointer, marks: (UInt64) -> UInt64,
    replace: (inout ByteBuffer, UnsafeRawPointer, _ left: Int) -> Int
  ) {
    guard let start = source.baseAddress else { return }
    let count = source.count
    // Room for all that is left to copy, and behind it, in the padding, for the rest of a word or an entity.
    reserve(count)
    var place = 0
    while place < count {
      // Eight bytes from a place inside the source: at its end they reach into the padding, and so does the store.
      let word = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      end.storeBytes(of: word.littleEndian, as: UInt64.self)
      let left = count - place
      var found = marks(word)
      if left < 8 { found &= (1 << UInt64(left * 8)) &- 1 }
      if found == 0 {
        let copied = min(left, 8)
        advance(by: copied)
        place += copied
      } else {
        let clean = found.trailingZeroBitCount / 8
        advance(by: clean)
        place += clean
        place += replace(&self, start + place, count - place)
      }
    }
  }

  /// Appends `source` up to the first 16 bytes in which one is marked. Returns how many bytes it took: all, or a
  /// multiple of 16.
  @inline(__always)
  mutating func appendClean(_ source: UnsafeRawBufferPointer, mask: (UnsafeRawPointer) -> UInt32) -> Int {
    guard let start = source.baseAddress else { return 0 }
    let count = source.count
    reserve(count)
    let target = end
    var place = 0
    while place < count {
      // As in `appendMarkup`: the last chunk reaches into the padding of both.
      let chunk = start + place
      (target + place).storeBytes(of: chunk.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      let found = mask(chunk)
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

  @inline(__always)
  private mutating func appendMarkup(_ source: UnsafeRawBufferPointer, mask: (UnsafeRawPointer) -> UInt32) {
    _ = append(source, mask: mask) { Self.entity(for: $0) }
  }

  /// Appends `source` with the marked bytes replaced; false, and nothing is appended, where one has no replacement.
  ///
  /// - Parameters:
  ///   - mask: a bit for each of the 16 bytes at a place that is marked, the first byte's the lowest.
  ///   - entity: what stands for a marked byte: up to eight bytes, the first in the lowest place, and how many.
  @inline(__always)
  mutating func append(
    _ source: UnsafeRawBufferPointer, mask: (UnsafeRawPointer) -> UInt32,
    entity: (UInt8) -> (bytes: UInt64, count: Int)?
  ) -> Bool {
    guard let start = source.baseAddress else { return true }
    let length = source.count
    let before = count
    // Room for all that is left to copy, and behind it, in the padding, for the rest of a chunk or an entity.
    reserve(length)
    var chunk = start
    var target = end
    var left = length
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
      guard let entity = entity(chunk.load(fromByteOffset: clean, as: UInt8.self)) else {
        truncate(to: before)
        return false
      }
      setEnd(target + clean)
      left &-= clean &+ 1
      appendShort(entity.bytes, count: entity.count, before: left)
      chunk += clean &+ 1
      target = end
    }
    // Behind the last byte there is none that counts: `left` says by how much the last chunk went too far, if it did.
    setEnd(target + left)
    return true
  }

  /// The bits of the bytes that are 0; 16 bytes at `bytes` can be read.
  private static func nulMask(_ bytes: UnsafeRawPointer) -> UInt32 {
    var mask: UInt32 = 0
    for place in 0..<16 where bytes.load(fromByteOffset: place, as: UInt8.self) == 0 { mask |= 1 << UInt32(place) }
    return mask
  }

  /// Appends up to eight bytes, the first in the lowest place, and keeps room for the `left` bytes that are still to
  /// be copied.
  @inline(__always)
  mutating func appendShort(_ bytes: UInt64, count: Int, before left: Int) {
    reserve(count + left)
    end.storeBytes(of: bytes.littleEndian, as: UInt64.self)
    advance(by: count)
  }

  /// What stands for a marked byte: its bytes, the first in the lowest place, and how many they are.
  @inline(__always)
  private static func entity(for byte: UInt8) -> (bytes: UInt64, count: Int) {
    switch byte {
    case UInt8(ascii: "&"): (0x3B_706D_6126, 5)  // &amp;
    case UInt8(ascii: "<"): (0x3B_746C_26, 4)  // &lt;
    case UInt8(ascii: ">"): (0x3B_7467_26, 4)  // &gt;
    case UInt8(ascii: "\""): (0x3B74_6F75_7126, 6)  // &quot;
    case UInt8(ascii: "'"): (0x3B_3933_2326, 5)  // &#39;
    case UInt8(ascii: "\r"): (0x3B_3331_2326, 5)  // &#13;
    default: (0xBD_BFEF, 3)  // U+FFFD, for NUL
    }
  }
}
